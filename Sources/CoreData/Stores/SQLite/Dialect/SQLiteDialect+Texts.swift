import CoreDataPredicates
import CoreDataSQL

/// Texts: calls of the functions and collations that ``TextFunctions`` registers.
///
/// ```
/// title CONTAINS %@         COREDATA_CONTAINS("ZTITLE", ?1, 0)
/// title CONTAINS[cd] %@     COREDATA_CONTAINS("ZTITLE", ?1, 3)
/// title ==[c] %@            COREDATA_FOLDED("ZTITLE", 1) = ?1
/// title <[c] %@             COREDATA_COMPARE("ZTITLE", ?1, 1) < 0
/// title CONTAINS[cdw] %@    COREDATA_WORDS("ZTITLE", ?1, 65539)
///                           COREDATA_FOUND('COREDATA_ZNOTE_TEXT', ?1, "Z_PK")
/// price * 2                 COREDATA_CALL('multiply:by:', 'di', "ZPRICE", ?1)
/// ```
///
/// The number is the raw value of the options.
extension SQLiteDialect {
  func folded(_ text: SQLFragment, _ options: Comparison.Options) -> SQLFragment {
    "COREDATA_FOLDED(\(text), \(keyword(options)))"
  }

  func compare(
    _ one: SQLFragment,
    _ other: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment {
    "COREDATA_COMPARE(\(one), \(other), \(keyword(options)))"
  }

  func contains(_ text: SQLFragment, _ part: SQLFragment) -> SQLFragment {
    "\(keyword(TextFunctions.name(of: .contains)))(\(text), \(part), 0)"
  }

  func holds(
    _ op: TextOperator,
    _ text: SQLFragment,
    _ pattern: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment? {
    "\(keyword(TextFunctions.name(of: op)))(\(text), \(pattern), \(keyword(options)))"
  }

  func collated(
    _ text: SQLFragment,
    _ order: CoreDataPredicates.SortOrder
  ) -> SQLFragment {
    guard let collation = TextFunctions.collation(of: order) else { return text }
    return "\(text) COLLATE \(name: collation)"
  }

  /// A letter for each argument says what kind of value it has.
  func call(_ function: PredicateFunction, _ operands: [CompiledValue]) -> SQLFragment? {
    let kinds = String(operands.map(\.kind.letter))
    let values = operands.map(\.sql).joined(separator: ", ")
    return "COREDATA_CALL(\(keyword("'\(function.rawValue)', '\(kinds)'")), \(values))"
  }

  private func keyword(_ text: String) -> SQLFragment { SQLFragment(stringLiteral: text) }

  private func keyword(_ options: Comparison.Options) -> SQLFragment {
    keyword("\(options.rawValue)")
  }
}

extension ValueKind {
  fileprivate var letter: Character {
    switch self {
    case .decimal: "d"
    case .real: "r"
    case .text: "t"
    case .integer, .date, .uuid, .url, .data, .object, .entity, .archive, .composite: "i"
    }
  }
}

// MARK: - Words

extension SQLiteDialect {
  var readingByKey: SQLFragment? { "NOT INDEXED" }

  var indexedWords: IndexedWords { .inTables(self) }
}

extension SQLiteDialect: WordIndexTables {
  func keys(matching question: TextQuestion, in index: TextIndex) -> SQLFragment {
    "SELECT rowid FROM \(name: index.name) WHERE \(matching(question, index))"
  }

  func count(
    matching question: TextQuestion,
    in index: TextIndex,
    withoutValuesIn columns: [String]
  ) -> SQLFragment {
    let others = columns.map { column -> SQLFragment in
      """
      rowid NOT IN (SELECT \(column: "Z_PK") FROM \(name: index.table) \
      WHERE \(column: column) IS NOT NULL)
      """
    }
    let conditions = [matching(question, index)] + others
    return "SELECT COUNT(*) FROM \(name: index.name) WHERE \(conditions.joined(separator: " AND "))"
  }

  func has(
    _ abundance: Abundance,
    matching question: TextQuestion,
    in index: TextIndex
  ) -> SQLFragment {
    let count: SQLFragment =
      switch abundance {
      case .rows(let count): "\(.integer(Int64(count)))"
      case .part(let part, let least):
        // Keys are assigned in order and never twice, so there are at most as many rows as the last key.
        """
        (SELECT MAX(\(.integer(Int64(least))), \
        IFNULL(MAX(\(column: "Z_PK")), 0) / \(.integer(Int64(part)))) FROM \(name: index.table))
        """
      }
    return """
      SELECT 1 FROM \(name: index.name) WHERE \(matching(question, index)) LIMIT 1 OFFSET \(count)
      """
  }

  func isFound(
    _ key: SQLFragment,
    by question: TextQuestion,
    in index: TextIndex
  ) -> SQLFragment {
    """
    \(keyword(TextFunctions.found))(\(.text(index.name)), \(.text(question.text(of: index))), \(key))
    """
  }

  private func matching(_ question: TextQuestion, _ index: TextIndex) -> SQLFragment {
    "\(name: index.name) MATCH \(.text(question.text(of: index)))"
  }
}

extension TextQuestion {
  /// The question in the language of FTS5.
  ///
  /// Words are in quotes and have letters and digits only, so that a text cannot be anything else.
  func text(of index: TextIndex) -> String {
    switch self {
    case .terms(let terms, let columns):
      let every = terms.map { "\"\($0.words.joined(separator: " "))\"*" }.joined(separator: " AND ")
      if terms.count == 1, columns == index.columns { return every }
      let names = columns.map { "\"\($0)\"" }.joined(separator: " ")
      return "{\(names)} : " + (terms.count == 1 ? every : "(\(every))")
    case .all(let parts):
      return parts.map { "(\($0.text(of: index)))" }.joined(separator: " AND ")
    case .any(let parts):
      return parts.map { "(\($0.text(of: index)))" }.joined(separator: " OR ")
    case .without(let wanted, let unwanted):
      return "(\(wanted.text(of: index))) NOT (\(unwanted.text(of: index)))"
    }
  }
}
