import CoreDataModel
import CoreDataSyncCore
import Foundation

/// The rights that a token gives in its zone, or at the server.
package enum TokenRole: String, CaseIterable, Sendable {
  /// Fetch changes.
  case read
  /// Fetch and send changes.
  case write
  /// Also make and revoke tokens.
  case admin
  /// Make zones and their tokens, and read the server's figures; fetch and send nothing.
  case server

  /// The roles that a token of a zone may have.
  package static let ofZones: [TokenRole] = [.read, .write, .admin]

  package var canWrite: Bool { self == .write || self == .admin }
}

/// A token as the server knows it: without its text, of which it keeps a hash.
package struct AccessToken: Hashable, Sendable {
  package let number: Int64
  package let zone: String
  package let role: TokenRole
  /// The name that somebody has given it, such as that of a device.
  package let label: String
  /// Milliseconds since 1970.
  package let made: UInt64
  package let isRevoked: Bool

  /// The zone of a token of the server, which no zone is called.
  package static let everyZone = "*"

  package init(
    number: Int64,
    zone: String,
    role: TokenRole,
    label: String,
    made: UInt64,
    isRevoked: Bool
  ) {
    self.number = number
    self.zone = zone
    self.role = role
    self.label = label
    self.made = made
    self.isRevoked = isRevoked
  }
}

/// A row in which a database keeps a token.
package protocol TokenRow {
  func integer(_ column: Int32) -> Int64
  func text(_ column: Int32) -> String
}

extension AccessToken {
  /// Reads the columns number, zone, role, label, made and whether it is revoked, in this order.
  package init(row: some TokenRow) {
    self.init(
      number: row.integer(0),
      zone: row.text(1),
      role: TokenRole(rawValue: row.text(2)) ?? .read,
      label: row.text(3),
      made: UInt64(max(row.integer(4), 0)),
      isRevoked: row.integer(5) != 0
    )
  }
}

/// The text of a new token, which nobody can find out again.
package enum TokenText {
  package static func random() -> String {
    var chance = SystemRandomNumberGenerator()
    return Base32.text(
      (0..<SyncAddress.tokenLength * 5 / 8).map { _ in UInt8.random(in: 0...255, using: &chance) }
    )
  }

  static func hash(_ text: String) -> [UInt8] {
    Array(SHA256.digest(of: text.utf8))
  }
}
