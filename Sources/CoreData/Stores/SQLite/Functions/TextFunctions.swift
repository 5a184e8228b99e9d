import CoreDataPredicates
import CoreDataSQL
package import CoreDataSQLite
import Foundation

/// The functions and collations that compiled predicates call (`SQLiteDialect`), and their code, which is
/// that of the evaluation in memory.
///
/// The needles of `CONTAINS`, `BEGINSWITH` and `ENDSWITH` come folded. All of them give NULL for NULL.
package enum TextFunctions {
  static func name(of op: TextOperator) -> String {
    switch op {
    case .contains: "COREDATA_CONTAINS"
    case .beginsWith: "COREDATA_BEGINSWITH"
    case .endsWith: "COREDATA_ENDSWITH"
    case .like: "COREDATA_LIKE"
    case .matches: "COREDATA_MATCHES"
    case .words: "COREDATA_WORDS"
    }
  }

  /// Whether a key is among those that a question finds in an index of words.
  static let found = "COREDATA_FOUND"

  /// Makes them known to a connection; each needs it once.
  package static func register(on connection: Connection) {
    let searches = TextSearches()
    for op in TextOperator.allCases { register(op, on: connection, searches) }
    connection.define("COREDATA_FOLDED", borrowing: 2) { arguments in
      guard let text = arguments.text(0) else { return .null }
      return .text(searches.folding(arguments.integer(1)).folded(text))
    }
    connection.define("COREDATA_COMPARE", borrowing: 3) { arguments in
      guard let one = arguments.text(0), let other = arguments.text(1) else { return .null }
      return .integer(Int64(searches.order(one, other, arguments.integer(2)).rawValue))
    }
    connection.define("COREDATA_CALL", argumentCount: -1, called)
    connection.define("COREDATA_REAL", argumentCount: 1) { arguments in
      guard case .integer(let bits) = arguments[0] else { return .null }
      return .real(Double(bitPattern: UInt64(bitPattern: bits)))
    }
    connection.define("COREDATA_BYTES", argumentCount: 1) { arguments in
      guard case .text(let digits) = arguments[0] else { return .null }
      return .blob(Array(hexadecimal: digits))
    }
    connection.define(keySets: found) { index, question in
      "SELECT rowid FROM \(name: index) WHERE \(name: index) MATCH \(.text(question))"
    }
    for order in collations {
      guard let name = collation(of: order) else { continue }
      let collator = TextCollator(order)
      connection.define(collation: name) { collator.compare($0, $1) }
    }
  }

  private static func register(
    _ op: TextOperator,
    on connection: Connection,
    _ searches: TextSearches
  ) {
    connection.define(name(of: op), borrowing: 3) { arguments in
      guard let text = arguments.text(0), let pattern = arguments.text(1) else { return .null }
      let bits = arguments.integer(2)
      let holds: Bool?
      do throws(EvaluationLimit) {
        holds =
          switch op {
          case .contains: searches.contains(searches.folding(bits).folded(text), pattern)
          case .beginsWith: searches.begins(searches.folding(bits).folded(text), with: pattern)
          case .endsWith: searches.ends(searches.folding(bits).folded(text), with: pattern)
          case .like: try searches.like(text, pattern, bits)
          case .matches: try searches.hold(text, .matches, pattern, Comparison.Options(bits))
          case .words: searches.containsWords(text, pattern, bits)
          }
      } catch {
        return .failure(error.sentence)
      }
      return holds.map { .integer($0 ? 1 : 0) } ?? .null
    }
  }
}

extension [UInt8] {
  fileprivate init(hexadecimal digits: String) {
    let nibbles = digits.utf8.map { $0 < 58 ? $0 - 48 : $0 - 87 }
    self = stride(from: 0, to: nibbles.count - 1, by: 2).map {
      (nibbles[$0] << 4) | nibbles[$0 + 1]
    }
  }
}

// MARK: - Predefined functions

extension TextFunctions {
  private static func called(_ arguments: [SQLValue]) -> SQLValue {
    guard arguments.count >= 2, case .text(let name) = arguments[0],
      case .text(let kinds) = arguments[1], let function = PredicateFunction(rawValue: name)
    else { return .null }
    let values = zip(kinds, arguments.dropFirst(2)).map { kind, value in value.value(kind) }
    do throws(EvaluationError) {
      return SQLValue(try function.value(of: values))
    } catch {
      return .null  // The compiler has checked the types; no value is what memory would not give.
    }
  }
}

extension SQLValue {
  fileprivate func value(_ kind: Character) -> Any? {
    switch (self, kind) {
    case (.integer(let value), "d"): Decimal(value)
    case (.real(let value), "d"): Decimal(string: "\(value)")
    case (.integer(let value), "r"): Double(value)
    case (.integer(let value), _): Int(value)
    case (.real(let value), _): value
    case (.text(let text), _): text
    case (.null, _), (.blob, _): nil
    }
  }

  fileprivate init(_ constant: Constant) {
    switch constant.kind {
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = SQLValue(value)
    case .text(let text): self = .text(text)
    case .nothing, .date, .uuid, .url, .data, .collection, .object: self = .null
    }
  }
}

// MARK: - Collations

extension TextFunctions {
  private static let collations: [CoreDataPredicates.SortOrder] = [
    .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard,
  ]

  /// The collation for an order of texts; `nil` if the database has the order itself.
  static func collation(of order: CoreDataPredicates.SortOrder) -> String? {
    switch order {
    case .standard, .comparator: nil
    case .caseInsensitive: "COREDATA_CASE_INSENSITIVE"
    case .localized: "COREDATA_LOCALIZED"
    case .localizedCaseInsensitive: "COREDATA_LOCALIZED_CASE_INSENSITIVE"
    case .localizedStandard: "COREDATA_LOCALIZED_STANDARD"
    }
  }
}
