import CoreDataModel
package import CoreDataSQL
import Foundation

/// Deletes the rows that a query finds, and follows what leads to them.
///
/// ```
/// the keys go into a table of the connection ─▶ Cascade adds to it, Deny looks at it
///   ─▶ files are noted, pairs go, rows go, keys in other rows become NULL
/// ```
///
/// Rows to which nothing leads go by one statement, without the table.
package struct BatchDeletion<Transaction: RelationalTransaction> {
  private let transaction: Transaction
  private let connection: Transaction.Connection
  private let schema: StoreSchema
  private let layout: EntityLayout
  private let relations: BatchRelations
  private let derivations: DerivationWriter<Transaction.Connection>?
  private var ledger: BatchLedger

  /// The table of the connection for the keys.
  private let keys: ScratchTable

  package init(_ layout: EntityLayout, in transaction: Transaction, ledger: BatchLedger) {
    self.transaction = transaction
    self.layout = layout
    self.ledger = ledger
    connection = transaction.connection
    schema = transaction.schema
    relations = BatchRelations(schema)
    keys = schema.queries.dialect.scratchTable("COREDATA_BATCH")
    derivations = DerivationWriter(connection, schema)
  }

  /// Deletes what `rows`, a query for keys and entities, finds.
  package mutating func delete(_ rows: Select) throws -> BatchLedger {
    defer { transaction.forgetReportedRows() }
    if isAlone {
      try connection.run(rows.deletion(in: schema.queries.dialect))
      ledger.add(count: connection.changeCount)
      return ledger
    }
    try note(rows)
    try followCascades()
    try refuseDenied()
    try refuseMandatory()
    try forEachRow { row in try ledger.add(HistoryChange(.delete, row.layout, row.primaryKey)) }
    try ledger.tellHistory()
    try noteFiles()
    try noteDerivations()
    for pairs in relations.pairs {
      try run(
        Delete(from: pairs.table, where: "\(column: pairs.column) IN (\(noted(pairs.root)))")
          .fragment
      )
    }
    for root in try roots() { try deleteRows(of: root) }
    for key in relations.keys { try forget(key) }
    _ = try derivations?.refresh()
    try connection.run(clearing)
    try ledger.tellHistory()
    return ledger
  }

  /// Whether no other row, no file and no history has to follow.
  private var isAlone: Bool {
    let tree = schema.model.entities.filter { $0.rootNumber == layout.rootNumber }
    return relations.concernNothing(layout) && !ledger.needsRows && derivations == nil
      && tree.allSatisfy { $0.externalSlots.isEmpty }
  }

  private func run(_ fragment: SQLFragment) throws { try connection.run(fragment) }
}

extension Select {
  /// Deletes what the query finds.
  fileprivate func deletion(in dialect: any SQLDialect) -> SQLFragment {
    if joins.isEmpty, limit == nil, offset == 0 {
      let condition = dialect.condition(filter, of: alias)
      return "DELETE FROM \(name: table) AS \(name: alias)\(condition)"
    }
    return """
      DELETE FROM \(name: table) WHERE \(SQLFragment.ownRows)\(column: "Z_PK") IN \
      (SELECT \(column: "Z_PK") FROM (\(fragment)) \(name: "f"))
      """
  }
}

// MARK: - The rows

extension BatchDeletion {
  /// The keys of the rows of a tree, or of some of its entities.
  private func noted(_ root: Int32, of numbers: ClosedRange<Int32>? = nil) -> SQLFragment {
    var query: SQLFragment = """
      SELECT "number" FROM \(keys.name) WHERE "root" = \(.integer(Int64(root)))
      """
    if let numbers {
      let (low, high) = (Int64(numbers.lowerBound), Int64(numbers.upperBound))
      query += " AND \"entity\" BETWEEN \(.integer(low)) AND \(.integer(high))"
    }
    return query
  }

  private func note(_ rows: Select) throws {
    try connection.run(keys.creation)
    try connection.run(clearing)
    try connection.run(
      """
      INSERT INTO \(keys.name) ("root", "number", "entity") \
      SELECT \(.integer(Int64(layout.rootNumber))), \(column: "Z_PK"), \(column: "Z_ENT") \
      FROM (\(rows.fragment)) \(name: "f")
      """
    )
  }

  /// Adds the rows that Cascade rules lead to, until there are no more.
  private func followCascades() throws {
    var isGrowing = !relations.cascades.isEmpty
    while isGrowing {
      isGrowing = false
      for rule in relations.cascades {
        let owners = noted(rule.entity.rootNumber, of: rule.entity.numbers)
        let table = schema.queries.map(rule.destination).tableName
        try connection.run(
          """
          INSERT INTO \(keys.name) ("root", "number", "entity") \
          SELECT \(.integer(Int64(rule.destination.rootNumber))), \(column: "Z_PK", of: "d"), \
          \(column: "Z_ENT", of: "d") FROM \(table: table, as: "d") \
          WHERE \(rule.reaches(from: owners, schema)) ON CONFLICT DO NOTHING
          """
        )
        if connection.changeCount > 0 { isGrowing = true }
      }
    }
  }

