public import Foundation

extension NSExpression {
  /// The kinds of expressions, with the raw values of Apple's framework.
  public enum ExpressionType: UInt, Hashable, Sendable {
    /// A constant.
    case constantValue = 0
    /// The evaluated object, `SELF`.
    case evaluatedObject = 1
    /// A variable, such as `$limit`.
    case variable = 2
    /// A key path, such as `folder.name`.
    case keyPath = 3
    /// A function, such as `sum:`.
    case function = 4
    /// The union of two collections.
    case unionSet = 5
    /// The intersection of two collections.
    case intersectSet = 6
    /// The difference of two collections.
    case minusSet = 7
    /// The elements of a collection that match a predicate.
    case subquery = 13
    /// A list of expressions, such as `{1, 2, 3}`.
    case aggregate = 14
    /// Any key, `ANYKEY`.
    case anyKey = 15
    /// A Swift closure.
    case block = 19
    /// A choice between two expressions.
    case conditional = 20
    /// A fetch request; see `NSFetchRequestExpression`.
    case fetchRequest = 50
  }

  /// The kind of the expression.
  public var expressionType: ExpressionType {
    switch tree {
    case .constant: .constantValue
    case .evaluatedObject: .evaluatedObject
    case .variable: .variable
    case .keyPath(.evaluatedObject, _): .keyPath
    case .keyPath, .variableKey, .function, .message, .index, .cast, .assignment: .function
    case .set(.union, _, _): .unionSet
    case .set(.intersect, _, _): .intersectSet
    case .set(.minus, _, _): .minusSet
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .anyKey: .anyKey
    case .block: .block
    case .conditional: .conditional
    case .fetch: .fetchRequest
    }
  }
}

// MARK: - Parts

// Each is there for some types only; asking another one stops the program, as it does on Apple's.

extension NSExpression {
  /// The value; numbers and truth values are an `NSNumber`, so that every type that holds them can be
  /// asked for: `constantValue as? Int` and `constantValue as? Bool`.
  public var constantValue: Any? {
    guard case .constant(let constant) = tree else { lacks("constant value") }
    return constant.value.asObject
  }

  /// The name of a variable, or of the variable of a subquery or an assignment.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var variable: String {
    switch tree {
    case .variable(let name), .subquery(_, let name, _), .assignment(let name, _): name
    case .constant, .evaluatedObject, .keyPath, .variableKey, .aggregate, .function, .message,
      .index, .cast, .conditional, .set, .fetch, .anyKey, .block:
      lacks("variable")
    }
  }

  /// The key path of the expression.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var keyPath: String {
    guard case .keyPath(.evaluatedObject, let names) = tree else { lacks("key path") }
    return names.joined(separator: ".")
  }

  /// The name of a function or method.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var function: String {
    switch tree {
    case .function(let function, _): function.rawValue
    case .message(_, let selector, _): selector
    case .cast: "castObject:toType:"
    case .index: "objectFrom:withIndex:"
    case .keyPath(let base, _) where base != .evaluatedObject: "valueForKeyPath:"
    case .variableKey: "valueForKeyPath:"
    case .assignment: "assignVariable:value:"
    case .constant, .evaluatedObject, .variable, .keyPath, .aggregate, .subquery, .conditional,
      .set, .fetch, .anyKey, .block:
      lacks("function")
    }
  }

  /// The object on which a function or method is called.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var operand: NSExpression {
    switch tree {
    case .message(let target, _, _): NSExpression(tree: target)
    case .keyPath(let base, _) where base != .evaluatedObject: NSExpression(tree: base)
    case .variableKey(let base, _): NSExpression(tree: base)
    case .constant, .evaluatedObject, .variable, .keyPath, .aggregate, .function, .subquery,
      .index, .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      lacks("operand")
    }
  }

  /// The arguments of a function or block.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var arguments: [NSExpression]? {
    let trees: [ExpressionTree] =
      switch tree {
      case .function(_, let arguments), .message(_, _, let arguments), .block(_, let arguments):
        arguments
      case .cast(let expression, let type):
        [expression, .constant(Constant(type.rawValue))]
      case .index(let list, .at(let place)):
        [list, place]
      case .index(let list, let place):
        [list, .constant(Constant(place.description))]
      case .keyPath(let base, let names) where base != .evaluatedObject:
        [.constant(Constant(names.joined(separator: ".")))]
      case .variableKey(_, let variable):
        [.variable(variable)]
      case .assignment(let name, let expression):
        [.variable(name), expression]
      case .constant, .evaluatedObject, .variable, .keyPath, .aggregate, .subquery, .conditional,
        .set, .fetch, .anyKey:
        lacks("arguments")
      }
    return trees.map(NSExpression.init)
  }

  /// The expressions of an aggregate, or the collection of a subquery.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var collection: Any {
    switch tree {
    case .aggregate(let elements): elements.map(NSExpression.init)
    case .subquery(let collection, _, _): NSExpression(tree: collection)
    case .constant, .evaluatedObject, .variable, .keyPath, .variableKey, .function, .message,
      .index, .cast, .conditional, .set, .assignment, .fetch, .anyKey, .block:
      lacks("collection")
    }
  }

  /// The predicate of a subquery or a conditional expression.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var predicate: NSPredicate {
    switch tree {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): .of(predicate)
    case .constant, .evaluatedObject, .variable, .keyPath, .variableKey, .aggregate, .function,
      .message, .index, .cast, .set, .assignment, .fetch, .anyKey, .block:
      lacks("predicate")
    }
  }

  /// The first operand of a set operation.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var left: NSExpression {
    guard case .set(_, let left, _) = tree else { lacks("left side") }
    return NSExpression(tree: left)
  }

  /// The second operand of a set operation.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var right: NSExpression {
    guard case .set(_, _, let right) = tree else { lacks("right side") }
    return NSExpression(tree: right)
  }

  /// The expression that a conditional expression evaluates if its predicate is true.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var `true`: NSExpression {
    guard case .conditional(_, let yes, _) = tree else { lacks("expression for true") }
    return NSExpression(tree: yes)
  }

  /// The expression that a conditional expression evaluates if its predicate is false.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var `false`: NSExpression {
    guard case .conditional(_, _, let no) = tree else { lacks("expression for false") }
    return NSExpression(tree: no)
  }

  /// The closure of a block expression.
  ///
  /// For any other kind of expression, reading this property stops the program.
  public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
    guard case .block(let block, _) = tree else { lacks("block") }
    return block.body
  }

  private func lacks(_ part: String) -> Never {
    fatalError("the expression \(tree) has no \(part)")
  }
}
