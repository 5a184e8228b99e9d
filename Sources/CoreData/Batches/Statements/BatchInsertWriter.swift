import CoreDataModel
import CoreDataSQL
import Foundation

/// Writes the rows of a batch insertion as they come, each with a statement that is compiled once.
///
/// ```
/// nothing is unique        INSERT INTO "ZITEM" ( … ) VALUES ( … )
/// an index keeps it so     INSERT … ON CONFLICT ("ZSLUG") DO UPDATE SET "ZTITLE" = excluded."ZTITLE"
/// no index does, or rows   a query for each row, then INSERT or UPDATE
///   name files
/// ```
final class BatchInsertWriter<Transaction: InsertingTransaction> {
  private typealias Statement = Transaction.Connection.Statement

  private let transaction: Transaction
  private let connection: Transaction.Connection
  private let schema: StoreSchema
  private let layout: EntityLayout
  private let newcomer: MergeRule.Newcomer
  private let bound: [BoundColumn]
  private let upsert: BatchUpsert
  private let way: Way
  private let derivations: DerivationWriter<Transaction.Connection>?
  private var ledger: BatchLedger
  private var keys: BatchKeys<Transaction>
  /// The rows that derived values have to follow.
  private var written: [WrittenRow] = []
  private var insertion: Statement?
  /// The statements that find a row by its unique values, for each constraint.
  private var finders: [(statement: Statement, columns: [BoundColumn])] = []
  private var resolutions: [SlotSet: Resolution] = [:]
  /// That of the row before, as most rows are given the same properties.
  private var latest: (given: SlotSet, resolution: Resolution)?
  /// Everything that some row was given.
  private var everGiven = SlotSet()
  private var rowCount = 0
  private let run = 1024
  /// `nil` if nobody wants to hear of refused rows.
  private var refusals: BatchRefusals?

  private enum Way {
    case inserting
    case resolving
    /// Looks for the row that has the values, as no index does or as more than the row has to follow.
    case looking
  }

  /// How rows that were given the same properties are written, and which slots of a row that is there.
  private struct Resolution {
    let slots: SlotSet
    let statement: Statement
  }

  init(
    _ layout: EntityLayout,
    _ policy: NSMergePolicyType,
    in transaction: Transaction,
    ledger: BatchLedger
  ) throws {
    self.transaction = transaction
    self.layout = layout
    self.ledger = ledger
    connection = transaction.connection
    schema = transaction.schema
    newcomer = policy.rule.newcomer
    let columns = schema.columns(of: layout).columns.filter { layout.isWrittenByBatches($0.slot) }
    bound = columns.map(BoundColumn.init)
    upsert = BatchUpsert(layout, columns, schema)
    derivations = DerivationWriter(connection, schema)
    keys = BatchKeys(of: layout, in: transaction)
    let hasIndexes = try upsert.hasIndexes(in: transaction)
    let mustFollow = derivations != nil || !layout.externalSlots.isEmpty
    way =
      switch newcomer {
      case _ where layout.constraints.isEmpty: .inserting
      case _ where !hasIndexes: .looking
      case .refused: .inserting
      case .givenUp, .joins, .writesChanges, .writesAll: mustFollow ? .looking : .resolving
      }
  }

  /// Writes all rows and what follows from them, and gives the account of it.
  func write(_ source: BatchRowSource) throws -> BatchLedger {
    refusals = source.filler.map(BatchRefusals.init)
    while let (row, given) = try source.next(file: transaction.keepInFile) {
      rowCount += 1
      do {
        try write(row, given)
      } catch let error as Transaction.Failure where error.isDuplicate {
        try tell(of: row, orThrow: error)
      }
      everGiven.formUnion(given)
      if rowCount % run == 0 { try follow() }
    }
    // All rows were looked at, so that all that are refused could be told.
    if refusals?.isEmpty == false { throw Transaction.Failure.duplicate(of: upsert.uniqueNames) }
    try keys.giveBack()
    try placeMembers()
    try follow()
    _ = try derivations?.refresh()
    try ledger.tellHistory()
    return ledger
  }
}

// MARK: - One row

extension BatchInsertWriter {
  private func write(_ row: Snapshot, _ given: SlotSet) throws {
    switch way {
    case .inserting: try insert(row)
    case .resolving: try resolve(row, given)
    case .looking: try lookAndWrite(row, given)
    }
  }

  private func tell(of row: Snapshot, orThrow error: Transaction.Failure) throws {
    let others = refusals == nil ? [] : try upsert.others(like: row, on: connection)
    if others.isEmpty { throw error.ofRow(rowCount) }
    refusals?.tell(rowCount, others)
  }

  private func nextKey() throws -> Int64 {
    let key = try keys.next()
    refusals?.note(key, of: rowCount)
    return key
  }

  private func insert(_ row: Snapshot) throws {
    let number = try nextKey()
    let statement = try insertion ?? connection.statement(upsert.insert)
    insertion = statement
    bind(row, number, to: statement)
    try statement.run()
    try note(HistoryChange(.insert, layout, number))
  }

  /// Lets the unique indexes find the row that is there.
  private func resolve(_ row: Snapshot, _ given: SlotSet) throws {
    let number = try nextKey()
    let resolution = try resolution(for: given)
    let statement = resolution.statement
    bind(row, number, to: statement)
    try statement.run()
    guard connection.changeCount > 0 else { return }
    if !ledger.needsRows {
      ledger.add(count: 1)
    } else if transaction.lastInsertedKey == number {
      try ledger.add(HistoryChange(.insert, layout, number))
    } else if let (found, key) = try changedRow(like: row) {
      try ledger.add(HistoryChange(.update, found, key, changed: resolution.slots))
    }
  }

