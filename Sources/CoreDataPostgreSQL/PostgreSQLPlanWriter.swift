import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// Turns a save plan into statements that write many rows each, so that all of them go in one round trip.
///
/// ```
/// INSERT INTO "ZNOTE" (…) SELECT … FROM unnest($2, $3 …)
/// UPDATE "ZNOTE" SET … FROM unnest((SELECT $2), …) WHERE key and version are those … RETURNING the key
/// DELETE FROM "ZNOTE" USING unnest((SELECT $2), …) WHERE key and version are those … RETURNING the key
/// ```
///
/// A key that does not come back had another version: it is a conflict.
///
/// All programs write the tables in the same order, and lock the rows of each in the order of their keys before they
/// write them in another: so that none waits for a row that another one has while that waits for one of its own.
/// Tables with attributes that the end of a save computes come last, because their rows are locked behind all others
/// anyway. Pairs come last: the rows that they belong to are locked before.
struct PostgreSQLPlanWriter {
  private let schema: StoreSchema
  private let zone: String
  private let texts: WritingTexts
  /// The steps to run, in order.
  private(set) var steps: [Step] = []

  struct Step {
    let request: PostgreSQLRequest
    /// The rows that must come back, each with its entity; empty for statements that do not return rows.
    var wanted: [(number: Int64, layout: EntityLayout)] = []
  }

  /// Rows that one statement writes at most, and about as many bytes.
  private static let mostRows = 5_000
  private static let mostBytes = 8_000_000

  /// How others write to the same zone.
  enum Others {
    /// One after the other, as all do that keep a history.
    case inTurn
    case atOnce
  }

  init(
    _ plan: SavePlan,
    _ schema: StoreSchema,
    zone: String,
    keeping texts: WritingTexts,
    among others: Others
  ) {
    self.schema = schema
    self.zone = zone
    self.texts = texts
    let now = Date().timeIntervalSinceReferenceDate
    for part in tableByTable(plan) {
      switch others {
      case .inTurn: break
      case .atOnce: lock(part)
      }
      expect(part.expectations)
      delete(part.deletes)
      vacate(part.vacancies)
      update(part.updates)
      insert(part.inserts)
      stamp(part, now)
    }
    change(plan.pairs)
  }
}

// MARK: - Order

extension PostgreSQLPlanWriter {
  /// The parts of the plan for each table.
  private func tableByTable(_ plan: SavePlan) -> [SavePlan] {
    var parts: [Int32: SavePlan] = [:]
    func divide<Row>(_ rows: WritableKeyPath<SavePlan, [Row]>, _ layout: (Row) -> EntityLayout) {
      for row in plan[keyPath: rows] {
        parts[layout(row).rootNumber, default: SavePlan()][keyPath: rows].append(row)
      }
    }
    divide(\.expectations, \.layout)
    divide(\.deletes, \.layout)
    divide(\.vacancies, \.layout)
    divide(\.updates, \.layout)
    divide(\.inserts, \.layout)
    let computed = Set(
      schema.computedColumns.compactMap { $0.sources.first?.layout.rootNumber }
    )
    let place = { (root: Int32) in (computed.contains(root) ? 1 : 0, root) }
    return parts.sorted { place($0.key) < place($1.key) }.map(\.value)
  }

  /// Locks the rows of a table that are about to be written, in the order of their keys, if the statements that write
  /// them would lock them in another.
  ///
  /// A statement whose arrays the server does not see looks for the rows in their order; one for few rows it may plan as
  /// it likes.
  private mutating func lock(_ part: SavePlan) {
    let keys = part.deletes.map(\.primaryKey) + part.updates.map(\.primaryKey)
    guard let layout = part.deletes.first?.layout ?? part.updates.first?.layout, keys.count > 1,
      keys.count < ArrayRows.many || part.locksSeveralTimes
    else { return }
    let expected = part.expectations.map(\.primaryKey)
    let sql: SQLFragment = """
      SELECT \(column: "Z_PK") FROM \(table(layout)) WHERE \(SQLFragment.ownRows)\(column: "Z_PK") \
      = ANY(\(.parameter)) ORDER BY \(column: "Z_PK") FOR NO KEY UPDATE
      """
    add(sql, [PostgreSQLArray((keys + expected).sorted())])
  }
}

