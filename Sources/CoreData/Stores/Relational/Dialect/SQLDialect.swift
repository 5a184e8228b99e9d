import CoreDataPredicates
package import CoreDataSQL

/// The abilities of one kind of database beyond the SQL that all have in common, and their spelling.
///
/// ```
///                         SQLite                               PostgreSQL
/// placeholder             ?1                                   $2, behind the zone of the rows
/// differ(a, b)            a IS NOT b                           a IS DISTINCT FROM b
/// lists(1, 2, 3 …)        SELECT value FROM json_each(?1)      SELECT unnest(?1::int8[])
/// folded(title, [c])      COREDATA_FOLDED(title, 1)            coredata_folded_c(title)
/// ordered(title)          title                                title NULLS FIRST
/// ```
///
/// A dialect is asked while a statement is made, never while it runs, and runs no statement itself.
package protocol SQLDialect: Sendable {
  /// How names and places for values are spelled.
  var spelling: SQLSpelling { get }

  /// Whether texts may have the character U+0000.
  var keepsZeros: Bool { get }

  /// Whether two values are equal, or both NULL; never NULL itself.
  func same(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment
  /// The contrary of ``same(_:_:)``.
  func differ(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment
  /// A value that the planner does not look up in an index.
  func withoutIndex(_ value: SQLFragment) -> SQLFragment
  func cast(_ value: SQLFragment, to type: NumberType) -> SQLFragment
  /// A term of `ORDER BY`: NULL comes first, or last where the order descends.
  func ordered(_ value: SQLFragment, ascending: Bool) -> SQLFragment
  /// Whether `GROUP BY` and `ORDER BY` name what is selected by its place, because the database does not know an
  /// expression again that has constants.
  var namesSelectedByPlace: Bool { get }
  /// The value of the first, by a key, of the rows of a group; `nil` if distinct rows may be ordered by values that
  /// they do not contain.
  func first(_ value: SQLFragment, by key: SQLFragment) -> SQLFragment?

  /// The queries that give these constants as rows; of texts there may be two.
  func lists(_ constants: ManyConstants) -> [SQLFragment]
  /// Whether a row's key is one of many; `nil` if this is written as for any other value.
  func isOne(of keys: [Int64], _ key: SQLFragment) -> SQLFragment?
  /// A query that gives keys as rows, which are bound as one value.
  var boundKeys: SQLFragment { get }
  /// The keys as the one value that ``boundKeys`` takes.
  func bound(_ keys: [Int64]) -> SQLValue

  /// A query that keeps others from writing rows until the transaction ends, and waits for transactions that have
  /// written them; `nil` if one transaction writes at a time.
  func locking(_ keys: [Int64], in table: String) -> SQLFragment?

  /// A text without what the options ignore.
  func folded(_ text: SQLFragment, _ options: Comparison.Options) -> SQLFragment
  /// A number below, equal to or above zero, if one text comes before, with or after another.
  func compare(
    _ one: SQLFragment,
    _ other: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment
  /// Whether a text has another one as a part, byte by byte.
  func contains(_ text: SQLFragment, _ part: SQLFragment) -> SQLFragment
  /// Whether an operator holds for a text and a pattern. The pattern of the first three operators comes without the
  /// differences that the options ignore. `nil` if the database cannot decide as memory does.
  func holds(
    _ op: TextOperator,
    _ text: SQLFragment,
    _ pattern: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment?
  /// A text in an order of texts.
  func collated(_ text: SQLFragment, _ order: CoreDataPredicates.SortOrder) -> SQLFragment
  /// The sum and the mean of the values of a column or expression.
  func sum(_ values: SQLFragment, of kind: ValueKind) -> SQLFragment
  func average(_ values: SQLFragment, of kind: ValueKind) -> SQLFragment
  /// The number that a text begins with; 0 if it does not begin with one.
  func number(beginning text: SQLFragment) -> SQLFragment
  /// An operator of SQL on two numbers; `nil` if its results differ from those in memory.
  func operation(
    _ function: PredicateFunction,
    _ sign: SQLFragment,
    _ one: SQLFragment,
    _ other: SQLFragment
  ) -> SQLFragment?
  /// Something that is NULL where all of the columns are, which may be of several types.
  func firstValue(of columns: [SQLFragment]) -> SQLFragment
  /// A place for a value whose type does not follow from the statement around it.
  func place(for type: ColumnType) -> SQLFragment
  /// A decimal number that travels as text, so that all its digits do.
  func decimal(_ text: SQLFragment) -> SQLFragment
  /// Whether the database notes by itself when a row was written.
  var notesTimes: Bool { get }
  /// A predefined function whose results differ from those of SQL's own operators; `nil` if the database does not
  /// have one with the results of memory.
  func call(_ function: PredicateFunction, _ operands: [CompiledValue]) -> SQLFragment?

  /// The text behind a table whose rows are looked up by their keys, whatever indexes it has.
  var readingByKey: SQLFragment? { get }
  /// How an index of words is asked.
  var indexedWords: IndexedWords { get }

  /// Finds the number of the last transaction of a history, if it is not in `Z_PRIMARYKEY`.
  var lastTransaction: SQLFragment? { get }
  /// A value of a deleted object as its column had it, of what the history keeps.
  func preserved(_ value: SQLValue, of kind: SlotKind) -> SQLValue
  /// The form in which the history keeps such a value.
  func preserving(_ value: SQLValue, of kind: SlotKind) -> SQLValue

  /// A table of the connection's own for rows of keys: `root`, `number` and `entity`.
  func scratchTable(_ name: String) -> ScratchTable
}

extension SQLDialect {
  package var readingByKey: SQLFragment? { nil }

  var keepsZeros: Bool { true }

  var namesSelectedByPlace: Bool { false }

  func first(_ value: SQLFragment, by key: SQLFragment) -> SQLFragment? { nil }

  func isOne(of keys: [Int64], _ key: SQLFragment) -> SQLFragment? { nil }

  func locking(_ keys: [Int64], in table: String) -> SQLFragment? { nil }

  func sum(_ values: SQLFragment, of kind: ValueKind) -> SQLFragment { "SUM(\(values))" }

  func average(_ values: SQLFragment, of kind: ValueKind) -> SQLFragment { "AVG(\(values))" }

  func number(beginning text: SQLFragment) -> SQLFragment { "CAST(\(text) AS REAL)" }

  func operation(
    _ function: PredicateFunction,
    _ sign: SQLFragment,
    _ one: SQLFragment,
    _ other: SQLFragment
  ) -> SQLFragment? {
    "(\(one) \(sign) \(other))"
  }

  func firstValue(of columns: [SQLFragment]) -> SQLFragment {
    "COALESCE(\(columns.joined(separator: ", ")))"
  }

  func place(for type: ColumnType) -> SQLFragment { .parameter }

  func decimal(_ text: SQLFragment) -> SQLFragment { text }

  var notesTimes: Bool { true }

  var lastTransaction: SQLFragment? { nil }

  func preserved(_ value: SQLValue, of kind: SlotKind) -> SQLValue { value }

  /// A decimal number is in a column as the number that has all its digits, or else as text.
  func preserving(_ value: SQLValue, of kind: SlotKind) -> SQLValue {
    guard kind == .decimal, case .text(let text) = value else { return value }
    if let whole = Int64(text) { return .integer(whole) }
    guard let real = Double(text), "\(real)" == text else { return value }
    return .real(real)
  }

  /// The text behind the table of a statement that writes rows of the store's own.
  func condition(_ filter: SQLFragment?, of alias: String) -> SQLFragment {
    if spelling.ownRows(nil).isEmpty { return filter.map { " WHERE \($0)" } ?? "" }
    return " WHERE \(SQLFragment.ownRows(of: alias))(\(filter ?? "TRUE"))"
  }
}

/// Where an index of words is.
package enum IndexedWords {
  /// In tables of its own, which give the keys of rows.
  case inTables(any WordIndexTables)
  /// On the rows themselves, so that a condition names their columns.
  case onRows(any WordIndexColumns)
}

/// Questions to indexes of words that are tables beside those of the rows.
package protocol WordIndexTables: Sendable {
  /// The keys of the rows that a question finds.
  func keys(matching question: TextQuestion, in index: TextIndex) -> SQLFragment
  func count(
    matching question: TextQuestion,
    in index: TextIndex,
    withoutValuesIn columns: [String]
  ) -> SQLFragment
  /// Finds a row when there are many; it does not look at more.
  func has(
    _ abundance: Abundance,
    matching question: TextQuestion,
    in index: TextIndex
  ) -> SQLFragment
  /// Whether a question finds the row with this key, asked of each of many rows.
  func isFound(_ key: SQLFragment, by question: TextQuestion, in index: TextIndex) -> SQLFragment
}

/// Questions to indexes of words that are on the rows.
package protocol WordIndexColumns: Sendable {
  /// Whether a question finds a row, whose table is called `alias`; NULL only if the row is missing.
  func isFound(_ question: TextQuestion, in index: TextIndex, of alias: String) -> SQLFragment
}

/// The type of a computed number.
package enum NumberType {
  case real
  /// A decimal number with all digits that a real one has.
  case decimal
  /// Without the digits after the point.
  case integer
  /// 1 or 0, as the column of an attribute of type Boolean has it.
  case boolean
}

/// The operators on a text and a pattern.
package enum TextOperator: CaseIterable {
  case contains
  case beginsWith
  case endsWith
  case like
  case matches
  case words
}

/// More constants of one type than a statement lists.
package enum ManyConstants {
  case integers([Int64])
  case reals([Double])
  case texts([String])
  case blobs([[UInt8]])
}

/// A table that no other connection sees.
package struct ScratchTable {
  let name: SQLFragment
  /// Makes it unless it is there.
  let creation: SQLFragment

  package init(name: SQLFragment, creation: SQLFragment) {
    self.name = name
    self.creation = creation
  }
}
