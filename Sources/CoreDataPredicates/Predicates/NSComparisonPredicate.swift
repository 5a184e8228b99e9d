public import Foundation

/// A predicate that compares two expressions.
///
/// Foundation on Linux has a class of this name that cannot be made; this is the one to use.
///
/// ```
/// NSComparisonPredicate(
///   leftExpression: NSExpression(forKeyPath: "title"),
///   rightExpression: NSExpression(forConstantValue: "swift"),
///   modifier: .direct,
///   type: .contains,
///   options: [.caseInsensitive]
/// )
/// ```
open class NSComparisonPredicate: NSPredicate, PredicateTreeHolding {
  package let comparison: Comparison

  /// The expressions that the caller made, whose classes may be the caller's own.
  private let given: (left: NSExpression, right: NSExpression)?

  public init(
    leftExpression: NSExpression,
    rightExpression: NSExpression,
    modifier: Modifier,
    type: Operator,
    options: Options = []
  ) {
    comparison = Comparison(
      leftExpression.tree,
      type,
      rightExpression.tree,
      modifier: modifier,
      options: options
    )
    given = (leftExpression, rightExpression)
    super.init(block: neverAsked)
  }

  package init(_ comparison: Comparison) {
    self.comparison = comparison
    given = nil
    super.init(block: neverAsked)
  }

  package var heldTree: PredicateTree { .comparison(comparison) }

  open var leftExpression: NSExpression { given?.left ?? NSExpression(tree: comparison.left) }

  open var rightExpression: NSExpression { given?.right ?? NSExpression(tree: comparison.right) }

  open var predicateOperatorType: Operator { comparison.op }

  open var comparisonPredicateModifier: Modifier { comparison.modifier }

  open var options: Options { comparison.options }

  open override var predicateFormat: String { heldTree.description }

  open override var description: String { heldTree.description }

  open override func evaluate(
    with object: Any?,
    substitutionVariables bindings: [String: Any]?
  ) -> Bool {
    heldTree.answer(for: object, bindings)
  }

  open override func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool { heldTree.isEqual(object) }

  open override var hash: Int { heldTree.canonical.hashValue }
}
