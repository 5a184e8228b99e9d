import CoreDataModel
import Testing

@testable import CoreData

@Suite(
  .enabled(
    if: !AppleStore.all.isEmpty && SQLiteShell.isPresent,
    "needs ../shared/fixtures and the sqlite3 tool"
  )
)
struct AppleStoreTests {
  @Test(arguments: AppleStore.all)
  func `the model of one of Apple's stores gives its schema`(store: AppleStore) throws {
    let map = try TableMap(store.model(), existingTables: store.tableNames())
    let era = Era(frameworkVersion: try store.frameworkVersion())
    let ours = era.statements(of: map)
    let theirs = try store.statements()
    #expect(Set(ours).symmetricDifference(theirs).isEmpty)
    #expect(ours.count == theirs.count)
  }

  /// A migration makes tables again, after those that stay; older systems had other orders.
  @Test(
    arguments: AppleStore.all.filter {
      !["MigrationExample_V2", "SampleModel_V2"].contains($0.name)
    }
  )
  func `statements come in Apple's order`(store: AppleStore) throws {
    let era = Era(frameworkVersion: try store.frameworkVersion())
    guard era == .current else { return }
    let map = try TableMap(store.model(), existingTables: store.tableNames())
    #expect(try era.statements(of: map) == store.statements())
  }

  @Test(arguments: AppleStore.all)
  func `entities have the numbers that the store gives them`(store: AppleStore) throws {
    let rows = try TablesWriter(TableMap(store.model())).primaryKeyRows
    // The migration that renamed this entity kept its old name in the table of keys.
    let oldNames =
      store.name == "SampleModel_V2"
      ? ["LuxuryCar": "ExpensiveSportCar"] : [:]
    #expect(
      try rows.map { "\($0.entity)|\(oldNames[$0.name] ?? $0.name)|\($0.superentity)" }
        == store.primaryKeyRows()
    )
  }
}

/// The differences in older systems' files.
private enum Era {
  /// Before iOS 9: no model cache.
  case beforeModelCache
  /// Before iOS 11: indexes named by column, unique values demanded by the table itself.
  case beforeFetchIndexes
  case current

  init(frameworkVersion: Int) {
    self =
      switch frameworkVersion {
      case ..<637: .beforeModelCache
      case ..<836: .beforeFetchIndexes
      default: .current
      }
  }

  func statements(of map: TableMap) -> [String] {
    let statements = TablesWriter(map).statements
    switch self {
    case .current:
      return statements
    case .beforeFetchIndexes:
      return statements.flatMap { older($0, in: map) }
    case .beforeModelCache:
      return statements.filter { !$0.contains("Z_MODELCACHE") }.flatMap { older($0, in: map) }
    }
  }

  private func older(_ statement: String, in map: TableMap) -> [String] {
    let indexes = map.tables.flatMap(\.indexes)
    let words = statement.split(separator: " ")
    if let index = indexes.first(where: { words.dropFirst().prefix(3).contains($0.name[...]) }) {
      return index.isUnique ? [] : [olderText(of: index)]
    }
    let constraints = indexes.filter { $0.isUnique && $0.table[...] == words[2] }
      .map { index in
        let columns = index.elements.map(\.column)
        return ", CONSTRAINT \(columns.joined(separator: "_"))"
          + " UNIQUE (\(columns.joined(separator: ", ")))"
      }
    return constraints.isEmpty
      ? [statement] : [statement.dropLast(2) + constraints.joined() + ")"]
  }

  private func olderText(of index: TableIndex) -> String {
    let columns = index.elements.map(\.column)
    let name =
      ([index.table] + columns).joined(separator: "_") + (columns.count == 1 ? "_INDEX" : "")
    return "CREATE INDEX \(name) ON \(index.table) (\(columns.joined(separator: ", ")))"
  }
}
