import CoreData
package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// The room that the tables and indexes of a store take in its file.
///
/// ```
/// ZNOTE     Note, Checklist   12,000 rows   3.4 MB   ZNOTE_ZFOLDER_INDEX 0.2 MB on folder
/// Z_2TAGS   pairs             30,000 rows   0.6 MB
/// ```
///
/// The sizes are those that SQLite counts page by page. If its library cannot do so, or the file is so large that the
/// count takes too long, the size of a table is estimated from its first rows, and that of an index is unknown.
package struct StoreSpace: Sendable {
  package let tables: [MeasuredTable]
  /// Whether the sizes are estimates.
  package let isEstimated: Bool
  package let fileBytes: Int
  /// The pages that are free to be used again.
  package let freeBytes: Int
  /// The files with large data beside the store.
  package let externalFiles: (count: Int, bytes: Int)?
  /// The indexes that the model asks for and the file lacks.
  package let missingIndexes: [MeasuredIndex]

  /// Measures a store, and reads nothing but the file.
  ///
  /// - Parameters:
  ///   - url: The store's file.
  ///   - schema: The model by which its tables are known.
  ///   - time: The time that the count of pages may take.
  /// - Throws: An error of the framework's if the file cannot be read.
  package init(at url: URL, _ schema: ModelSchema, within time: Duration) throws {
    let facts = try StoreFacts(at: url, counting: time)
    fileBytes = facts.database.pageSize * facts.database.pageCount
    freeBytes = facts.database.pageSize * facts.database.freePageCount
    externalFiles = facts.externalFiles
    let connection = try SQLSession(at: url, isWritable: false, patience: 2).connection
    let file = try FileSchema(connection)
    let map = TableMap(schema, in: try FileTables(on: connection))
    let sizes = try BTreeSizes.counted(on: connection, within: time)
    isEstimated = sizes == nil
    let names = PropertyNames(map)
    tables = try file.tables.keys.map { table in
      try MeasuredTable(
        table,
        file.indexes.filter { $0.table == table }
          .map { MeasuredIndex($0, map, names, bytes: sizes?[$0.name]) },
        map,
        bytes: sizes?[table] ?? RowSample(table, file).bytes(on: connection)
      )
    }
    .sorted { ($0.bytes, $1.name) > ($1.bytes, $0.name) }
    missingIndexes = map.tables.flatMap(\.indexes)
      .filter { index in
        file.tables[index.table] != nil && file.index(like: index) == nil
          && index.elements.allSatisfy { file.has($0.column, in: index.table) }
      }
      .map { MeasuredIndex($0, names) }
  }
}

/// A table of a store, with the entities whose rows it has.
package struct MeasuredTable: Sendable {
  package let name: String
  package let kind: Kind
  /// The entities whose rows are in the table, the root first.
  package let entities: [String]
  /// Bytes of the table alone, without its indexes.
  package let bytes: Int
  package let indexes: [MeasuredIndex]

  package enum Kind: String, Sendable {
    case objects, pairs, history, other
  }

  init(_ name: String, _ indexes: [MeasuredIndex], _ map: TableMap, bytes: Int) {
    self.name = name
    self.indexes = indexes.sorted { $0.name < $1.name }
    self.bytes = bytes
    entities = map.entities.filter { $0.tableName == name }.map(\.name)
    let isOfPairs = map.joinTables.contains { $0.name == name }
    kind =
      if !entities.isEmpty {
        .objects
      } else if isOfPairs {
        .pairs
      } else if ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(name) {
        .history
      } else {
        .other
      }
  }
}

