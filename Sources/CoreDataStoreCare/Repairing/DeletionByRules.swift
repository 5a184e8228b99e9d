import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// Deletes rows as the model's delete rules want it, all of them at once.
///
/// ```
/// Cascade     the others go too, and those that they lead to
/// Deny        the object stays as long as there are others
/// Nullify     keys of the others stay behind, and lead nowhere: the next round takes them out
/// ```
///
/// An object also stays when another, which does not go, requires it.
struct DeletionByRules {
  private let connection: Connection
  private let tables: TableMap
  private let model: ModelSchema

  init(_ connection: Connection, _ tables: TableMap, _ model: ModelSchema) {
    self.connection = connection
    self.tables = tables
    self.model = model
  }

  /// A connection runs plain text too, which a literal made of fragments alone would become.
  private func run(_ sql: SQLFragment) throws(SQLiteError) { try connection.run(sql) }

  /// Gives the number of deleted rows of each entity.
  func delete(
    _ entity: Int,
    where condition: SQLFragment
  ) throws(SQLiteError) -> [String: Int] {
    guard let map = tables[number: entity] else { return [:] }
    try run(
      "CREATE TEMP TABLE doomed (origin, root, key, PRIMARY KEY (origin, root, key))"
    )
    try run(
      """
      INSERT INTO temp.doomed SELECT \(own("Z_PK")), \(map.root), \(own("Z_PK")) \
      FROM \(name: map.tableName) AS \(name: "t0") WHERE \(condition)
      """
    )
    try cascade()
    try spare()
    let counts = try counts()
    try deleteRows()
    try run("DROP TABLE temp.doomed")
    return counts
  }
}

// MARK: - Who goes

extension DeletionByRules {
  private var relationships: [(owner: EntityMap, schema: RelationshipSchema)] {
    tables.entities.flatMap { entity in
      (model.entity(named: entity.name)?.relationships ?? []).map { (entity, $0) }
    }
  }

  private func cascade() throws(SQLiteError) {
    let cascades = relationships.filter { $0.schema.deleteRule == .cascade }
      .compactMap { others(of: $0.schema, from: $0.owner) }
    var grew = true
    while grew {
      grew = false
      for others in cascades {
        try run("INSERT OR IGNORE INTO temp.doomed \(others)")
        if connection.changeCount > 0 { grew = true }
      }
    }
  }

  /// Takes those out that stay, with all that would have gone because of them.
  private func spare() throws(SQLiteError) {
    let keeping = relationships.filter { owner, schema in
      schema.deleteRule == .deny || (schema.deleteRule != .cascade && isRequired(schema))
    }
    for (owner, schema) in keeping {
      guard let others = others(of: schema, from: owner) else { continue }
      try run(
        """
        DELETE FROM temp.doomed WHERE origin IN (SELECT origin FROM (\(others)) AS o \
        WHERE NOT EXISTS (SELECT 1 FROM temp.doomed AS e WHERE e.root = o.root AND e.key = o.key))
        """
      )
    }
  }

  /// Whether the others cannot be without the object.
  private func isRequired(_ relationship: RelationshipSchema) -> Bool {
    guard let name = relationship.inverseName,
      case .relationship(let inverse) = model.property(name, of: relationship.destinationName)
    else { return false }
    return !inverse.isToMany && !inverse.isOptional
  }

  /// Origin, root and key of the rows that relationships of doomed rows lead to.
  private func others(of relationship: RelationshipSchema, from owner: EntityMap) -> SQLFragment? {
    guard let destination = tables[relationship.destinationName] else { return nil }
    let doomed: SQLFragment = "temp.doomed AS g"
    let isOwner: SQLFragment = "g.root = \(owner.root)"
    let target: SQLFragment
    let source: SQLFragment
    switch owner[relationship.name] {
    case .toOne(let column, _, _):
      target = own(column)
      source = """
        \(doomed) JOIN \(name: owner.tableName) AS \(name: "t0") \
        ON \(own("Z_PK")) = g.key AND \(owner.has("t0"))
        """
    case .toManyInverse(let key), .toManyForeignKey(let key):
      target = own("Z_PK")
      source = """
        \(doomed) JOIN \(name: key.table) AS \(name: "t0") \
        ON \(own(key.column)) = g.key AND \(destination.has("t0"))
        """
    case .join(let side):
      target = own(side.otherColumn)
      source = """
        \(doomed) JOIN \(name: side.table) AS \(name: "t0") ON \(own(side.ownColumn)) = g.key
        """
    case .some(.none), .attribute, .composite, nil:
      return nil
    }
    // A key that leads nowhere dooms nobody.
    return """
      SELECT g.origin, \(destination.root) AS root, \(target) AS key FROM \(source) \
      JOIN \(name: destination.tableName) AS \(name: "x") \
      ON \(.column("Z_PK", of: "x")) = \(target) AND \(destination.has("x")) WHERE \(isOwner)
      """
  }
}

// MARK: - Going

extension DeletionByRules {
  private func counts() throws(SQLiteError) -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in tables.tables {
      guard let root = tables[number: table.rootNumber] else { continue }
      let statement = try connection.statement(
        """
        SELECT Z_ENT, COUNT(*) FROM \(name: table.name) \
        WHERE Z_PK IN (SELECT key FROM temp.doomed WHERE root = \(root.root)) GROUP BY Z_ENT
        """
      )
      defer { statement.reset() }
      while try statement.step() {
        let name = tables[number: Int(statement.integer(0))]?.name ?? root.name
        counts[name, default: 0] += Int(statement.integer(1))
      }
    }
    return counts
  }

  private func deleteRows() throws(SQLiteError) {
    for table in tables.tables {
      guard let root = tables[number: table.rootNumber] else { continue }
      let keys: SQLFragment = "(SELECT key FROM temp.doomed WHERE root = \(root.root))"
      let joins = Set(
        root.numbers.compactMap { tables[number: $0] }.flatMap { entity in
          entity.properties.values.flatMap(\.joinColumns)
        }
      )
      for join in joins {
        try run(
          "DELETE FROM \(name: join.table) WHERE \(column: join.column) IN \(keys)"
        )
      }
      try run("DELETE FROM \(name: table.name) WHERE Z_PK IN \(keys)")
    }
  }
}

extension EntityMap {
  fileprivate var root: SQLFragment { .value(.integer(Int64(rootNumber))) }
}

extension PropertyMapping {
  /// The columns of a join table that have the owner's key.
  fileprivate var joinColumns: [JoinColumn] {
    guard case .join(let side) = self else { return [] }
    let columns = side.isReflexive ? [side.ownColumn, side.otherColumn] : [side.ownColumn]
    return columns.map { JoinColumn(table: side.table, column: $0) }
  }
}

private struct JoinColumn: Hashable {
  let table: String
  let column: String
}
