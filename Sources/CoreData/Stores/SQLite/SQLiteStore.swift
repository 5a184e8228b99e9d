import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization

/// A store in a SQLite file, in Apple's format.
///
/// The pool lends each connection to one thread at a time.
final class SQLiteStore: RowStore {
  let pool: Pool
  let schema: StoreSchema
  let file: SQLiteFile
  let pins = PinnedPools()
  /// Keeps the pool at its moment, if the store is seen at one.
  private let moment: PinnedMoment?
  private let foreignWrites: ForeignWrites?
  /// Whether the tables are still those of the model; `nil` if no other program can change them.
  let watch: TablesWatch<StoreSurplus>?
  /// Where large data goes; nil for a database in memory.
  let files: ExternalFiles?
  private let canonical: TrustedColumns
  private let known: KnownFetches
  /// The store's history; `nil` if the file does not have one.
  let history: StoreHistory?
  /// Whether the file must not be written: its history would have gaps.
  let isLocked: Bool
  /// The object that announces writes, if an option asks for it.
  private let announcing = Mutex<(any WriteListener)?>(nil)

  var listener: (any WriteListener)? {
    get { announcing.withLock { $0 } }
    set { announcing.withLock { $0 = newValue } }
  }
  var path: String { file.path }
  var number: StoreNumber { file.place.number }
  /// By estimate, a statement takes as long as some tens of rows.
  var mostMembersTogether: Int { 32 }

  init(
    _ pool: Pool,
    _ schema: StoreSchema,
    _ file: SQLiteFile,
    history: StoreHistory? = nil,
    isLocked: Bool = false
  ) {
    self.pool = pool
    self.schema = schema
    self.history = history
    self.isLocked = isLocked
    self.file = file
    files = file.isInMemory ? nil : file.place.url.map(ExternalFiles.init(besides:))
    let isAlone = file.isInMemory && !file.isSharedInMemory
    foreignWrites = isAlone || file.place.isReadOnly ? nil : ForeignWrites(pool)
    watch =
      isAlone
      ? nil
      : TablesWatch(
        pool,
        compare: { try file.surplus(beyond: schema.model, on: $0) },
        adopt: { schema.surplus = $0 }
      )
    canonical = TrustedColumns(CanonicalColumns(schema.queries))
    known = KnownFetches()
    moment = nil
  }

  /// A store as it was at a moment: the known facts about the file are known here too.
  init(_ store: SQLiteStore, at moment: PinnedMoment) {
    pool = moment.pool
    schema = store.schema
    file = store.file
    files = store.files
    canonical = store.canonical
    known = store.known
    foreignWrites = nil
    watch = nil
    history = store.history
    isLocked = false
    self.moment = moment
  }

  /// Opens the file, and creates it if it does not exist.
  static func open(
    at place: StorePlace,
    for model: ModelLayout
  ) throws -> (backend: SQLiteStore, metadata: [String: Any]) {
    let file = SQLiteFile(place: place)
    let opened = try file.open(for: model)
    let (pool, found) = (opened.pool, opened.tables)
    let number = place.number
    let isLocked = file.isLocked(found.names)
    let tables = model.tables(in: found)
    let texts = try file.textIndexes(in: pool, tables, for: model, isLocked: isLocked)
    let schema = try StoreFailure.translatingPredicates(path: place.path) {
      try StoreSchema(
        model,
        tables: tables,
        dialect: SQLiteDialect(),
        besides: KeptDerivations(triggers: try file.triggers(in: pool, for: model)),
        textIndexes: texts,
        keyOf: { CompiledKey($0, in: number, of: model) }
      )
    }
    schema.surplus = opened.surplus
    let history = try file.history(in: pool, for: model, among: found.names).map {
      StoreHistory($0, of: schema, isKept: file.keepsHistory && file.isWritable)
    }
    let backend = SQLiteStore(pool, schema, file, history: history, isLocked: isLocked)
    if backend.files != nil, file.isWritable, !isLocked, let url = file.place.url {
      // If this fails, files take room and harm nothing; the next program tries again.
      try? PendingFiles.removeThoseOfEndedProcesses(
        besides: url,
        pool,
        isShared: SupportFolder(of: url).sharer != nil
      )
    }
    return (backend, opened.metadata)
  }
}

