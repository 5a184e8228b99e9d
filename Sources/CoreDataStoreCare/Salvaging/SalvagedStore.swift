import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The new store that a damaged one's rows are copied to.
///
/// Indexes and triggers come last: rows are copied as they are, and nothing is computed on the way.
/// Its tables are the model's, with the columns that the file has besides; without a model the file's.
final class SalvagedStore {
  private let connection: Connection
  private let model: Model?
  private let old: DamagedDatabase
  /// The damaged file, which errors name: a copy is read.
  private let source: URL
  private let progress: ((CheckProgress) -> Void)?
  private(set) var refusedIndexes: [String] = []
  /// The parts of the file other than tables that are not in the new store.
  private(set) var leftOut: [String] = []

  private struct Model {
    let schema: ModelSchema
    let tables: TableMap

    var tableNames: [String] { tables.tables.map(\.name) + tables.joinTables.map(\.name) }
  }

  init(
    _ connection: Connection,
    _ schema: ModelSchema?,
    from old: DamagedDatabase,
    at source: URL,
    progress: ((CheckProgress) -> Void)?
  ) {
    self.connection = connection
    self.old = old
    self.source = source
    self.progress = progress
    model = schema.map { schema in
      Model(
        schema: schema,
        tables: TableMap(
          schema,
          in: FileTables(
            names: Set(old.columns.keys),
            columns: old.columns.mapValues { $0.map(\.name) }
          )
        )
      )
    }
  }

  func fill() throws -> [SalvagedTable] {
    for statement in TablesWriter.bookkeeping { try connection.run(statement) }
    let others = old.others(than: Set(model?.tableNames ?? []).union(Self.bookkeeping))
    var columns = try makeTables()
    for table in others { try connection.run(table.sql) }
    let names = (model?.tableNames ?? []) + others.map(\.name)
    var salvaged: [SalvagedTable] = []
    for (index, name) in names.enumerated() {
      progress?(CheckProgress(done: index, total: names.count, subject: name))
      let salvage = try TableSalvage(name, from: old, to: connection, atLeast: lastKey(of: name))
      var table = try salvage.copy()
      (table.carriedColumns, table.lostColumns, table.missingColumns) =
        columns.removeValue(forKey: name) ?? ([], [], [])
      salvaged.append(table)
    }
    try writeMetadata()
    try writeNumbers(salvaged)
    for table in others {
      let indexes = old.indexes(of: table.name)
      // Computing what a damaged or a stranger's file says may take all there is.
      let computed = indexes.filter(ComputedSQL.isComputed(index:))
      leftOut += computed
      try build(indexes.filter { !computed.contains($0) })
    }
    try finish()
    return salvaged
  }

  private static let bookkeeping = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

  private typealias Columns = (carried: [String], lost: [String], missing: [String])

  /// The model's tables; each is given the columns that the file has besides.
  private func makeTables() throws(SQLiteError) -> [String: Columns] {
    guard let model else { return [:] }
    for statement in TablesWriter(model.tables).tables { try connection.run(statement) }
    var columns: [String: Columns] = [:]
    for table in model.tableNames {
      guard let found = old.columns[table], !found.isEmpty else { continue }
      let wanted = try FileSchema.columns(of: table, on: connection)
      var result: Columns = ([], [], wanted.filter { name in !found.contains { $0.name == name } })
      for column in found where !wanted.contains(column.name) {
        if add(column, to: table) {
          result.carried.append(column.name)
        } else {
          result.lost.append(column.name)
        }
      }
      columns[table] = result
    }
    return columns
  }

  private func add(_ column: DamagedDatabase.Column, to table: String) -> Bool {
    let isPlain = { (character: Character) in
      character.isLetter || character.isNumber || " (),".contains(character)
    }
    let type = SQLFragment(stringLiteral: column.type.filter(isPlain))
    return DamagedDatabase.orNothing { () throws(SQLiteError) in
      try connection.run("ALTER TABLE \(name: table) ADD COLUMN \(name: column.name) \(type)")
      return true
    } ?? false
  }

