public import Foundation

/// A predicate that compares the values of two expressions.
///
/// ```swift
/// NSComparisonPredicate(
///   leftExpression: NSExpression(forKeyPath: "title"),
///   rightExpression: NSExpression(forConstantValue: "swift"),
///   modifier: .direct,
///   type: .contains,
///   options: [.caseInsensitive]
/// )
/// ```
///
/// Use this class instead of Foundation's class of the same name, which cannot be instantiated on
/// Linux.
nonisolated open class NSComparisonPredicate: NSPredicate, PredicateTreeHolding {
  /// The comparison's parts without the expressions that the caller made.
  private let parts: Comparison

  /// The expressions that the caller made, whose classes may be the caller's own.
  private let given: (left: NSExpression, right: NSExpression)?

  /// Creates a comparison of two expressions.
  ///
  /// - Parameters:
  ///   - leftExpression: The left side of the comparison.
  ///   - rightExpression: The right side of the comparison.
  ///   - modifier: The way in which a collection on the left side is compared.
  ///   - type: The operator.
  ///   - options: The options for comparing texts.
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

  /// The left side of the comparison.
  open var leftExpression: NSExpression { given?.left ?? NSExpression(tree: comparison.left) }

  /// The right side of the comparison.
  open var rightExpression: NSExpression { given?.right ?? NSExpression(tree: comparison.right) }

  /// The operator of the comparison.
  open var predicateOperatorType: Operator { parts.op }

  /// The way in which a collection on the left side is compared.
  open var comparisonPredicateModifier: Modifier { parts.modifier }

  /// The options for comparing texts.
  open var options: Options { parts.options }

  /// The format string of the predicate.
  open override var predicateFormat: String { heldTree.description }

  open override var description: String { heldTree.description }

  /// Returns whether an object meets the condition of the predicate.
  ///
  /// - Parameters:
  ///   - object: The object to evaluate.
  ///   - bindings: The values of variables by name.
  /// - Returns: `true` if the object meets the condition.
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
