import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The facts that a store's file contains about itself, read with plain SQL and without its model.
///
/// ```
/// Notes.sqlite   12 pages of 4096 bytes, 2 of them free, write-ahead log
///   metadata     UUID, framework 1344, hashes of 5 entities
///   entities     1 Folder, 2 Note, 3 Checklist (of Note)
///   history      3 transactions
/// ```
package struct StoreFacts {
  package let url: URL
  package let metadata: [String: Any]
  /// Whether the metadata could be read; otherwise there is at most an identifier.
  package let hasReadableMetadata: Bool
  package let database: Database
  package let entities: [Entity]
  package let history: StoredHistory?
  /// Tables that synchronization with CloudKit keeps beside the entities'.
  package let cloudKitTables: [String]
  /// The content of the write-ahead log, if there is one that is not empty.
  package let log: WriteAheadLog?

  /// The file as a database.
  package struct Database: Hashable, Sendable {
    package let pageSize: Int
    package let pageCount: Int
    package let freePageCount: Int
    /// `wal`, `delete` and so on.
    package let journalMode: String
  }

  /// A row of `Z_PRIMARYKEY`.
  package struct Entity: Hashable, Sendable {
    package let number: Int
    package let name: String
    /// The number of the superentity, or 0 without one.
    package let superNumber: Int
    /// The number of rows of this entity, without those of its subentities; `nil` if it does not have a table.
    package var count: RowCount?
  }
}

// MARK: - Reading

extension StoreFacts {
  /// Reads what is there and changes nothing; rows are counted within the time, and estimated beyond.
  package init(at url: URL, counting: Duration) throws {
    let file = SQLiteFile(at: url, options: nil, isReadOnly: true)
    self.url = url
    // Before a connection is opened, for the last one that is closed may take the log away.
    log = WriteAheadLog(besides: url)
    (metadata, hasReadableMetadata) = try file.readWhatMetadataThereAre()
    (database, entities, history, cloudKitTables) = try file.reading {
      connection throws(SQLiteError) in
      try connection.run("BEGIN")
      let tables = try StoreTables.names(on: connection)
      let clock = CountingTime(counting)
      let entities = try Self.entities(on: connection, tables, clock)
      let facts = (
        try Database(connection), entities,
        try StoredHistory(on: connection, tables, clock),
        tables.filter { $0.hasPrefix("ANSCK") }.sorted()
      )
      try connection.run("COMMIT")
      return facts
    }
  }

  private static func entities(
    on connection: Connection,
    _ tables: Set<String>,
    _ clock: CountingTime
  ) throws(SQLiteError) -> [Entity] {
    var entities = try entityRows(on: connection)
    let parents = Dictionary(entities.map { ($0.number, $0.superNumber) }) { first, _ in first }
    func root(of number: Int) -> Int {
      var (found, steps) = (number, 0)
      while let parent = parents[found], parent != 0, steps < entities.count {
        (found, steps) = (parent, steps + 1)
      }
      return found
    }
    for entity in entities where entity.superNumber == 0 {
      let members = entities.indices.filter { root(of: entities[$0].number) == entity.number }
      guard let table = tables.first(where: { $0 == "Z" + entity.name.uppercased() }) else {
        continue
      }
      let counts = try RowCounter(table: table, hasSubentities: members.count > 1)
        .counts(on: connection, clock)
      for index in members {
        entities[index].count =
          members.count > 1 ? counts[entities[index].number] ?? counts.nothing : counts.sum
      }
    }
    return entities
  }

  private static func entityRows(on connection: Connection) throws(SQLiteError) -> [Entity] {
    let query = "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT"
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var entities: [Entity] = []
    while try statement.step() {
      // From 16000 on they are those of the history.
      guard (1..<16000).contains(statement.integer(0)) else { continue }
      entities.append(
        Entity(
          number: Int(statement.integer(0)),
          name: statement.text(1),
          superNumber: Int(statement.integer(2))
        )
      )
    }
    return entities
  }
}

extension StoreFacts.Database {
  fileprivate init(_ connection: Connection) throws(SQLiteError) {
    pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
    pageCount = Int(try connection.integer("PRAGMA page_count") ?? 0)
    freePageCount = Int(try connection.integer("PRAGMA freelist_count") ?? 0)
    let mode = try connection.text("PRAGMA journal_mode") ?? "delete"
    // Opened as immutable, a file with a write-ahead log reports that it does not have one.
    let isLogged = connection.mode == .immutable && SQLiteFile.isLogged(connection.path)
    journalMode = isLogged ? "wal" : mode
  }
}

// MARK: - Files

extension StoreFacts {
  /// Whether a store is damaged only when it is read through the write-ahead log beside it.
  ///
  /// Then the log is another store's, and the file itself is damaged as soon as a program that could write closes it: SQLite
  /// moves the log into it. All of the file is read, if there is a log.
  package static func isSpoiledByLog(at url: URL) -> Bool {
    guard SQLiteError.hasLog(url.path) else { return false }
    // Pages of another store may well fit where they do not belong, but their rows are not metadata.
    if hasStrangeMetadata(url, .readOnly), !hasStrangeMetadata(url, .immutable) { return true }
    return !isSound(url, .readOnly) && isSound(url, .immutable)
  }

  /// Whether more of a store can be read without the write-ahead log beside it, which is another store's.
  ///
  /// A log that differs only in its UUID is kept: a store may have been given a new one.
  package static func isBetterWithoutLog(at url: URL) -> Bool {
    isSpoiledByLog(at: url) || (hasLogOfAnother(at: url) && !isSound(url, .readOnly))
  }

  /// Whether the place of the metadata contains other rows; false if somebody has deleted the metadata.
  private static func hasStrangeMetadata(_ url: URL, _ mode: Connection.Mode) -> Bool {
    do throws(SQLiteError) {
      let query: SQLFragment =
        "SELECT count(*) > 1 AND max(typeof(Z_UUID) = 'text') = 0 FROM Z_METADATA"
      return try Connection(path: url.path, mode: mode).integer(query) == 1
    } catch {
      return [11, 26].contains(error.primaryCode)
    }
  }

  private static func isSound(_ url: URL, _ mode: Connection.Mode) -> Bool {
    do throws(SQLiteError) {
      return try Connection(path: url.path, mode: mode).text("PRAGMA quick_check(1)") == "ok"
    } catch {
      // A file that cannot be read at the moment is not damaged.
      return ![1, 11, 26].contains(error.primaryCode)
    }
  }

  /// Whether the write-ahead log beside a store seems to be another store's.
  package static func hasLogOfAnother(at url: URL) -> Bool {
    SQLiteFile(at: url, options: nil, isReadOnly: true).hasLogOfAnother
  }

  /// The bytes of a file beside the store, such as its `-wal`; nil when it is not there.
  package func size(ofFileNamed suffix: String) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
    return (attributes?[.size] as? NSNumber)?.intValue
  }

  /// The files that hold large data beside the store: how many, and their bytes.
  package var externalFiles: (count: Int, bytes: Int)? {
    let folder = ExternalFiles.folder(besides: url)
    // A store without large data does not have a folder for it.
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
      return nil
    }
    let sizes = names.map { name in
      let path = folder.appendingPathComponent(name).path
      // A file that went since the folder was read takes no place.
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
    return (names.count, sizes.reduce(0, +))
  }
}
