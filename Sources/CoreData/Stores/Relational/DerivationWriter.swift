import CoreDataSQL
import CoreDataSQLite

/// Brings computed columns up to date in the transaction of a save.
///
/// ```
/// note what the plan concerns → the plan is written → note it once more → set what differs
/// ```
///
/// The first look sees where rows were, the second where they are: a note that moves concerns both
/// of its folders.
final class DerivationWriter {
  private let connection: Connection
  private let columns: [ComputedColumn]
  private var concerned: [Set<Int64>]

  /// Nil when triggers keep everything.
  init?(_ connection: Connection, _ schema: StoreSchema) {
    if schema.computedColumns.isEmpty { return nil }
    self.connection = connection
    columns = schema.computedColumns
    concerned = Array(repeating: [], count: columns.count)
  }

  /// Notes the rows whose values the written rows concern, as they stand now.
  func note(_ written: [WrittenRow]) throws(SQLiteError) {
    for (index, column) in columns.enumerated() {
      for source in column.sources {
        let numbers = written.filter { $0.layout.isKind(of: source.layout) }.map(\.number)
        if numbers.isEmpty { continue }
        let statement = try connection.statement(source.concerned)
        defer { statement.reset() }
        for place in 1...statement.parameterCount {
          statement.bind(.text(numbers.json), at: place)
        }
        while try statement.step() {
          if !statement.isNull(0) { concerned[index].insert(statement.integer(0)) }
        }
      }
    }
  }

  /// Sets the values that differ, and gives the rows.
  func refresh() throws(SQLiteError) -> [ReportedRow] {
    var changed: [ReportedRow] = []
    for (column, keys) in zip(columns, concerned) where !keys.isEmpty {
      for (row, value) in try outdated(column, keys) {
        let statement = try connection.statement(column.update)
        statement.bind(value, at: 1)
        statement.bind(row.number, at: 2)
        try statement.run()
        changed.append(row)
      }
    }
    return changed
  }

  private func outdated(
    _ column: ComputedColumn,
    _ keys: Set<Int64>
  ) throws(SQLiteError) -> [(ReportedRow, SQLValue)] {
    let statement = try connection.statement(column.outdated)
    defer { statement.reset() }
    statement.bind(.text(keys.sorted().json), at: column.outdated.placeOfParameter)
    var found: [(ReportedRow, SQLValue)] = []
    while try statement.step() {
      let row = ReportedRow(
        entity: statement.integer(1),
        number: statement.integer(0),
        property: column.property
      )
      found.append((row, statement.value(2)))
    }
    return found
  }
}

/// A row that a save writes.
struct WrittenRow {
  unowned(unsafe) let layout: EntityLayout
  let number: Int64
}

extension SavePlan {
  var writtenRows: [WrittenRow] {
    inserts.map { WrittenRow(layout: $0.layout, number: $0.number) }
      + updates.map { WrittenRow(layout: $0.layout, number: $0.number) }
      + deletes.map { WrittenRow(layout: $0.layout, number: $0.number) }
  }
}

extension [Int64] {
  fileprivate var json: String { "[" + map(\.description).joined(separator: ",") + "]" }
}

extension SQLFragment {
  /// Where the one value to bind comes among those that travel with the fragment, from 1.
  fileprivate var placeOfParameter: Int32 {
    var place: Int32 = 0
    for piece in pieces {
      switch piece {
      case .value: place += 1
      case .parameter: return place + 1
      case .text, .name: continue
      }
    }
    return place
  }
}
