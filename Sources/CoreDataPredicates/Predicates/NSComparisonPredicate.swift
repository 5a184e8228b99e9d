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
  /// What is compared and how; for expressions that the caller made, without these.
  private let parts: Comparison

  /// The expressions that the caller made, whose classes may be the caller's own.
  private let given: (left: NSExpression, right: NSExpression)?

  public init(
    leftExpression: NSExpression,
    rightExpression: NSExpression,
    modifier: Modifier,
    type: Operator,
    options: Options = []
  ) {
    let isSettled = leftExpression.isSettled && rightExpression.isSettled
    parts = Comparison(
      isSettled ? leftExpression.tree : .evaluatedObject,
      type,
      isSettled ? rightExpression.tree : .evaluatedObject,
      modifier: modifier,
      options: options
    )
    given = (leftExpression, rightExpression)
    self.isSettled = isSettled
    super.init(block: neverAsked)
  }

  package init(_ comparison: Comparison) {
    parts = comparison
    given = nil
    isSettled = true
    super.init(block: neverAsked)
  }

  package let isSettled: Bool

  package var comparison: Comparison {
    guard !isSettled, let given else { return parts }
    var comparison = parts
    (comparison.left, comparison.right) = (given.left.tree, given.right.tree)
    return comparison
  }

  package var heldTree: PredicateTree { .comparison(comparison) }

  open var leftExpression: NSExpression { given?.left ?? NSExpression(tree: comparison.left) }

  open var rightExpression: NSExpression { given?.right ?? NSExpression(tree: comparison.right) }

  open var predicateOperatorType: Operator { parts.op }

  open var comparisonPredicateModifier: Modifier { parts.modifier }

  open var options: Options { parts.options }

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
