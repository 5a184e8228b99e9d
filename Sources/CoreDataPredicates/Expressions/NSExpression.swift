public import Foundation

/// An expression: a constant, a key path, a function of others.
///
/// Foundation on Linux has a class of this name that cannot be made; this is the one to use.
///
/// ```
/// NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "notes.stars")])
/// NSExpression(format: "stars * 2 + 1").expressionValue(with: note, context: nil)
/// ```
open class NSExpression: NSObject, NSCopying {
  private let source: Source

  private enum Source {
    case tree(ExpressionTree)
    /// A key path of a class whose model is not loaded yet.
    case keyPath(AnyKeyPath)
  }

  package init(tree: ExpressionTree) {
    source = .tree(tree)
  }

  fileprivate init(later keyPath: AnyKeyPath) {
    source = .keyPath(keyPath)
  }

  package var tree: ExpressionTree {
    switch source {
    case .tree(let tree): tree
    case .keyPath(let keyPath): .path(keyPath.requiredName)
    }
  }

  /// Whether the tree stays what it is, and can be asked for.
  var isSettled: Bool {
    if case .tree = source { true } else { false }
  }

  /// What the expression gives for an object.
  ///
  /// The result is nil where the values do not fit, as in `1 + "a"`; the log says so once. A key that the
  /// object does not have stops the program.
  ///
  /// The context holds the variables of the evaluation, and takes those it assigns.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    tree.answer(for: object, context: context)
  }

  open override var description: String { tree.description }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func copy() -> Any { copy(with: nil) }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSExpression).map { tree.canonical == $0.tree.canonical } ?? false
  }

  open override var hash: Int { tree.canonical.hashValue }
}

// MARK: - From a type

extension NSExpression {
  /// An expression of a type that has no parts: `SELF` or `ANYKEY`; any other stops the program.
  public convenience init(expressionType type: ExpressionType) {
    switch type {
    case .evaluatedObject: self.init(tree: .evaluatedObject)
    case .anyKey: self.init(tree: .anyKey)
    case .constantValue, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet,
      .subquery, .aggregate, .block, .conditional, .fetchRequest:
      fatalError(
        "an expression of the type \(type) has parts; make it with one of the initialisers for them"
      )
    }
  }

  /// Does nothing: only what came out of an archive has to be allowed, and archives hold text here.
  public func allowEvaluation() {}
}

// MARK: - From text

extension NSExpression {
  /// The expression that a format string describes; one that cannot be parsed stops the program.
  public convenience init(format: String, _ arguments: any CVarArg...) {
    self.init(tree: .parsed(format, arguments))
  }

  /// The same for arguments that are not `CVarArg`: optionals and objects of every kind.
  @_disfavoredOverload
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(tree: .parsed(format, arguments))
  }

  public convenience init(format: String, argumentArray: [Any]) {
    self.init(tree: .parsed(format, argumentArray))
  }

  /// The expression that a text describes, or an error that says what is wrong with it, and where.
  ///
  /// - Throws: `PredicateFormatError`.
  public convenience init(parsing format: String, arguments: [Any?] = []) throws {
    self.init(tree: try PredicateFormat.expression(format, arguments: arguments))
  }
}

extension ExpressionTree {
  fileprivate static func parsed(_ format: String, _ arguments: [Any?]) -> ExpressionTree {
    do {
      return try PredicateFormat.expression(format, arguments: arguments)
    } catch {
      fatalError(error.description)
    }
  }
}

// MARK: - From parts

extension NSExpression {
  public convenience init(forConstantValue value: Any?) {
    self.init(tree: .constant(Constant(value)))
  }

  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(tree: .evaluatedObject)
  }

  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(tree: .anyKey)
  }

  public convenience init(forVariable name: String) {
    self.init(tree: .variable(name))
  }

  public convenience init(forKeyPath keyPath: String) {
    self.init(tree: .path(keyPath))
  }

  /// The value at the end of a Swift key path of a managed object's properties.
  ///
  /// Where the model of the class is not loaded yet, the name is looked up when the expression is used; a
  /// key path that has none then stops the program.
  public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    if keyPath.isNamedLater {
      self.init(later: keyPath)
    } else {
      self.init(forKeyPath: keyPath.requiredName)
    }
  }

  /// A predefined function; arguments that are not expressions stand for themselves.
  public convenience init(forFunction name: String, arguments: [Any]) {
    do {
      self.init(tree: try .call(name, arguments.map(ExpressionTree.argument)))
    } catch {
      fatalError("cannot make an expression of \"\(name)\": \(error.problem)")
    }
  }

  /// A method of an object, by its selector.
  public convenience init(
    forFunction target: NSExpression,
    selectorName: String,
    arguments: [Any]?
  ) {
    self.init(
      tree: .message(
        target: target.tree,
        selector: selectorName,
        arguments: (arguments ?? []).map(ExpressionTree.argument)
      )
    )
  }

  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(tree: .aggregate(subexpressions.map(ExpressionTree.argument)))
  }

  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(tree: .set(.union, left.tree, right.tree))
  }

  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(tree: .set(.intersect, left.tree, right.tree))
  }

  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(tree: .set(.minus, left.tree, right.tree))
  }

  /// The elements of a collection that a predicate holds for, each under the variable's name.
  public convenience init(
    forSubquery collection: NSExpression,
    usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init(tree: .subquery(collection.tree, variable: variable, predicate.tree))
  }

  public convenience init(
    forConditional predicate: NSPredicate,
    trueExpression: NSExpression,
    falseExpression: NSExpression
  ) {
    self.init(tree: .conditional(predicate.tree, trueExpression.tree, falseExpression.tree))
  }

  /// Code, which stores cannot run.
  ///
  /// The object, the values of the arguments and the context go in.
  public convenience init(
    block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any,
    arguments: [NSExpression]?
  ) {
    self.init(tree: .block(ExpressionBlock(block), (arguments ?? []).map(\.tree)))
  }
}

extension ExpressionTree {
  /// An expression, or a value that stands for itself.
  static func argument(_ value: Any) -> ExpressionTree {
    (value as? NSExpression)?.tree ?? .constant(Constant(value))
  }
}
