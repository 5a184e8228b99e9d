public import Foundation

/// An expression in a predicate or a fetch request: a constant, a key path or a function of other
/// expressions.
///
/// ```swift
/// NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "notes.stars")])
/// NSExpression(format: "stars * 2 + 1").expressionValue(with: note, context: nil)
/// ```
///
/// Use this class instead of Foundation's class of the same name, which cannot be instantiated on
/// Linux.
nonisolated open class NSExpression: NSObject, NSCopying {
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

  /// Returns the value of the expression for an object.
  ///
  /// The result is `nil` if the values do not fit the expression, as in `1 + "a"`; the log says so once. The program stops
  /// if the object does not have a key of the expression.
  ///
  /// - Parameters:
  ///   - object: The object on which the expression is evaluated, which is `SELF` in it.
  ///   - context: The values of the variables in the expression, by name. Variables to which the expression assigns a
  ///     value are added to it.
  /// - Returns: The value, or `nil`.
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
  /// Creates an expression of a kind without parts: `SELF` or `ANYKEY`.
  ///
  /// - Parameter type: `.evaluatedObject` or `.anyKey`. Another kind stops the program.
  public convenience init(expressionType type: ExpressionType) {
    switch type {
    /// Creates an expression of a kind without parts: `SELF` or `ANYKEY`.
    ///
    /// - Parameter type: `.evaluatedObject` or `.anyKey`. Another kind stops the program.
    case .evaluatedObject: self.init(tree: .evaluatedObject)
    case .anyKey: self.init(tree: .anyKey)
    case .constantValue, .variable, .keyPath, .function, .unionSet, .intersectSet, .minusSet,
      .subquery, .aggregate, .block, .conditional, .fetchRequest:
      fatalError(
        "an expression of the type \(type) has parts; make it with one of the initialisers for them"
      )
    }
  }

  /// Does nothing.
  ///
  /// On Apple's systems, this method permits the evaluation of an expression from an archive. Here
  /// archives contain the text of expressions, which is safe to evaluate.
  public func allowEvaluation() {}
}

// MARK: - From text

extension NSExpression {
  /// Creates an expression from a format string.
  ///
  /// The program stops if the format string cannot be parsed; see ``init(parsing:arguments:)`` for
  /// text that users enter.
  ///
  /// - Parameters:
  ///   - format: The format string, such as `"stars * %d"`.
  ///   - arguments: The values for the placeholders.
  public convenience init(format: String, _ arguments: any CVarArg...) {
    self.init(tree: .parsed(format, arguments))
  }

