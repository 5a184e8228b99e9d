import CoreData
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// SQL as PostgreSQL takes it, with the functions and collations that ``TextsInPostgreSQL`` makes in the
/// database.
///
/// Values travel typed, so that the server never has to guess what a comparison is of.
struct PostgreSQLDialect: SQLDialect {
  var spelling: SQLSpelling { .postgreSQL }

  var keepsZeros: Bool { false }

  func same(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    "\(one) IS NOT DISTINCT FROM \(other)"
  }

  func differ(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    "\(one) IS DISTINCT FROM \(other)"
  }

  /// The server's planner knows how many rows a range has.
  func withoutIndex(_ value: SQLFragment) -> SQLFragment { value }

  func cast(_ value: SQLFragment, to type: NumberType) -> SQLFragment {
    switch type {
    case .real: "CAST(\(value) AS DOUBLE PRECISION)"
    case .decimal: exact(value)
    case .integer: "CAST(trunc(\(exact(value))) AS BIGINT)"
    case .boolean: "CAST(CAST(\(value) <> 0 AS INTEGER) AS BIGINT)"
    }
  }

  func ordered(_ value: SQLFragment, ascending: Bool) -> SQLFragment {
    ascending ? "\(value) NULLS FIRST" : "\(value) DESC NULLS LAST"
  }

  var namesSelectedByPlace: Bool { true }

  func first(_ value: SQLFragment, by key: SQLFragment) -> SQLFragment? {
    "(array_agg(\(value) ORDER BY \(key)))[1]"
  }

  func firstValue(of columns: [SQLFragment]) -> SQLFragment {
    let present = columns.map { "\($0) IS NOT NULL" as SQLFragment }.joined(separator: " OR ")
    return "CASE WHEN \(present) THEN 1 END"
  }

  func place(for type: ColumnType) -> SQLFragment {
    "CAST(\(.parameter) AS \(SQLFragment(stringLiteral: type.inPostgreSQL)))"
  }

  func decimal(_ text: SQLFragment) -> SQLFragment { "CAST(\(text) AS NUMERIC)" }

  var notesTimes: Bool { false }

  /// The table goes with the transaction: a pooler may lend the connection to another program next.
  func scratchTable(_ name: String) -> ScratchTable {
    ScratchTable(
      name: .column(name, of: "pg_temp"),
      creation: """
        CREATE TEMPORARY TABLE IF NOT EXISTS \(name: name) (root INTEGER, number BIGINT, \
        entity INTEGER, PRIMARY KEY (root, number)) ON COMMIT DROP
        """
    )
  }
}

extension ColumnType {
  /// Texts are ordered by their bytes, as in SQLite; dates are seconds to the last bit.
  package var inPostgreSQL: String {
    switch self {
    case .integer: "BIGINT"
    case .timestamp, .float: "DOUBLE PRECISION"
    case .decimal: "NUMERIC"
    case .text: "TEXT"
    case .blob: "BYTEA"
    }
  }
}

// MARK: - History

extension PostgreSQLDialect {
  var lastTransaction: SQLFragment? { PostgreSQLHistory.lastTransaction }

  /// Values of all types are kept as texts.
  func preserved(_ value: SQLValue, of kind: SlotKind) -> SQLValue {
    guard case .text(let text) = value else { return value }
    switch kind {
    case .integer, .boolean, .toOne: return Int64(text).map(SQLValue.integer) ?? .null
    case .real, .date: return Double(text).map(SQLValue.real) ?? .null
    case .uuid, .data, .externalData, .transformable: return .blob(Self.bytes(hexadecimal: text))
    case .decimal, .text, .uri: return value
    case .composite, .object, .toMany, .orderedToMany, .fetched: return .null
    }
  }

