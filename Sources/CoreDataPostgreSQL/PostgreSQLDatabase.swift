import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// The facts in a database about itself and a zone in it; and the making of its tables.
struct PostgreSQLDatabase {
  let pool: PostgreSQLPool
  var path: String { pool.address.description }

  /// The number of a lock that no other program uses: "CoreData" in ASCII.
  static let lock: Int64 = 0x436F_7265_4461_7461

  init(_ pool: PostgreSQLPool) {
    self.pool = pool
  }
}

// MARK: - Opening

extension PostgreSQLDatabase {
  /// A zone, and the tables around it.
  struct Opened {
    let metadata: [String: Any]
    let mark: TablesMark
    let surplus: StoreSurplus
  }

  /// Makes what is missing, tables and zone, and gives the metadata, with the mark of the tables.
  ///
  /// The zone of a copy is a ``PendingZone``, and is not made here.
  ///
  /// Throws 134100 for tables of another model.
  func open(
    _ place: StorePlace,
    for layout: ModelLayout
  ) throws -> Opened {
    try translating { () throws(PostgreSQLError) in
      try pool.once { connection throws(PostgreSQLError) in
        guard let misfit = ServerMisfit({ connection.wire.parameter($0) }) else { return }
        throw misfit.error
      }
    }
    if !place.isReadOnly { try create(layout, in: place.configuration) }
    let opened = try compared(
      facts(ofZone: place.isReadOnly ? .ifThere : ZoneState(place.purpose)),
      place,
      with: layout
    )
    try keepViews(of: place)
    return opened
  }

  /// Looks again at the tables of a zone that was opened, which another program has migrated since.
  ///
  /// Throws 134100 if the program cannot use them any more.
  func lookAgain(_ place: StorePlace, for layout: ModelLayout) throws -> Opened {
    try compared(facts(), place, with: layout)
  }

  private func compared(
    _ facts: Facts,
    _ place: StorePlace,
    with layout: ModelLayout
  ) throws -> Opened {
    let metadata = try metadata(from: facts)
    let surplus = try place.surplus(of: metadata, beyond: layout) {
      // A database that cannot be asked now fails later too, and reports the error then.
      (try? tablesModel())?.schema
    }
    return Opened(metadata: metadata, mark: facts.mark, surplus: surplus)
  }

  func tables(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Set<String> {
    let statement = try connection.statement(
      """
      SELECT CAST(c.relname AS TEXT) FROM pg_catalog.pg_class c \
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      """
    )
    defer { statement.reset() }
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.text(0)) }
    return names
  }
}

// MARK: - Making

