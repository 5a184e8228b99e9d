public import Foundation

/// The place of notes that are not in a file: a PostgreSQL database, and a zone in it.
///
/// The address is shown nowhere: it may have a password in it.
public struct DatabasePlace: Sendable, Equatable {
  /// As libpq reads it, such as `postgresql://notes@db.example.org/notes`.
  public let address: URL
  /// The name of the slip box among those that the database has; `nil` for the one called `default`.
  public let zone: String?

  /// Creates the place that a text names; `nil` if the text is not the address of a database.
  ///
  /// - Parameters:
  ///   - text: An address that begins with `postgresql://` or `postgres://`.
  ///   - zone: The name of the slip box; `nil` for `default`.
  public init?(_ text: String, zone: String? = nil) {
    guard Self.isAddress(text), let url = URL(string: text) else { return nil }
    address = url
    self.zone = zone
  }

  /// Whether a text means to be the address of a database.
  public static func isAddress(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  /// Whether the address has a secret in it.
  public var hasSecret: Bool {
    // An address that cannot be taken apart may have one.
    guard let parts = URLComponents(url: address, resolvingAgainstBaseURL: false) else {
      return true
    }
    let names = (parts.queryItems ?? []).map { $0.name.lowercased() }
    return parts.password != nil || names.contains { Self.secrets.contains($0) }
  }

  private static let secrets: Set<String> = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]
}
