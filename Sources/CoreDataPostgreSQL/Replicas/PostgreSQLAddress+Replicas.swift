import CoreData
import Foundation

// MARK: - The addresses of replicas

extension PostgreSQLAddress {
  /// As many as a store may have.
  static let mostReplicas = 16

  /// The servers that an option of the store names; parts that they leave open are as in this address.
  ///
  /// Throws if the option is not a list of addresses. The error does not repeat the value, which may contain a
  /// password.
  func replicas(_ options: [AnyHashable: Any]?) throws -> [PostgreSQLAddress] {
    guard let option = options?[PostgreSQLStores.replicasOption] else { return [] }
    guard let list = option as? [Any] else { throw noReplicas("a list") }
    guard list.count <= Self.mostReplicas else {
      throw noReplicas("a list of at most \(Self.mostReplicas) addresses; it has \(list.count)")
    }
    return try list.enumerated().map { index, entry in
      let text = (entry as? URL)?.absoluteString ?? entry as? String
      guard let url = text.flatMap({ URL(string: $0) }), let replica = try replica(at: url) else {
        throw noReplicas("a list of addresses; entry \(index + 1) is none")
      }
      return replica
    }
  }

  private func noReplicas(_ expected: String) -> NSError {
    PostgreSQLFailure(.noReplicas(expected), path: description).error()
  }

  /// The same database, user and settings on another server.
  private func replica(at place: URL) throws -> PostgreSQLAddress? {
    guard var own = URLComponents(url: url, resolvingAgainstBaseURL: false),
      let other = URLComponents(url: place, resolvingAgainstBaseURL: false),
      let scheme = other.scheme, ["postgresql", "postgres"].contains(scheme)
    else { return nil }
    own.encodedHost = other.encodedHost ?? ""
    own.port = other.port
    if let user = other.percentEncodedUser {
      // A password is one user's.
      if user != own.percentEncodedUser { own.percentEncodedPassword = nil }
      own.percentEncodedUser = user
    }
    if let password = other.percentEncodedPassword { own.percentEncodedPassword = password }
    if !other.percentEncodedPath.isEmpty, other.percentEncodedPath != "/" {
      own.percentEncodedPath = other.percentEncodedPath
    }
    let items = other.percentEncodedQueryItems ?? []
    let named = Set(items.map(\.name)).union(Self.keywordsOfPlaces)
    let kept = (own.percentEncodedQueryItems ?? []).filter { !named.contains($0.name) }
    own.percentEncodedQueryItems = kept + items
    if own.percentEncodedQueryItems?.isEmpty == true { own.percentEncodedQueryItems = nil }
    return try own.url.map { try PostgreSQLAddress(self, at: $0) }
  }

  /// The place of a server, and which of several is wanted: nothing that another one has in common.
  private static let keywordsOfPlaces: Set<String> = [
    "host", "hostaddr", "port", "target_session_attrs", "load_balance_hosts",
  ]
}
