import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// Derived attributes whose stored value is not what the model derives.
struct DerivedValueCheck: StoreCheck {
  let name = CheckName.derivedValue

  func findings(in store: CheckedStore) throws(SQLiteError) -> [Finding] {
    let derivations = store.tables.tables.flatMap(\.derivedColumns)
      .compactMap { StoredDerivation($0, in: store) }
    return try store.each(of: derivations, name, at: \.place) { derivation throws(SQLiteError) in
      try finding(derivation, in: store).map { [$0] } ?? []
    }
  }

  private func finding(
    _ derivation: StoredDerivation,
    in store: CheckedStore
  ) throws(SQLiteError) -> Finding? {
    let count = try store.count("SELECT COUNT(*) \(derivation.outdated)")
    if count == 0 { return nil }
    let keys = try store.examples(
      "SELECT \(own("Z_PK")) \(derivation.outdated) ORDER BY \(own("Z_PK"))"
    )
    var agreement = ""
    if let copies = derivation.agreeingCopies, case let agreeing = try store.count(copies),
      agreeing > 0
    {
      agreement =
        "; \(agreeing) of them are copies that agree with each other, and not with their original"
    }
    return Finding(
      .warning,
      .derivedValue,
      derivation.place,
      count: count,
      .rows(keys),
      "\(count.rows("has", "have")) a value that is not what the model derives\(agreement)",
      remedy: Remedy("computes the values anew", .derivedValues, [derivation.refresh])
    )
  }
}

/// How a derived attribute's value is computed from the file as it is, all rows at once.
///
/// ```
/// FROM "ZFOLDER" AS "t0" LEFT JOIN (SELECT "ZFOLDER", COUNT(*) … GROUP BY …) AS "x" …
/// WHERE IFNULL("t0"."ZNOTECOUNT", 0) IS NOT IFNULL("x"."v", 0)
/// ```
struct StoredDerivation {
  private let entity: EntityMap
  private let column: String
  private let attribute: String
  private var joins: SQLFragment = ""
  private let value: SQLFragment
  /// Whether the row `t0` has another value.
  private let differs: SQLFragment
  /// The key that leads to the original, where the value is a copy.
  private var key: String?

  var place: Finding.Place { .property(attribute, of: entity.name) }

  /// The rows with another value, as the end of a query.
  var outdated: SQLFragment {
    """
    FROM \(name: entity.tableName) AS \(name: "t0") \(joins) \
    WHERE \(entity.has("t0")) AND (\(differs))
    """
  }

  /// The number of rows with a value in which all copies of an original agree, and the original
  /// does not.
  ///
  /// Such copies may be right, and the original damaged. It is `nil` if the value is not a copy.
  var agreeingCopies: SQLFragment? {
    guard let key else { return nil }
    let stored = own(column)
    return """
      SELECT TOTAL(\(column: "n")) FROM (SELECT COUNT(*) AS \(column: "n") \
      FROM \(name: entity.tableName) AS \(name: "t0") \(joins) \
      WHERE \(entity.has("t0")) AND \(own(key)) IS NOT NULL GROUP BY \(own(key)) \
      HAVING COUNT(*) > 1 AND COUNT(\(stored)) = COUNT(*) AND MIN(\(stored)) = MAX(\(stored)) \
      AND MIN(\(stored)) IS NOT MIN(\(value)))
      """
  }

  var refresh: SQLFragment {
    let table = entity.tableName
    return """
      UPDATE \(name: table) SET \(column: column) = \(.column("v", of: "fresh")) \
      FROM (SELECT \(own("Z_PK")) AS \(column: "k"), \(value) AS \(column: "v") \(outdated)) \
      AS \(name: "fresh") WHERE \(.column("Z_PK", of: table)) = \(.column("k", of: "fresh"))
      """
  }
}

// MARK: - Reading the model

extension StoredDerivation {
  /// `nil` for times, which nothing can compute again, and if a column is missing.
  init?(_ derived: DerivedColumn, in store: CheckedStore) {
    guard let entity = store.tables[derived.entityName],
      store.file.has(derived.column, in: derived.table)
    else { return nil }
    self.entity = entity
    column = derived.column
    attribute = derived.attributeName
    let stored = own(derived.column)
    switch derived.source {
    case .now:
      return nil
    case .copy(let key, let table, let column):
      guard store.file.has(column, in: table), store.file.has(key, in: derived.table) else {
        return nil
      }
      self.key = key
      joins = """
        LEFT JOIN \(name: table) AS \(name: "x") \
        ON \(.column("Z_PK", of: "x")) = \(own(key))
        """
      value = .column(column, of: "x")
      differs = "\(stored) IS NOT \(value)"
    case .count(let key):
      guard store.file.has(key.column, in: key.table) else { return nil }
      joins = Self.members(key, "COUNT(*)")
      value = "IFNULL(\(.column("v", of: "x")), 0)"
      differs = "IFNULL(\(stored), 0) IS NOT \(value)"
    case .total(let function, let key, let column):
      guard store.file.has(key.column, in: key.table), store.file.has(column, in: key.table) else {
        return nil
      }
      joins = Self.members(key, "\(SQLFragment(stringLiteral: function))(\(column: column))")
      let total = SQLFragment.column("v", of: "x")
      if ["SUM", "AVG"].contains(function) {
        value = "IFNULL(\(total), 0)"
        differs = Self.isAnotherNumber("IFNULL(\(stored), 0)", value)
      } else {
        value = total
        differs = "\(stored) IS NOT \(value)"
      }
    case .unassisted:
      guard let computed = ComputedDerivation(derived, of: entity, in: store.tables, store.model)
      else { return nil }
      joins = computed.joins
      value = computed.value
      differs = Self.differs(stored, from: computed)
    }
  }

  /// The rows that have a key, taken together for each key; it is quick without an index too.
  private static func members(_ key: ForeignKey, _ function: SQLFragment) -> SQLFragment {
    """
    LEFT JOIN (SELECT \(column: key.column) AS \(column: "k"), \(function) AS \(column: "v") \
    FROM \(name: key.table) WHERE \(column: key.column) IS NOT NULL \
    GROUP BY \(column: key.column)) AS \(name: "x") \
    ON \(.column("k", of: "x")) = \(own("Z_PK"))
    """
  }

  /// Sums of fractions differ in the last digits by the order in which they were added.
  private static func isAnotherNumber(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    """
    (\(one) IS NULL) <> (\(other) IS NULL) \
    OR ABS(\(one) - \(other)) > 0.000001 * MAX(1, ABS(\(other)))
    """
  }

  private static func differs(
    _ stored: SQLFragment,
    from computed: ComputedDerivation
  ) -> SQLFragment {
    switch computed.kind {
    case .exact:
      return "\(stored) IS NOT \(computed.value)"
    case .fraction:
      return isAnotherNumber(stored, computed.value)
    case .folded(let text):
      // Programs of other makers may fold letters beyond ASCII in another way.
      let isPlain: SQLFragment = """
        \(stored) IS NULL OR \(text) IS NULL \
        OR length(CAST(\(text) AS BLOB)) = length(\(text))
        """
      return "\(stored) IS NOT \(computed.value) AND (\(isPlain))"
    }
  }
}
