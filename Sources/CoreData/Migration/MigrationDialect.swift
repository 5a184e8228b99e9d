package import CoreDataSQL

/// The parts of statements that databases spell differently while a store is migrated.
///
/// ```
///                    SQLite                         PostgreSQL
/// name(ZNOTE)        ZNOTE                          "ZNOTE"
/// lesser(a, b)       MIN(a, b)                      LEAST(a, b)
/// insertion          INSERT INTO … SELECT …         INSERT INTO … (z_zone, …) SELECT $1, …
/// ```
///
/// Statements about rows are about those of one store. Where a database has rows of many stores, the spelling
/// narrows them, and they are run for each store; statements that describe tables are run once.
package protocol MigrationDialect: Sendable {
  /// A name in a statement that describes tables.
  func name(_ name: String) -> String
  func type(of column: Column) -> String
  /// The type of keys, and of places in an order.
  var keyType: String { get }
  func creation(of table: Table) -> String
  func creation(of table: JoinTable) -> String
  func creation(of index: TableIndex) -> String
  /// Whether tables may be called otherwise than the model has it, and go on being called so.
  var keepsNames: Bool { get }
  /// Whether the database keeps derived values, words and places by itself.
  var hasTriggers: Bool { get }

  func value(_ value: SQLValue, in type: ColumnType) -> SQLFragment
  func null(in type: ColumnType) -> SQLFragment
  /// Bytes with the byte in front that says that they are in the row.
  func marked(_ bytes: SQLFragment) -> SQLFragment
  /// Bytes without it.
  func unmarked(_ bytes: SQLFragment) -> SQLFragment
  func lesser(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment
  func greater(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment
  /// Adds what a query gives; rows whose keys are there already are left out where duplicates are ignored.
  func insertion(
    into table: String,
    _ columns: [SQLFragment],
    _ query: SQLFragment,
    ignoringDuplicates: Bool
  ) -> SQLFragment
  /// Makes a table of the connection's own for links, and an index for the way back.
  func linkTable(_ name: String) -> (table: SQLFragment, index: SQLFragment)

  /// How a history follows its entities and properties.
  func steps(of history: HistoryMove, in shape: FileShape) -> [MigrationStep]
}