extension PostgreSQLDatabase {
  /// Makes the tables, functions and orders of texts, all of them or none.
  ///
  /// Of several programs that begin together one does it, and the others wait.
  private func create(_ layout: ModelLayout, in configuration: String?) throws {
    let schema = PostgreSQLSchema(map: TableMap(layout.schema))
    if let name = schema.tooLongName {
      throw PostgreSQLFailure(.longName(name), path: path).error()
    }
    let found = try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) in try tables(connection) }
    }
    if found.contains("z_model") { return }
    try refuseHiddenStore()
    let metadata = try StoreMetadata(for: layout.schema, in: configuration).binary
    let cache = try ModelCache.encode(layout.schema)
    let stranger = try translating { () throws(PostgreSQLError) in
      try pool.once { connection throws(PostgreSQLError) -> String? in
        try locked(connection) { () throws(PostgreSQLError) -> String? in
          let found = try tables(connection)
          if found.contains("z_model") { return nil }
          if let name = schema.tableNames.first(where: found.contains) { return name }
          try connection.run(plain: schema.statements.joined(separator: ";\n"))
          try connection.run(
            """
            INSERT INTO z_model (z_version, z_plist, z_content) VALUES (\
            \(.integer(PostgreSQLSchema.version)), \(.blob([UInt8](metadata))), \
            \(.blob([UInt8](cache))))
            """
          )
          return nil
        }
      }
    }
    if let stranger {
      let lack = "has a table \(stranger) already, and no table z_model"
      throw PostgreSQLFailure(.strangeDatabase(lack), path: path).error()
    }
  }

  /// Refuses a schema that looks like an empty database only because somebody has made it in front of the store's:
  /// the server's own `search_path` begins with a schema that is named after the user.
  private func refuseHiddenStore() throws {
    let hidden = try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) -> (schema: String, first: String)? in
        let statement = try connection.statement(Self.hiddenStore)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        return (schema: statement.text(0), first: statement.text(1))
      }
    }
    guard let hidden else { return }
    throw PostgreSQLFailure(.hiddenStore(in: hidden.schema, behind: hidden.first), path: path)
      .error()
  }

  private static let hiddenStore: SQLFragment = """
    SELECT CAST(n.nspname AS TEXT), CAST(current_schema() AS TEXT) FROM pg_catalog.pg_class c \
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE c.oid = to_regclass('z_model') AND n.nspname <> current_schema() \
    AND current_schema() = current_user AND position('$user' IN current_setting('search_path')) > 0
    """

  /// Waits for other programs that make or change the tables; they wait for the end of this transaction.
  static func takeLock(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
    try connection.run("SELECT pg_advisory_xact_lock(\(.integer(lock)))")
  }

  /// Begins a transaction without time limits, even if the user's statements have them as a rule.
  ///
  /// Servers before PostgreSQL 17 do not have `transaction_timeout`.
  static let unhurriedBeginning = """
    BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0; \
    SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; \
    SELECT set_config(name, '0', true) FROM pg_catalog.pg_settings WHERE name = 'transaction_timeout'
    """

  /// Runs something in a transaction that has the database's lock.
  func locked<Result>(
    _ connection: PostgreSQLConnection,
    _ body: () throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    // Making the tables is not limited in time, and neither is waiting for another program that does so.
    let limit = connection.wire.limit
    connection.wire.limit = nil
    defer { connection.wire.limit = limit }
    try connection.run(plain: Self.unhurriedBeginning)
    do throws(PostgreSQLError) {
      try Self.takeLock(on: connection)
      let result = try body()
      try connection.run(plain: "COMMIT")
      return result
    } catch {
      // The error that matters is the first; a lost connection's transaction has been rolled back.
      try? connection.run(plain: "ROLLBACK")
      throw error
    }
  }
}

// MARK: - Metadata

extension PostgreSQLDatabase {
  /// The store's metadata: the entities of its tables, and the values set for its zone.
  ///
  /// Throws 259 for a database without a store.
  func metadata() throws -> [String: Any] { try metadata(from: facts()) }

  /// The present or future state of a zone.
  private enum ZoneState {
    case ifThere
    case made
    /// Not made before the copy is that goes there.
    case pending

    init(_ purpose: StorePlace.Purpose) {
      switch purpose {
      case .use: self = .made
      case .copy: self = .pending
      }
    }
  }

