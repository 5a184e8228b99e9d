import CoreDataPredicates
import CoreDataSQL

/// The queries that a store's history answers, as SQL values.
///
/// ```
/// transactions after 6 by others
///   SELECT … FROM "ATRANSACTION" "t0" LEFT OUTER JOIN "ATRANSACTIONSTRING" "t1" ON …
///   WHERE "t0"."Z_PK" > ?1 AND "t1"."ZNAME" <> ?2 ORDER BY "t0"."Z_PK"
/// their changes
///   SELECT … FROM "ACHANGE" "t0" WHERE "t0"."ZTRANSACTIONID" IN (SELECT "t0"."Z_PK" FROM …)
/// ```
struct HistoryQueries {
  let plan: HistoryPlan
  let tables: HistoryTables
  let maps: HistoryMaps
  private let dialect: any SQLDialect
  private let terms: HistoryTerms

  init(_ plan: HistoryPlan, _ history: StoreHistory, store: StoreNumber, identifier: String) {
    self.plan = plan
    tables = history.tables
    dialect = history.dialect
    maps = HistoryMaps.of(history.tables.shape)
    terms = HistoryTerms(
      subject: plan.subject,
      shape: history.tables.shape,
      model: history.model,
      store: store,
      identifier: identifier
    )
  }
}

// MARK: - Transactions

extension HistoryQueries {
  /// Each transaction's number, time and origin: the keys of texts, then the texts.
  private var transactionColumns: [String] {
    let fields = HistoryOrigin.Field.allCases
    return ["Z_PK", "ZTIMESTAMP"] + fields.map(\.column)
      + (tables.shape == .sharedTexts ? fields.map(\.keyColumn) : [])
  }

  /// The transactions wanted; if changes are selected, those that have some of them.
  func transactions() throws(PredicateCompilationError) -> Select {
    if plan.subject == .transactions {
      return try chosen(transactionColumns.map { .column($0, of: "t0") })
    }
    var select = Select(
      transactionColumns.map { .column($0, of: "t0") },
      from: HistoryTables.Entity.transaction.table,
      as: "t0"
    )
    select.filter =
      plan.isSelective
      ? "\(column: "Z_PK", of: "t0") IN (\(try chosen(["\(column: "ZTRANSACTIONID", of: "t0")"]).fragment))"
      : start(of: "Z_PK")
    select.order = ["\(column: "Z_PK", of: "t0")"]
    return select
  }

  /// All texts with their keys.
  var texts: Select {
    Select(
      ["\(column: "Z_PK", of: "t0")", "\(column: "ZNAME", of: "t0")"],
      from: HistoryTables.Entity.text.table,
      as: "t0"
    )
  }
}

// MARK: - Changes

extension HistoryQueries {
  private var changeColumns: [String] {
    ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
      + (0..<tables.tombstoneCount).map(HistoryTables.tombstone)
  }

  /// The changes wanted, with all that is known of them.
  func changes() throws(PredicateCompilationError) -> Select {
    try changes(changeColumns.map { .column($0, of: "t0") })
  }

  /// The objects that have changed, each once: entity and key.
  func objects() throws(PredicateCompilationError) -> Select {
    let columns = ["ZENTITY", "ZENTITYPK"].map { SQLFragment.column($0, of: "t0") }
    var select = try changes(columns)
    // An order of changes is that of their objects; readers take each transaction once.
    if select.limit == nil, select.offset == 0, plan.subject == .transactions || plan.sort.isEmpty {
      select.isDistinct = true
      select.order = columns
    }
    return select
  }

  func changeCount() throws(PredicateCompilationError) -> SQLFragment {
    var select = try changes(["\(column: "Z_PK", of: "t0")"])
    guard select.limit != nil || select.offset > 0 else {
      select.columns = ["COUNT(*)"]
      select.order = []
      return select.fragment
    }
    return "SELECT COUNT(*) FROM (\(select.fragment)) \(name: "f")"
  }

  private func changes(_ columns: [SQLFragment]) throws(PredicateCompilationError) -> Select {
    if plan.subject == .changes { return try chosen(columns) }
    var select = Select(columns, from: HistoryTables.Entity.change.table, as: "t0")
    if plan.isSelective {
      let numbers = try chosen(["\(column: "Z_PK", of: "t0")"]).fragment
      select.filter = "\(column: "ZTRANSACTIONID", of: "t0") IN (\(numbers))"
    } else {
      select.filter = start(of: "ZTRANSACTIONID")
    }
    select.order = inOrder
    return select
  }

  /// Transaction by transaction; an index has this order.
  private var inOrder: [SQLFragment] {
    ["\(column: "ZTRANSACTIONID", of: "t0")", "\(column: "Z_PK", of: "t0")"]
  }
}

// MARK: - Choosing

extension HistoryQueries {
  /// The subject's rows after the start that match, in order and range.
  private func chosen(_ columns: [SQLFragment]) throws(PredicateCompilationError) -> Select {
    let entity = plan.subject == .transactions ? maps.transaction : maps.change
    var compiler = PredicateCompiler(
      entity,
      in: maps.tables,
      dialect: dialect,
      schema: maps.schema,
      keyOf: { _ in nil }
    )
    let number = plan.subject == .transactions ? "Z_PK" : "ZTRANSACTIONID"
    var filters = [start(of: number)].compactMap { $0 }
    if let predicate = plan.predicate {
      filters.append(try compiler.condition(try terms.rewritten(predicate)))
    }
    let sort = plan.sort.map(terms.rewritten)
    var order = try compiler.order(sort)
    if sort.isEmpty {
      order = plan.subject == .changes ? inOrder : ["\(column: "Z_PK", of: "t0")"]
    }
    var select = Select(columns, from: entity.tableName, as: "t0")
    select.joins = compiler.joins
    select.filter = filters.isEmpty ? nil : filters.joined(separator: " AND ")
    select.order = order
    select.limit = plan.limit
    select.offset = plan.offset
    return select
  }

  /// Leaves out what comes before the start; the column has the number of a transaction.
  private func start(of column: String) -> SQLFragment? {
    switch plan.start {
    case .beginning:
      return nil
    case .transaction(let number):
      return "\(column: column, of: "t0") > \(.integer(number))"
    case .time(let time):
      if column == "Z_PK" { return "\(column: "ZTIMESTAMP", of: "t0") > \(.real(time))" }
      var later = Select(
        ["\(column: "Z_PK", of: "s0")"],
        from: HistoryTables.Entity.transaction.table,
        as: "s0"
      )
      later.filter = "\(column: "ZTIMESTAMP", of: "s0") > \(.real(time))"
      return "\(column: column, of: "t0") IN (\(later.fragment))"
    }
  }
}