  func preserving(_ value: SQLValue, of kind: SlotKind) -> SQLValue {
    switch value {
    case .null, .text: value
    case .integer(let number): .text("\(number)")
    // Decimal numbers in a file's columns of reals have the digits that reals can carry.
    case .real(let real): .text(kind == .decimal ? String(format: "%.15g", real) : "\(real)")
    case .blob(let bytes): .text("\\x" + bytes.map { Self.hexadecimal($0) }.joined())
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// The bytes that the server writes as `\x00ff`.
  private static func bytes(hexadecimal text: String) -> [UInt8] {
    let digits = text.utf8.dropFirst(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    // Without its type, the closure took the compiler longer than any other expression of the module.
    return stride(from: 0, to: digits.count - 1, by: 2).map { (place: Int) -> UInt8 in
      UInt8(digits[place] * 16 + digits[place + 1])
    }
  }
}

// MARK: - Many constants

extension PostgreSQLDialect {
  func lists(_ constants: ManyConstants) -> [SQLFragment] {
    switch constants {
    case .integers(let integers):
      return ["SELECT unnest(CAST(\(bound(integers)) AS BIGINT[]))"]
    case .reals(let reals):
      return ["SELECT unnest(CAST(\(array(reals.map { "\($0)" })) AS DOUBLE PRECISION[]))"]
    case .texts(let texts):
      return ["SELECT unnest(CAST(\(array(texts.map(\.inArray))) AS TEXT[]))"]
    case .blobs(let blobs):
      let digits = blobs.map { #""\\x\#(SQLValue.blob($0).description.dropFirst(2).dropLast())""# }
      return ["SELECT unnest(CAST(\(array(digits)) AS BYTEA[]))"]
    }
  }

  /// An index looks up an array as it is; rows would be joined.
  func isOne(of keys: [Int64], _ key: SQLFragment) -> SQLFragment? {
    "\(key) = ANY(CAST(\(bound(keys)) AS BIGINT[]))"
  }

  var boundKeys: SQLFragment { "SELECT unnest(CAST(\(.parameter) AS BIGINT[]))" }

  /// The keys as the text of an array, written digit by digit from its end, because batches of faults ask for thousands
  /// of keys.
  func bound(_ keys: [Int64]) -> SQLValue {
    if keys.isEmpty { return .text("{}") }
    var text = [UInt8](repeating: UInt8(ascii: "}"), count: 21 * keys.count + 1)
    var start = text.count - 1
    for key in keys.reversed() {
      var rest = key.magnitude
      repeat {
        start -= 1
        text[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if key < 0 {
        start -= 1
        text[start] = UInt8(ascii: "-")
      }
      start -= 1
      text[start] = UInt8(ascii: ",")
    }
    text[start] = UInt8(ascii: "{")
    return .text(String(decoding: text[start...], as: UTF8.self))
  }

  func locking(_ keys: [Int64], in table: String) -> SQLFragment? {
    """
    SELECT \(column: "Z_PK") FROM \(name: table) WHERE \(SQLFragment.ownRows)\(column: "Z_PK") \
    = ANY(CAST(\(bound(keys)) AS BIGINT[])) ORDER BY \(column: "Z_PK") \
    FOR NO KEY UPDATE
    """
  }

  private func array(_ elements: [String]) -> SQLValue {
    .text("{" + elements.joined(separator: ",") + "}")
  }
}

extension String {
  fileprivate var inArray: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

// MARK: - Numbers

extension PostgreSQLDialect {
  /// The sum of integers is one of unlimited size on the server, which does not have operators on its bits.
  func sum(_ values: SQLFragment, of kind: ValueKind) -> SQLFragment {
    kind == .integer ? "CAST(SUM(\(values)) AS BIGINT)" : "SUM(\(values))"
  }

  /// The mean of integers has more digits on the server than a double has.
  func average(_ values: SQLFragment, of kind: ValueKind) -> SQLFragment {
    kind == .decimal ? "AVG(\(values))" : "CAST(AVG(\(values)) AS DOUBLE PRECISION)"
  }

  func number(beginning text: SQLFragment) -> SQLFragment {
    // No text at all stays NULL.
    let number: SQLFragment =
      #"'^[ \t\n\v\f\r]*([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)'"#
    return """
      CASE WHEN \(text) IS NOT NULL THEN \
      COALESCE(CAST(substring(\(text) from \(number)) AS DOUBLE PRECISION), 0) END
      """
  }

  /// Divides integers by zero as memory and SQLite do, which gives nil: the server would refuse the whole request.
  ///
  /// The server shifts by numbers of another type and by any number of places.
  func operation(
    _ function: PredicateFunction,
    _ sign: SQLFragment,
    _ one: SQLFragment,
    _ other: SQLFragment
  ) -> SQLFragment? {
    switch function {
    case .divide, .modulus: "(\(one) \(sign) NULLIF(\(other), 0))"
    case .leftShift, .rightShift: nil
    case _: "(\(one) \(sign) \(other))"
    }
  }

  func call(_ function: PredicateFunction, _ operands: [CompiledValue]) -> SQLFragment? {
    guard let first = operands.first?.sql else { return nil }
    let second = operands.dropFirst().first?.sql ?? ""
    let isReal = operands.allSatisfy { $0.kind == .real }
    let isWhole = operands.allSatisfy { $0.kind == .integer }
    switch function {
    case .uppercase: return cased("upper", first)
    // ICU makes another small letter of a Σ that ends a word, which memory does not.
    case .lowercase: return cased("lower", "translate(\(first), 'Σ', 'σ')")
    case .canonical: return folded(first, [.caseInsensitive, .diacriticInsensitive])
    case .length: return length(first)
    case .add where !isReal: return decimals(operands[0], "+", operands[1])
    case .subtract where !isReal: return decimals(operands[0], "-", operands[1])
    case .multiply where !isReal: return decimals(operands[0], "*", operands[1])
    case .divide where operands.widestNumber == .real:
      return quotient(first, second)
    case .floor where isWhole, .ceiling where isWhole, .truncate where isWhole: return first
    case .floor where isReal: return "floor(\(first))"
    case .ceiling where isReal: return "ceil(\(first))"
    case .truncate where isReal: return "trunc(\(first))"
    case .absolute where isReal || isWhole: return "(@ \(first))"
    case .squareRoot where isReal:
      return "sqrt(CASE WHEN \(first) >= 0 THEN \(first) END)"
    case .onesComplement where isWhole: return "(~ \(first))"
    case .bitwiseXor where isWhole: return "(\(first) # \(second))"
    // Whatever the server does not compute as memory does.
    case _: return nil
    }
  }

  /// All digits count.
  private func decimals(
    _ one: CompiledValue,
    _ sign: SQLFragment,
    _ other: CompiledValue
  ) -> SQLFragment {
    "(\(decimal(one)) \(sign) \(decimal(other)))"
  }

  /// Divides floating-point numbers: by zero there comes out what is infinite, and nil of zero itself.
  private func quotient(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    """
    (CASE WHEN \(other) = 0 THEN CASE WHEN \(one) > 0 THEN CAST('Infinity' AS DOUBLE PRECISION) \
    WHEN \(one) < 0 THEN CAST('-Infinity' AS DOUBLE PRECISION) END \
    ELSE NULLIF(CAST(\(one) AS DOUBLE PRECISION) / \(other), 'NaN') END)
    """
  }

  private func decimal(_ value: CompiledValue) -> SQLFragment {
    value.kind == .real ? exact(value.sql) : decimal(value.sql)
  }

  /// A number with all its digits: the server's own way from a floating-point number keeps 15 of them.
  private func exact(_ number: SQLFragment) -> SQLFragment {
    "CAST(CAST(\(number) AS TEXT) AS NUMERIC)"
  }

  /// In the letters of all languages, and in the order of bytes again.
  private func cased(_ function: SQLFragment, _ text: SQLFragment) -> SQLFragment {
    "(\(function)(\(text) COLLATE \(name: "und-x-icu")) COLLATE \(name: "C"))"
  }

  /// In units of UTF-16, of which characters beyond the first plane have two.
  private func length(_ text: SQLFragment) -> SQLFragment {
    """
    CAST(char_length(\(text)) + char_length(regexp_replace(\(text), \
    '[^\\U00010000-\\U0010ffff]', '', 'g')) AS BIGINT)
    """
  }
}

// MARK: - Words

extension PostgreSQLDialect {
  var indexedWords: IndexedWords { .onRows(KeptWords()) }
}
