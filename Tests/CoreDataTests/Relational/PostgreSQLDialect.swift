import CoreDataPredicates
import CoreDataSQL

@testable import CoreData

/// SQL as PostgreSQL takes it: what a second kind of database would say where SQLite has its own words.
///
/// `z_like`, `z_matches` and `z_words` stand for functions that such a store would make in its database.
struct PostgreSQLDialect: SQLDialect {
  var spelling: SQLSpelling { .postgreSQL }

  func same(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    "\(one) IS NOT DISTINCT FROM \(other)"
  }

  func differ(_ one: SQLFragment, _ other: SQLFragment) -> SQLFragment {
    "\(one) IS DISTINCT FROM \(other)"
  }

  func withoutIndex(_ value: SQLFragment) -> SQLFragment { value }

  func cast(_ value: SQLFragment, to type: NumberType) -> SQLFragment {
    switch type {
    case .real: "CAST(\(value) AS DOUBLE PRECISION)"
    case .integer: "CAST(trunc(\(value)) AS BIGINT)"
    case .boolean: "CAST(\(value) <> 0 AS INTEGER)"
    }
  }

  func ordered(_ value: SQLFragment, ascending: Bool) -> SQLFragment {
    ascending ? "\(value) NULLS FIRST" : "\(value) DESC NULLS LAST"
  }

  func scratchTable(_ name: String) -> ScratchTable {
    ScratchTable(
      name: .column(name, of: "pg_temp"),
      creation: """
        CREATE TEMPORARY TABLE IF NOT EXISTS \(name: name) (root INTEGER, number BIGINT, \
        entity INTEGER, PRIMARY KEY (root, number)) ON COMMIT DELETE ROWS
        """
    )
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

  var boundKeys: SQLFragment { "SELECT unnest(CAST(\(.parameter) AS BIGINT[]))" }

  func bound(_ keys: [Int64]) -> SQLValue { array(keys.map(\.description)) }

  private func array(_ elements: [String]) -> SQLValue {
    .text("{" + elements.joined(separator: ",") + "}")
  }
}

extension String {
  fileprivate var inArray: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

// MARK: - Texts

extension PostgreSQLDialect {
  func folded(_ text: SQLFragment, _ options: Comparison.Options) -> SQLFragment {
    let text = options.contains(.diacriticInsensitive) ? "unaccent(\(text))" : text
    return options.contains(.caseInsensitive) ? "lower(\(text))" : text
  }

  func compare(
    _ one: SQLFragment,
    _ other: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment {
    let (one, other) = (folded(one, options), folded(other, options))
    return """
      CASE WHEN \(one) < \(other) THEN -1 WHEN \(one) = \(other) THEN 0 \
      WHEN \(one) > \(other) THEN 1 END
      """
  }

  func contains(_ text: SQLFragment, _ part: SQLFragment) -> SQLFragment {
    "position(\(part) IN \(text)) > 0"
  }

  func holds(
    _ op: TextOperator,
    _ text: SQLFragment,
    _ pattern: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment {
    let folded = folded(text, options)
    switch op {
    case .contains: return contains(folded, pattern)
    case .beginsWith: return "starts_with(\(folded), \(pattern))"
    case .endsWith: return "right(\(folded), length(\(pattern))) = \(pattern)"
    case .like: return "z_like(\(folded), \(self.folded(pattern, options)))"
    case .matches: return "z_matches(\(folded), \(pattern))"
    case .words: return "z_words(\(folded), \(self.folded(pattern, options)))"
    }
  }

  func collated(
    _ text: SQLFragment,
    _ order: CoreDataPredicates.SortOrder
  ) -> SQLFragment {
    switch order {
    case .standard, .comparator: text
    case .caseInsensitive: "lower(\(text))"
    case .localized, .localizedCaseInsensitive, .localizedStandard:
      "\(text) COLLATE \(name: "und-x-icu")"
    }
  }

  func call(_ function: PredicateFunction, _ operands: [CompiledValue]) -> SQLFragment? {
    let name: SQLFragment
    switch function {
    case .uppercase: name = "upper"
    case .lowercase: name = "lower"
    case .length: name = "length"
    case .squareRoot: name = "sqrt"
    case .floor: name = "floor"
    case .ceiling: name = "ceil"
    case .absolute: name = "abs"
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .logarithm, .naturalLogarithm, .exponential, .truncate,
      .onesComplement, .canonical, .sum, .count, .min, .max, .average, .median, .mode,
      .standardDeviation, .noIndex, .random, .randomBelow, .now:
      return nil
    }
    return "\(name)(\(operands.map(\.sql).joined(separator: ", ")))"
  }
}

// MARK: - Words

extension PostgreSQLDialect {
  private func found(_ question: TextQuestion, _ index: TextIndex) -> SQLFragment {
    """
    \(name: index.table) WHERE to_tsvector('simple', \
    concat_ws(' ', \(index.columns.map { SQLFragment.column($0) }.joined(separator: ", ")))) \
    @@ CAST(\(.text(query(question))) AS TSQUERY)
    """
  }

  private func query(_ question: TextQuestion) -> String {
    switch question {
    case .terms(let terms, _):
      terms.map { $0.words.map { "'\($0)'" }.joined(separator: " <-> ") + ":*" }
        .joined(separator: " & ")
    case .all(let parts): parts.map { "(\(query($0)))" }.joined(separator: " & ")
    case .any(let parts): parts.map { "(\(query($0)))" }.joined(separator: " | ")
    }
  }

  func keys(matching question: TextQuestion, in index: TextIndex) -> SQLFragment {
    "SELECT \(column: "Z_PK") FROM \(found(question, index))"
  }

  func count(matching question: TextQuestion, in index: TextIndex) -> SQLFragment {
    "SELECT COUNT(*) FROM \(found(question, index))"
  }

  func has(
    _ abundance: Abundance,
    matching question: TextQuestion,
    in index: TextIndex
  ) -> SQLFragment {
    switch abundance {
    case .rows(let count), .part(_, let count):
      "SELECT 1 FROM \(found(question, index)) LIMIT 1 OFFSET \(.integer(Int64(count)))"
    }
  }

  func isFound(
    _ key: SQLFragment,
    by question: TextQuestion,
    in index: TextIndex
  ) -> SQLFragment {
    "\(key) = ANY(ARRAY(\(keys(matching: question, in: index))))"
  }
}