// MARK: - Reading

extension SQLiteStore {
  func rows(for plan: FetchPlan) throws -> [Row] {
    let decoder = decoder(for: plan)
    let query = try statement(for: plan, readBy: decoder)
    let (control, single) = (plan.control, schema.singleEntity(of: plan))
    return try read(control) { connection throws(SQLiteError) in
      let statement = try connection.statement(query)
      defer { statement.reset() }
      var rows: [Row] = []
      var writer = SnapshotWriter(partialSlots: plan.slots)
      while try statement.step() {
        if plan.includesValues {
          let row =
            plan.knownRows.flatMap { decoder.row(statement, among: $0, at: rows.count) }
            ?? decoder.row(statement, into: &writer)
          if let row { rows.append(row) }
        } else if let layout = single ?? schema.model[stored: statement.integer(1)] {
          rows.append(Row(primaryKey: statement.integer(0), layout: layout, snapshot: nil))
        }
        if let control, rows.count & 255 == 0 { control.report(rows.count) }
      }
      return rows
    }
  }

  private func decoder(for plan: FetchPlan) -> RowDecoder {
    guard let slots = plan.slots else { return schema.decoder(for: plan.layout) }
    return schema.decoder(for: plan.layout, slots: slots)
  }

  func records(for plan: RecordPlan) throws -> [Record] {
    let query = try StoreFailure.translatingPredicates(path: path) { try self.query(for: plan) }
    let control = plan.source.control
    return try read(control) { connection throws(SQLiteError) in
      let statement = try connection.statement(query.select.fragment)
      defer { statement.reset() }
      var records: [Record] = []
      while try statement.step() {
        records.append(query.record(statement))
        if let control, records.count & 255 == 0 { control.report(records.count) }
      }
      return records
    }
  }

  func rows(_ primaryKeys: [Int64], for plan: RowPlan) throws -> [Row] {
    let root = schema.model[number: plan.layout.rootNumber] ?? plan.layout
    return try read { connection throws(SQLiteError) in
      try schema.rows(primaryKeys, of: root, on: connection)
    }
  }

  func members(of owners: [Int64], for plan: MemberPlan) throws -> [MemberRow] {
    try read { connection throws(SQLiteError) in
      try schema.members(of: owners, in: plan.layout, at: plan.slot, on: connection)
    }
  }

  func count(for plan: FetchPlan) throws -> Int {
    let fragment = try StoreFailure.translatingPredicates(path: path) { try self.count(plan) }
    return try read(plan.control) { connection throws(SQLiteError) in
      try connection.integer(fragment).map(Int.init) ?? 0
    }
  }

  func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row? {
    let root = schema.model[number: plan.layout.rootNumber] ?? plan.layout
    return try read { connection throws(SQLiteError) in
      try schema.row(primaryKey, of: root, on: connection)
    }
  }

  func members(of owner: Int64, for plan: MemberPlan) throws -> [Row] {
    try read { connection throws(SQLiteError) in
      try schema.members(of: owner, in: plan.layout, at: plan.slot, on: connection)
    }
  }

  /// Reads; a control, if there is one, may interrupt it.
  private func read<Result>(
    _ control: FetchControl? = nil,
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws -> Result {
    try watch?.checkLastLook()
    do {
      return try pool.read { connection in
        control?.interruption = connection.interruption
        defer { control?.interruption = nil }
        return try body(connection)
      }
    } catch let error as SQLiteError {
      throw StoreFailure(.reading(error), path: path).error()
    }
  }
}

// MARK: - Making statements

extension SQLiteStore {
  /// Returns the statement of an earlier fetch with other constants, or makes one.
  private func statement(for plan: FetchPlan, readBy decoder: RowDecoder) throws -> RenderedSQL {
    let shaped = ShapedFetch(plan, schema.queries.keyOf)
    if let shaped, let statement = known.statement(for: plan, shaped) { return statement }
    let select = try StoreFailure.translatingPredicates(path: path) {
      try self.select(for: plan, columns: schema.columns(for: plan, readBy: decoder))
    }
    if let shaped { known.keep(select, shaped) }
    return select.fragment.rendered(for: .sqlite)
  }

