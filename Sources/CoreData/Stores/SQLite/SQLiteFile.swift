package import CoreDataModel
import CoreDataSQL
package import CoreDataSQLite
import Foundation

/// A store's file: how it is opened, told from other files, and made.
///
/// Nothing is written to a file before it is known to be a store of the right model.
package struct SQLiteFile: Sendable {
  let place: StorePlace
  /// The path, for messages; kept, as each save asks for it.
  let path: String

  init(place: StorePlace) {
    self.place = place
    path = place.url?.path ?? "/dev/null"
  }

  /// Whether the database lives in memory: `/dev/null` keeps nothing, nor does what would be in it.
  var isInMemory: Bool { isNowhere || isSharedInMemory }

  private var isNowhere: Bool { path == "/dev/null" }

  /// Whether the database in memory is that of all stores of the process with its path.
  var isSharedInMemory: Bool { path.hasPrefix("/dev/null/") }
}

// MARK: - Opening

extension SQLiteFile {
  /// The connections to a file, and what was found in it.
  struct Opened {
    let pool: Pool
    let metadata: [String: Any]
    let tables: FileTables
    let surplus: StoreSurplus
  }

  /// Opens the connections; a missing file is created and filled.
  func open(
    for layout: ModelLayout
  ) throws -> Opened {
    do {
      return try openAsItIs(for: layout)
    } catch  where hasLogOfAnother {
      throw StoreFailure(.foreignLog, path: path).error()
    }
  }

  private func openAsItIs(
    for layout: ModelLayout
  ) throws -> Opened {
    let pool = try pool()
    var tables = try first(pool, FileTables.init(on:))
    if tables.names.isEmpty, !place.isReadOnly {
      tables = try create(layout, in: pool)
    }
    let metadata = try first(pool) { try self.metadata(on: $0, tables.names) }
    try first(pool) { try checkFormat(on: $0, metadata) }
    let surplus = try surplus(of: metadata, beyond: layout)
    try first(pool) { try checkViews(on: $0, layout.tables(in: FileTables(names: []))) }
    try first(pool) { try checkNumbers(on: $0, layout.tables(in: tables)) }
    if isWritable, !isLocked(tables.names) {
      try pool.write { try translating($0, prepareToWrite) }
    }
    return Opened(pool: pool, metadata: metadata, tables: tables, surplus: surplus)
  }

  /// Looks again at a file that was opened.
  ///
  /// Throws 134100 if the program cannot use it any more.
  func surplus(beyond layout: ModelLayout, on connection: Connection) throws -> StoreSurplus {
    try surplus(of: metadata(on: connection, StoreTables.names(on: connection)), beyond: layout)
  }

  private func surplus(
    of metadata: [String: Any],
    beyond layout: ModelLayout
  ) throws -> StoreSurplus {
    try place.surplus(of: metadata, beyond: layout) { storedModel }
  }

  /// The first look at the file is the writer's: if a program died while writing, its unfinished
  /// changes have to be undone, which a connection that only reads cannot do.
  private func first<Result>(_ pool: Pool, _ body: (Connection) throws -> Result) throws -> Result {
    do {
      return try place.isReadOnly ? pool.read(body) : pool.write(body)
    } catch let error as SQLiteError {
      throw failure(error)
    }
  }

  private func pool() throws -> Pool {
    if let obstacle = obstacle { throw StoreFailure(obstacle, path: path).error() }
    return try translating { () throws(SQLiteError) in
      try Pool(
        readerLimit: isInMemory ? 0 : 4,
        open: { isReader throws(SQLiteError) in try connect(isReader: isReader) },
        isStale: { $0.isOutdated }
      )
    }
  }

  /// How much of a file each reader keeps in memory; negative numbers are KiB.
  ///
  /// With SQLite's own 2 MB the inner pages of large indexes would be read again and again. Pages beyond 16 MB come
  /// from the system's cache of files.
  private static let readerCache = -16_384
  /// The writer holds what it has changed until it commits.
  private static let writerCache = -32_768