  private func roots() throws -> [EntityLayout] {
    let statement = try connection.statement(allRoots)
    defer { statement.reset() }
    var roots: [EntityLayout] = []
    while try statement.step() {
      if let root = schema.model[stored: statement.integer(0)] { roots.append(root) }
    }
    return roots
  }

  /// All rows, in runs: other statements may run in between.
  private func forEachRun(
    of query: SQLFragment,
    _ body: ([BatchRow]) throws -> Void
  ) throws {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var run: [BatchRow] = []
    while try statement.step() {
      guard let layout = schema.model[stored: statement.integer(1)] else { continue }
      run.append(BatchRow(primaryKey: statement.integer(0), layout: layout))
      if run.count == 4096 {
        try body(run)
        run.removeAll(keepingCapacity: true)
      }
    }
    if !run.isEmpty { try body(run) }
  }

  private func forEachRow(_ body: (BatchRow) throws -> Void) throws {
    try forEachRun(of: allRows) { try $0.forEach(body) }
  }

  private var clearing: SQLFragment { "DELETE FROM \(keys.name)" }
  private var allRoots: SQLFragment { "SELECT DISTINCT \"root\" FROM \(keys.name)" }
  private var allRows: SQLFragment { "SELECT \"number\", \"entity\" FROM \(keys.name)" }

  private func deleteRows(of root: EntityLayout) throws {
    let table = schema.queries.map(root).tableName
    try run(Delete(from: table, where: "\(column: "Z_PK") IN (\(noted(root.number)))").fragment)
  }
}

// MARK: - Obstacles

extension BatchDeletion {
  private func refuseDenied() throws {
    for rule in relations.denials {
      let owners = noted(rule.entity.rootNumber, of: rule.entity.numbers)
      let table = schema.queries.map(rule.destination).tableName
      let staying = try connection.integer(
        """
        SELECT COUNT(*) FROM \(table: table, as: "d") WHERE \(rule.reaches(from: owners, schema)) \
        AND \(column: "Z_PK", of: "d") NOT IN (\(noted(rule.destination.rootNumber)))
        """
      )
      if let staying, staying > 0 {
        throw BatchFailure.denied(rule.name, count: Int(staying)).error
      }
    }
  }

  private func refuseMandatory() throws {
    for key in relations.keys where key.isMandatory {
      let leading = try connection.integer(
        """
        SELECT COUNT(*) FROM \(table: key.table) WHERE \(column: key.column) IN (\(noted(key.root))) \
        AND \(column: "Z_PK") NOT IN (\(noted(key.entity.rootNumber)))
        """
      )
      if let leading, leading > 0 {
        throw BatchFailure.mandatory(key.name, count: Int(leading)).error
      }
    }
  }
}

// MARK: - What follows

extension BatchDeletion {
  /// Keys of rows that are gone become NULL.
  private mutating func forget(_ key: BatchRelations.Key) throws {
    let filter: SQLFragment = "\(column: key.column) IN (\(noted(key.root)))"
    var rows: [BatchRow] = []
    if ledger.keepsHistory || derivations != nil {
      let query: SQLFragment = """
        SELECT \(column: "Z_PK"), \(column: "Z_ENT") FROM \(table: key.table) WHERE \(filter)
        """
      try forEachRun(of: query) { rows += $0 }
    }
    let written = rows.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) }
    if !written.isEmpty { try derivations?.note(written) }
    var assignments = key.columns.map { "\(column: $0) = NULL" as SQLFragment }
    if key.isOwn {
      assignments.append("\(column: "Z_OPT") = COALESCE(\(column: "Z_OPT"), 0) + 1")
      assignments += schema.timesOfWriting(key.entity).map { "\(column: $0.column) = \($0.value)" }
    }
    try run(
      """
      UPDATE \(name: key.table) SET \(assignments.joined(separator: ", ")) \
      WHERE \(SQLFragment.ownRows)\(filter)
      """
    )
    if !key.isOwn { return }
    for row in rows {
      try ledger.addToHistory(
        HistoryChange(.update, row.layout, row.primaryKey, changed: SlotSet([key.slot]))
      )
    }
  }

  private func noteDerivations() throws {
    guard let derivations else { return }
    try forEachRun(of: allRows) { rows in
      try derivations.note(rows.map { WrittenRow(layout: $0.layout, primaryKey: $0.primaryKey) })
    }
  }

  /// The files that the rows name; they are removed after the commit.
  private func noteFiles() throws {
    for root in try roots() {
      let layouts = schema.model.entities.filter { $0.rootNumber == root.number }
      let columns = Set(
        layouts.flatMap { layout in
          schema.columns(of: layout).columns.filter { $0.kind == .externalData }.map(\.name)
        }
      )
      for column in columns.sorted() {
        var select = Select(
          [.column(column, of: "t0")],
          from: schema.queries.map(root).tableName,
          as: "t0"
        )
        select.filter = "\(column: "Z_PK", of: "t0") IN (\(noted(root.number)))"
        try transaction.noteFiles(in: select.fragment)
      }
    }
  }
}
