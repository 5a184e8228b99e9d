import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The new store that a damaged one's rows are copied to.
///
/// Indexes and triggers come last: rows are copied as they are, and nothing is computed on the way.
final class SalvagedStore {
  private let connection: Connection
  private let schema: ModelSchema
  private let tables: TableMap
  private let old: DamagedDatabase
  private let progress: ((CheckProgress) -> Void)?
  private(set) var refusedIndexes: [String] = []

  init(
    _ connection: Connection,
    _ schema: ModelSchema,
    from old: DamagedDatabase,
    progress: ((CheckProgress) -> Void)?
  ) {
    self.connection = connection
    self.schema = schema
    self.old = old
    self.progress = progress
    tables = TableMap(schema, existingTables: Set(old.columns.keys))
  }

  func fill() throws -> [SalvagedTable] {
    let writer = SchemaWriter(tables)
    for statement in writer.tables + SchemaWriter.bookkeeping { try connection.run(statement) }
    let others = old.others(than: known)
    for table in others { try connection.run(table.sql) }
    let names = tables.tables.map(\.name) + tables.joinTables.map(\.name) + others.map(\.name)
    var salvaged: [SalvagedTable] = []
    for (index, name) in names.enumerated() {
      progress?(CheckProgress(done: index, total: names.count, subject: name))
      let salvage = try TableSalvage(name, from: old, to: connection, atLeast: lastKey(of: name))
      salvaged.append(try salvage.copy())
    }
    try writeMetadata()
    try writeNumbers()
    for table in others { try build(old.indexes(of: table.name)) }
    try build(writer.indexes)
    for statement in writer.triggers { try connection.run(statement) }
    for index in tables.tables.flatMap(\.spatialIndexes) { try connection.run(index.filling) }
    return salvaged
  }

  private var known: Set<String> {
    Set(tables.tables.map(\.name) + tables.joinTables.map(\.name))
      .union(["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
  }

  /// Values that are there twice stand against a unique index; the rows matter more.
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
    let fresh = try [UInt8](StoreMetadata(for: schema).binary)
    try connection.run(
      """
      INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES \
      (1, \(.text(identifier ?? UUID().uuidString)), \(.blob(list ?? fresh)))
      """
    )
    let cache = old.bytes("SELECT Z_CONTENT FROM Z_MODELCACHE").flatMap { bytes in
      // What is wrong with a damaged cache does not matter: it is made anew.
      (try? ModelCache.decode(Data(bytes))) == nil ? nil : bytes
    }
    let model = try cache ?? [UInt8](ModelCache.encode(schema))
    try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(.blob(model)))")
  }

  /// The numbers of entities; keys that were handed out stay so, even of objects that are lost.
  private func writeNumbers() throws(SQLiteError) {
    for row in SchemaWriter(tables).primaryKeyRows {
      let last = try last(of: row)
      try connection.run(
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
        \(.integer(Int64(row.entity))), \(.text(row.name)), \
        \(.integer(Int64(row.superentity))), \(.integer(last)))
        """
      )
    }
    // Those of history, which are in no model.
    _ = try TableSalvage("Z_PRIMARYKEY", from: old, to: connection, atLeast: 16_003).copy()
  }

  private func last(of row: SchemaWriter.PrimaryKeyRow) throws(SQLiteError) -> Int64 {
    guard row.superentity == 0, let entity = tables[number: row.entity] else { return 0 }
    let largest =
      try connection.integer("SELECT MAX(Z_PK) FROM \(name: entity.tableName)") ?? 0
    return max(largest, lastKey(of: entity.tableName) ?? 0)
  }

  /// The last key that the damaged store says it has handed out.
  private func lastKey(of table: String) -> Int64? {
    guard let root = tables.tables.first(where: { $0.name == table })?.rootNumber else {
      return nil
    }
    return old.integer(
      "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(.integer(Int64(root)))"
    )
  }
}
