import CoreDataSQL

/// Brings computed columns up to date in the transaction of a save.
///
/// ```
/// note what the plan concerns → the plan is written → note it once more → set what differs
/// ```
///
/// The first look sees the former places of rows, the second the present ones: a note that moves concerns both of its
/// folders.
package final class DerivationWriter<Connection: SQLConnection> {
  private let connection: Connection
  private let dialect: any SQLDialect
  private let columns: [ComputedColumn]
  private var concerned: [Set<Int64>]

  /// Nil when the database keeps everything.
  package init?(_ connection: Connection, _ schema: StoreSchema) {
    if schema.computedColumns.isEmpty { return nil }
    self.connection = connection
    dialect = schema.queries.dialect
    columns = schema.computedColumns
    concerned = Array(repeating: [], count: columns.count)
  }

  /// Notes the rows whose values depend on the written rows, as they are now.
  package func note(_ written: [WrittenRow]) throws(Connection.Failure) {
    for (index, column) in columns.enumerated() {
      for source in column.sources {
        let numbers = written.filter { $0.layout.isKind(of: source.layout) }.map(\.primaryKey)
        if numbers.isEmpty { continue }
        let statement = try connection.statement(source.concerned)
        defer { statement.reset() }
        for place in 1...statement.parameterCount {
          statement.bind(dialect.bound(numbers), at: place)
        }
        while try statement.step() {
          if !statement.isNull(0) { concerned[index].insert(statement.integer(0)) }
        }
      }
    }
  }

  /// Sets the values that differ, and gives the rows.
  package func refresh() throws(Connection.Failure) -> [ReportedRow] {
    var changed: [ReportedRow] = []
    for (column, keys) in zip(columns, concerned) where !keys.isEmpty {
      // If two save at once, the second includes the changes of the first.
      if let lock = dialect.locking(keys.sorted(), in: column.table) { try connection.run(lock) }
      for (row, value) in try outdated(column, keys) {
        let statement = try connection.statement(column.update)
        statement.bind(value, at: 1)
        statement.bind(row.primaryKey, at: 2)
        try statement.run()
        changed.append(row)
      }
    }
    return changed
  }

  private func outdated(
    _ column: ComputedColumn,
    _ keys: Set<Int64>
  ) throws(Connection.Failure) -> [(ReportedRow, SQLValue)] {
    let statement = try connection.statement(column.outdated)
    defer { statement.reset() }
    statement.bind(dialect.bound(keys.sorted()), at: column.outdated.placeOfParameter)
    var found: [(ReportedRow, SQLValue)] = []
    while try statement.step() {
      let row = ReportedRow(
        entity: statement.integer(1),
        primaryKey: statement.integer(0),
        property: column.property
      )
      found.append((row, statement.value(2)))
    }
    return found
  }
}

/// A row by its primary key and the number of its entity, in which the database, or the end of a save, has given a
/// derived property a new value.
package struct ReportedRow: Hashable {
  package let entity: Int64
  package let primaryKey: Int64
  package let property: String

  package init(entity: Int64, primaryKey: Int64, property: String) {
    self.entity = entity
    self.primaryKey = primaryKey
    self.property = property
  }
}

/// A row that a save writes.
package struct WrittenRow {
  package unowned(unsafe) let layout: EntityLayout
  package let primaryKey: Int64

  package init(layout: EntityLayout, primaryKey: Int64) {
    self.layout = layout
    self.primaryKey = primaryKey
  }
}

extension SavePlan {
  package var writtenRows: [WrittenRow] {
    inserts.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) } + knownRows
  }

  /// The rows that exist before.
  package var knownRows: [WrittenRow] {
    updates.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) }
      + deletes.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) }
  }
}

extension SQLFragment {
  /// The place of the one value to bind among those that travel with the fragment, from 1.
  fileprivate var placeOfParameter: Int32 {
    var place: Int32 = 0
    for piece in pieces {
      switch piece {
      case .value, .unlimited: place += 1
      case .parameter: return place + 1
      case .text, .name, .table, .ownRows: continue
      }
    }
    return place
  }
}
