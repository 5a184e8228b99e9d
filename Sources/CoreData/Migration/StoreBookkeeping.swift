import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A file's data about itself: its entities and their last keys, its metadata, the model in it.
struct StoreBookkeeping {
  private let connection: Connection
  private let plan: MigrationPlan
  private let schema: ModelSchema
  private let configuration: String?

  init(
    _ connection: Connection,
    _ plan: MigrationPlan,
    _ schema: ModelSchema,
    _ configuration: String?
  ) {
    self.connection = connection
    self.plan = plan
    self.schema = schema
    self.configuration = configuration
  }

  /// `columns` are left in the file, beside those that an earlier migration has left.
  func write(leaving columns: [SuperfluousColumn]) throws {
    try writeEntities()
    try writeMetadata(columns)
    try writeModel()
  }

  /// Keys are given out in each tree; a tree that comes out of another goes on with its last key.
  private func writeEntities() throws(SQLiteError) {
    let last = try lastKeys()
    let tables = plan.destinationTables
    try connection.run(
      "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < \(.number(Self.firstNumberOfHistory))"
    )
    for row in TablesWriter(tables).primaryKeyRows {
      let isRoot = tables[number: row.entity]?.superNumber == 0
      try connection.run(
        """
        INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
        \(.integer(Int64(row.entity))), \(.text(row.name)), \
        \(.integer(Int64(row.superentity))), \(.integer(isRoot ? last[row.entity] ?? 0 : 0)))
        """
      )
    }
  }

  private static let firstNumberOfHistory = 16_000

  private func lastKeys() throws(SQLiteError) -> [Int: Int64] {
    var old: [Int: Int64] = [:]
    let statement = try connection.statement("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY")
    while try statement.step() { old[Int(statement.integer(0))] = statement.integer(1) }
    statement.reset()
    var last: [Int: Int64] = [:]
    for (number, new) in plan.movedNumbers {
      guard let root = plan.destinationTables[number: new]?.rootNumber,
        let table = plan.sourceTables[number]
      else { continue }
      // Only roots count, and all entities of one table have one root.
      let highest = plan.sourceTables.filter { $0.value == table }.compactMap { old[$0.key] }.max()
      last[root] = max(last[root] ?? 0, highest ?? 0)
    }
    for table in plan.destinationTables.tables {
      let used = try connection.integer("SELECT MAX(\(column: "Z_PK")) FROM \(name: table.name)")
      last[table.rootNumber] = max(last[table.rootNumber] ?? 0, used ?? 0)
    }
    return last
  }

  /// Keeps the entries that others have put there.
  private func writeMetadata(_ columns: [SuperfluousColumn]) throws {
    let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
    let bytes = try statement.step() ? Data(statement.blobBytes(0)) : Data()
    statement.reset()
    var metadata = StoreMetadata.dictionary(from: bytes) ?? [:]
    let former = metadata
    let kept = metadata.filter { Self.keptKeys.contains($0.key) }
    let own = StoreMetadata(for: schema, in: configuration).dictionary
    metadata.merge(own) { _, new in new }
    metadata.merge(kept) { _, kept in kept }
    FormerModels.note(migrationFrom: former, in: &metadata)
    SuperfluousColumn.note(SuperfluousColumn.noted(in: metadata) + columns, in: &metadata)
    let list = try StoreMetadata.binary(of: metadata)
    try connection.run("UPDATE Z_METADATA SET Z_PLIST = \(.blob([UInt8](list)))")
  }

  /// How the file was made, which a migration does not change.
  private static let keptKeys: Set<String> = [
    "_NSAutoVacuumLevel", "NSPersistenceFrameworkVersion", "NSPersistenceMaximumFrameworkVersion",
  ]

  private func writeModel() throws {
    let cache = try ModelCache.encode(schema)
    try connection.run("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)")
    try connection.run("DELETE FROM Z_MODELCACHE" as String)
    try connection.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (\(.blob([UInt8](cache))))")
  }
}
