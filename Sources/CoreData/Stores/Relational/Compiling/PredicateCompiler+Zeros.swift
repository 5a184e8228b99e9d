import CoreDataPredicates
import CoreDataSQL

/// Constants with the character U+0000, which no text has in a database that cannot keep it.
///
/// ```
/// title == "a\0b"            FALSE                 title <  "a\0b"      title <= 'a'
/// title BEGINSWITH "a\0"     FALSE                 title >= "a\0b"      title > 'a'
/// "a\0b" CONTAINS title      position(title in 'a') > 0 OR position(title in 'b') > 0
/// ```
///
/// In the order of code points, such a constant directly follows its part before the zero, with nothing between them.
extension PredicateCompiler {
  /// Whether no text of the database can be the constant, or have it as a part.
  mutating func isInNoRow(_ constant: SQLValue) -> Bool { parts(of: constant) != nil }

  /// The parts between the zeros of a text; `nil` if it does not contain zeros, or the database keeps them.
  private mutating func parts(of constant: SQLValue) -> [String]? {
    guard !dialect.keepsZeros, case .text(let text) = constant, text.utf8.contains(0) else {
      return nil
    }
    return text.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false)
      .map { String($0) }
  }

  private mutating func parts(of side: Side) -> [String]? {
    guard case .constant(.value(let constant, .text)) = side else { return nil }
    return parts(of: constant)
  }

  /// The comparison without such constants; `nil` if it does not contain any, or the database keeps the character.
  mutating func withoutZeros(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition? {
    switch comparison.op {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      return try ordered(comparison, left, right)
    case .between:
      return try between(comparison, left, right)
    case .beginsWith, .endsWith, .like:
      if parts(of: right) != nil, left.isText { return .always(false) }
      guard let parts = parts(of: left),
        let end = comparison.op == .endsWith ? parts.last : parts.first
      else { return nil }
      return try holds(comparison, .constant(.value(.text(end), .text)), right)
    case .contains:
      return try contained(comparison, right, in: left)
    case .in:
      return try contained(comparison, left, in: right)
    // A pattern is translated, or refused; constants to compare for equality are looked at one by one.
    case .matches, .equalTo, .notEqualTo: return nil
    }
  }

  private mutating func contained(
    _ comparison: Comparison,
    _ part: Side,
    in whole: Side
  ) throws(PredicateCompilationError) -> Condition? {
    if comparison.options.contains(.wordBased) { return nil }
    if parts(of: part) != nil, whole.isText { return .always(false) }
    guard let parts = parts(of: whole) else { return nil }
    var conditions: [Condition] = []
    for text in parts {
      conditions.append(try isPart(comparison, part, of: .constant(.value(.text(text), .text))))
    }
    return .any(conditions)
  }
}

// MARK: - Order

extension PredicateCompiler {
  private mutating func ordered(
    _ comparison: Comparison,
    _ left: Side,
    _ right: Side
  ) throws(PredicateCompilationError) -> Condition? {
    guard parts(of: left) != nil || parts(of: right) != nil else { return nil }
    if comparison.options.contains(.localeSensitive) {
      // Orders of languages take no notice of the character.
      return try holds(comparison, withoutZeros(left), withoutZeros(right))
    }
    var comparison = comparison
    if let beginning = parts(of: right)?.first {
      comparison.op = comparison.op.isAbove ? .greaterThan : .lessThanOrEqualTo
      return try holds(comparison, left, .constant(.value(.text(beginning), .text)))
    }
    guard let beginning = parts(of: left)?.first else { return nil }
    comparison.op = comparison.op.isAbove ? .greaterThanOrEqualTo : .lessThan
    return try holds(comparison, .constant(.value(.text(beginning), .text)), right)
  }

  private mutating func withoutZeros(_ side: Side) -> Side {
    parts(of: side).map { .constant(.value(.text($0.joined()), .text)) } ?? side
  }

  private mutating func between(
    _ comparison: Comparison,
    _ value: Side,
    _ bounds: Side
  ) throws(PredicateCompilationError) -> Condition? {
    let pair: [Side]
    switch bounds {
    case .list(let sides): pair = sides
    case .constant(.list(let values)): pair = try sides(values, in: comparison)
    case .constant, .value, .object, .many: return nil
    }
    guard pair.count == 2, (pair + [value]).contains(where: { parts(of: $0) != nil }) else {
      return nil
    }
    var (low, high) = (comparison, comparison)
    (low.op, high.op) = (.greaterThanOrEqualTo, .lessThanOrEqualTo)
    return .all([try holds(low, value, pair[0]), try holds(high, value, pair[1])])
  }
}

extension Side {
  /// Whether it is a text of the rows.
  fileprivate var isText: Bool {
    if case .value(let value) = self { value.kind == .text } else { false }
  }
}

extension Comparison.Operator {
  /// Whether what is greater fulfils it.
  fileprivate var isAbove: Bool { self == .greaterThan || self == .greaterThanOrEqualTo }
}
