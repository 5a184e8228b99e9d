import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// Writes the rows of a batch insertion in runs: thousands with one statement.
///
/// ```
/// nothing is unique   INSERT INTO "ZNOTE" … SELECT … FROM unnest( … )
/// something is        SAVEPOINT ─▶ the rows that have the values ─▶ INSERT the others, UPDATE these
///                     ─▶ again, if another program was quicker
/// ```
///
/// A row with a value that an earlier one of the run has begins a run of its own: it finds that one in the table. If
/// the filler of the rows wants to hear of those that are refused, the others are inserted up to the last, and
/// everything is taken back. If the server refuses a run, its rows are tried by halves: the error names the first.
struct PostgreSQLBatchInsertion {
  private let batch: PostgreSQLBatch
  private let layout: EntityLayout
  private let schema: StoreSchema
  private let connection: PostgreSQLConnection
  private let newcomer: MergeRule.Newcomer
  private let columns: [StoredColumn]
  private let upsert: BatchUpsert
  private let derivations: DerivationWriter<PostgreSQLConnection>?
  private var ledger: BatchLedger
  /// `nil` if nobody wants to hear of refused rows, or if none is refused.
  private var refusals: BatchRefusals?

  private struct Arrival {
    let row: Snapshot
    let given: SlotSet
    /// Which row it is, from 1.
    let number: Int
  }

  /// The values of a row in one of the constraints.
  private struct Claim: Hashable {
    let constraint: Int
    let values: UniqueValues
  }

  private static let mostRows = 5_000
  private static let mostBytes = 8_000_000
  /// How often a run is tried while other programs insert the same values.
  private static let mostAttempts = 5

  init(_ batch: PostgreSQLBatch, _ newcomer: MergeRule.Newcomer, ledger: BatchLedger) {
    let (layout, schema) = (batch.layout, batch.schema)
    self.batch = batch
    self.layout = layout
    self.schema = schema
    self.newcomer = newcomer
    self.ledger = ledger
    connection = batch.connection
    columns = schema.columns(of: layout).columns.filter { layout.isWrittenByBatches($0.slot) }
    upsert = BatchUpsert(layout, columns, schema)
    derivations = DerivationWriter(connection, schema)
  }

  private var zone: String { connection.zone }

  private var table: SQLFragment { "\(name: schema.queries.map(layout).tableName)" }
}

// MARK: - Runs

extension PostgreSQLBatchInsertion {
  /// Writes all rows and what follows from them, and gives the account of it.
  mutating func write(_ source: BatchRowSource) throws -> BatchLedger {
    if newcomer == .refused { refusals = source.filler.map(BatchRefusals.init) }
    var run: [Arrival] = []
    var (size, number) = (0, 0)
    var claimed: Set<Claim> = []
    while let (row, given) = try source.next(file: { _ in nil }) {
      let own = looksForOthers ? claims(of: row) : []
      let isFull = run.count == Self.mostRows || size + row.size > Self.mostBytes
      if !run.isEmpty, isFull || own.contains(where: claimed.contains) {
        try writeRun(run)
        run.removeAll(keepingCapacity: true)
        claimed.removeAll(keepingCapacity: true)
        size = 0
      }
      number += 1
      run.append(Arrival(row: row, given: given, number: number))
      size += row.size
      claimed.formUnion(own)
    }
    if !run.isEmpty { try writeRun(run) }
    if refusals?.isEmpty == false { throw PostgreSQLError.duplicate(of: upsert.uniqueNames) }
    _ = try derivations?.refresh()
    try ledger.tellHistory()
    return ledger
  }

  /// Whether rows that are there may be meant; otherwise the server refuses what is not unique.
  private var looksForOthers: Bool {
    !layout.constraints.isEmpty && (newcomer != .refused || refusals != nil)
  }

  private func claims(of row: Snapshot) -> [Claim] {
    layout.constraints.enumerated().compactMap { index, constraint in
      UniqueValues(constraint, of: row, in: layout).map { Claim(constraint: index, values: $0) }
    }
  }

  private mutating func writeRun(_ run: [Arrival]) throws {
    let changes: [HistoryChange] =
      switch newcomer {
      case _ where !looksForOthers: try inserted(run)
      case .refused: try insertedAndTold(run)
      case .givenUp, .joins, .writesChanges, .writesAll: try resolved(run, 1)
      }
    for change in changes { try ledger.add(change) }
  }

  /// Inserts the rows whose values are free, and reports the others.
  private mutating func insertedAndTold(_ run: [Arrival]) throws -> [HistoryChange] {
    let found = try duplicates(of: run)
    let fresh = zip(run, found).filter { $1.isEmpty }.map(\.0)
    let changes = try inserted(fresh)
    for (arrival, change) in zip(fresh, changes) {
      refusals?.note(change.primaryKey, of: arrival.number)
    }
    for (arrival, others) in zip(run, found) where !others.isEmpty {
      refusals?.tell(arrival.number, others)
    }
    return changes
  }

