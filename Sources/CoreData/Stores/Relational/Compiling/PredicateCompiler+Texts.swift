import CoreDataPredicates
import CoreDataSQL

/// Texts: the database compares bytes, and its dialect says how texts are folded.
extension PredicateCompiler {
  /// `BEGINSWITH`, `ENDSWITH`, `LIKE`, `MATCHES`; nil matches nothing.
  mutating func text(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition {
    guard let text = try textOperand(left, in: comparison),
      let pattern = try textOperand(right, in: comparison)
    else { return .always(false) }
    if case .constant(.value(.text(let pattern), _)) = right {
      try check(pattern, in: comparison)
    }
    if comparison.op != .matches, let plain = onCanonical(comparison, text, right) {
      return try self.text(plain.comparison, plain.text, plain.pattern)
    }
    switch comparison.op {
    case .beginsWith:
      if let range = prefixRange(comparison, text, right) { return range }
      return try call(.beginsWith, text, folded(pattern, right, comparison), comparison)
    case .endsWith:
      return try call(.endsWith, text, folded(pattern, right, comparison), comparison)
    case .like:
      return try call(.like, text, pattern.sql, comparison)
    case .matches:
      return try call(.matches, text, pattern.sql, comparison)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo,
      .in, .contains, .between:
      throw collectionRefusal(comparison)
    }
  }

  /// Whether a text is a part of another.
  mutating func contains(
    _ comparison: Comparison,
    _ whole: Side,
    _ part: Side
  ) throws(PredicateCompilationError) -> Condition {
    guard let whole = try textOperand(whole, in: comparison),
      let needle = try textOperand(part, in: comparison)
    else { return .always(false) }
    if comparison.options.contains(.wordBased) {
      return try containsWords(comparison, whole, needle, part)
    }
    if let plain = onCanonical(comparison, whole, part) {
      return try contains(plain.comparison, plain.text, plain.pattern)
    }
    guard comparison.options.folds else {
      return Condition(
        dialect.contains(whole.sql, needle.sql),
        isCertain: !whole.isNullable && !needle.isNullable
      )
    }
    return try call(.contains, whole, folded(needle, part, comparison), comparison)
  }

  private func call(
    _ op: TextOperator,
    _ text: CompiledValue,
    _ pattern: SQLFragment,
    _ comparison: Comparison
  ) throws(PredicateCompilationError) -> Condition {
    guard let sql = dialect.holds(op, text.sql, pattern, comparison.options) else {
      throw PredicateCompilationError(
        comparison,
        "the database does not compare texts by \(comparison.op.sign) in this way",
        remedy:
          "compare with a constant pattern of letters, classes and repetitions, or use CONTAINS"
      )
    }
    return Condition(sql, isCertain: false)
  }

  /// A text to be, nil for nil.
  private func textOperand(
    _ side: Side,
    in comparison: Comparison
  ) throws(PredicateCompilationError) -> CompiledValue? {
    if case .constant(.null) = side { return nil }
    guard let value = side.operand, value.kind == .text else {
      throw PredicateCompilationError(
        comparison,
        "\(comparison.op.sign) expects texts, not \(side.operand?.kind.word ?? "a collection")",
        remedy: "compare an attribute of type String with a text"
      )
    }
    return value
  }

  /// Finds an invalid regular expression before the first row is found.
  private func check(
    _ pattern: String,
    in comparison: Comparison
  ) throws(PredicateCompilationError) {
    do throws(EvaluationError) {
      _ = try comparison.options.hold("", comparison.op, pattern)
    } catch {
      throw PredicateCompilationError(comparison, error.description, remedy: "correct the pattern")
    }
  }

  /// Texts with the same beginning are neighbours in the order of an index.
  private func prefixRange(
    _ comparison: Comparison,
    _ text: CompiledValue,
    _ prefix: Side
  ) -> Condition? {
    guard !comparison.options.folds, case .constant(.value(.text(let low), _)) = prefix,
      let high = low.firstWithoutPrefix
    else { return nil }
    return .all([
      Condition("\(text.sql) >= \(.text(low))", isCertain: !text.isNullable),
      Condition("\(text.sql) < \(.text(high))", isCertain: !text.isNullable),
    ])
  }
}

extension String {
  /// The first text behind all those that begin with this one.
  fileprivate var firstWithoutPrefix: String? {
    guard let last = unicodeScalars.last, last.value < 0x10FFFF else { return nil }
    // Surrogates are not characters.
    let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
    guard let scalar = Unicode.Scalar(next) else { return nil }
    var text = String(unicodeScalars.dropLast())
    text.unicodeScalars.append(scalar)
    return text
  }
}

// MARK: - Canonical columns

extension PredicateCompiler {
  /// The same comparison without options, of the column with the folded text and the folded constant.
  private mutating func onCanonical(
    _ comparison: Comparison,
    _ text: CompiledValue,
    _ pattern: Side
  ) -> (comparison: Comparison, text: Side, pattern: Side)? {
    guard comparison.options == .canonical, let column = text.canonical,
      case .constant(.value(let constant, .text)) = pattern
    else { return nil }
    var plain = comparison
    plain.options = []
    draft.search(column.column)
    let value = CompiledValue(sql: column.sql, kind: .text, isNullable: text.isNullable)
    return (plain, .value(value), .constant(.value(folded(constant, .canonical), .text)))
  }
}

extension Comparison.Options {
  /// The differences that `canonical:` removes from a text.
  fileprivate static let canonical: Self = [.caseInsensitive, .diacriticInsensitive]
}

// MARK: - Folding

extension PredicateCompiler {
  /// A value and what it is compared with, texts without what the options ignore.
  mutating func folded(
    _ value: CompiledValue,
    _ constant: SQLValue,
    _ options: Comparison.Options
  ) -> (SQLFragment, SQLFragment) {
    (folded(value, options), .value(folded(constant, options)))
  }

  func folded(_ constant: SQLValue, _ options: Comparison.Options) -> SQLValue {
    guard options.folds, case .text(let text) = constant else { return constant }
    return .text(options.folded(text))
  }

  mutating func folded(_ value: CompiledValue, _ options: Comparison.Options) -> SQLFragment {
    guard value.kind == .text, options.folds else { return value.sql }
    if options == .canonical, let column = value.canonical {
      draft.search(column.column)
      return column.sql
    }
    return dialect.folded(value.sql, options)
  }

  /// The needle of a search: a constant is folded here, once.
  private mutating func folded(
    _ value: CompiledValue,
    _ side: Side,
    _ comparison: Comparison
  ) -> SQLFragment {
    guard case .constant(.value(.text(let text), _)) = side else {
      return folded(value, comparison.options)
    }
    return .value(.text(comparison.options.folded(text)))
  }
}