/// An index of a store, with the properties that it finds objects by.
package struct MeasuredIndex: Sendable {
  package let name: String
  package let table: String
  /// The properties behind the columns; a column that belongs to no property is named as it is.
  package let properties: [String]
  package let isUnique: Bool
  /// Whether the model asks for the index.
  package let isOfModel: Bool
  /// Whether all rows are in the index.
  package let coversAllRows: Bool
  package let bytes: Int?

  fileprivate init(_ index: FileIndex, _ map: TableMap, _ names: PropertyNames, bytes: Int?) {
    name = index.name
    table = index.table
    properties = index.columns.map { names[$0, of: index.table] }
    isUnique = index.isUnique
    coversAllRows = index.coversAllRows
    let wanted = map.tables.flatMap(\.indexes)
    isOfModel =
      index.isAutomatic
      || wanted.contains { $0.table == index.table && $0.elements.map(\.column) == index.columns }
    self.bytes = bytes
  }

  fileprivate init(_ index: TableIndex, _ names: PropertyNames) {
    name = index.name
    table = index.table
    properties = index.elements.map { names[$0.column, of: index.table] }
    isUnique = index.isUnique
    isOfModel = true
    coversAllRows = index.condition == nil
    bytes = nil
  }
}

/// The properties whose values are in columns.
private struct PropertyNames {
  private var names: [String: [String: String]] = [:]

  init(_ map: TableMap) {
    for entity in map.entities {
      for (name, mapping) in entity.properties { add(name, mapping, entity.tableName) }
    }
  }

  private mutating func add(_ name: String, _ mapping: PropertyMapping, _ table: String) {
    switch mapping {
    case .attribute(let column): names[table, default: [:]][column] = name
    case .composite(let elements):
      for (element, mapping) in elements { add("\(name).\(element)", mapping, table) }
    case .toOne(let column, let entityColumn, let orderColumn):
      names[table, default: [:]][column] = name
      if let entityColumn { names[table]?[entityColumn] = "\(name) (its entity)" }
      if let orderColumn { names[table]?[orderColumn] = "\(name) (its place)" }
    case .none, .toManyInverse, .toManyForeignKey, .join: break
    }
  }

  subscript(column: String, of table: String) -> String {
    if let name = names[table]?[column] { return name }
    return ["Z_PK": "the object’s number", "Z_ENT": "the entity"][column] ?? column
  }
}

// MARK: - Sizes

private enum BTreeSizes {
  /// The bytes of each table and index; `nil` if the library cannot count pages, or counting takes too long.
  static func counted(
    on connection: Connection,
    within time: Duration
  ) throws(SQLiteError) -> [String: Int]? {
    let isThere: SQLFragment = "SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'"
    guard try connection.integer(isThere) == 1 else { return nil }
    return try connection.within(time) { () throws(SQLiteError) in
      let statement = try connection.statement(
        "SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE" as SQLFragment
      )
      defer { statement.reset() }
      var sizes: [String: Int] = [:]
      while try statement.step() { sizes[statement.text(0)] = Int(statement.integer(1)) }
      return sizes
    }
  }
}

/// The first rows of a table, from which its size is estimated.
private struct RowSample {
  private static let count: Int64 = 500

  let table: String
  let columns: [String]

  init(_ table: String, _ file: FileSchema) {
    self.table = table
    columns = file.tables[table, default: []].sorted()
  }

  /// The average length of the first rows, times the greatest number of a row.
  func bytes(on connection: Connection) throws(SQLiteError) -> Int {
    let lengths = columns.map { column -> SQLFragment in
      "coalesce(length(CAST(\(column: column) AS BLOB)), 0) + 1"
    }
    if lengths.isEmpty { return 0 }
    do throws(SQLiteError) {
      let length: SQLFragment = """
        SELECT avg(l) FROM (SELECT \(lengths.joined(separator: " + ")) AS l FROM \(table: table) \
        LIMIT \(.integer(Self.count)))
        """
      let average = try connection.integer(length) ?? 0
      let last: SQLFragment = "SELECT max(rowid) FROM \(table: table)"
      let (bytes, overflows) = average.multipliedReportingOverflow(
        by: try connection.integer(last) ?? 0
      )
      return overflows ? 0 : Int(bytes)
    } catch {
      // The size of a virtual table, or of one without row numbers, cannot be estimated.
      if error.primaryCode == 1 { return 0 }
      throw error
    }
  }
}
