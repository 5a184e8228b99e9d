import CoreData
import CoreDataModel
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// The rows of one zone of a PostgreSQL database.
///
/// The pool lends each connection to one thread at a time; all else is immutable.
final class PostgreSQLStore: RowStore {
  let pool: PostgreSQLPool
  let tables: KnownTables
  /// The connections that see one moment each, which writers do not wait for.
  let moments: PostgreSQLPool
  /// The servers that follow this one, for blocks that read there; `nil` if there are none.
  let replicas: PostgreSQLReplicas?
  /// The moment at which the rows are seen; nil for rows as they are.
  let moment: PostgreSQLMoment?
  let keys: PostgreSQLKeys
  let schema: StoreSchema
  let texts = WritingTexts()
  let number: StoreNumber
  /// `nil` if the zone does not have a history.
  let history: StoreHistory?
  /// Whether saves of a history may wait for the disk together.
  let mayFlush: Bool
  /// Whether nothing must be written, because the zone's history would have gaps.
  let isLocked: Bool
  /// Announces writes to others; `nil` if nobody wants to know.
  let news: PostgreSQLNews?
  /// The zone, if a copy will make it.
  let pendingZone: PendingZone?
  /// Whether the zone is still the one that was opened.
  let presence: ZonePresence
  /// The address and the zone, for messages.
  var path: String { pool.address.description }

  private init(
    _ pool: PostgreSQLPool,
    _ tables: KnownTables,
    moments: PostgreSQLPool,
    _ replicas: PostgreSQLReplicas?,
    _ keys: PostgreSQLKeys,
    _ schema: StoreSchema,
    _ number: StoreNumber,
    _ history: StoreHistory?,
    mayFlush: Bool,
    isLocked: Bool,
    news: PostgreSQLNews?,
    pendingZone: PendingZone?,
    presence: ZonePresence
  ) {
    self.pool = pool
    self.tables = tables
    self.moments = moments
    self.replicas = replicas
    moment = nil
    self.keys = keys
    self.schema = schema
    self.number = number
    self.history = history
    self.mayFlush = mayFlush
    self.isLocked = isLocked
    self.news = news
    self.pendingZone = pendingZone
    self.presence = presence
  }

  /// The same store at a moment.
  init(_ store: PostgreSQLStore, at moment: PostgreSQLMoment) {
    pool = store.pool
    tables = store.tables
    moments = store.moments
    replicas = store.replicas
    self.moment = moment
    keys = store.keys
    schema = store.schema
    number = store.number
    history = store.history
    mayFlush = store.mayFlush
    isLocked = store.isLocked
    news = store.news
    pendingZone = store.pendingZone
    presence = store.presence
  }