extension SavePlan {
  /// Whether several statements lock rows of the one table that the plan is about.
  fileprivate var locksSeveralTimes: Bool {
    if !expectations.isEmpty || !vacancies.isEmpty { return true }
    if let deleted = deletes.first {
      return !updates.isEmpty || deletes.contains { $0.layout.number != deleted.layout.number }
    }
    guard let shape = updates.first.map(UpdateShape.init) else { return false }
    return updates.contains { UpdateShape($0) != shape }
  }
}

// MARK: - Statements

extension PostgreSQLPlanWriter {
  /// Adds a statement whose values are arrays, the zone in front of them.
  private mutating func add(
    _ sql: SQLFragment,
    _ arrays: [PostgreSQLArray],
    wanted: [(number: Int64, layout: EntityLayout)] = []
  ) {
    add(sql.rendered(for: .postgreSQL).sql, arrays, wanted: wanted)
  }

  private mutating func add(
    _ sql: String,
    _ arrays: [PostgreSQLArray],
    wanted: [(number: Int64, layout: EntityLayout)] = []
  ) {
    steps.append(Step(request: ArrayRows.request(sql, arrays, zone: zone), wanted: wanted))
  }

  private func table(_ layout: EntityLayout) -> SQLFragment {
    "\(name: schema.queries.map(layout).tableName)"
  }

  /// Runs of rows that one statement takes.
  private func runs<Element>(_ rows: [Element], bytes: (Element) -> Int) -> [ArraySlice<Element>] {
    var runs: [ArraySlice<Element>] = []
    var (start, size) = (0, 0)
    for index in rows.indices {
      let own = bytes(rows[index])
      if index - start >= Self.mostRows || index > start && size + own > Self.mostBytes {
        runs.append(rows[start..<index])
        (start, size) = (index, 0)
      }
      size += own
    }
    if start < rows.count { runs.append(rows[start...]) }
    return runs
  }
}

// MARK: - Rows

extension PostgreSQLPlanWriter {
  private mutating func insert(_ inserts: [RowInsert]) {
    for (_, rows) in inserts.grouped(by: \.layout.number) {
      guard let layout = rows.first?.layout else { continue }
      let stored = schema.columns(of: layout).columns
      let columns = stored.map(BoundColumn.init)
      let filled = schema.surplus.filledColumns(of: layout)
      let sql = texts.text(.insertion(into: layout.number, filling: filled)) {
        ArrayRows.insertion(of: layout, into: table(layout), stored, filling: filled)
      }
      for run in runs(rows, bytes: \.snapshot.size) {
        let keys = [
          PostgreSQLArray(run.map(\.primaryKey)), PostgreSQLArray(run.map(\.snapshot.version)),
        ]
        add(sql, keys + ArrayRows.arrays(columns, of: run.map(\.snapshot)))
      }
    }
  }

  /// A row that only gets another place in somebody's order keeps its version.
  private mutating func update(_ updates: [RowUpdate]) {
    for (shape, rows) in updates.grouped(by: UpdateShape.init) {
      guard let layout = rows.first?.layout else { continue }
      let stored = schema.columns(of: layout).columns.filter { shape.changed.contains($0.slot) }
      let columns = stored.map(BoundColumn.init)
      for run in runs(rows.sorted { $0.primaryKey < $1.primaryKey }, bytes: \.snapshot.size) {
        let sql = texts.text(.update(shape, ofMany: run.count >= ArrayRows.many)) {
          updateSQL(shape, layout, zip(stored.map(\.name), columns), of: run.count)
        }
        var arrays = [PostgreSQLArray(run.map(\.primaryKey))]
        if shape.checksVersion {
          arrays.append(PostgreSQLArray(run.map { $0.expectedVersion ?? 0 }))
          arrays.append(PostgreSQLArray(run.map(\.snapshot.version)))
        }
        arrays += ArrayRows.arrays(columns, of: run.map(\.snapshot))
        let wanted =
          shape.checksVersion ? run.map { (number: $0.primaryKey, layout: $0.layout) } : []
        if arrays.count > 1 { add(sql, arrays, wanted: wanted) }
      }
    }
  }

  private func updateSQL(
    _ shape: UpdateShape,
    _ layout: EntityLayout,
    _ columns: Zip2Sequence<[String], [BoundColumn]>,
    of rows: Int
  ) -> SQLFragment {
    let first = shape.checksVersion ? 3 : 1
    var assignments = columns.enumerated().map { index, pair in
      "\(column: pair.0) = \(ArrayRows.value(first + index, pair.1))" as SQLFragment
    }
    var filter: SQLFragment = """
      \(name: "t").z_zone = $1 AND \(column: "Z_PK", of: "t") = \(ArrayRows.value(0))
      """
    if shape.checksVersion {
      assignments.append("\(column: "Z_OPT") = \(ArrayRows.value(2))")
      filter += " AND \(column: "Z_OPT", of: "t") = \(ArrayRows.value(1))"
    }
    let count = first + columns.underestimatedCount
    return """
      UPDATE \(table(layout)) \(name: "t") SET \(assignments.joined(separator: ", ")) \
      FROM \(ArrayRows.wanted(count, for: rows)) WHERE \(filter) RETURNING \(column: "Z_PK", of: "t")
      """
  }