  /// The row that an index has found: asked for afterwards, as RETURNING costs SQLite more than a second statement.
  private func changedRow(like row: Snapshot) throws -> (layout: EntityLayout, key: Int64)? {
    if finders.isEmpty {
      finders = try upsert.finding.map { query, columns in
        (try connection.statement(query), columns.map(BoundColumn.init))
      }
    }
    for (statement, columns) in finders where columns.allSatisfy({ row.hasValue($0.slot) }) {
      statement.bind(columns, of: row, from: 1)
      defer { statement.reset() }
      if try statement.step() {
        return (schema.model[stored: statement.integer(1)] ?? layout, statement.integer(0))
      }
    }
    return nil
  }

  private func lookAndWrite(_ row: Snapshot, _ given: SlotSet) throws {
    let found = try upsert.rows(like: row, on: connection)
    guard let one = found.first else { return try insert(row) }
    switch newcomer {
    case .refused: throw Transaction.Failure.duplicate(of: upsert.uniqueNames)
    case .givenUp, .joins:
      transaction.oldFiles += layout.fileNames(in: row, layout.externalSlots)
    case .writesChanges, .writesAll:
      if found.count > 1 { throw Transaction.Failure.duplicate(of: upsert.uniqueNames) }
      try update(one, with: row, newcomer.slots(given, of: layout))
    }
  }

  private func update(_ former: Row, with row: Snapshot, _ slots: SlotSet) throws {
    try derivations?.note([WrittenRow(layout: former.layout, primaryKey: former.primaryKey)])
    let columns = upsert.columns(slots, in: former.layout)
    let statement = try connection.statement(upsert.update(columns))
    statement.bind(columns.map(BoundColumn.init), of: row, from: 1)
    statement.bind(former.primaryKey, at: Int32(columns.count + 1))
    try statement.run()
    let files = SlotSet(layout.externalSlots.filter { slots.contains($0) })
    if let old = former.snapshot { transaction.oldFiles += layout.fileNames(in: old, files) }
    let unused = SlotSet(layout.externalSlots.filter { !slots.contains($0) })
    transaction.oldFiles += layout.fileNames(in: row, unused)
    try note(HistoryChange(.update, former.layout, former.primaryKey, changed: slots))
  }

  private func bind(_ row: Snapshot, _ number: Int64, to statement: Statement) {
    statement.bind(number, at: 1)
    statement.bind(bound, of: row, from: 3)
  }

  private func resolution(for given: SlotSet) throws -> Resolution {
    if let latest, latest.given == given { return latest.resolution }
    let slots = newcomer.slots(given, of: layout)
    let resolution = try resolutions[slots] ?? newResolution(slots)
    resolutions[slots] = resolution
    latest = (given, resolution)
    return resolution
  }

  private func newResolution(_ slots: SlotSet) throws -> Resolution {
    Resolution(slots: slots, statement: try connection.statement(upsert.resolving(slots)))
  }
}

// MARK: - What follows

extension BatchInsertWriter {
  private func note(_ change: HistoryChange) throws {
    try ledger.add(change)
    if derivations != nil {
      written.append(WrittenRow(layout: change.layout, primaryKey: change.primaryKey))
    }
  }

  /// Notes the values derived from the rows; the reports of triggers are not needed here.
  private func follow() throws {
    if !written.isEmpty { try derivations?.note(written) }
    written.removeAll(keepingCapacity: true)
    transaction.forgetReportedRows()
  }

  /// New members of ordered relationships come behind those that are there, in the order of the rows.
  private func placeMembers() throws {
    guard let first = keys.first else { return }
    for slot in everGiven {
      guard case .toOne(let column, _, let order?) = schema.mapping(of: slot, in: layout) else {
        continue
      }
      let table = schema.queries.map(layout).tableName
      let isNew: SQLFragment = "\(column: "Z_PK", of: "n") >= \(.integer(first))"
      try connection.run(BatchUpsert.placing(column, order, in: table, where: isNew))
    }
  }
}

extension MergeRule.Newcomer {
  /// The slots that are written onto the row that has the values: the given ones, or all, defaults included.
  package func slots(_ given: SlotSet, of layout: EntityLayout) -> SlotSet {
    switch self {
    case .refused, .givenUp, .joins: SlotSet()
    case .writesChanges: layout.slotsWritten(bySetting: given)
    case .writesAll: SlotSet(layout.slots.indices.filter(layout.isReplacedByBatches))
    }
  }
}

extension EntityLayout {
  /// Whether a batch fills a slot of a new row: not what belongs to others, nor places in orders,
  /// which come when all rows are there.
  package func isWrittenByBatches(_ slot: Int) -> Bool {
    switch slots[slot].hidden {
    case .foreignKey, .foreignOrder, .order: false
    case .destinationEntity, .element, nil: !isComputedByStore(slot)
    }
  }

  fileprivate func isReplacedByBatches(_ slot: Int) -> Bool {
    isWrittenByBatches(slot) && slots[slot].isPersistent && !slots[slot].kind.isToMany
  }

  /// Whether triggers or the end of the batch give a slot its value.
  private func isComputedByStore(_ slot: Int) -> Bool {
    derivations.contains { derivation in
      guard derivation.slot == slot else { return false }
      if case .ownText = derivation.source { return false }
      return true
    }
  }

  /// The files that a row names.
  fileprivate func fileNames(in row: Snapshot, _ slots: SlotSet) -> [String] {
    slots.filter { row.hasValue($0) }.compactMap { ExternalData.fileName(row.bytes($0)) }
  }
}
