/// The statements that make an empty store, as text and in Apple's order.
///
///     tables · indexes · triggers · Z_PRIMARYKEY, Z_METADATA, Z_MODELCACHE
///
/// The text is Apple's to the letter, blanks included, so that a store made here cannot be told
/// from one made there.
package struct TablesWriter {
  private let map: TableMap

  package init(_ map: TableMap) {
    self.map = map
  }

  package var statements: [String] {
    tables + indexes + triggers + Self.bookkeeping
  }

  /// One row for each entity, in the order of their numbers.
  package var primaryKeyRows: [PrimaryKeyRow] {
    map.entities.map {
      PrimaryKeyRow(entity: $0.number, name: $0.name, superentity: $0.superNumber, last: 0)
    }
  }

  /// A row of `Z_PRIMARYKEY`: an entity, and the last key that was given to its tree's rows.
  package struct PrimaryKeyRow: Hashable, Sendable {
    package let entity: Int
    package let name: String
    package let superentity: Int
    /// Counted in the rows of root entities; 0 in all others.
    package let last: Int64
  }
}

// MARK: - Tables

extension TablesWriter {
  /// The tables that every store has.
  package static let bookkeeping = [
    primaryKeyTable, metadataTable, "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
  ]

  package static let primaryKeyTable =
    "CREATE TABLE Z_PRIMARYKEY"
    + " (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"

  package static let metadataTable =
    "CREATE TABLE Z_METADATA"
    + " (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"

  /// Each root entity's table, followed by the join tables of its tree.
  package var tables: [String] {
    map.tables.flatMap { table in
      let tree = map.entities[table.rootNumber - 1].numbers
      let joins = map.joinTables.filter { tree.contains($0.masterNumber) }
      return [statement(for: table)] + joins.map(statement)
    }
  }

  package func statement(for table: Table) -> String {
    let fixed = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    let own = table.columns.map { "\(identifier($0.name)) \($0.type.rawValue)" }
    return "CREATE TABLE \(identifier(table.name)) ( \(commas(fixed + own)) )"
  }

  package func statement(for table: JoinTable) -> String {
    let pair = [table.masterColumn, table.otherColumn].map(identifier)
    let orders = [table.masterOrderColumn, table.otherOrderColumn].compactMap { $0 }.map(identifier)
    let columns = (pair + orders).map { "\($0) INTEGER" }
    return "CREATE TABLE \(identifier(table.name))"
      + " ( \(commas(columns)), PRIMARY KEY (\(commas(pair))) )"
  }
}

// MARK: - Indexes

extension TablesWriter {
  package var indexes: [String] {
    map.tables.flatMap { $0.indexes.map(statement) }
  }

  package func statement(for index: TableIndex) -> String {
    let elements = index.elements.map { identifier($0.column) + order($0.order) }
    let condition = index.condition.map { " WHERE \($0)" } ?? ""
    return "CREATE\(index.isUnique ? " UNIQUE" : "") INDEX \(identifier(index.name))"
      + " ON \(identifier(index.table)) (\(commas(elements)))" + condition
  }

  private func order(_ order: TableIndex.Order) -> String {
    switch order {
    case .unspecified: ""
    case .ascending: " COLLATE BINARY ASC"
    case .descending: " COLLATE BINARY DESC"
    }
  }
}

// MARK: - Triggers

extension TablesWriter {
  package var triggers: [String] {
    map.tables.flatMap { $0.derivedColumns.flatMap(\.triggers).map(\.statement) }
      + map.tables.flatMap { $0.spatialIndexes.flatMap(\.statements) }
  }
}

// MARK: - Spelling

/// A name in SQL, in quotes only when it needs them: Apple's own names never do.
func identifier(_ name: String) -> String {
  let isPlain = name.unicodeScalars.allSatisfy {
    $0 == "_" || $0 == "$" || !$0.isASCII || $0.properties.isAlphabetic
      || ("0"..."9").contains($0)
  }
  return isPlain
    ? name
    : "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
}

package func commas(_ parts: [String]) -> String {
  parts.joined(separator: ", ")
}