  /// Sets the attributes that are derived as `now()`, in the rows that the save writes.
  private mutating func stamp(_ plan: SavePlan, _ now: TimeInterval) {
    let written =
      plan.inserts.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) }
      + plan.updates.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) }
    for (_, rows) in written.grouped(by: \.layout.number) {
      guard let layout = rows.first?.layout else { continue }
      for derivation in layout.derivations {
        guard case .now = derivation.source,
          let column = schema.queries.map(layout).column(of: layout.slots[derivation.slot].name)
        else { continue }
        for run in runs(rows, bytes: { _ in 24 }) {
          let sql: SQLFragment = """
            UPDATE \(table(layout)) \(name: "t") SET \(column: column) = \(ArrayRows.value(1)) \
            FROM \(ArrayRows.wanted(2, for: run.count)) WHERE \(name: "t").z_zone = $1 \
            AND \(column: "Z_PK", of: "t") = \(ArrayRows.value(0))
            """
          var times = PostgreSQLArray(of: PostgreSQLType.double)
          for _ in run { times.append(now) }
          add(sql, [PostgreSQLArray(run.map(\.primaryKey)), times])
        }
      }
    }
  }

  /// Takes values out of rows that will get other ones.
  private mutating func vacate(_ vacancies: [RowVacancy]) {
    for row in vacancies {
      let columns = schema.columns(of: row.layout).columns
      guard let column = columns.first(where: { $0.slot == row.slot }) else { continue }
      let sql: SQLFragment = """
        UPDATE \(table(row.layout)) SET \(column: column.name) = NULL \
        WHERE \(SQLFragment.ownRows)\(column: "Z_PK") = ANY(\(.parameter))
        """
      add(sql, [PostgreSQLArray([row.primaryKey])])
    }
  }

  /// Rows that are not written keep their versions until the commit.
  private mutating func expect(_ expectations: [RowExpectation]) {
    for (_, rows) in expectations.grouped(by: \.layout.rootNumber) {
      guard let layout = rows.first?.layout else { continue }
      let sorted = rows.sorted { $0.primaryKey < $1.primaryKey }
      let sql: SQLFragment = """
        SELECT \(column: "Z_PK", of: "t") \
        FROM \(table(layout)) \(name: "t"), \(ArrayRows.wanted(2, for: sorted.count)) \
        WHERE \(matches) ORDER BY \(column: "Z_PK", of: "t") FOR SHARE OF \(name: "t")
        """
      add(
        sql,
        [
          PostgreSQLArray(sorted.map(\.primaryKey)), PostgreSQLArray(sorted.map(\.expectedVersion)),
        ],
        wanted: sorted.map { (number: $0.primaryKey, layout: $0.layout) }
      )
    }
  }

  private var matches: SQLFragment {
    """
    \(name: "t").z_zone = $1 AND \(column: "Z_PK", of: "t") = \(ArrayRows.value(0)) \
    AND \(column: "Z_OPT", of: "t") = \(ArrayRows.value(1))
    """
  }

  /// Removes rows and the pairs that contain them.
  private mutating func delete(_ deletes: [RowDelete]) {
    for (_, rows) in deletes.grouped(by: \.layout.number) {
      guard let layout = rows.first?.layout else { continue }
      for run in runs(rows.sorted { $0.primaryKey < $1.primaryKey }, bytes: { _ in 24 }) {
        let sql: SQLFragment = """
          DELETE FROM \(table(layout)) \(name: "t") USING \(ArrayRows.wanted(2, for: run.count)) \
          WHERE \(matches) RETURNING \(column: "Z_PK", of: "t")
          """
        let keys = PostgreSQLArray(run.map(\.primaryKey))
        add(
          sql,
          [keys, PostgreSQLArray(run.map(\.expectedVersion))],
          wanted: run.map { (number: $0.primaryKey, layout: $0.layout) }
        )
        for side in schema.joins(of: layout) {
          for column in side.isReflexive ? [side.ownColumn, side.otherColumn] : [side.ownColumn] {
            let delete = Delete(from: side.table, where: "\(column: column) = ANY(\(.parameter))")
            add(delete.fragment, [keys])
          }
        }
      }
    }
  }
}