  /// Returns the query that a plan leads to, with all columns of its entity unless others are given.
  ///
  /// Throws a `PredicateCompilationError` for what SQL cannot express.
  func select(for plan: FetchPlan, columns: [SQLFragment]? = nil) throws -> Select {
    let columns = columns ?? schema.selection(for: plan.layout)
    while true {
      var draft = StatementDraft(canonical: canonical.columns)
      var select = try schema.queries.select(for: plan, columns: columns, &draft)
      if answer(&draft, of: plan) {
        select = try schema.queries.select(for: plan, columns: columns, &draft)
      }
      if try isRight(draft) { return select }
    }
  }

  func query(for plan: RecordPlan) throws -> RecordQuery {
    var draft = StatementDraft()
    let query = try RecordQuery(plan, schema.queries, &draft)
    return answer(&draft, of: plan.source)
      ? try RecordQuery(plan, schema.queries, &draft) : query
  }

  private func count(_ plan: FetchPlan) throws -> SQLFragment {
    let queries = schema.queries
    if let count = queries.wordCount(plan) { return count }
    let keys = try select(for: queries.counting(plan), columns: [.column("Z_PK", of: "t0")])
    return queries.count(plan, of: keys)
  }

  /// Whether the columns that the statement searches have the canonical forms of their texts.
  private func isRight(_ draft: StatementDraft) throws -> Bool {
    do {
      return try canonical.areRight(draft.searched, on: pool)
    } catch let error as SQLiteError {
      throw StoreFailure(.reading(error), path: path).error()
    }
  }

  /// Answers the questions of a draft; `false` if no answer makes a difference.
  private func answer(_ draft: inout StatementDraft, of plan: FetchPlan) -> Bool {
    var answers: [StatementDraft.Question: StatementDraft.Answer] = [:]
    for question in draft.questions { answers[question] = answer(to: question, of: plan) }
    if answers.isEmpty { return false }
    draft = draft.answered(answers)
    return true
  }

  /// Whether few rows or many are found; finding out takes about a millisecond.
  private func answer(
    to question: StatementDraft.Question,
    of plan: FetchPlan
  ) -> StatementDraft.Answer? {
    let queries = schema.queries
    switch question {
    case .owners(let keys):
      return finds("\(keys) LIMIT 1 OFFSET \(.integer(Int64(Abundance.few)))") ? nil : .few
    case .words(let text, let index):
      func has(_ abundance: Abundance) -> Bool {
        finds(SQLiteDialect().has(abundance, matching: text, in: index))
      }
      if !has(.rows(Abundance.few)) { return .few }
      let abundance = queries.abundance(plan)
      return abundance == .rows(Abundance.few) || has(abundance) ? .many : nil
    }
  }

  private func finds(_ probe: SQLFragment) -> Bool {
    // A fetch that cannot be answered now fails later too, and reports the error then.
    let found = try? pool.read { connection throws(SQLiteError) in try connection.integer(probe) }
    return found != nil
  }
}

extension SQLiteStore: CountedStore {
  func lastKey(of root: EntityLayout) throws -> Int64 {
    guard let entity = schema.tables[number: Int(root.number)] else { return 0 }
    return try read { connection throws(SQLiteError) in
      try StoredNumber.lastKey(
        of: Int64(root.number),
        named: entity.name,
        in: entity.tableName,
        leavingRoomFor: 1,
        on: connection
      )
    }
  }
}

// MARK: - Writing

extension SQLiteStore {
  func hasForeignWrites() -> Bool {
    guard foreignWrites?.areNew() == true else { return false }
    // A look that fails is repeated by the next save; what it has found is thrown by the next fetch.
    if let watch { try? pool.writeIfIdle(watch.look) }
    return true
  }

  func beginSave() throws -> any SaveTransaction { try begin() }

  func begin() throws -> SQLiteTransaction {
    if isLocked { throw WriteFailure.readOnlyForHistory(store: path).error }
    let transaction = try SQLiteTransaction.begin(
      pool,
      schema,
      path: path,
      files: files,
      history: history,
      listener: listener
    )
    do {
      try watch?.look(on: transaction.connection)
      return transaction
    } catch let error as SQLiteError {
      throw StoreFailure(.saving(error), path: path).error()
    }
  }

  func close() {
    listener?.stop()
    pool.close()
    pins.close()
  }
}