  private func resolved(_ run: [Arrival], _ attempt: Int) throws -> [HistoryChange] {
    try connection.run(plain: "SAVEPOINT coredata_run")
    do {
      let changes = try resolve(run)
      try connection.run(plain: "RELEASE SAVEPOINT coredata_run")
      return changes
    } catch let error as PostgreSQLError
      where (error.isDuplicate || error.isCollision) && attempt < Self.mostAttempts
    {
      // The locks of the run are released again.
      try connection.run(plain: "ROLLBACK TO SAVEPOINT coredata_run")
      return try resolved(run, attempt + 1)
    }
  }
}

// MARK: - Rows that are there

extension PostgreSQLBatchInsertion {
  private func resolve(_ run: [Arrival]) throws -> [HistoryChange] {
    let found = try others(like: run)
    var met: Set<Int64> = []
    for row in found.joined() where !met.insert(row.primaryKey).inserted && run.count > 1 {
      // The second has to see what the first has made of the row.
      return try run.flatMap { try resolve([$0]) }
    }
    let fresh = zip(run, found).filter { $1.isEmpty }.map(\.0)
    var insertions = try inserted(fresh).makeIterator()
    let writes = newcomer == .writesChanges || newcomer == .writesAll
    let known = writes ? zip(run, found).filter { !$1.isEmpty } : []
    var updates = try updated(known).makeIterator()
    return found.compactMap { $0.isEmpty ? insertions.next() : updates.next() }
  }

  /// The rows that have what must be unique in each of these, each once.
  private func others(like run: [Arrival]) throws -> [[Row]] {
    try duplicates(of: run).map { $0.map(\.row) }
  }

  /// The same rows, each with the first of the constraints by which it is found.
  private func duplicates(
    of run: [Arrival]
  ) throws -> [[(constraint: UniqueConstraint, row: Row)]] {
    let unique = UniqueRows(connection, schema)
    var found = [[(constraint: UniqueConstraint, row: Row)]](repeating: [], count: run.count)
    for constraint in layout.constraints {
      var places: [UniqueValues: Int] = [:]
      for (place, arrival) in run.enumerated() {
        guard let values = UniqueValues(constraint, of: arrival.row, in: layout) else { continue }
        // Nothing like it is there, and nobody can ask for it.
        if values.hasZeroInText { throw PostgreSQLError.zeroInText.ofRow(arrival.number) }
        places[values] = place
      }
      if places.isEmpty { continue }
      for other in try unique.rows(with: Array(places.keys), in: constraint) {
        guard let snapshot = other.snapshot,
          let values = UniqueValues(constraint, of: snapshot, in: other.layout),
          let place = places[values],
          !found[place].contains(where: { $0.row.primaryKey == other.primaryKey })
        else { continue }
        found[place].append((constraint, other))
      }
    }
    return found
  }

  private struct UpdateShape: Hashable {
    let entity: Int32
    let slots: SlotSet
  }

  private func updated(_ pairs: [(Arrival, [Row])]) throws -> [HistoryChange] {
    var groups: [UpdateShape: [(row: Snapshot, former: Row)]] = [:]
    var changes: [HistoryChange] = []
    for (arrival, found) in pairs {
      guard found.count == 1 else {
        throw PostgreSQLError.duplicate(of: upsert.uniqueNames).ofRow(arrival.number)
      }
      let (former, slots) = (found[0], newcomer.slots(arrival.given, of: layout))
      let shape = UpdateShape(entity: former.layout.number, slots: slots)
      groups[shape, default: []].append((arrival.row, former))
      changes.append(HistoryChange(.update, former.layout, former.primaryKey, changed: slots))
    }
    try note(changes)
    for (shape, rows) in groups {
      guard let other = schema.model[number: shape.entity] else { continue }
      try update(rows, upsert.columns(shape.slots, in: other), of: other)
    }
    try note(changes)
    return changes
  }

  /// Writes onto rows that were found; throws if another program has written or deleted one of them since.
  private func update(
    _ rows: [(row: Snapshot, former: Row)],
    _ columns: [StoredColumn],
    of layout: EntityLayout
  ) throws {
    let bound = columns.map(BoundColumn.init)
    var assignments = zip(columns, bound).enumerated().map { index, pair in
      "\(column: pair.0.name) = \(ArrayRows.value(index + 3, pair.1))" as SQLFragment
    }
    assignments += times(of: layout).map { "\(column: $0.name) = \(ArrayRows.value(1))" }
    assignments.append("\(column: "Z_OPT") = COALESCE(\(column: "Z_OPT", of: "t"), 0) + 1")
    let sql: SQLFragment = """
      UPDATE \(table) \(name: "t") SET \(assignments.joined(separator: ", ")) \
      FROM \(ArrayRows.wanted(columns.count + 3, for: rows.count)) \
      WHERE \(SQLFragment.ownRows(of: "t"))\(column: "Z_PK", of: "t") = \(ArrayRows.value(0)) \
      AND COALESCE(\(column: "Z_OPT", of: "t"), 0) = \(ArrayRows.value(2))
      """
    let versions = rows.map { $0.former.snapshot?.version ?? 0 }
    let arrays =
      [
        PostgreSQLArray(rows.map(\.former.primaryKey)), now(for: rows.count),
        PostgreSQLArray(versions),
      ] + ArrayRows.arrays(bound, of: rows.map(\.row))
    let answers = try connection.run([ArrayRows.request(sql, arrays, zone: zone)])
    guard answers.first?.changeCount == rows.count else { throw PostgreSQLError.overtaken }
  }
}

