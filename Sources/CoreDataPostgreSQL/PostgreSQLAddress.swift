package import CoreData
import Foundation

/// The address of a server, a database there, and a zone in it.
///
/// The address goes to libpq as it is; the form for people and logs does not contain the password.
package struct PostgreSQLAddress: Sendable {
  /// As libpq takes it.
  let url: URL
  /// The tenant whose rows these are.
  let zone: String
  /// Whether a pooler lends the connection for one transaction at a time.
  package let isLentByTransaction: Bool
  /// How long the server may be silent while a connection is opened, in seconds.
  private let patience: Int
  /// How long an answer of the server is waited for; nil for as long as it takes.
  package private(set) var statementLimit: Duration?
  /// How long a thread waits for a connection that other threads have.
  let patienceInLine: Duration

  static let longestZone = 200

  /// Throws for an invalid address, a zone that cannot be one, and an unknown manner of pooling.
  package init(_ url: URL?, options: [AnyHashable: Any]?) throws {
    guard let url, let scheme = url.scheme, ["postgresql", "postgres"].contains(scheme) else {
      let given = url.map { StoreAddress.shown($0) } ?? "no URL"
      throw PostgreSQLFailure(.noAddress(given), path: given).error()
    }
    let pooling = try Self.pooling(of: url, options?[PostgreSQLStores.poolingOption])
    self.url = pooling.url
    isLentByTransaction = pooling.isByTransaction ?? false
    let zone: String
    switch options?[PostgreSQLStores.zoneOption] {
    case nil: zone = StoreAddress.defaultZone
    case let text as String: zone = text
    // Another tenant's rows are worse than no store.
    case let other?:
      throw PostgreSQLFailure(.noZone("\(other)"), path: StoreAddress.shown(url)).error()
    }
    let bytes = zone.utf8
    guard (1...Self.longestZone).contains(bytes.count), !bytes.contains(0) else {
      throw PostgreSQLFailure(.noZone(zone), path: StoreAddress.shown(url)).error()
    }
    self.zone = zone
    statementLimit = try Self.statementLimit(options, of: url)
    let timeout = (options?[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue
    patience = Self.bounded(timeout ?? 10)
    patienceInLine = .seconds(Self.bounded(timeout ?? 60))
  }

  /// The same rows at another place, whose address may say something else of a pooler.
  init(_ address: PostgreSQLAddress, at url: URL) throws {
    let pooling = try Self.pooling(of: url)
    self.url = pooling.url
    isLentByTransaction = pooling.isByTransaction ?? address.isLentByTransaction
    zone = address.zone
    patience = address.patience
    statementLimit = address.statementLimit
    patienceInLine = address.patienceInLine
  }
}

extension PostgreSQLAddress {
  /// The same rows, for what takes as long as it takes.
  var withoutStatementLimit: PostgreSQLAddress {
    var address = self
    address.statementLimit = nil
    return address
  }

  private static func statementLimit(
    _ options: [AnyHashable: Any]?,
    of url: URL
  ) throws -> Duration? {
    guard let given = options?[PostgreSQLStores.statementTimeoutOption] else { return nil }
    if let seconds = (given as? NSNumber)?.doubleValue, (0.1...86_400).contains(seconds) {
      return .seconds(seconds)
    }
    let cause = PostgreSQLFailure.Cause.badOption(
      "NSPostgreSQLStatementTimeoutOption",
      given: "\(given)",
      expected: "a number of seconds, from 0.1 to 86400"
    )
    throw PostgreSQLFailure(cause, path: StoreAddress.shown(url)).error()
  }

  /// Whole seconds as libpq takes them, which has two at least.
  private static func bounded(_ seconds: Double) -> Int {
    seconds > 0 ? Int(min(max(seconds, 2), 600)) : 2
  }
}

// MARK: - For libpq

extension PostgreSQLAddress {
  /// The keywords of libpq and their values; those of the address itself win over earlier ones.
  ///
  /// A server whose machine is gone without a word is given up after a minute, and not after the hours that
  /// TCP takes.
  package var settings: [(name: String, value: String)] {
    [
      ("application_name", ProcessInfo.processInfo.processName),
      ("connect_timeout", String(patience)),
      ("keepalives_idle", "30"),
      ("keepalives_interval", "10"),
      ("keepalives_count", "3"),
      ("tcp_user_timeout", "60000"),
      ("dbname", url.absoluteString),
      ("client_encoding", "UTF8"),
    ]
  }
}

// MARK: - For people

extension PostgreSQLAddress: CustomStringConvertible {
  package var description: String { StoreAddress.shown(url, zone: zone) }

  /// Words of libpq about the address, without the secrets in it.
  package func withoutSecrets(_ words: String) -> String {
    var text = words.replacing(url.absoluteString, with: StoreAddress.shown(url))
    for secret in secrets { text = text.replacing(secret, with: "…") }
    return text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "; ")
  }

  /// The passwords, as they are written in the address and as they are meant.
  private var secrets: [String] {
    let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
    let items = parts?.queryItems?.filter {
      StoreAddress.secretKeywords.contains($0.name.lowercased())
    }
    let encoded = parts?.percentEncodedQueryItems?
      .filter { StoreAddress.secretKeywords.contains($0.name.lowercased()) }
    let found =
      [parts?.password, parts?.percentEncodedPassword]
      + (items ?? []).map(\.value) + (encoded ?? []).map(\.value)
    return found.compactMap { $0 }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
  }
}