  static func open(
    _ place: StorePlace,
    through door: PostgreSQLDoor,
    for coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStore {
    let address = try PostgreSQLAddress(place.url, options: place.options)
    let replicas = try address.replicas(place.options)
    let listens = try wantsNews(place, at: address)
    let shares = try ConnectionShares(
      place.options,
      of: place.url,
      asksReplicas: !replicas.isEmpty
    )
    let pool = PostgreSQLPool(address, through: door, limit: shares.work)
    let model = coordinator.layout
    let database = PostgreSQLDatabase(pool)
    let opened = try database.open(place, for: model)
    let number = place.number
    let map = TableMap(model.schema)
    let words = try database.complete(for: place, map, model.schema)
    let schema = try StoreFailure.translatingPredicates(path: address.description) {
      try StoreSchema(
        model,
        tables: map,
        dialect: PostgreSQLDialect(),
        textIndexes: words,
        keyOf: { CompiledKey($0, in: number, of: model) }
      )
    }
    let history = try database.history(of: place, for: model)
    let mayWrite = !place.isReadOnly
    let isWanted = place.flag(NSPersistentHistoryTrackingKey)
    let backend = PostgreSQLStore(
      pool,
      KnownTables(opened, in: database, place, schema),
      moments: .ofMoments(at: address, through: door, limit: shares.moments),
      replicas.isEmpty
        ? nil : PostgreSQLReplicas(replicas, of: address, through: door, sharing: shares),
      PostgreSQLKeys(address, through: door, of: map),
      schema,
      number,
      history.map { StoreHistory($0, of: schema, isKept: isWanted && mayWrite) },
      mayFlush: history == nil ? false : try database.mayFlush(),
      isLocked: history != nil && !isWanted && mayWrite,
      news: isWanted || listens ? PostgreSQLNews(address, through: door) : nil,
      pendingZone: place.purpose == .copy ? PendingZone() : nil,
      presence: ZonePresence(
        of: place.purpose == .copy ? nil : opened.metadata[NSStoreUUIDKey] as? String,
        watching: isWanted ? .nothing : .table
      )
    )
    let store = NSPersistentStore(
      place,
      backend: backend,
      metadata: opened.metadata,
      coordinator: coordinator
    )
    if backend.isLocked { store.lockForHistory(path: address.description) }
    if listens { backend.news?.start(for: store) }
    return store
  }

  /// Whether remote changes will be announced; throws if nobody could hear of them.
  private static func wantsNews(_ place: StorePlace, at address: PostgreSQLAddress) throws -> Bool {
    guard place.flag(NSPersistentStoreRemoteChangeNotificationPostOptionKey) else { return false }
    if address.isLentByTransaction, !place.flag(NSPersistentHistoryTrackingKey) {
      throw PostgreSQLFailure(.unheardChanges, path: address.description).error()
    }
    return true
  }

  /// A copy writes everything in one transaction, which also makes the zone.
  var admitsWritersBesideEachOther: Bool { pendingZone == nil }

  /// By estimate, a round trip takes as long as hundreds of rows.
  var mostMembersTogether: Int { 1_000 }

  func beginSave() throws -> any SaveTransaction { try begin() }

  func begin() throws -> PostgreSQLTransaction {
    if isLocked { throw WriteFailure.readOnlyForHistory(store: path).error }
    return PostgreSQLTransaction(self)
  }

  func close() {
    news?.stop()
    pool.close()
    moments.close()
    replicas?.close()
    keys.close()
  }

  /// Whether a replica has ended the moment at which the rows are seen.
  var isLostReplica: Bool { moment?.isLostReplica == true }
}

extension PostgreSQLPool {
  /// The connections of moments: as many as contexts may be pinned at once, and those that wait for the next.
  static func ofMoments(
    at address: PostgreSQLAddress,
    through door: PostgreSQLDoor,
    limit: Int,
    patience: Duration? = nil
  ) -> PostgreSQLPool {
    PostgreSQLPool(address, through: door, limit: limit, mostIdle: 4, patience: patience)
  }
}

// MARK: - By a request

extension PostgreSQLStore {
  func rows(for plan: FetchPlan) throws -> [Row] {
    let decoder = decoder(for: plan)
    let columns = schema.columns(for: plan, readBy: decoder)
    let select = try translatingPredicates { try self.select(for: plan, columns: columns) }
    let (control, single) = (plan.control, schema.singleEntity(of: plan))
    return try read(control) { connection throws(PostgreSQLError) -> [Row] in
      let statement = try connection.statement(select.fragment)
      defer { statement.reset() }
      statement.expect(plan.includesValues ? decoder.columnTypes : Self.keyTypes)
      var rows: [Row] = []
      var writer = SnapshotWriter(partialSlots: plan.slots)
      while try statement.step() {
        if let control, rows.count & 1023 == 0, control.isCancelled { throw .givenUp() }
        if plan.includesValues {
          if let row = decoder.row(statement, into: &writer) { rows.append(row) }
        } else if let layout = single ?? schema.model[stored: statement.integer(1)] {
          rows.append(Row(primaryKey: statement.integer(0), layout: layout, snapshot: nil))
        }
      }
      control?.report(rows.count)
      return rows
    }
  }

  func count(for plan: FetchPlan) throws -> Int {
    let fragment = try translatingPredicates { try self.count(plan) }
    return try read(plan.control) { connection throws(PostgreSQLError) in
      try connection.integer(fragment).map(Int.init) ?? 0
    }
  }

  func records(for plan: RecordPlan) throws -> [Record] {
    let query = try translatingPredicates { try self.query(for: plan) }
    let control = plan.source.control
    return try read(control) { connection throws(PostgreSQLError) -> [Record] in
      let statement = try connection.statement(query.select.fragment)
      defer { statement.reset() }
      statement.expect(query.columnTypes)
      var records: [Record] = []
      while try statement.step() {
        if let control, records.count & 1023 == 0, control.isCancelled { throw .givenUp() }
        records.append(query.record(statement))
      }
      control?.report(records.count)
      return records
    }
  }

