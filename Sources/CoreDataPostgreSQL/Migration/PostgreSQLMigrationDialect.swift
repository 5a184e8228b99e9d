import CoreData
import CoreDataSQL

/// A migration's statements as PostgreSQL takes them: those about rows are about one zone's.
struct PostgreSQLMigrationDialect: MigrationDialect {
  func name(_ name: String) -> String { SQLSpelling.postgreSQL.quote(name) }

  func type(of column: Column) -> String { PostgreSQLSchema.type(of: column) }

  var keyType: String { "BIGINT" }

  func creation(of table: Table) -> String { PostgreSQLSchema.statement(for: table) }

  func creation(of table: JoinTable) -> String { PostgreSQLSchema.statement(for: table) }

  func creation(of index: TableIndex) -> String { PostgreSQLSchema.statement(for: index) }

  var keepsNames: Bool { false }

  /// Saves compute derived values.
  var hasTriggers: Bool { false }

  /// A decimal number travels as text, with all its digits.
  func value(_ value: SQLValue, in type: ColumnType) -> SQLFragment {
    type == .decimal ? "CAST(\(value) AS NUMERIC)" : .value(value)
  }

  func null(in type: ColumnType) -> SQLFragment {
    "CAST(NULL AS \(SQLFragment(stringLiteral: type.inPostgreSQL)))"
  }

  func marked(_ bytes: SQLFragment) -> SQLFragment { #"CAST('\x01' AS BYTEA) || \#(bytes)"# }

  func unmarked(_ bytes: SQLFragment) -> SQLFragment { "SUBSTR(\(bytes), 2)" }

  func lesser(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment { "LEAST(\(one), \(other))" }

  func greater(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    "GREATEST(\(one), \(other))"
  }

  func insertion(
    into table: String,
    _ columns: [SQLFragment],
    _ query: SQLFragment,
    ignoringDuplicates: Bool
  ) -> SQLFragment {
    let end: SQLFragment = ignoringDuplicates ? " ON CONFLICT DO NOTHING" : ""
    return """
      INSERT INTO \(name: table) (z_zone, \(columns.joined(separator: ", "))) \
      SELECT $1, q.* FROM (\(query)) q\(end)
      """
  }

  func linkTable(_ name: String) -> (table: SQLFragment, index: SQLFragment) {
    (
      """
      CREATE TEMPORARY TABLE \(name: name) (z_zone TEXT COLLATE "C" NOT NULL, \
      OWNER BIGINT NOT NULL, MEMBER BIGINT NOT NULL, MEMBERPLACE BIGINT, OWNERPLACE BIGINT, \
      PRIMARY KEY (z_zone, OWNER, MEMBER)) ON COMMIT DROP
      """,
      "CREATE INDEX \(name: "\(name)_BACK") ON \(name: name) (z_zone, MEMBER, OWNER)"
    )
  }
}

// MARK: - History

extension PostgreSQLMigrationDialect {
  func steps(of history: HistoryMove, in shape: FileShape) -> [MigrationStep] {
    guard let table = shape.tables["ACHANGE"] else { return [] }
    var statements: [SQLFragment] = []
    if !history.removed.isEmpty {
      statements.append("DELETE FROM \(changes) WHERE \(ofEntities(history.removed))")
    }
    if !history.affected.isEmpty {
      let (columns, stones) = tombstones(history, table)
      let all = [bits(history), number(history)].compactMap(\.self) + stones
      statements += columns
      statements.append(
        """
        UPDATE \(changes) SET \(all.joined(separator: ", ")) \
        WHERE \(ofEntities(history.affected.sorted()))
        """
      )
    }
    if statements.isEmpty { return [] }
    let sentence = "ACHANGE: history follows its entities and properties"
    return [MigrationStep(sentence, .rows, statements)]
  }

  private var changes: SQLFragment { "\(name: "ACHANGE")" }

  private func ofEntities(_ numbers: [Int]) -> SQLFragment {
    "\(SQLFragment.ownRows)\(column: "ZENTITY") IN (\(.numbers(numbers)))"
  }

  private func number(_ history: HistoryMove) -> SQLFragment? {
    let entity = SQLFragment.column("ZENTITY")
    let moved = ColumnContent.renumbered(entity, history.pairs)
    return moved == entity ? nil : "\(entity) = \(moved)"
  }

  /// The bits of each entity at their new places.
  private func bits(_ history: HistoryMove) -> SQLFragment? {
    if history.changed.isEmpty { return nil }
    let cases = history.changed.sorted().map { number -> SQLFragment in
      let moved = moved(history.bits[number] ?? [])
      return "WHEN \(.number(number)) THEN \(moved)"
    }
    let columns = SQLFragment.column("ZCOLUMNS")
    return """
      \(columns) = CASE WHEN \(columns) IS NOT NULL THEN CASE \(column: "ZENTITY") \
      \(cases.joined(separator: " ")) ELSE \(columns) END END
      """
  }

  /// Bytes of zeros in which each bit that was set is set; `places` says where the bits were.
  private func moved(_ places: [Int?]) -> SQLFragment {
    let zeros = String(repeating: "00", count: (places.count + 7) / 8)
    let empty: SQLFragment = #"CAST('\x\#(SQLFragment(stringLiteral: zeros))' AS BYTEA)"#
    return places.enumerated().reduce(empty) { bytes, place in
      guard let old = place.element else { return bytes }
      let columns = SQLFragment.column("ZCOLUMNS")
      let bit: SQLFragment = """
        CASE WHEN OCTET_LENGTH(\(columns)) > \(.number(old / 8)) \
        THEN GET_BIT(\(columns), \(.number(Self.bit(old)))) ELSE 0 END
        """
      return "SET_BIT(\(bytes), \(.number(Self.bit(place.offset))), \(bit))"
    }
  }

  /// The server counts bits of a byte from the lowest; a history's first bit is the highest.
  private static func bit(_ place: Int) -> Int { place / 8 * 8 + 7 - place % 8 }

  /// The columns to add for values of deleted objects, and what each gets.
  private func tombstones(
    _ history: HistoryMove,
    _ table: FileShape.TableShape
  ) -> ([SQLFragment], [SQLFragment]) {
    if history.tombstones.isEmpty { return ([], []) }
    let existing = table.columns.filter { $0.hasPrefix("ZTOMBSTONE") }.count
    let count = max(existing, history.tombstones.values.map(\.count).max() ?? 0)
    let widening = PostgreSQLHistory.widening(to: count).map { SQLFragment.description($0) }
    let assignments = (0..<count).map { place -> SQLFragment in
      let column = SQLFragment.column(HistoryTables.tombstone(place))
      let cases = history.tombstones.sorted { $0.key < $1.key }.map { number, old -> SQLFragment in
        let source = place < old.count ? old[place] : nil
        let value = source.map { SQLFragment.column(HistoryTables.tombstone($0)) } ?? "NULL"
        return "WHEN \(.number(number)) THEN \(value)"
      }
      let choice = cases.joined(separator: " ")
      return "\(column) = CASE \(column: "ZENTITY") \(choice) ELSE \(column) END"
    }
    return ([widening].compactMap(\.self), assignments)
  }
}