  /// Indexes and triggers: the model's, or those of the file.
  private func finish() throws(SQLiteError) {
    guard let model else {
      leftOut += old.virtualTables
      for trigger in old.triggers {
        let isMade: Void? = DamagedDatabase.orNothing { () throws(SQLiteError) in
          try connection.run(trigger.sql)
        }
        if isMade == nil { leftOut.append(trigger.name) }
      }
      return
    }
    let writer = TablesWriter(model.tables)
    try build(writer.indexes)
    for statement in writer.triggers { try connection.run(statement) }
    for index in model.tables.tables.flatMap(\.spatialIndexes) {
      try connection.run(index.filling)
    }
  }

  /// Duplicate values prevent a unique index; the rows matter more.
  private func build(_ indexes: [String]) throws(SQLiteError) {
    for statement in indexes {
      do {
        try connection.run(statement)
      } catch {
        guard error.primaryCode == 19 else { throw error }
        refusedIndexes.append(statement)
      }
    }
  }
}

// MARK: - What the file says of itself

extension SalvagedStore {
  private func writeMetadata() throws {
    let identifier = old.text("SELECT Z_UUID FROM Z_METADATA")
    let list = old.bytes("SELECT Z_PLIST FROM Z_METADATA").flatMap { bytes in
      StoreMetadata.dictionary(from: Data(bytes)) == nil ? nil : bytes
    }
    guard let list = try list ?? model.map({ try [UInt8](StoreMetadata(for: $0.schema).binary) })
    else {
      let reason = "neither its metadata nor a model in it can be read"
      throw RepairFailure(.noModel(reason), path: source.path).error
    }
    try connection.run(
      """
      INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES \
      (1, \(.text(identifier ?? UUID().uuidString)), \(.blob(list)))
      """
    )
    guard let model else { return }
    let cache = old.bytes("SELECT Z_CONTENT FROM Z_MODELCACHE").flatMap { bytes in
      // A damaged cache, or one of another model, is rebuilt.
      let found = try? ModelCache.decode(Data(bytes)).entityVersionHashes
      return found == model.schema.entityVersionHashes ? bytes : nil
    }
    let bytes = try cache ?? [UInt8](ModelCache.encode(model.schema))
    try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(.blob(bytes)))")
  }

  /// The numbers of entities; keys that were handed out stay so, even of objects that are lost.
  private func writeNumbers(_ salvaged: [SalvagedTable]) throws(SQLiteError) {
    if let model {
      for row in TablesWriter(model.tables).primaryKeyRows { try write(row, of: model.tables) }
    }
    // All of them without a model; otherwise those of history, which are in none.
    _ = try TableSalvage("Z_PRIMARYKEY", from: old, to: connection, atLeast: 16_003).copy()
    if model == nil { try raiseNumbers(of: salvaged.map(\.name)) }
  }

  private func write(
    _ row: TablesWriter.PrimaryKeyRow,
    of tables: TableMap
  ) throws(SQLiteError) {
    var last: Int64 = 0
    if row.superentity == 0, let entity = tables[number: row.entity] {
      let largest = try largestKey(in: entity.tableName)
      last = max(largest, lastKey(of: entity.tableName) ?? 0)
    }
    try connection.run(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
      \(.integer(Int64(row.entity))), \(.text(row.name)), \
      \(.integer(Int64(row.superentity))), \(.integer(last)))
      """
    )
  }

  /// No key may be handed out twice, whatever the damaged store says.
  private func raiseNumbers(of tables: [String]) throws(SQLiteError) {
    for table in tables where old.columns[table]?.contains(where: { $0.name == "Z_PK" }) ?? false {
      let largest = try largestKey(in: table)
      try connection.run(
        """
        UPDATE Z_PRIMARYKEY SET Z_MAX = \(.integer(largest)) \
        WHERE 'Z' || UPPER(Z_NAME) = \(.text(table)) AND Z_SUPER = 0 AND Z_MAX < \(.integer(largest))
        """
      )
    }
  }

  private func largestKey(in table: String) throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT MAX(Z_PK) FROM \(name: table)") ?? 0
  }

  /// The last key that the damaged store says it has handed out.
  private func lastKey(of table: String) -> Int64? {
    guard let model else {
      return old.integer(
        "SELECT MAX(Z_MAX) FROM Z_PRIMARYKEY WHERE 'Z' || UPPER(Z_NAME) = \(.text(table))"
      )
    }
    guard let root = model.tables.tables.first(where: { $0.name == table })?.rootNumber else {
      return nil
    }
    return old.integer(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(.integer(Int64(root)))"
    )
  }
}
