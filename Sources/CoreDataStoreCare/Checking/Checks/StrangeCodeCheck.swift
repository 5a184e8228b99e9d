import CoreData
import CoreDataSQLite

/// Triggers, views and computations that nobody has asked for, as far as the model tells.
struct StrangeCodeCheck: StoreCheck {
  let name = CheckName.trigger

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let code = try StrangeCode(on: store.connection, store.tables, store.schema)
    let needed = Set(store.tables.tables.map(\.name) + store.tables.joinTables.map(\.name))
    let (instead, beside) = (
      code.views.filter { needed.contains($0.name) },
      code.views.filter { !needed.contains($0.name) }
    )
    let triggers = Dictionary(grouping: code.triggers, by: \.table).sorted { $0.key < $1.key }
    return triggers.map { finding($0.value, of: $0.key) }
      + code.computations.map { finding(computing: $0) }
      + instead.map { view in
        Finding(
          .error,
          .table,
          .table(view.name),
          "there is a view in place of the table, so that nobody can open the store"
        )
      }
      + (beside.isEmpty ? [] : [finding(beside)])
  }

  private func finding(_ triggers: [StrangeCode.Piece], of table: String) -> Finding {
    var finding = Finding(
      .warning,
      .trigger,
      .table(table),
      count: triggers.count,
      .names(triggers.prefix(Finding.Examples.limit).map(\.name)),
      "it has \(triggers.count.of("trigger", "triggers")) that the model does not explain:"
        + " what is saved sets \(triggers.count == 1 ? "it" : "them") off"
    )
    finding.advice =
      "unless a program of yours has made \(triggers.count == 1 ? "it" : "them"), look at what is done with"
      + " coredata sql and .schema, and take away what should not be there with DROP TRIGGER"
    return finding
  }

  private func finding(computing piece: StrangeCode.Piece) -> Finding {
    let isTable = piece.name == piece.table
    var finding = Finding(
      .warning,
      isTable ? .table : .index,
      .table(piece.table),
      .names([piece.name]),
      isTable
        ? "its own definition computes or checks values, which the model does not explain:"
          + " whatever is saved sets that off"
        : "it has an index of expressions that the model does not explain: they are computed for each"
          + " row that is saved"
    )
    finding.advice =
      "unless a program of yours has made it so, look at what is computed with coredata sql and .schema"
      + (isTable ? "" : ", and take away what should not be there with DROP INDEX")
    return finding
  }

  private func finding(_ views: [StrangeCode.Piece]) -> Finding {
    Finding(
      .note,
      .table,
      .file,
      count: views.count,
      .names(views.prefix(Finding.Examples.limit).map(\.name)),
      "it has \(views.count.of("view", "views")) that the model does not speak of"
    )
  }
}
