import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// One thing that is looked for in a store.
protocol StoreCheck: Sendable {
  /// The name for reports, if the check cannot be made.
  var name: CheckName { get }
  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding]
}

/// Something that is looked for in each row of a table by itself, so that one pass over the table
/// serves all such checks.
protocol RowCheck: Sendable {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault]
}

/// A check of rows that needs nothing but the model, so that it can be made in a database on a server, too.
protocol ModelCheck: RowCheck {
  func faults(in table: CheckedTable, _ schema: ModelSchema, _ tables: TableMap) -> [RowFault]
}

extension ModelCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    faults(in: table, store.schema, store.tables)
  }
}

/// A condition that no row should satisfy, and the sentence about rows that do.
struct RowFault {
  let severity: Finding.Severity
  let check: CheckName
  let place: Finding.Place
  /// Speaks of the row as `t0`.
  let condition: SQLFragment
  /// The sentence for a number of rows.
  let sentence: @Sendable (Int) -> String
  private(set) var remedy: Remedy?
  private(set) var advice: String?

  init(
    _ severity: Finding.Severity,
    _ check: CheckName,
    _ place: Finding.Place,
    where condition: SQLFragment,
    remedy: Remedy? = nil,
    _ sentence: @escaping @Sendable (Int) -> String
  ) {
    self.severity = severity
    self.check = check
    self.place = place
    self.condition = condition
    self.sentence = sentence
    self.remedy = remedy
  }

  func finding(_ count: Int, _ examples: Finding.Examples) -> Finding {
    var finding = Finding(
      severity,
      check,
      place,
      count: count,
      examples,
      sentence(count),
      remedy: remedy
    )
    finding.advice = advice
    return finding
  }

  /// The same fault with another remedy, or with advice if there is none.
  func with(_ remedy: Remedy?, advice: String? = nil) -> RowFault {
    var fault = self
    fault.remedy = remedy
    fault.advice = advice
    return fault
  }
}
