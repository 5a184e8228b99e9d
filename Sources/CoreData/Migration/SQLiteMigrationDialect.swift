import CoreDataSQL

/// A migration's statements as SQLite takes them, with Apple's spelling if they stay in the file.
struct SQLiteMigrationDialect: MigrationDialect {
  func name(_ name: String) -> String { identifier(name) }

  func type(of column: Column) -> String { column.type.rawValue }

  var keyType: String { "INTEGER" }

  func creation(of table: Table) -> String { writer.statement(for: table) }

  func creation(of table: JoinTable) -> String { writer.statement(for: table) }

  func creation(of index: TableIndex) -> String { writer.statement(for: index) }

  private var writer: TablesWriter { TablesWriter(TableMap(entities: [])) }

  var keepsNames: Bool { true }

  var hasTriggers: Bool { true }

  func value(_ value: SQLValue, in type: ColumnType) -> SQLFragment { .value(value) }

  func null(in type: ColumnType) -> SQLFragment { "NULL" }

  func marked(_ bytes: SQLFragment) -> SQLFragment { "\(MigrationFunctions.mark)(\(bytes))" }

  func unmarked(_ bytes: SQLFragment) -> SQLFragment { "\(MigrationFunctions.unmark)(\(bytes))" }

  func lesser(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment { "MIN(\(one), \(other))" }

  func greater(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment { "MAX(\(one), \(other))" }

  func insertion(
    into table: String,
    _ columns: [SQLFragment],
    _ query: SQLFragment,
    ignoringDuplicates: Bool
  ) -> SQLFragment {
    let verb: SQLFragment = ignoringDuplicates ? "INSERT OR IGNORE" : "INSERT"
    return "\(verb) INTO \(name: table) (\(columns.joined(separator: ", "))) \(query)"
  }

  func linkTable(_ name: String) -> (table: SQLFragment, index: SQLFragment) {
    (
      """
      CREATE TEMP TABLE \(name: name) (OWNER INTEGER, MEMBER INTEGER, MEMBERPLACE INTEGER, \
      OWNERPLACE INTEGER, PRIMARY KEY (OWNER, MEMBER)) WITHOUT ROWID
      """,
      "CREATE INDEX temp.\(name: "\(name)_BACK") ON \(name: name) (MEMBER, OWNER)"
    )
  }

  func steps(of history: HistoryMove, in shape: FileShape) -> [MigrationStep] {
    shape.tables["ACHANGE"] == nil ? [] : history.steps(in: shape)
  }
}
