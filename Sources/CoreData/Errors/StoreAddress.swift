import Foundation

/// How messages, logs and notifications show the URL of a store: without passwords.
///
/// Only URLs of PostgreSQL servers have passwords. The store itself is in `CoreDataPostgreSQL`.
package enum StoreAddress {
  package static let postgreSQLType = "PostgreSQL"
  package static let zoneOption = "NSPostgreSQLZone"
  package static let defaultZone = "default"

  /// Returns the name of the store at `url` in messages: the path of a file, or the address and the zone of a database.
  package static func name(ofStoreAt url: URL, _ options: [AnyHashable: Any]?) -> String {
    guard isOfServer(url) else { return url.path }
    return shown(url, zone: options?[zoneOption] as? String ?? defaultZone)
  }

  package static func isOfServer(_ url: URL) -> Bool {
    ["postgresql", "postgres"].contains(url.scheme)
  }

  package static func shown(_ url: URL, zone: String) -> String {
    let place = shown(url)
    return zone == defaultZone ? place : "\(place) (zone \(zone))"
  }

  /// Returns the address without its password.
  package static func shown(_ url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
      return "\(url.scheme ?? "")://…"
    }
    parts.password = nil
    parts.queryItems = parts.queryItems?.filter { !secretKeywords.contains($0.name.lowercased()) }
    if parts.queryItems?.isEmpty == true { parts.queryItems = nil }
    return parts.string ?? "\(url.scheme ?? "")://…"
  }

  /// Returns the URL for others: that of a server without its password, and any other unchanged.
  static func withoutSecrets(_ url: URL) -> URL? {
    guard isOfServer(url) else { return url }
    let words = shown(url)
    return words == url.absoluteString ? url : URL(string: words)
  }

  package static let secretKeywords: Set<String> = [
    "password", "sslpassword", "passfile", "oauth_client_secret", "scram_client_key",
    "scram_server_key",
  ]
}