  func connect(isReader: Bool) throws(SQLiteError) -> Connection {
    let connection = try Connection(
      path: isNowhere ? ":memory:" : path,
      mode: mode(isReader: isReader)
    )
    connection.setBusyTimeout(milliseconds: place.wait)
    if !isReader, isWritable { connection.trustSchema() }
    SQLLog.current?.follow(connection)
    try connection.run("PRAGMA cache_size = \(isReader ? Self.readerCache : Self.writerCache)")
    for (name, value) in pragmas where name != "journal_mode" {
      do throws(SQLiteError) {
        try connection.run("PRAGMA \(name) = \(value)")
      } catch {
        let message = "PRAGMA \(name): \(error.message)"
        throw SQLiteError(code: error.code, message: message, sql: error.sql)
      }
    }
    if isReader { try connection.run("PRAGMA query_only = 1") }
    StoreFunctions.define(on: connection)
    TextFunctions.register(on: connection)
    return connection
  }

  private func mode(isReader: Bool) -> Connection.Mode {
    if isSharedInMemory { return .sharedMemory }
    if isNowhere { return .readWriteCreate }
    // A reader is opened when the file exists; it does not make a new one if that was removed.
    if isWritable { return isReader ? .readWrite : .readWriteCreate }
    return isAtRest ? .immutable : .readOnly
  }

  /// The user's pragmas, with nothing in them that could be another statement.
  private var pragmas: [(name: String, value: String)] {
    let word = { (text: String) in
      text.filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
    return place.pragmas.map { (word($0.key).lowercased(), word($0.value)) }
      .sorted { $0.0 < $1.0 }
  }

  private func prepareToWrite(_ connection: Connection) throws(SQLiteError) {
    let chosen = pragmas
    let journal = chosen.first { $0.name == "journal_mode" }?.value ?? "WAL"
    if !isInMemory { try setJournal(journal, of: connection) }
    if !chosen.contains(where: { $0.name == "synchronous" }) {
      try connection.run("PRAGMA synchronous = NORMAL")
    }
    if !isInMemory {
      try connection.keepLogShort()
      connection.refuseOtherFiles()
    }
    if place.isVacuumed { try connection.run("VACUUM") }
    if place.isAnalyzed { try connection.run("ANALYZE") }
  }

  /// SQLite does not wait for others when it changes the journal; of two programs that make a store at
  /// once, one would be refused.
  ///
  /// Each attempt shuts out a commit of the other program for a moment, which one that does not wait
  /// would have to repeat; so the attempts become rarer.
  private func setJournal(_ journal: String, of connection: Connection) throws(SQLiteError) {
    let start = ContinuousClock.now
    var pause: UInt32 = 2_000
    while true {
      do {
        return try connection.setJournalMode(journal)
      } catch
        where error.primaryCode == 5 && ContinuousClock.now - start < .milliseconds(place.wait)
      {
        usleep(pause)
        pause = min(2 * pause, 50_000)
      }
    }
  }
}

// MARK: - Metadata

extension SQLiteFile {
  /// Returns the file's metadata.
  ///
  /// Throws if the file is not a Core Data store.
  func metadata(
    on connection: Connection,
    _ tables: Set<String>
  ) throws -> [String: Any] {
    try checkIsStore(tables)
    let bytes = try translating(connection) { connection throws(SQLiteError) in
      let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
      defer { statement.reset() }
      return try statement.step() ? Data(statement.blobBytes(0)) : nil
    }
    let found = bytes.flatMap(StoreMetadata.dictionary)
    guard let metadata = looksPastMetadata ? found ?? [:] : found else {
      throw StoreFailure(.damagedMetadata, path: path).error()
    }
    return try translating(connection) { connection throws(SQLiteError) in
      var metadata = metadata
      metadata[NSStoreUUIDKey] = try connection.text("SELECT Z_UUID FROM Z_METADATA")
      metadata[NSStoreTypeKey] = NSSQLiteStoreType
      return metadata
    }
  }
}

// MARK: - Telling stores from other files

extension SQLiteFile {
  package func checkIsStore(_ tables: Set<String>) throws {
    if tables.isEmpty {
      throw StoreFailure(.notAStore("has no tables" + wordsOnLostLog), path: path).error()
    }
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where !tables.contains(table) {
      throw StoreFailure(.notAStore("has no table \(table)"), path: path).error()
    }
  }

