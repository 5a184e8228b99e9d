public import Foundation

extension NSExpression {
  /// The kinds of expressions, with the numbers that Apple gives them.
  public enum ExpressionType: UInt, Hashable, Sendable {
    case constantValue = 0
    case evaluatedObject = 1
    case variable = 2
    case keyPath = 3
    case function = 4
    case unionSet = 5
    case intersectSet = 6
    case minusSet = 7
    case subquery = 13
    case aggregate = 14
    case anyKey = 15
    case block = 19
    case conditional = 20
    /// Core Data's own, `NSFetchRequestExpression`.
    case fetchRequest = 50
  }

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

  public var variable: String {
    switch tree {
    case .variable(let name), .subquery(_, let name, _), .assignment(let name, _): name
    default: lacks("variable")
    }
  }

  public var keyPath: String {
    guard case .keyPath(.evaluatedObject, let names) = tree else { lacks("key path") }
    return names.joined(separator: ".")
  }

  /// The name of the function or method.
  public var function: String {
    switch tree {
    case .function(let function, _): function.rawValue
    case .message(_, let selector, _): selector
    case .cast: "castObject:toType:"
    case .index: "objectFrom:withIndex:"
    case .keyPath(let base, _) where base != .evaluatedObject: "valueForKeyPath:"
    case .variableKey: "valueForKeyPath:"
    case .assignment: "assignVariable:value:"
    default: lacks("function")
    }
  }

  /// What the method is sent to.
  public var operand: NSExpression {
    switch tree {
    case .message(let target, _, _): NSExpression(tree: target)
    case .keyPath(let base, _) where base != .evaluatedObject: NSExpression(tree: base)
    case .variableKey(let base, _): NSExpression(tree: base)
    default: lacks("operand")
    }
  }

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
      default:
        lacks("arguments")
      }
    return trees.map(NSExpression.init)
  }

  /// The elements of an aggregate as expressions, or the collection of a subquery as one.
  public var collection: Any {
    switch tree {
    case .aggregate(let elements): elements.map(NSExpression.init)
    case .subquery(let collection, _, _): NSExpression(tree: collection)
    default: lacks("collection")
    }
  }

  public var predicate: NSPredicate {
    switch tree {
    case .subquery(_, _, let predicate), .conditional(let predicate, _, _): .of(predicate)
    default: lacks("predicate")
    }
  }

  public var left: NSExpression {
    guard case .set(_, let left, _) = tree else { lacks("left side") }
    return NSExpression(tree: left)
  }

  public var right: NSExpression {
    guard case .set(_, _, let right) = tree else { lacks("right side") }
    return NSExpression(tree: right)
  }

  public var `true`: NSExpression {
    guard case .conditional(_, let yes, _) = tree else { lacks("expression for true") }
    return NSExpression(tree: yes)
  }

  public var `false`: NSExpression {
    guard case .conditional(_, _, let no) = tree else { lacks("expression for false") }
    return NSExpression(tree: no)
  }

  public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
    guard case .block(let block, _) = tree else { lacks("block") }
    return block.body
  }

  private func lacks(_ part: String) -> Never {
    fatalError("the expression \(tree) has no \(part)")
  }
}
