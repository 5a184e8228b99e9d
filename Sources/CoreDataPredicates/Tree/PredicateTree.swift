/// A predicate as a value: the common form of a format string, a predicate object and a store plan.
///
/// ```
/// stars > 3 AND NOT title BEGINSWITH "draft"
///
/// and
/// ├── comparison  stars > 3
/// └── not
///     └── comparison  title BEGINSWITH "draft"
/// ```
///
/// Stores switch over it without a `default`, so that the compiler asks each of them about a new
/// case.
package indirect enum PredicateTree: Hashable, Sendable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case constant(Bool)
  case comparison(Comparison)
  /// True when it is empty.
  case and([PredicateTree])
  /// False when it is empty.
  case or([PredicateTree])
  case not(PredicateTree)
  /// Code that only memory can run: a block, or a predicate class of somebody else.
  case block(PredicateBlock)
}

extension PredicateTree {
  /// The terms that are all true when it is, those of an `AND` within an `AND` among them.
  package var conjuncts: [PredicateTree] {
    if case .and(let terms) = self { terms.flatMap(\.conjuncts) } else { [self] }
  }
}

/// One comparison of two expressions: `ANY tags.name CONTAINS[cd] "swift"`.
package struct Comparison: Hashable, Sendable {
  package var left: ExpressionTree
  package var right: ExpressionTree
  package var op: Operator
  package var modifier: Modifier
  package var options: Options

  package init(
    _ left: ExpressionTree,
    _ op: Operator,
    _ right: ExpressionTree,
    modifier: Modifier = .direct,
    options: Options = []
  ) {
    self.left = left
    self.right = right
    self.op = op
    self.modifier = modifier
    self.options = options
  }

  package typealias Operator = NSComparisonPredicate.Operator
  package typealias Modifier = NSComparisonPredicate.Modifier
  package typealias Options = NSComparisonPredicate.Options
}
