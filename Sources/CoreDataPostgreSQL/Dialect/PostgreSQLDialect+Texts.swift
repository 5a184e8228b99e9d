import CoreData
import CoreDataPredicates
import CoreDataSQL

/// Texts: the server's own operators on texts that ``TextsInPostgreSQL`` has folded.
///
/// ```
/// title CONTAINS[cd] %@     position($2 IN coredata_folded_cd("ZTITLE")) > 0
/// title LIKE "a*"           coredata_like("ZTITLE", 'a%', …), and less where the text is ASCII
/// title MATCHES "a.b"       "ZTITLE" ~ '^(?:a[^\n]b)$'
/// title CONTAINS[cdw] "a"   coredata_words("ZTITLE") LIKE ALL (ARRAY['% a%'])
/// ```
///
/// A pattern that is not a constant, and an expression that the server would read otherwise, are refused.
extension PostgreSQLDialect {
  func folded(_ text: SQLFragment, _ options: Comparison.Options) -> SQLFragment {
    guard let function = TextsInPostgreSQL.folding(options) else { return text }
    return "\(SQLFragment(stringLiteral: function))(\(text))"
  }

  func compare(
    _ one: SQLFragment,
    _ other: SQLFragment,
    _ options: Comparison.Options
  ) -> SQLFragment {
    let order = options.contains(.localeSensitive) ? TextsInPostgreSQL.localized : "C"
    let one: SQLFragment = "\(folded(one, options)) COLLATE \(name: order)"
    let other = folded(other, options)
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
  ) -> SQLFragment? {
    let folded = folded(text, options)
    switch op {
    case .contains: return contains(folded, pattern)
    case .beginsWith: return "starts_with(\(folded), \(pattern))"
    case .endsWith: return "right(\(folded), char_length(\(pattern))) = \(pattern)"
    case .like:
      return pattern.constantText.map {
        WildcardsInPostgreSQL(options.folded($0)).match(folded, isFolded: options.folds)
      }
    case .matches:
      return pattern.constantText.flatMap { matches(text, $0, options) }
    case .words:
      return pattern.constantText.flatMap { WordsInPostgreSQL.found($0, in: text, options) }
    }
  }

  private func matches(
    _ text: SQLFragment,
    _ pattern: String,
    _ options: Comparison.Options
  ) -> SQLFragment? {
    let marks = options.intersection([.diacriticInsensitive, .normalized])
    let ignoresCase = options.contains(.caseInsensitive)
    let pattern = marks.folds ? marks.folded(pattern) : pattern
    guard let expression = PostgreSQLExpression(pattern, ignoringCase: ignoresCase) else {
      return nil
    }
    let sign: SQLFragment = ignoresCase ? "~*" : "~"
    return """
      \(folded(text, marks)) COLLATE \(name: "und-x-icu") \(sign) \(.text(expression.text))
      """
  }

  /// Foundation compares letters without their marks first if it ignores case, and takes ß for ss.
  func collated(
    _ text: SQLFragment,
    _ order: CoreDataPredicates.SortOrder
  ) -> SQLFragment {
    switch order {
    case .standard, .comparator: text
    case .caseInsensitive: "normalize(\(folded(text, .caseInsensitive)), NFD)"
    case .localized: "\(text) COLLATE \(name: TextsInPostgreSQL.localized)"
    case .localizedCaseInsensitive:
      "\(folded(text, .caseInsensitive)) COLLATE \(name: TextsInPostgreSQL.localizedIgnoringCase)"
    case .localizedStandard: "\(text) COLLATE \(name: TextsInPostgreSQL.localizedStandard)"
    }
  }
}

extension SQLFragment {
  /// The text, if it is nothing but one.
  fileprivate var constantText: String? {
    guard pieces.count == 1, case .value(.text(let text)) = pieces[0] else { return nil }
    return text
  }
}