// MARK: - Pairs

extension PostgreSQLPlanWriter {
  private struct PairShape: Hashable {
    let side: JoinSide
    let verb: Verb

    enum Verb: Hashable {
      case unlink, link
    }
  }

  /// Pairs go and come in the order of the plan as far as they may be the same; places come last.
  private mutating func change(_ pairs: [PairChange]) {
    let sided = pairs.compactMap { pair -> (JoinSide, PairChange)? in
      guard case .join(let side) = schema.mapping(of: pair.slot, in: pair.layout) else {
        return nil
      }
      return (side, pair)
    }
    var open: [(shape: PairShape, pairs: [PairChange])] = []
    for (side, pair) in sided {
      let verb: PairShape.Verb
      switch pair.action {
      case .link: verb = .link
      case .unlink: verb = .unlink
      case .place: continue
      }
      let shape = PairShape(side: side, verb: verb)
      // After a change of the other kind in the same table, this change is a separate one.
      let last = open.lastIndex { $0.shape.side.table == side.table }
      if let last, open[last].shape == shape {
        open[last].pairs.append(pair)
      } else {
        open.append((shape, [pair]))
      }
    }
    for (shape, pairs) in open { write(shape, pairs) }
    place(sided)
  }

  private mutating func write(_ shape: PairShape, _ pairs: [PairChange]) {
    let side = shape.side
    for run in runs(pairs, bytes: { _ in 24 }) {
      let (owners, members) = (run.map(\.owner), run.map(\.member))
      switch shape.verb {
      case .link:
        let sql: SQLFragment = """
          INSERT INTO \(name: side.table) \
          (z_zone, \(column: side.ownColumn), \(column: side.otherColumn)) \
          SELECT $1, \(ArrayRows.value(0)), \(ArrayRows.value(1)) FROM \(ArrayRows.source(2)) ON CONFLICT DO NOTHING
          """
        add(sql, [PostgreSQLArray(owners), PostgreSQLArray(members)])
      case .unlink:
        let sql: SQLFragment = """
          DELETE FROM \(name: side.table) \(name: "t") USING \(ArrayRows.wanted(2, for: run.count)) \
          WHERE \(isPair(side))
          """
        add(sql, [PostgreSQLArray(owners), PostgreSQLArray(members)])
        // A pair of a relationship that is its own inverse may be stored either way round.
        if side.isReflexive { add(sql, [PostgreSQLArray(members), PostgreSQLArray(owners)]) }
      }
    }
  }

  private func isPair(_ side: JoinSide) -> SQLFragment {
    """
    \(name: "t").z_zone = $1 AND \(column: side.ownColumn, of: "t") = \(ArrayRows.value(0)) \
    AND \(column: side.otherColumn, of: "t") = \(ArrayRows.value(1))
    """
  }

  /// Puts members at their places in the order of their owners.
  private mutating func place(_ sided: [(side: JoinSide, pair: PairChange)]) {
    let placed = sided.compactMap { side, pair -> (side: JoinSide, pair: PairChange, Int64)? in
      guard case .place(let place) = pair.action else { return nil }
      return (side, pair, place)
    }
    for (side, pairs) in placed.grouped(by: \.side) {
      guard let order = side.orderColumn else { continue }
      for run in runs(pairs, bytes: { _ in 32 }) {
        let sql: SQLFragment = """
          UPDATE \(name: side.table) \(name: "t") SET \(column: order) = \(ArrayRows.value(2)) \
          FROM \(ArrayRows.wanted(3, for: run.count)) WHERE \(isPair(side))
          """
        add(
          sql,
          [
            PostgreSQLArray(run.map(\.pair.owner)), PostgreSQLArray(run.map(\.pair.member)),
            PostgreSQLArray(run.map(\.2)),
          ]
        )
      }
    }
  }
}

extension Array {
  /// The elements that have a key in common, in the order in which the keys come first.
  fileprivate func grouped<Key: Hashable>(
    by key: (Element) -> Key
  ) -> [(key: Key, elements: [Element])] {
    var places: [Key: Int] = [:]
    var groups: [(key: Key, elements: [Element])] = []
    for element in self {
      let key = key(element)
      if let place = places[key] {
        groups[place].elements.append(element)
      } else {
        places[key] = groups.count
        groups.append((key, [element]))
      }
    }
    return groups
  }
}
