import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A store's file: how it is opened, told from other files, and made.
///
/// Nothing is written to a file before it is known to be a store of the right model.
struct SQLiteFile: Sendable {
  let place: StorePlace

  /// The path, for messages.
  var path: String { place.url?.path ?? "/dev/null" }

  /// Whether the database lives in memory: `/dev/null` keeps nothing.
  var isInMemory: Bool { path == "/dev/null" }

  private var exists: Bool {
    guard !isInMemory else { return false }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
  }
}

// MARK: - Opening

extension SQLiteFile {
  /// Opens the connections; the file is made and filled where there is none.
  func open(for layout: ModelLayout) throws -> (pool: Pool, metadata: [String: Any]) {
    let isNew = !exists
    if place.isReadOnly, isNew, !isInMemory {
      throw StoreFailure(.missingFile, path: path).error()
    }
    let pool = try translating { () throws(SQLiteError) in
      try Pool(readerLimit: isInMemory ? 0 : 4) { isReader throws(SQLiteError) in
        try connect(isReader: isReader)
      }
    }
    if isNew { try create(layout, in: pool) }
    let metadata = try pool.read { try self.metadata(on: $0) }
    if !isNew { try check(metadata, against: layout) }
    if !place.isReadOnly { try pool.write { try translating($0, prepareToWrite) } }
    return (pool, metadata)
  }

  private func connect(isReader: Bool) throws(SQLiteError) -> Connection {
    let connection =
      isInMemory
      ? try Connection(path: ":memory:")
      : try Connection(
        path: path,
        mode: isReader || place.isReadOnly ? .readOnly : .readWriteCreate
      )
    connection.setBusyTimeout(milliseconds: Int32(min(place.timeout * 1000, 600_000)))
    // Negative: KiB. The default of 2 MB makes every larger read go through the file system.
    try connection.run("PRAGMA cache_size = -65536")
    for (name, value) in place.pragmas.sorted(by: { $0.key < $1.key }) {
      try connection.run("PRAGMA \(Self.word(name)) = \(Self.word(value))")
    }
    StoreFunctions.define(on: connection)
    return connection
  }

  /// A pragma's name or value, with nothing in it that could be another statement.
  private static func word(_ text: String) -> String {
    String(text.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
  }

  private func prepareToWrite(_ connection: Connection) throws(SQLiteError) {
    if !isInMemory { try connection.run("PRAGMA journal_mode = WAL") }
    try connection.run("PRAGMA synchronous = NORMAL")
  }
}

// MARK: - Metadata

extension SQLiteFile {
  /// What the file says about itself.
  ///
  /// Throws for a file that is no Core Data store.
  private func metadata(on connection: Connection) throws -> [String: Any] {
    let tables = try translating(connection, StoreTables.names)
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where !tables.contains(table) {
      throw StoreFailure(.notAStore("has no table \(table)"), path: path).error()
    }
    let bytes = try translating(connection) { connection throws(SQLiteError) in
      let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
      defer { statement.reset() }
      return try statement.step() ? Data(statement.blobBytes(0)) : nil
    }
    guard let bytes, let metadata = StoreMetadata.dictionary(from: bytes) else {
      throw StoreFailure(.notAStore("has no metadata that can be read"), path: path).error()
    }
    return try translating(connection) { connection throws(SQLiteError) in
      var metadata = metadata
      metadata[NSStoreUUIDKey] = try connection.text("SELECT Z_UUID FROM Z_METADATA")
      metadata[NSStoreTypeKey] = NSSQLiteStoreType
      return metadata
    }
  }

  private func check(_ metadata: [String: Any], against layout: ModelLayout) throws {
    if place.ignoresVersions { return }
    let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let model = StoreMetadata.versionHashes(of: layout.schema, in: place.configuration)
    guard let difference = ModelDifference(storeHashes: stored, modelHashes: model) else { return }
    throw StoreFailure(.otherModel(difference), path: path).error(metadata: metadata)
  }
}

// MARK: - Making

extension SQLiteFile {
  /// Makes the tables of an empty store, in one transaction.
  private func create(_ layout: ModelLayout, in pool: Pool) throws {
    let schema = StoreMetadata.schema(layout.schema, in: place.configuration)
    let tables = SchemaWriter(TableMap(layout.schema))
    let metadata = try StoreMetadata(for: schema).binary
    let cache = try ModelCache.encode(layout.schema)
    try pool.write { connection in
      try translating(connection) { connection throws(SQLiteError) in
        try connection.run("PRAGMA auto_vacuum = 2")
        try connection.run("BEGIN EXCLUSIVE")
        do throws(SQLiteError) {
          try fill(connection, tables, metadata: metadata, cache: cache)
          try connection.run("COMMIT")
        } catch {
          // The error that matters is the first; a rollback that fails has nothing to add.
          try? connection.run("ROLLBACK")
          throw error
        }
      }
    }
  }

  private func fill(
    _ connection: Connection,
    _ tables: SchemaWriter,
    metadata: Data,
    cache: Data
  ) throws(SQLiteError) {
    for statement in tables.statements { try connection.run(statement) }
    for row in tables.primaryKeyRows {
      try connection.run(
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
        \(.integer(Int64(row.entity))), \(.text(row.name)), \
        \(.integer(Int64(row.superentity))), \(.integer(row.last)))
        """
      )
    }
    let uuid = UUID().uuidString
    try connection.run(
      """
      INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES \
      (1, \(.text(uuid)), \(.blob([UInt8](metadata))))
      """
    )
    try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(.blob([UInt8](cache))))")
  }
}

// MARK: - Errors

extension SQLiteFile {
  /// Runs a step of opening; SQLite's failure becomes an error that names the file.
  private func translating<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw StoreFailure(error.primaryCode == 26 ? .notADatabase : .opening(error), path: path)
        .error()
    }
  }

  private func translating<Result>(
    _ connection: Connection,
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws -> Result {
    try translating { () throws(SQLiteError) in try body(connection) }
  }
}

/// The tables that are in a file.
enum StoreTables {
  static func names(on connection: Connection) throws(SQLiteError) -> Set<String> {
    let statement = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'table'")
    defer { statement.reset() }
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.text(0)) }
    return names
  }
}