  private func facts(ofZone state: ZoneState = .ifThere) throws -> Facts {
    let found = try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) -> Facts? in
        guard try tables(connection).isSuperset(of: ["z_model", "z_zones"]) else { return nil }
        switch state {
        case .ifThere: return try facts(connection)
        case .pending: return try facts(connection, PendingZone.row)
        case .made:
          if let facts = try facts(connection) { return facts }
          let insertion = try PendingZone.insertion(on: connection)
          // In a transaction of one moment, this would fail if another program makes the zone at the same time.
          connection.begin(with: [TablesMark.begin])
          try connection.commit(behind: [insertion])
          return try facts(connection)
        }
      }
    }
    guard let found else {
      try refuseHiddenStore()
      let missing = PostgreSQLFailure.Cause.missingZone(pool.address.zone, of: try someZones())
      throw PostgreSQLFailure(missing, path: path).error()
    }
    return found
  }

  /// The first zones of the database; empty if it does not contain a store.
  private func someZones() throws -> [String] {
    try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) -> [String] in
        guard try tables(connection).isSuperset(of: ["z_model", "z_zones"]) else { return [] }
        let statement = try connection.statement(
          "SELECT z_zone FROM z_zones ORDER BY 1 LIMIT 6" as SQLFragment
        )
        defer { statement.reset() }
        var zones: [String] = []
        while try statement.step() { zones.append(statement.text(0)) }
        return zones
      }
    }
  }

  private func metadata(from found: Facts) throws -> [String: Any] {
    guard found.version == PostgreSQLSchema.version else {
      let what = "tables of the version \(found.version)"
      throw StoreFailure(.newerFormat(what), path: path).error()
    }
    guard var metadata = StoreMetadata.dictionary(from: found.zone),
      let model = StoreMetadata.dictionary(from: found.model)
    else { throw StoreFailure(.damagedMetadata, path: path).error() }
    // Whatever a zone says, the tables are those of one model.
    metadata.merge(model) { _, model in model }
    metadata[NSStoreUUIDKey] = found.uuid
    metadata[NSStoreTypeKey] = PostgreSQLStores.type
    return metadata
  }

  private struct Facts {
    let version: Int64
    let mark: TablesMark
    let model: Data
    let uuid: String
    let zone: Data
  }

  private func facts(
    _ connection: PostgreSQLConnection,
    _ zones: SQLFragment = "z_zones"
  ) throws(PostgreSQLError) -> Facts? {
    let keepsDigest = try keepsDigest(connection)
    let statement = try connection.statement(
      """
      SELECT m.z_version, m.z_plist, z.z_uuid, z.z_plist, m.z_mark \
      FROM (SELECT z_model.*, \(TablesMark.expression) z_mark FROM z_model) m, \(zones) z \
      WHERE z.z_zone = $1 ORDER BY m.z_version LIMIT 1
      """ as SQLFragment
    )
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Facts(
      version: statement.integer(0),
      mark: TablesMark(statement.text(4), keepsDigest: keepsDigest),
      model: Data(statement.blobBytes(1)),
      uuid: statement.text(2),
      zone: Data(statement.blobBytes(3))
    )
  }

  private func keepsDigest(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> Bool {
    let statement = try connection.statement(
      """
      SELECT a.attnum FROM pg_catalog.pg_attribute a \
      WHERE a.attrelid = to_regclass('z_model') AND a.attname = \(.text(TablesMark.column))
      """ as SQLFragment
    )
    defer { statement.reset() }
    return try statement.step()
  }

  /// Whether the database has the zone, with or without objects.
  func hasZone() throws -> Bool {
    try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) -> Bool in
        guard try tables(connection).isSuperset(of: ["z_model", "z_zones"]) else { return false }
        return try connection.integer("SELECT COUNT(*) FROM z_zones WHERE z_zone = $1") != 0
      }
    }
  }

  func setMetadata(_ metadata: [String: Any]) throws {
    let request = try Self.setting(metadata, in: pool.address.zone)
    _ = try translating { () throws(PostgreSQLError) in
      try pool.once { connection throws(PostgreSQLError) in try connection.run([request]) }
    }
  }

  /// The statement that keeps metadata for a zone.
  static func setting(_ metadata: [String: Any], in zone: String) throws -> PostgreSQLRequest {
    var own = metadata
    let identifier = own.removeValue(forKey: NSStoreUUIDKey) as? String ?? UUID().uuidString
    let list = try StoreMetadata.binary(of: own)
    var values = PostgreSQLValues()
    values.append(text: zone)
    values.append(text: identifier)
    values.append(binary: list)
    return PostgreSQLRequest(
      sql: "UPDATE z_zones SET z_uuid = $2, z_plist = $3 WHERE z_zone = $1",
      types: [PostgreSQLType.text, PostgreSQLType.bytes],
      values: values
    )
  }
}

// MARK: - Taking away

extension PostgreSQLDatabase {
  /// Deletes all rows of the zone; a database without a store is as good as one without the zone.
  ///
  /// Which keys were handed out stays known: a program that has the zone open still has some of them, and an
  /// identity that somebody has kept must not become that of another object.
  func destroyZone() throws {
    try translating { () throws(PostgreSQLError) in
      try pool.once { connection throws(PostgreSQLError) in
        try locked(connection) { () throws(PostgreSQLError) in
          for name in try tablesWithZones(connection) {
            try connection.run("DELETE FROM \(name: name) WHERE z_zone = $1")
          }
        }
      }
    }
  }

  private func tablesWithZones(
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String] {
    guard try tables(connection).isSuperset(of: ["z_model", "z_zones"]) else { return [] }
    let statement = try connection.statement(
      """
      SELECT CAST(c.relname AS TEXT) FROM pg_catalog.pg_class c \
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attname = 'z_zone' \
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') \
      AND c.relname <> 'z_keys' ORDER BY 1
      """
    )
    defer { statement.reset() }
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }
}

// MARK: - Errors

extension PostgreSQLDatabase {
  func translating<Result>(
    _ body: () throws(PostgreSQLError) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw PostgreSQLFailure(.server(error, .opening), path: path).error()
    }
  }
}