  /// Creates an expression from a format string, with arguments that can be `nil` or of any type.
  ///
  /// - Parameters:
  ///   - format: The format string, such as `"stars * %@"`.
  ///   - arguments: The values for the placeholders.
  @_disfavoredOverload
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(tree: .parsed(format, arguments))
  }

  /// Creates an expression from a format string, with an array of arguments.
  ///
  /// - Parameters:
  ///   - format: The format string, such as `"stars * %@"`.
  ///   - argumentArray: The values for the placeholders.
  public convenience init(format: String, argumentArray: [Any]) {
    self.init(tree: .parsed(format, argumentArray))
  }

  /// Creates an expression from a text that users can enter.
  ///
  /// ```swift
  /// do {
  ///   let expression = try NSExpression(parsing: field.text)
  /// } catch let error as PredicateFormatError {
  ///   print(error)   // cannot parse "stars *": expected a value at the end
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - format: The format string.
  ///   - arguments: The values for the placeholders.
  /// - Throws: A ``PredicateFormatError`` that describes what is wrong with the text, and where.
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
  /// Creates an expression for a constant.
  ///
  /// - Parameter value: The value, which can be `nil`.
  public convenience init(forConstantValue value: Any?) {
    self.init(tree: .constant(Constant(value)))
  }

  /// Returns an expression for the evaluated object, which is written `SELF`.
  ///
  /// - Returns: The expression.
  public class func expressionForEvaluatedObject() -> NSExpression {
    NSExpression(tree: .evaluatedObject)
  }

  /// Returns an expression for any key, which is written `ANYKEY`.
  ///
  /// - Returns: The expression.
  public class func expressionForAnyKey() -> NSExpression {
    NSExpression(tree: .anyKey)
  }

  /// Creates an expression for a variable.
  ///
  /// - Parameter name: The name of the variable, without `$`.
  public convenience init(forVariable name: String) {
    self.init(tree: .variable(name))
  }

  /// Creates an expression for the value at a key path.
  ///
  /// - Parameter keyPath: The key path, such as `folder.name`.
  public convenience init(forKeyPath keyPath: String) {
    self.init(tree: .path(keyPath))
  }

  /// Creates an expression for the value at a Swift key path of a managed object.
  ///
  /// If the model of the class is not loaded yet, the names of the properties are looked up when the expression is used.
  /// The program stops if a property of the key path is not in the model.
  ///
  /// - Parameter keyPath: The key path, such as `\Note.folder?.name`.
  public convenience init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
    if keyPath.isNamedLater {
      self.init(later: keyPath)
    } else {
      self.init(forKeyPath: keyPath.requiredName)
    }
  }

  /// Creates an expression for a predefined function.
  ///
  /// - Parameters:
  ///   - name: The name of the function, such as `sum:`.
  ///   - arguments: The arguments. Arguments that are not expressions become constants.
  public convenience init(forFunction name: String, arguments: [Any]) {
    do {
      self.init(tree: try .call(name, arguments.map(ExpressionTree.argument)))
    } catch {
      fatalError("cannot make an expression of \"\(name)\": \(error.problem)")
    }
  }

  /// Creates an expression for a method of an object.
  ///
  /// - Parameters:
  ///   - target: The expression whose value is the object.
  ///   - selectorName: The selector of the method.
  ///   - arguments: The arguments. Arguments that are not expressions become constants.
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

  /// Creates an expression for a list of expressions.
  ///
  /// - Parameter subexpressions: The elements of the list.
  public convenience init(forAggregate subexpressions: [Any]) {
    self.init(tree: .aggregate(subexpressions.map(ExpressionTree.argument)))
  }

  /// Creates an expression for the union of two collections.
  ///
  /// - Parameters:
  ///   - left: The expression of the first collection.
  ///   - right: The expression of the second collection.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(tree: .set(.union, left.tree, right.tree))
  }

  /// Creates an expression for the intersection of two collections.
  ///
  /// - Parameters:
  ///   - left: The expression of the first collection.
  ///   - right: The expression of the second collection.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(tree: .set(.intersect, left.tree, right.tree))
  }

  /// Creates an expression for the elements of one collection that are not in another.
  ///
  /// - Parameters:
  ///   - left: The expression of the first collection.
  ///   - right: The expression of the second collection.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(tree: .set(.minus, left.tree, right.tree))
  }

  /// Creates an expression for the elements of a collection that match a predicate.
  ///
  /// - Parameters:
  ///   - collection: The expression of the collection.
  ///   - variable: The name of the variable that represents an element in the predicate, without
  ///     `$`.
  ///   - predicate: The predicate.
  public convenience init(
    forSubquery collection: NSExpression,
    usingIteratorVariable variable: String,
    predicate: NSPredicate
  ) {
    self.init(tree: .subquery(collection.tree, variable: variable, predicate.tree))
  }

  /// Creates an expression that chooses between two others.
  ///
  /// - Parameters:
  ///   - predicate: The condition.
  ///   - trueExpression: The expression to evaluate if the condition is true.
  ///   - falseExpression: The expression to evaluate if the condition is false.
  public convenience init(
    forConditional predicate: NSPredicate,
    trueExpression: NSExpression,
    falseExpression: NSExpression
  ) {
    self.init(tree: .conditional(predicate.tree, trueExpression.tree, falseExpression.tree))
  }

  /// Creates an expression that calls a closure.
  ///
  /// SQLite and PostgreSQL stores cannot evaluate it; a fetch throws 134091.
  ///
  /// - Parameters:
  ///   - block: A closure that receives the evaluated object, the values of the arguments and the
  ///     context.
  ///   - arguments: The arguments.
  public convenience init(
    block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any,
    arguments: [NSExpression]?
  ) {
    self.init(tree: .block(ExpressionBlock(block), (arguments ?? []).map(\.tree)))
  }
}

extension ExpressionTree {
  /// An expression, or a value that represents itself.
  static func argument(_ value: Any) -> ExpressionTree {
    (value as? NSExpression)?.tree ?? .constant(Constant(value))
  }
}
