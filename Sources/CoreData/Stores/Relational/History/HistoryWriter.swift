import CoreDataSQL

/// Adds a transaction to a store's history, within the transaction that writes the rows.
///
/// ```swift
/// let writer = HistoryWriter(connection, history)
/// try writer.note(deletions)          // before the rows go: their values may have to be kept
/// …                                   // the rows are written
/// try writer.note(updates)
/// let number = try writer.write(HistoryOrigin(of: context))
/// ```
///
/// Nothing is written before ``write(_:)``. It runs one statement for each change, and a few more; a
/// deletion of an entity with preserved attributes reads the row first.
final class HistoryWriter<Connection: SQLConnection> {
  private typealias Statement = Connection.Statement

  private let connection: Connection
  private let history: StoreHistory
  private var changes: [HistoryChange] = []
  /// The values to keep of deleted rows, by the place of the change.
  private var tombstones: [Int: [SQLValue]] = [:]
  /// Where the change of a row is; made when somebody asks.
  private var places: [ChangedRow: Int] = [:]
  private var placedCount = 0
  /// The transaction, once something of it is written.
  private var transaction: Int64?

  init(_ connection: Connection, _ history: StoreHistory) {
    self.connection = connection
    self.history = history
  }
}

package struct ChangedRow: Hashable {
  let root: Int32
  let number: Int64

  package init(root: Int32, number: Int64) {
    self.root = root
    self.number = number
  }
}

// MARK: - Noting

extension HistoryWriter {
  /// Notes what is to become of rows, or has become of them.
  func note(_ new: some Sequence<HistoryChange>) throws(Connection.Failure) {
    changes.reserveCapacity(changes.count + new.underestimatedCount)
    for change in new {
      if change.kind == .delete {
        let values = try tombstone(of: change)
        if !values.isEmpty { tombstones[changes.count] = values }
      }
      changes.append(change)
    }
  }

  /// Notes that the database itself has computed values of a row, in addition to what is known of it.
  func noteComputed(_ slots: SlotSet, in layout: EntityLayout, _ number: Int64) {
    for index in placedCount..<changes.count {
      let change = changes[index]
      places[ChangedRow(root: change.layout.rootNumber, number: change.primaryKey)] = index
    }
    placedCount = changes.count
    guard let index = places[ChangedRow(root: layout.rootNumber, number: number)] else {
      changes.append(HistoryChange(.update, layout, number, changed: slots))
      return
    }
    if changes[index].kind == .update { changes[index].slots.formUnion(slots) }
  }

  /// The values of a row that its deletion preserves, as the row has them.
  private func tombstone(of change: HistoryChange) throws(Connection.Failure) -> [SQLValue] {
    let preserved = history.tombstone(of: change.layout)
    if preserved.isEmpty { return [] }
    var select = Select(
      preserved.map { .column($0.column, of: "t0") },
      from: history.tableName(of: change.layout),
      as: "t0"
    )
    select.filter = "\(column: "Z_PK", of: "t0") = \(.parameter)"
    let statement = try connection.statement(select.fragment)
    defer { statement.reset() }
    statement.bind(change.primaryKey, at: 1)
    guard try statement.step() else { return [] }
    return preserved.indices.map { statement.value(Int32($0)) }
  }
}

// MARK: - Writing

extension HistoryWriter {
  /// Writes the noted changes, and gives the transaction's number; `nil` if nothing was noted.
  ///
  /// Changes that are noted and written afterwards belong to the same transaction.
  func write(_ origin: HistoryOrigin) throws(Connection.Failure) -> Int64? {
    if changes.isEmpty { return transaction }
    let number: Int64
    if let transaction { number = transaction } else { number = try begin(origin) }
    transaction = number
    let first = try reserve(Int64(changes.count), for: .change)
    let plain = try changeStatement(with: [])
    let updating = try changeStatement(with: ["ZCOLUMNS"])
    for (index, change) in changes.enumerated() {
      let key = first + Int64(index)
      switch change.kind {
      case .insert:
        try run(plain, key, change, of: number)
      case .update:
        let bytes = history.bits(of: change.layout).bytes(for: change.slots)
        updating.bind(.blob(bytes), at: 7)
        try run(updating, key, change, of: number)
      case .delete:
        try run(plain, key, change, of: number, leaving: tombstones[index])
      }
    }
    changes = []
    tombstones = [:]
    places = [:]
    placedCount = 0
    return number
  }

