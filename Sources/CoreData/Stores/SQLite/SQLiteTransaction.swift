import CoreDataSQL
import CoreDataSQLite
import Foundation

/// One save in a SQLite file: the writer is ours from the beginning to the commit or rollback.
final class SQLiteTransaction: SaveTransaction, InsertingTransaction, CarryingTransaction {
  private let pool: Pool
  let schema: StoreSchema
  private let path: String
  let connection: Connection
  private let files: ExternalFiles?
  private var isOpen = true
  /// The files that were written for this save, and those that it makes superfluous.
  private var newFiles: [String] = []
  var oldFiles: [String] = []
  private let pending: PendingFiles?
  /// `nil` if the store does not keep a history.
  private let history: StoreHistory?
  private let listener: (any WriteListener)?
  private var origin: HistoryOrigin?
  /// The history that the rows have already.
  private var carried: CarriedHistory?
  private var historyNumber: Int64?
  /// Whether there is something that others would want to know of.
  private var hasWritten = false
  /// The last keys that were given, by the numbers of the entities whose tables have them, as far as they are known.
  private var lastKeys: [Int32: Int64] = [:]
  /// How many keys were given in this transaction, and how many rows a plan has inserted.
  private var reservedCount = 0
  /// `nil` unless the objects of a context are saved.
  private var insertedCount: Int?

  var lastInsertedKey: Int64 { connection.lastInsertedKey }

  private init(
    _ pool: Pool,
    _ schema: StoreSchema,
    path: String,
    files: ExternalFiles?,
    history: StoreHistory?,
    listener: (any WriteListener)?,
    connection: Connection
  ) {
    self.files = files
    pending = files.map { PendingFiles(besides: $0.store) }
    self.history = history
    self.listener = listener
    self.pool = pool
    self.schema = schema
    self.path = path
    self.connection = connection
    lastKeys = connection.takeNotedNumbers()
  }

  /// Takes the writer and the file's lock, waiting for others that write.
  static func begin(
    _ pool: Pool,
    _ schema: StoreSchema,
    path: String,
    files: ExternalFiles?,
    history: StoreHistory?,
    listener: (any WriteListener)?
  ) throws -> SQLiteTransaction {
    do {
      let connection = try pool.takeWriter()
      do {
        try connection.begin()
      } catch {
        pool.returnWriter()
        throw error
      }
      return SQLiteTransaction(
        pool,
        schema,
        path: path,
        files: files,
        history: history?.isKept == true ? history : nil,
        listener: listener,
        connection: connection
      )
    } catch let error as SQLiteError {
      throw StoreFailure(.saving(error), path: path).error()
    }
  }

