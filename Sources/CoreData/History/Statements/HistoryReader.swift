import CoreDataSQL

/// Reads a store's history, all of it as it was at one moment.
///
/// One statement for transactions, one for changes, and one for the texts that transactions share.
struct HistoryReader {
  private let history: StoreHistory
  private let queries: HistoryQueries
  private let store: StoreNumber
  private let identifier: String

  init(_ plan: HistoryPlan, _ history: StoreHistory, store: StoreNumber, identifier: String) {
    self.history = history
    self.store = store
    self.identifier = identifier
    queries = HistoryQueries(plan, history, store: store, identifier: identifier)
  }

  /// Transactions, with their changes if they are wanted.
  func excerpt<Connection: SQLConnection>(
    withChanges: Bool,
    on connection: Connection
  ) throws -> HistoryExcerpt {
    let transactions = try queries.transactions().fragment
    let changes = withChanges ? try queries.changes().fragment : nil
    let found = try atOneMoment(on: connection) { () throws(Connection.Failure) in
      var found = HistoryExcerpt.Rows()
      found.take(try rows(transactions, on: connection))
      if let changes { try read(changes, into: &found, on: connection) }
      return found
    }
    return HistoryExcerpt(
      found,
      history,
      of: store,
      identifier: identifier,
      hasChanges: withChanges
    )
  }

  /// The identities of all objects that have changed, each once.
  func objects<Connection: SQLConnection>(on connection: Connection) throws -> [NSManagedObjectID] {
    let select = try queries.objects().fragment
    return try atOneMoment(on: connection) { () throws(Connection.Failure) in
      let statement = try connection.statement(select)
      defer { statement.reset() }
      var seen: Set<ObjectKey> = []
      var found: [NSManagedObjectID] = []
      while try statement.step() {
        guard let layout = history.model[stored: statement.integer(0)] else { continue }
        let key = ObjectKey(store: store, root: layout.rootNumber, number: statement.integer(1))
        if seen.insert(key).inserted { found.append(NSManagedObjectID(key: key, layout: layout)) }
      }
      return found
    }
  }

  func changeCount<Connection: SQLConnection>(on connection: Connection) throws -> Int {
    let count = try queries.changeCount()
    return try atOneMoment(on: connection) { () throws(Connection.Failure) in
      try connection.integer(count).map(Int.init) ?? 0
    }
  }
}

// MARK: - At one moment

extension HistoryReader {
  /// Runs the body within one reading transaction, when the start was not purged.
  private func atOneMoment<Connection: SQLConnection, Result>(
    on connection: Connection,
    _ body: () throws(Connection.Failure) -> Result
  ) throws -> Result {
    // A database in memory reads on the connection that writes.
    let isOwn = !connection.isInTransaction
    if isOwn { try connection.run("BEGIN") }
    defer {
      // Nothing was written: there is nothing to lose.
      if isOwn { try? connection.run("COMMIT") }
    }
    try checkStart(on: connection)
    return try body()
  }

  /// Throws 134301 if something that came after the start is gone, or if the start never was.
  private func checkStart<Connection: SQLConnection>(on connection: Connection) throws {
    guard case .transaction(let number) = queries.plan.start else { return }
    let keys = HistoryKeys(connection, history.dialect)
    let (first, last) = (try keys.firstTransaction(), try keys.lastTransaction())
    if number + 1 < first || number > last {
      throw HistoryFailure.expired(number, purgedBefore: first, last: last, store: identifier).error
    }
  }
}

// MARK: - Rows

extension HistoryReader {
  private func rows<Connection: SQLConnection>(
    _ select: SQLFragment,
    on connection: Connection
  ) throws(Connection.Failure) -> [HistoryExcerpt.TransactionRow] {
    let texts = try texts(on: connection)
    let statement = try connection.statement(select)
    defer { statement.reset() }
    // The texts come after the number and the time, and their keys after them.
    let fields = HistoryOrigin.Field.allCases
    let columns = Dictionary(uniqueKeysWithValues: zip(fields, Int32(2)...))
    let text = { (field: HistoryOrigin.Field) -> String? in
      guard let own = columns[field] else { return nil }
      if !statement.isNull(own) { return statement.text(own) }
      let key = own + Int32(fields.count)
      guard key < statement.columnCount, !statement.isNull(key) else { return nil }
      return texts[statement.integer(key)]
    }
    var rows: [HistoryExcerpt.TransactionRow] = []
    while try statement.step() {
      rows.append(
        HistoryExcerpt.TransactionRow(
          number: statement.integer(0),
          origin: HistoryOrigin(time: statement.real(1), text)
        )
      )
    }
    return rows
  }

  private func texts<Connection: SQLConnection>(
    on connection: Connection
  ) throws(Connection.Failure) -> [Int64: String] {
    guard history.tables.shape == .sharedTexts else { return [:] }
    let statement = try connection.statement(queries.texts.fragment)
    defer { statement.reset() }
    var texts: [Int64: String] = [:]
    while try statement.step() { texts[statement.integer(0)] = statement.text(1) }
    return texts
  }

  /// Changes of entities that the model does not have are left out.
  private func read<Connection: SQLConnection>(
    _ select: SQLFragment,
    into found: inout HistoryExcerpt.Rows,
    on connection: Connection
  ) throws(Connection.Failure) {
    var places: [Int64: Int32] = [:]
    for (place, transaction) in found.transactions.enumerated() {
      places[transaction.number] = Int32(place)
    }
    let statement = try connection.statement(select)
    defer { statement.reset() }
    var (last, place): (Int64?, Int32) = (nil, -1)
    while try statement.step() {
      guard let layout = history.model[stored: statement.integer(2)],
        let kind = HistoryChange.Kind(rawValue: statement.integer(1))
      else { continue }
      let number = statement.integer(4)
      if number != last { (last, place) = (number, places[number] ?? -1) }
      // A change without its transaction is left out.
      if place < 0 { continue }
      found.take(
        statement.integer(0),
        kind,
        layout,
        statement.integer(3),
        of: place,
        bits: statement.blobBytes(5),
        tombstone: kind == .delete ? tombstone(of: layout, statement) : []
      )
    }
    if queries.plan.subject == .changes, !queries.plan.sort.isEmpty { found.gather() }
    found.connect()
  }

  private func tombstone(
    of layout: EntityLayout,
    _ statement: some SQLStatement
  ) -> [SQLValue] {
    history.tombstone(of: layout).enumerated().map { index, attribute in
      let value = statement.value(6 + Int32(index))
      return history.dialect.preserved(value, of: layout.kinds[attribute.slot])
    }
  }
}