// MARK: - New rows

extension PostgreSQLBatchInsertion {
  private func inserted(_ run: [Arrival]) throws -> [HistoryChange] {
    if run.isEmpty { return [] }
    let first = try batch.reserveKeys(run.count)
    let numbers = first..<first + Int64(run.count)
    do throws(PostgreSQLError) {
      try insert(run[...], first)
    } catch {
      throw tellsRow(of: error) ? naming(run[...], first, in: error) : error
    }
    try placeMembers(numbers)
    let changes = numbers.map { HistoryChange(.insert, layout, $0) }
    try note(changes)
    return changes
  }

  /// Inserts some rows of a run, the first of which has a key; if they are refused, the savepoint stays.
  private func insert(_ part: ArraySlice<Arrival>, _ first: Int64) throws(PostgreSQLError) {
    let rows = part.map(\.row)
    let stamped = times(of: layout)
    let sql = ArrayRows.insertion(
      of: layout,
      into: table,
      columns + stamped,
      filling: schema.surplus.filledColumns(of: layout)
    )
    let keys = part.indices.map { first + Int64($0) }
    let arrays =
      [PostgreSQLArray(keys), PostgreSQLArray(rows.map(\.version))]
      + ArrayRows.arrays(columns.map(BoundColumn.init), of: rows)
      + stamped.map { _ in now(for: rows.count) }
    let request = ArrayRows.request(sql, arrays, zone: zone)
    _ = try connection.run([request], inSavepoint: Self.savepoint)
  }

  private static let savepoint = "coredata_rows"

  /// Values that others have written since are looked for again, and are not the fault of a row.
  private func tellsRow(of error: PostgreSQLError) -> Bool {
    error.isOfValues && (newcomer == .refused || !error.isDuplicate)
  }

  /// The refusal with the row that it is of.
  private func naming(
    _ part: ArraySlice<Arrival>,
    _ first: Int64,
    in error: PostgreSQLError
  ) -> PostgreSQLError {
    // A server that does not answer any more leaves the refusal as it is.
    let row = try? firstRefused(of: part, first)
    return row.map { error.ofRow($0) } ?? error
  }

  /// The number of the first row that the server refuses, by halves; those before it are inserted for that.
  private func firstRefused(
    of part: ArraySlice<Arrival>,
    _ first: Int64
  ) throws(PostgreSQLError) -> Int? {
    try connection.run(plain: "ROLLBACK TO SAVEPOINT \(Self.savepoint)")
    if part.count == 1 { return part.first?.number }
    let half = part.prefix(part.count / 2)
    for some in [half, part.dropFirst(half.count)] {
      do throws(PostgreSQLError) {
        try insert(some, first)
      } catch {
        guard error.isOfValues else { throw error }
        return try firstRefused(of: some, first)
      }
    }
    return nil
  }

  /// New members of ordered relationships come behind those that are there, in the order of the rows.
  private func placeMembers(_ numbers: Range<Int64>) throws {
    for slot in 0..<layout.propertyCount {
      guard case .toOne(let column, _, let order?) = schema.mapping(of: slot, in: layout) else {
        continue
      }
      let (low, high) = (numbers.lowerBound, numbers.upperBound - 1)
      let isNew: SQLFragment = """
        \(column: "Z_PK", of: "n") BETWEEN \(.integer(low)) AND \(.integer(high))
        """
      let table = schema.queries.map(layout).tableName
      try connection.run(BatchUpsert.placing(column, order, in: table, where: isNew))
    }
  }

  /// The columns with the time when a row of just this entity was written.
  private func times(of layout: EntityLayout) -> [StoredColumn] {
    let names = Set(schema.timesOfWriting(layout).map(\.column))
    return schema.columns(of: layout).columns.filter { names.contains($0.name) }
  }

  private func now(for count: Int) -> PostgreSQLArray {
    let now = Date().timeIntervalSinceReferenceDate
    var times = PostgreSQLArray(of: PostgreSQLType.double)
    for _ in 0..<count { times.append(now) }
    return times
  }

  /// Notes the rows whose derived values the written rows concern.
  private func note(_ changes: [HistoryChange]) throws {
    try derivations?.note(changes.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) })
  }
}
