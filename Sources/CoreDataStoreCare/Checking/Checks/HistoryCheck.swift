import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The store's history: every change belongs to a transaction, and a transaction's texts are there.
///
/// Changes without a transaction are worth a note: a history that was purged may have such leftovers, and a reader of
/// a history begins with its transactions and never sees them.
struct HistoryCheck: StoreCheck {
  let name = CheckName.history

  /// The tables of history, with the numbers that Z_PRIMARYKEY has for them.
  static let tables = HistoryTables.Entity.allCases.map {
    (number: Int($0.rawValue), name: $0.table)
  }

  /// The columns of a transaction that lead to texts.
  static let texts = HistoryOrigin.Field.allCases.map(\.keyColumn)

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let missing = try missingTables(in: store)
    guard store.file.has("ZTRANSACTIONID", in: "ACHANGE"),
      store.file.tables["ATRANSACTION"] != nil
    else { return missing }
    let strings = Self.texts.filter {
      store.file.has($0, in: "ATRANSACTION") && store.file.tables["ATRANSACTIONSTRING"] != nil
    }
    var findings = missing + (try homelessChanges(in: store)) + (try strangeChanges(in: store))
    for column in strings { findings += try lostTexts(column, in: store) }
    return findings
  }

  /// Tables that are missing beside others of the history.
  ///
  /// Files of iOS 11 do not have the table of texts, nor the keys of texts in transactions.
  private func missingTables(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let here = HistoryTables.Entity.allCases.filter { store.file.tables[$0.table] != nil }
    guard !here.isEmpty, here.count < HistoryTables.Entity.allCases.count else { return [] }
    let hasKeys = store.file.has("ZAUTHORTS", in: "ATRANSACTION")
    return HistoryTables.Entity.allCases.compactMap { entity in
      if store.file.tables[entity.table] != nil || entity == .text && !hasKeys { return nil }
      let meaning =
        entity == .text
        ? "the names of authors and programs are lost" : "the history cannot be read"
      var finding = Finding(
        .warning,
        .history,
        .table(entity.table),
        "the table is missing beside \(here.map(\.table).joined(separator: " and ")), so that \(meaning)"
      )
      if entity == .text {
        let statements = HistoryTables.new(tombstoneCount: 0).statements(of: .text)
        finding.remedy = Remedy(
          "makes an empty one",
          .tables,
          statements.map { SQLFragment(stringLiteral: $0) }
        )
      } else {
        finding.advice = "restore a backup, or let readers of the history begin again"
      }
      return finding
    }
  }

  /// Changes that no reader understands.
  private func strangeChanges(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let columns = ["ZENTITY", "ZCHANGETYPE"]
    guard columns.allSatisfy({ store.file.has($0, in: "ACHANGE") }) else { return [] }
    let known = store.tables.entities.map { SQLFragment.value(.integer(Int64($0.number))) }
    let faults = [
      (
        "\(own("ZENTITY")) NOT IN (\(known.joined(separator: ", ")))" as SQLFragment,
        "of an entity that the model does not have"
      ),
      (
        "\(own("ZCHANGETYPE")) NOT IN (0, 1, 2)" as SQLFragment,
        "of a kind other than insertion, update and deletion"
      ),
    ]
    .map { condition, words in
      RowFault(
        .warning,
        .history,
        .table("ACHANGE"),
        where: condition,
        remedy: Remedy(
          "removes them",
          .history,
          ["DELETE FROM ACHANGE AS \(name: "t0") WHERE \(condition)"]
        )
      ) { count in
        let missed = count == 1 ? "it" : "them"
        return "\(count.rows("is", "are")) \(words), and readers of the history miss \(missed)"
      }
    }
    return try findings(faults, of: "ACHANGE", in: store)
  }

  private func homelessChanges(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let condition: SQLFragment = """
      NOT EXISTS (SELECT 1 FROM ATRANSACTION AS \(name: "d") \
      WHERE \(.column("Z_PK", of: "d")) = \(own("ZTRANSACTIONID")))
      """
    let fault = RowFault(
      .note,
      .history,
      .table("ACHANGE"),
      where: condition,
      remedy: Remedy(
        "removes them",
        .history,
        ["DELETE FROM ACHANGE AS \(name: "t0") WHERE \(condition)"]
      )
    ) { "\($0.rows("belongs", "belong")) to a transaction that is not there" }
    return try findings([fault], of: "ACHANGE", in: store)
  }

  private func lostTexts(
    _ column: String,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    let condition: SQLFragment = """
      \(own(column)) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ATRANSACTIONSTRING \
      AS \(name: "d") WHERE \(.column("Z_PK", of: "d")) = \(own(column)))
      """
    let fault = RowFault(
      .note,
      .history,
      .table("ATRANSACTION"),
      where: condition,
      remedy: Remedy(
        "takes the key of the text out of them",
        .history,
        [
          """
          UPDATE ATRANSACTION AS \(name: "t0") SET \(column: column) = NULL WHERE \(condition)
          """
        ]
      )
    ) { "\($0.rows("has", "have")) a text in \(column) that is not in ATRANSACTIONSTRING" }
    return try findings([fault], of: "ATRANSACTION", in: store)
  }

  private func findings(
    _ faults: [RowFault],
    of table: String,
    in store: CheckedStore
  ) throws(SQLiteError) -> [Finding] {
    try TableScan(faults, of: table, in: store).findings {
      condition throws(SQLiteError) in
      try store.rows(of: table, where: condition)
    }
  }
}