  /// Whether damaged or unknown metadata are ignored: a reader that wants versions ignored sees the rows all the
  /// same.
  private var looksPastMetadata: Bool { place.isReadOnly && place.ignoresVersions }

  /// Refuses a format that another version of the framework has made.
  private func checkFormat(on connection: Connection, _ metadata: [String: Any]) throws {
    if looksPastMetadata { return }
    let version = try connection.integer("SELECT Z_VERSION FROM Z_METADATA")
    if let format = StoreMetadata.unknownFormat(version: version, metadata) {
      throw StoreFailure(.newerFormat(format), path: path).error()
    }
  }
}

// MARK: - Views

extension SQLiteFile {
  /// Refuses a view in place of a table: its rows are not those of objects.
  private func checkViews(on connection: Connection, _ map: TableMap) throws {
    let statement = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'view'")
    defer { statement.reset() }
    while try statement.step() {
      let name = statement.text(0)
      guard
        map.tables.contains(where: { $0.name == name })
          || map.joinTables.contains(where: { $0.name == name })
      else { continue }
      throw StoreFailure(.notAStore("has a view in place of the table \(name)"), path: path).error()
    }
  }
}

// MARK: - Entity numbers

extension SQLiteFile {
  /// Rows say by number of which entity they are.
  ///
  /// A file that numbers an entity otherwise than the model must not be touched: every row would be
  /// taken for something else.
  ///
  /// A name that the model does not have is the old name of an entity that a migration renamed.
  private func checkNumbers(on connection: Connection, _ map: TableMap) throws {
    let statement = try connection.statement("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
    defer { statement.reset() }
    while try statement.step() {
      let (number, name) = (statement.integer(0), statement.text(1))
      guard let entity = map[name], entity.number != Int(number) else { continue }
      let lack = "gives the entity \(name) the number \(number), and the model \(entity.number)"
      throw StoreFailure(.notAStore(lack), path: path).error()
    }
  }
}

// MARK: - Errors

extension SQLiteFile {
  /// Runs a step of opening; SQLite's failure becomes an error that names the file.
  func translating<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      throw failure(error)
    }
  }

  private func failure(_ error: SQLiteError) -> NSError {
    StoreFailure(error.primaryCode == 26 ? .notADatabase : .opening(error), path: path).error()
  }

  func translating<Result>(
    _ connection: Connection,
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws -> Result {
    try translating { () throws(SQLiteError) in try body(connection) }
  }
}

// MARK: - Triggers

extension SQLiteFile {
  /// The names of the file's triggers; not looked for when nothing is derived.
  func triggers(in pool: Pool, for model: ModelLayout) throws -> Set<String> {
    guard model.entities.contains(where: \.needsStoreToDerive) else { return [] }
    return try first(pool) { connection in
      try translating(connection) { connection throws(SQLiteError) in
        let query = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        let statement = try connection.statement(query)
        defer { statement.reset() }
        var names: Set<String> = []
        while try statement.step() { names.insert(statement.text(0)) }
        return names
      }
    }
  }
}

/// The tables that are in a file.
package enum StoreTables {
  /// Whether a file with these tables is a store, if perhaps a broken one: it has one of those that every
  /// store has, or that of an entity.
  package static func areOfStore(_ tables: Set<String>, _ schema: ModelSchema?) -> Bool {
    if !tables.isDisjoint(with: ["Z_PRIMARYKEY", "Z_METADATA"]) { return true }
    guard let schema else { return false }
    return TableMap(schema).tables.contains { tables.contains($0.name) }
  }

  package static func names(on connection: Connection) throws(SQLiteError) -> Set<String> {
    let statement = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'table'")
    defer { statement.reset() }
    var names: Set<String> = []
    while try statement.step() { names.insert(statement.text(0)) }
    return names
  }
}