  func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    try translating {
      guard let entity = schema.tables[number: Int(root)] else {
        stop("the model has no entity with the number \(root)")
      }
      let last = try lastKey(of: root, entity, leavingRoomFor: Int64(count))
      let statement = try connection.statement(Self.noteOfKeys)
      defer { statement.reset() }
      statement.bind(Int64(root), at: 1)
      statement.bind(.text(entity.name), at: 2)
      statement.bind(last + Int64(count), at: 3)
      _ = try statement.step()
      lastKeys[root] = last + Int64(count)
      reservedCount += count
      return last + 1
    }
  }

  /// The last key that was given: the one that the last save has left, or the one in the file.
  ///
  /// Old and migrated stores have rows beyond the last key that they admit to.
  private func lastKey(
    of root: Int32,
    _ entity: EntityMap,
    leavingRoomFor count: Int64
  ) throws(SQLiteError) -> Int64 {
    if let known = lastKeys[root], known <= StoredNumber.greatest - count { return known }
    return try StoredNumber.lastKey(
      of: Int64(root),
      named: entity.name,
      in: entity.tableName,
      leavingRoomFor: count,
      on: connection
    )
  }

  private static let noteOfKeys: String = """
    INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3) \
    ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = excluded.Z_MAX
    """

  func setMetadata(_ metadata: [String: Any]) throws {
    var values = metadata
    let identifier = values.removeValue(forKey: NSStoreUUIDKey) as? String ?? ""
    hasWritten = true
    try translating {
      try keepModel(in: &values)
      let list = try StoreMetadata.binary(of: values)
      try connection.run(
        """
        UPDATE Z_METADATA SET Z_UUID = \(.text(identifier)), Z_PLIST = \(.blob([UInt8](list)))
        """
      )
    }
  }

  /// Keeps what the file says of its model: another program may have migrated it since the metadata were read.
  private func keepModel(in metadata: inout [String: Any]) throws(SQLiteError) {
    let statement = try connection.statement("SELECT Z_PLIST FROM Z_METADATA")
    defer { statement.reset() }
    guard try statement.step(),
      let found = StoreMetadata.dictionary(from: Data(statement.blobBytes(0)))
    else { return }
    FormerModels.keepModel(of: found, in: &metadata)
  }

  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row] {
    try translating { try UniqueRows(connection, schema).rows(with: values, in: constraint) }
  }

  func conflicts(with plan: SavePlan) throws -> [RowConflict] {
    try translating { try RowVersions(connection, schema).conflicts(with: plan) }
  }

  func perform(_ plan: SavePlan) throws -> SaveReceipt {
    try translating {
      insertedCount = plan.inserts.count
      let derived = try writeOrUndo(plan)
      return SaveReceipt(
        inserted: try plan.inserts.map { try stored($0.primaryKey, $0.layout, $0.snapshot) },
        updated: try plan.updates.map { row in
          // If any version would do, the row may have values that are not in the plan.
          try stored(
            row.primaryKey,
            row.layout,
            row.snapshot,
            mayDiffer: row.expectedVersion == nil
          )
        },
        derived: derived,
        historyNumber: historyNumber
      )
    }
  }

  /// Writes the plan; on conflicts, they contain the rows as others see them, without those written here before.
  private func writeOrUndo(_ plan: SavePlan) throws -> [Row] {
    do {
      return try write(plan)
    } catch let error as SaveConflicts {
      try connection.run("ROLLBACK")
      let rows = try RowVersions(connection, schema).readAgain(error.conflicts)
      throw SaveConflicts(conflicts: rows)
    }
  }

  /// Writes the plan and what is derived from it; gives the other rows that have changed by that.
  private func write(_ plan: SavePlan) throws -> [Row] {
    let reported = ReportedRows.of(connection)
    reported?.forget()
    oldFiles += try ReplacedFiles(connection, schema).names(in: plan)
    hasWritten = true
    let derivations = DerivationWriter(connection, schema)
    try derivations?.note(plan.writtenRows)
    let history = carried == nil ? self.history.map { HistoryWriter(connection, $0) } : nil
    try history?.note(plan.deletedInHistory)
    try PlanWriter(connection, schema).write(plan)
    var changed = reported?.rows ?? []
    if let derivations {
      try derivations.note(plan.writtenRows + changed.compactMap(writtenRow))
      changed.formUnion(try derivations.refresh())
    }
    if let history { historyNumber = try write(plan, changed, into: history) }
    if let carried, let own = self.history { try HistoryWriter(connection, own).write(carried) }
    if changed.isEmpty { return [] }
    let others = plan.leavingOut(
      changed.compactMap(writtenRow)
        .map { Row(primaryKey: $0.primaryKey, layout: $0.layout, snapshot: nil) }
    )
    return try others.compactMap { try schema.row($0.primaryKey, of: $0.layout, on: connection) }
  }

  /// Adds the writes to the history, and returns the number of the transaction there.
  ///
  /// A row whose derived attribute has another value counts as updated, even if nothing else of it has changed: views
  /// that show it are out of date.
  private func write(
    _ plan: SavePlan,
    _ computed: Set<ReportedRow>,
    into history: HistoryWriter<Connection>
  ) throws -> Int64? {
    try history.note(plan.updatedInHistory)
    try history.note(plan.insertedInHistory)
    let inOrder = computed.sorted { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) }
    for row in inOrder {
      guard let written = writtenRow(row) else { continue }
      let slot = written.layout.slot(named: row.property)
      history.noteComputed(
        SlotSet([slot].compactMap { $0 }),
        in: written.layout,
        written.primaryKey
      )
    }
    return try history.write(origin ?? HistoryOrigin())
  }

  /// The history to which a batch reports its rows, each run of which is written at once; `nil` if the store does not
  /// keep a history.
  func historyOfBatch(from origin: HistoryOrigin) -> BatchLedger.History? {
    hasWritten = true
    guard let history else { return nil }
    let writer = HistoryWriter(connection, history)
    return { [unowned self] changes in
      try writer.note(changes)
      historyNumber = try writer.write(origin)
    }
  }

  func uniqueIndexes(of table: String) throws -> Set<Set<String>> {
    try UniqueIndexes.columns(of: table, on: connection)
  }

  func forgetReportedRows() { ReportedRows.of(connection)?.forget() }

  var keepsHistory: Bool { history != nil }

  func sign(_ origin: HistoryOrigin) { self.origin = origin }

  func carry(_ history: CarriedHistory) { carried = history }

  private func writtenRow(_ row: ReportedRow) -> WrittenRow? {
    schema.model[stored: row.entity]
      .map { WrittenRow(layout: $0, primaryKey: row.primaryKey) }
  }

  /// The row as it is now; read again only if triggers may have computed something.
  private func stored(
    _ number: Int64,
    _ layout: EntityLayout,
    _ written: Snapshot,
    mayDiffer: Bool = false
  ) throws -> Snapshot {
    guard mayDiffer || layout.needsStoreToDerive else { return written }
    return try schema.row(number, of: layout, on: connection)?.snapshot ?? written
  }

  func keepInFile(_ data: Data) throws -> String? {
    guard let files, data.count > ExternalFiles.limit else { return nil }
    let name = try files.write(data) { pending?.add([$0]) }
    newFiles.append(name)
    return name
  }

  func commit() throws {
    if !oldFiles.isEmpty { pending?.add(oldFiles) }
    try translating { try connection.commit() }
    // Other rows than those whose keys were given here may have any keys.
    if insertedCount == reservedCount { connection.note(lastKeys) }
    newFiles = []
    if hasWritten { listener?.noteOwnWrite(historyNumber, isSave: insertedCount != nil) }
    if !oldFiles.isEmpty {
      ExternalFiles.settle(storeAt: path)
      files?.remove(oldFiles)
    }
    pending?.end()
    end()
  }

  func rollback() {
    guard isOpen else { return }
    // After conflicts, and after some errors, it is rolled back already.
    if connection.isInTransaction { try? connection.run("ROLLBACK") }
    files?.remove(newFiles)
    pending?.end()
    end()
  }

  private func end() {
    isOpen = false
    pool.returnWriter()
  }

  deinit {
    rollback()
  }

  func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw StoreFailure(.saving(error), path: path).error()
    }
  }
}