  /// Writes a change without bits, with the values that it leaves if it is a deletion.
  private func run(
    _ plain: Statement,
    _ key: Int64,
    _ change: HistoryChange,
    of number: Int64,
    leaving values: [SQLValue]?
  ) throws(Connection.Failure) {
    guard let values else { return try run(plain, key, change, of: number) }
    let leaving = try changeStatement(with: values.indices.map(HistoryTables.tombstone))
    for (index, value) in values.enumerated() { leaving.bind(value, at: Int32(7 + index)) }
    try run(leaving, key, change, of: number)
  }

  private func changeStatement(with columns: [String]) throws(Connection.Failure) -> Statement {
    let fixed = ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]
    let insert = Insert(into: HistoryTables.Entity.change.table, columns: fixed + columns)
    return try connection.statement(insert.fragment)
  }

  private func run(
    _ statement: Statement,
    _ key: Int64,
    _ change: HistoryChange,
    of number: Int64
  ) throws(Connection.Failure) {
    statement.bind(key, at: 1)
    statement.bind(HistoryTables.Entity.change.rawValue, at: 2)
    statement.bind(change.kind.rawValue, at: 3)
    statement.bind(Int64(change.layout.number), at: 4)
    statement.bind(change.primaryKey, at: 5)
    statement.bind(number, at: 6)
    try statement.run()
  }

  private func begin(_ origin: HistoryOrigin) throws(Connection.Failure) -> Int64 {
    let number = try reserve(1, for: .transaction)
    try write(number, origin)
    return number
  }

  private func write(
    _ number: Int64,
    _ origin: HistoryOrigin
  ) throws(Connection.Failure) {
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    var values: [SQLValue] = [
      .integer(number), .integer(HistoryTables.Entity.transaction.rawValue), .real(origin.time),
    ]
    for field in HistoryOrigin.Field.allCases {
      guard let text = origin[field] else { continue }
      switch history.tables.shape {
      case .sharedTexts:
        columns.append(field.keyColumn)
        values.append(.integer(try key(of: text)))
      case .ownTexts:
        columns.append(field.column)
        values.append(.text(text))
      }
    }
    let insert = Insert(into: HistoryTables.Entity.transaction.table, columns: columns)
    let statement = try connection.statement(insert.fragment)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 1)) }
    try statement.run()
  }

  /// The key of a text, which is in its table once.
  private func key(of text: String) throws(Connection.Failure) -> Int64 {
    var select = Select([.column("Z_PK", of: "t0")], from: "ATRANSACTIONSTRING", as: "t0")
    select.filter = "\(column: "ZNAME", of: "t0") = \(.text(text))"
    if let known = try connection.integer(select.fragment) { return known }
    let key = try reserve(1, for: .text)
    let entity = HistoryTables.Entity.text
    let insert = Insert(into: entity.table, columns: ["Z_PK", "Z_ENT", "ZNAME"])
    let statement = try connection.statement(insert.fragment)
    statement.bind(key, at: 1)
    statement.bind(entity.rawValue, at: 2)
    statement.bind(.text(text), at: 3)
    try statement.run()
    return key
  }

  /// Takes keys as they follow each other, and gives the first.
  ///
  /// Keys of purged history are not given again.
  private func reserve(
    _ count: Int64,
    for entity: HistoryTables.Entity
  ) throws(Connection.Failure) -> Int64 {
    let last = try HistoryKeys(connection, history.dialect).last(of: entity, leavingRoomFor: count)
    try note(last + count, as: entity)
    return last + 1
  }

  private func note(
    _ last: Int64,
    as entity: HistoryTables.Entity
  ) throws(Connection.Failure) {
    try connection.run(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (\
      \(.integer(entity.rawValue)), \(.text(entity.name)), 0, \(.integer(last))) \
      ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX
      """
    )
  }
}

// MARK: - A history of another store

extension HistoryWriter {
  /// Writes a history into tables that are empty; one statement for each transaction and each change.
  func write(_ carried: CarriedHistory) throws(Connection.Failure) {
    for row in carried.excerpt.transactions { try write(row.number, row.origin) }
    let plain = try changeStatement(with: [])
    let updating = try changeStatement(with: ["ZCOLUMNS"])
    for transaction in carried.excerpt.transactions {
      for index in transaction.changes {
        let row = carried.excerpt.changes[index]
        let change = HistoryChange(row.kind, row.layout, carried.number(ofChange: index))
        let slots = carried.excerpt.slots(changedBy: index)
        if let slots, row.kind == .update {
          updating.bind(.blob(history.bits(of: row.layout).bytes(for: slots)), at: 7)
          try run(updating, row.key, change, of: transaction.number)
        } else {
          let values = carried.values(leftBy: index, for: history)
          try run(plain, row.key, change, of: transaction.number, leaving: values)
        }
      }
    }
    try note(carried.lastTransaction, as: .transaction)
    try note(carried.lastChange, as: .change)
  }
}
