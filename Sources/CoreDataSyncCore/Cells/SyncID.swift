package import Foundation

/// The identity of an object on all devices: the 128 bits of a UUID.
package struct SyncID: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A UUID of version 4 from random bits.
  package init(random high: UInt64, _ low: UInt64) {
    self.init(high: high, low: low, version: 4)
  }

  /// A UUID of version 8, which represents a content: every device that makes an object of this content gives it the
  /// same identity.
  package init(natural digest: some Collection<UInt8>) {
    let bytes = Array(digest.prefix(16))
    let high = bytes.prefix(8).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
    let low = bytes.dropFirst(8).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
    self.init(high: high, low: low, version: 8)
  }

  private init(high: UInt64, low: UInt64, version: UInt64) {
    self.high = (high & ~0xF000) | (version << 12)
    self.low = (low & ~(0b11 << 62)) | (0b10 << 62)
  }

  /// Whether the identity represents a content, and comes again when that content does.
  package var isNatural: Bool { (high >> 12) & 0xF == 8 }

  package static let smallest = SyncID(high: 0, low: 0)
}

extension SyncID: Comparable {
  package static func < (left: SyncID, right: SyncID) -> Bool {
    left.high == right.high ? left.low < right.low : left.high < right.high
  }
}

extension SyncID: CustomStringConvertible {
  package var description: String { uuid.uuidString }

  package var uuid: UUID {
    let bytes =
      (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64($0))) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64($0))) }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  package init(_ uuid: UUID) {
    let parts = withUnsafeBytes(of: uuid.uuid) { bytes in
      (
        bytes.prefix(8).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) },
        bytes.dropFirst(8).reduce(UInt64(0)) { ($0 << 8) | UInt64($1) }
      )
    }
    self.init(high: parts.0, low: parts.1)
  }
}
