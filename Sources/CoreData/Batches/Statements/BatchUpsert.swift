import CoreDataModel
package import CoreDataSQL

/// The statements for rows that may be there already, of one entity.
package struct BatchUpsert {
  private let layout: EntityLayout
  private let columns: [StoredColumn]
  private let schema: StoreSchema
  private let table: String

  package init(_ layout: EntityLayout, _ columns: [StoredColumn], _ schema: StoreSchema) {
    self.layout = layout
    self.columns = columns
    self.schema = schema
    table = schema.queries.map(layout).tableName
  }

  /// Whether an index keeps each constraint.
  func hasIndexes(in transaction: some InsertingTransaction) throws -> Bool {
    if layout.constraints.isEmpty { return true }
    let unique = try transaction.uniqueIndexes(of: table)
    return layout.constraints.allSatisfy { unique.contains(Set(names($0))) }
  }

  private func names(_ constraint: UniqueConstraint) -> [String] {
    constraint.slots.compactMap { slot in
      schema.columns(of: layout).columns.first { $0.slot == slot }?.name
    }
  }

  /// The properties whose values are unique, as errors call them.
  package var uniqueNames: String {
    let names = layout.constraints.map { $0.names.joined(separator: ", ") }
    return "\(layout.name).\(names.joined(separator: " or "))"
  }
}

// MARK: - Statements

extension BatchUpsert {
  /// Binds the key as the first value, and the columns from the third.
  var insert: SQLFragment {
    let filled = schema.surplus.filledColumns(of: layout)
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name) + filled.map(\.name))
      .map { SQLFragment.column($0) }
    let places = columns.map { _ in SQLFragment.parameter } + filled.map(\.literal)
    let fixed: [SQLFragment] = [.parameter, .value(.integer(Int64(layout.number))), "1"]
    return """
      INSERT INTO \(name: table) (\(names.joined(separator: ", "))) \
      VALUES (\((fixed + places).joined(separator: ", ")))
      """
  }

  /// Inserts a row, or writes these slots onto the one that has its values; without slots, leaves that
  /// as it is.
  func resolving(_ slots: SlotSet) -> SQLFragment {
    var statement = insert
    for constraint in layout.constraints {
      let target = names(constraint).map { SQLFragment.column($0) }.joined(separator: ", ")
      statement += " ON CONFLICT (\(target)) DO \(resolution(slots, constraint))"
    }
    return statement
  }

  /// For each constraint, the key and the entity of the row that has the values of its columns.
  var finding: [(query: SQLFragment, columns: [StoredColumn])] {
    layout.constraints.map { constraint in
      let unique = constraint.slots.compactMap { slot in columns.first { $0.slot == slot } }
      let matches = unique.map { "\(column: $0.name) = \(.parameter)" as SQLFragment }
      let query: SQLFragment = """
        SELECT \(column: "Z_PK"), \(column: "Z_ENT") FROM \(name: table) \
        WHERE \(matches.joined(separator: " AND "))
        """
      return (query, unique)
    }
  }

  private func resolution(_ slots: SlotSet, _ constraint: UniqueConstraint) -> SQLFragment {
    if slots.isEmpty { return "NOTHING" }
    // Values that both rows share are not written: SQLite would move the row in that index.
    let new = columns.filter { slots.contains($0.slot) && !constraint.slots.contains($0.slot) }
    let assignments = new.map { column -> SQLFragment in
      let new: SQLFragment = "excluded.\(column: column.name)"
      let owner = layout.owner(of: column.slot)
      if owner.numbers.contains(constraint.entity) { return "\(column: column.name) = \(new)" }
      // The existing row may be of an entity that does not have the property.
      return """
        \(column: column.name) = CASE WHEN \(column: "Z_ENT", of: table) \
        BETWEEN \(.integer(Int64(owner.numbers.lowerBound))) \
        AND \(.integer(Int64(owner.numbers.upperBound))) \
        THEN \(new) ELSE \(column: column.name, of: table) END
        """
    }
    let version: SQLFragment = """
      \(column: "Z_OPT") = COALESCE(\(column: "Z_OPT", of: table), 0) + 1
      """
    return "UPDATE SET \((assignments + [version]).joined(separator: ", "))"
  }

  /// The columns of some slots that rows of another entity of the tree have too.
  package func columns(_ slots: SlotSet, in other: EntityLayout) -> [StoredColumn] {
    columns.filter { slots.contains($0.slot) && other.isKind(of: layout.owner(of: $0.slot)) }
  }

  /// Binds the columns, then the key.
  func update(_ columns: [StoredColumn]) -> SQLFragment {
    let assignments = columns.map { "\(column: $0.name) = \(.parameter)" as SQLFragment }
    let version: SQLFragment = "\(column: "Z_OPT") = COALESCE(\(column: "Z_OPT"), 0) + 1"
    return """
      UPDATE \(name: table) SET \((assignments + [version]).joined(separator: ", ")) \
      WHERE \(column: "Z_PK") = \(.parameter)
      """
  }

  /// Gives rows, which are called `n`, their places behind the members that their owners have.
  package static func placing(
    _ key: String,
    _ order: String,
    in table: String,
    where isNew: SQLFragment
  ) -> SQLFragment {
    let step = SQLFragment.value(.integer(OrderPlaces.step))
    let before = SQLFragment.value(.integer(OrderPlaces.first - OrderPlaces.step))
    return """
      UPDATE \(name: table) SET \(column: order) = \(column: "place", of: "p") FROM \
      (SELECT \(column: "Z_PK", of: "n") "member", COALESCE((SELECT MAX(\(column: order, of: "o")) \
      FROM \(table: table, as: "o") WHERE \(column: key, of: "o") = \(column: key, of: "n")), \(before)) \
      + \(step) * ROW_NUMBER() OVER (PARTITION BY \(column: key, of: "n") \
      ORDER BY \(column: "Z_PK", of: "n")) "place" FROM \(table: table, as: "n") \
      WHERE \(isNew) AND \(column: key, of: "n") IS NOT NULL) "p" \
      WHERE \(SQLFragment.ownRows(of: table))\(column: "Z_PK", of: table) = \(column: "member", of: "p")
      """
  }
}

// MARK: - Looking

extension BatchUpsert {
  /// The rows that have what must be unique in this one, each once.
  func rows(like row: Snapshot, on connection: some SQLConnection) throws -> [Row] {
    try others(like: row, on: connection).map(\.row)
  }

  /// The same rows, each with the first of the constraints by which it is found.
  func others(
    like row: Snapshot,
    on connection: some SQLConnection
  ) throws -> [(constraint: UniqueConstraint, row: Row)] {
    let unique = UniqueRows(connection, schema)
    var found: [(constraint: UniqueConstraint, row: Row)] = []
    for constraint in layout.constraints {
      guard let values = UniqueValues(constraint, of: row, in: layout) else { continue }
      for other in try unique.rows(with: [values], in: constraint)
      where !found.contains(where: { $0.row.primaryKey == other.primaryKey }) {
        found.append((constraint, other))
      }
    }
    return found
  }
}

extension EntityLayout {
  /// The entity that declares the property that a slot is of, or belongs to.
  fileprivate func owner(of slot: Int) -> EntityLayout {
    let property =
      switch slots[slot].hidden {
      case .destinationEntity(let other), .order(let other), .element(let other, _): other
      case .foreignKey, .foreignOrder, nil: slot
      }
    return model[number: declarer(of: property)] ?? self
  }
}