  /// Of a key and the number of its entity.
  private static let keyTypes: [ColumnType?] = [.integer, .integer]

  private func decoder(for plan: FetchPlan) -> RowDecoder {
    guard let slots = plan.slots else { return schema.decoder(for: plan.layout) }
    return schema.decoder(for: plan.layout, slots: slots)
  }

  func select(for plan: FetchPlan, columns: [SQLFragment]) throws -> Select {
    var draft = StatementDraft()
    return try schema.queries.select(for: plan, columns: columns, &draft)
  }

  private func query(for plan: RecordPlan) throws -> RecordQuery {
    var draft = StatementDraft()
    return try RecordQuery(plan, schema.queries, &draft)
  }

  private func count(_ plan: FetchPlan) throws -> SQLFragment {
    let queries = schema.queries
    if let count = queries.wordCount(plan) { return count }
    let keys = try select(for: queries.counting(plan), columns: [.column("Z_PK", of: "t0")])
    return queries.count(plan, of: keys)
  }
}

// MARK: - By keys

extension PostgreSQLStore {
  func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row? {
    try readByKeys { connection throws(PostgreSQLError) in
      try schema.row(primaryKey, of: root(of: plan.layout), on: connection)
    }
  }

  func rows(_ primaryKeys: [Int64], for plan: RowPlan) throws -> [Row] {
    try readByKeys { connection throws(PostgreSQLError) in
      try schema.rows(primaryKeys, of: root(of: plan.layout), on: connection)
    }
  }

  func members(of owner: Int64, for plan: MemberPlan) throws -> [Row] {
    try readByKeys { connection throws(PostgreSQLError) in
      try schema.members(of: owner, in: plan.layout, at: plan.slot, on: connection)
    }
  }

  func members(of owners: [Int64], for plan: MemberPlan) throws -> [MemberRow] {
    try readByKeys { connection throws(PostgreSQLError) in
      try schema.members(of: owners, in: plan.layout, at: plan.slot, on: connection)
    }
  }

  private func root(of layout: EntityLayout) -> EntityLayout {
    schema.model[number: layout.rootNumber] ?? layout
  }
}

extension PostgreSQLStore: CountedStore {
  func lastKey(of root: EntityLayout) throws -> Int64 {
    try read { connection throws(PostgreSQLError) in
      try PostgreSQLKeys.last(root.number, on: connection)
    }
  }
}

// MARK: - Errors

extension PostgreSQLStore {
  /// Reads; if there is a control, the server stops when its fetch is cancelled.
  private func read<Result>(
    _ control: FetchControl? = nil,
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws -> Result {
    do throws(PostgreSQLError) {
      guard let moment else {
        return try readNow { connection throws(PostgreSQLError) in
          try connection.reading(for: control, body)
        }
      }
      return try moment.read { connection throws(PostgreSQLError) in
        try connection.reading(for: control, body)
      }
    } catch {
      throw PostgreSQLFailure(.server(error, .reading), path: path).error()
    }
  }

  /// Reads for a property, which cannot throw: rows as they are now, if a replica has ended the moment.
  ///
  /// Whatever a block makes of them is dropped, as the block runs again (``QueryGeneration/hasLostReplica``).
  private func readByKeys<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws -> Result {
    do {
      return try read(nil, body)
    } catch {
      guard isLostReplica else { throw error }
      do throws(PostgreSQLError) {
        return try readNow(body)
      } catch {
        throw PostgreSQLFailure(.server(error, .reading), path: path).error()
      }
    }
  }

  private func readNow<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    try tables.asking { mark throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) in try connection.expecting(mark, body) }
    }
  }

  /// Reads in a transaction that cannot write.
  func readOnly<Result>(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Result
  ) throws(PostgreSQLError) -> Result {
    if let moment { return try moment.read(body) }
    return try tables.asking { mark throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) in
        try connection.run(plain: mark.beginning(readOnly: true))
        do throws(PostgreSQLError) {
          let result = try body(connection)
          try connection.run(plain: "COMMIT")
          return result
        } catch {
          // The error that matters is the first; nothing was written.
          if !connection.wire.isLost { try? connection.run(plain: "ROLLBACK") }
          throw error
        }
      }
    }
  }

  func translatingPredicates<Result>(_ body: () throws -> Result) throws -> Result {
    try StoreFailure.translatingPredicates(path: path, body)
  }
}
