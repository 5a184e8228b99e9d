public import ChildPrograms
public import CoreData
import CoreDataPostgreSQL
import Synchronization

/// The PostgreSQL server of a test run, with places for stores.
public final class PostgreSQLServer: Sendable {
  /// Whether Debian's package is there; says so loudly if it is not.
  public static var isInstalled: Bool { DatabaseServer.isInstalled }

  /// The server of this process; tests that want others make them.
  public static let shared = PostgreSQLServer(.shared)

  private let server: DatabaseServer
  private let schemas = Mutex<Set<String>>([])

  public convenience init(_ terms: DatabaseServer.Terms = DatabaseServer.Terms()) throws {
    self.init(try DatabaseServer(terms))
  }

  /// Starts a server that follows another one, and ends sessions there that would make it wait.
  public convenience init(following primary: PostgreSQLServer) throws {
    self.init(try DatabaseServer(following: primary.server))
  }

  private init(_ server: DatabaseServer) {
    self.server = server
  }
}

extension PostgreSQLServer {
  /// Ends the server, and waits for that.
  public func stop() throws {
    try server.stop()
  }

  /// Has the server end all sessions and itself, until it is started again.
  public func halt() throws { try server.halt() }

  public func start() throws { try server.start() }

  /// The folder of the server's socket.
  public var folder: String { server.folder }
}

// MARK: - Places

extension PostgreSQLServer {
  /// The address of the server's database, for tests that are not about a store.
  public var address: URL { url(schema: nil) }

  /// A new place with tables of its own.
  public func place() -> URL {
    let schema = "own_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    make(schema)
    return url(schema: schema)
  }

  /// The place for a file: one zone for each file, in the tables of the model's configuration.
  public func place(
    for file: URL,
    of model: NSManagedObjectModel,
    configuration: String?,
    _ options: [String: Any]
  ) -> (URL, [String: Any]) {
    if file.scheme == "postgresql" { return (file, options) }
    let hashes = model.entityVersionHashesByName.sorted { $0.key < $1.key }
    var hash: UInt64 = 14_695_981_039_346_656_037
    let kept = hashes.flatMap { Array($0.key.utf8) + Array($0.value) }
    for byte in kept + Array((configuration ?? "").utf8) {
      hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
    }
    let schema = "of_" + String(hash, radix: 16)
    make(schema)
    var options = options
    let zone = file.path == "/dev/null" ? UUID().uuidString : file.path
    options[NSPostgreSQLZoneOption] = String(zone.suffix(200))
    return (url(schema: schema), options)
  }

  private func make(_ schema: String) {
    guard !schemas.withLock({ $0.contains(schema) }) else { return }
    for tries in 1... {
      do {
        try PostgreSQLShell.run("CREATE SCHEMA IF NOT EXISTS \(schema)", at: address)
        break
      } catch {
        // Two that make it at once: one is refused, and it is there.
        let words = "\(error)"
        if words.contains("23505") || words.contains("42P06") { break }
        // A busy machine may not have had time for it, and the server no room.
        if tries == 6 { fatalError("no schema: \(words)") }
        Thread.sleep(forTimeInterval: 5)
      }
    }
    _ = schemas.withLock { $0.insert(schema) }
  }

  private func url(schema: String?) -> URL {
    let path = schema.map { "&options=-csearch_path%3D\($0)" } ?? ""
    guard let url = URL(string: server.address + path) else {
      fatalError("no address")
    }
    return url
  }
}
