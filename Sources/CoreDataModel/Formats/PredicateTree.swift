/// A predicate of a model file, taken apart.
///
/// Schemas keep predicates as format text. Files keep them either as text (Xcode's XML) or as
/// archived object graphs (`.mom`). The tree stands between: text is parsed into it by a
/// `FormatReading`, graphs are read into it, and it prints as Apple's `predicateFormat` would.
///
///     length >= 3 AND length <= 50
///
///     compound(and)
///     ├── comparison(length, >=, 3)
///     └── comparison(length, <=, 50)
package indirect enum PredicateTree: Hashable, Sendable {
  case value(Bool)
  case comparison(Comparison)
  case compound(Compound, [PredicateTree])

  /// Raw values are those of `NSCompoundPredicate.LogicalType`.
  package enum Compound: Int, Hashable, Sendable {
    case not = 0
    case and = 1
    case or = 2
  }

  package struct Comparison: Hashable, Sendable {
    package var left: ExpressionTree
    package var comparator: Comparator
    package var right: ExpressionTree
    package var options: Options
    package var modifier: Modifier

    package init(
      _ left: ExpressionTree,
      _ comparator: Comparator,
      _ right: ExpressionTree,
      options: Options = [],
      modifier: Modifier = .direct
    ) {
      self.left = left
      self.comparator = comparator
      self.right = right
      self.options = options
      self.modifier = modifier
    }
  }

  /// Raw values are those of `NSComparisonPredicate.Operator`.
  package enum Comparator: Int, Hashable, Sendable, CaseIterable {
    case lessThan = 0
    case lessThanOrEqual = 1
    case greaterThan = 2
    case greaterThanOrEqual = 3
    case equal = 4
    case notEqual = 5
    case matches = 6
    case like = 7
    case beginsWith = 8
    case endsWith = 9
    case isIn = 10
    case contains = 99
    case between = 100
  }

  /// Raw values are those of `NSComparisonPredicate.Modifier`.
  package enum Modifier: Int, Hashable, Sendable {
    case direct = 0
    case all = 1
    case any = 2
  }

  /// Raw values are those of `NSComparisonPredicate.Options`.
  package struct Options: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    package static let normalized = Options(rawValue: 4)
    package static let localeSensitive = Options(rawValue: 8)
  }
}

/// An expression of a model file, taken apart: see `PredicateTree`.
package indirect enum ExpressionTree: Hashable, Sendable {
  /// A literal; nil is `nil`.
  case constant(SchemaValue?)
  case evaluatedObject
  case variable(String)
  case keyPath(String, of: ExpressionTree)
  /// A function by its selector, such as `count:` or `now`.
  case function(String, [ExpressionTree])
  /// A method called on an operand: `FUNCTION(operand, "name", arguments)`.
  case method(ExpressionTree, String, [ExpressionTree])
  case aggregate([ExpressionTree])
  case combination(ExpressionTree, SetOperation, ExpressionTree)
  case subquery(ExpressionTree, variable: String, PredicateTree)
  case conditional(PredicateTree, ExpressionTree, ExpressionTree)

  package static func keyPath(_ path: String) -> ExpressionTree {
    .keyPath(path, of: .evaluatedObject)
  }

  package enum SetOperation: String, Hashable, Sendable {
    case union = "UNION"
    case intersection = "INTERSECT"
    case subtraction = "MINUS"
  }
}
