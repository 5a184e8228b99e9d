package import CoreDataPredicates

/// Trees, written as Foundation archives predicates.
///
///     NSComparisonPredicate
///     ├── NSLeftExpression    NSKeyPathExpression "length"
///     ├── NSPredicateOperator NSComparisonPredicateOperator ≥
///     └── NSRightExpression   NSConstantValueExpression 3
///
/// Equality, order, `CONTAINS`, key paths, variables, constants and functions occur in archives
/// that Apple's frameworks wrote. The classes of the other forms are Foundation's too; their keys
/// follow the pattern of the former.
extension ArchiveBuilder {
  mutating func predicate(_ tree: PredicateTree) throws(ArchiveError) -> PropertyListValue {
    switch tree {
    case .constant(let value):
      return object(value ? "NSTruePredicate" : "NSFalsePredicate", [:])
    case .and(let terms): return try compound(1, terms)
    case .or(let terms): return try compound(2, terms)
    case .not(let term): return try compound(0, [term])
    case .comparison(let comparison):
      return object(
        "NSComparisonPredicate",
        [
          "NSLeftExpression": try expression(comparison.left),
          "NSRightExpression": try expression(comparison.right),
          "NSPredicateOperator": method(of: comparison),
        ]
      )
    case .block:
      throw ArchiveError("a predicate that is code cannot be archived")
    }
  }

  /// A compound; its type is the raw value of `NSCompoundPredicate.LogicalType`.
  private mutating func compound(
    _ type: Int64,
    _ terms: [PredicateTree]
  ) throws(ArchiveError) -> PropertyListValue {
    var parts: [PropertyListValue] = []
    for term in terms { parts.append(try predicate(term)) }
    return object(
      "NSCompoundPredicate",
      ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": array(parts)]
    )
  }

  private mutating func method(of comparison: Comparison) -> PropertyListValue {
    let options = PropertyListValue.integer(Int64(comparison.options.rawValue))
    let type = PropertyListValue.integer(Int64(comparison.op.rawValue))
    var fields: [String: PropertyListValue] = [
      "NSOperatorType": type,
      "NSModifier": .integer(Int64(comparison.modifier.rawValue)),
    ]
    switch comparison.op {
    case .equalTo, .notEqualTo:
      fields["NSNegate"] = .boolean(comparison.op == .notEqualTo)
      fields["NSOptions"] = options
      return object("NSEqualityPredicateOperator", fields)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      fields["NSVariant"] = type
      fields["NSOptions"] = options
      return object("NSComparisonPredicateOperator", fields)
    case .in, .contains:
      fields["NSFlags"] = options
      return object("NSInPredicateOperator", fields)
    case .matches:
      fields["NSFlags"] = options
      return object("NSMatchingPredicateOperator", fields)
    case .like:
      fields["NSFlags"] = options
      return object("NSLikePredicateOperator", fields)
    case .beginsWith, .endsWith:
      fields["NSFlags"] = options
      fields["NSSubstringPosition"] = .integer(comparison.op == .beginsWith ? 0 : 1)
      return object("NSSubstringPredicateOperator", fields)
    case .between:
      return object("NSBetweenPredicateOperator", fields)
    }
  }
}

// MARK: - Expressions

extension ArchiveBuilder {
  package mutating func expression(
    _ tree: ExpressionTree
  ) throws(ArchiveError) -> PropertyListValue {
    switch tree {
    case .constant(let value):
      return expression("NSConstantValueExpression", 0, ["NSConstantValue": try constant(value)])
    case .evaluatedObject:
      return expression("NSSelfExpression", 1, [:])
    case .variable(let name):
      return expression("NSVariableExpression", 2, ["NSVariable": text(name)])
    case .anyKey:
      return expression("NSAnyKeyExpression", 15, [:])
    case .keyPath(let base, let names):
      return try keyPath(names, of: base)
    case .variableKey(let base, let variable):
      return try call("valueForKeyPath:", [.variable(variable)], on: expression(base))
    case .function(let function, let arguments):
      return try call(function.rawValue, arguments, on: utilities())
    case .cast(let operand, let type):
      let arguments = [operand, .constant(Constant(type.rawValue))]
      return try call(FunctionName.cast, arguments, on: utilities())
    case .index(let list, let place):
      return try element(place, of: list)
    case .message(let target, let selector, let arguments):
      return try call(selector, arguments, on: expression(target))
    case .aggregate(let elements):
      return expression("NSAggregateExpression", 14, ["NSCollection": try array(of: elements)])
    case .set(let operation, let left, let right):
      return expression(
        "NSSetExpression",
        operation.expressionType,
        ["NSLeftExpression": try expression(left), "NSRightExpression": try expression(right)]
      )
    case .subquery(let collection, let variable, let condition):
      return expression(
        "NSSubqueryExpression",
        13,
        [
          "NSCollection": try expression(collection), "NSVariable": text(variable),
          "NSPredicate": try predicate(condition),
        ]
      )
    case .conditional(let condition, let first, let second):
      return expression(
        "NSTernaryExpression",
        20,
        [
          "NSPredicate": try predicate(condition), "NSTrueExpression": try expression(first),
          "NSFalseExpression": try expression(second),
        ]
      )
    case .fetch(let request, let context, let countOnly):
      return expression(
        "NSFetchRequestExpression",
        50,
        [
          "NSFRExpression": try expression(request), "NSMOCExpression": try expression(context),
          "NSCountOnlyFlag": .boolean(countOnly),
        ]
      )
    case .assignment, .block:
      throw ArchiveError("the expression \(tree) has no archived form")
    }
  }

  private mutating func expression(
    _ className: String,
    _ type: Int64,
    _ fields: [String: PropertyListValue]
  ) -> PropertyListValue {
    object(className, fields.merging(["NSExpressionType": .integer(type)]) { own, _ in own })
  }

  private mutating func constant(_ constant: Constant) throws(ArchiveError) -> PropertyListValue {
    if constant.isNil { return Self.null }
    guard let value = SchemaValue(constant) else {
      throw ArchiveError("the value \(constant) of a predicate has no archived form")
    }
    return archived(value)
  }

  private mutating func array(
    of expressions: [ExpressionTree]
  ) throws(ArchiveError) -> PropertyListValue {
    var elements: [PropertyListValue] = []
    for tree in expressions { elements.append(try expression(tree)) }
    return array(elements)
  }
}

// MARK: - Calls

/// The functions that trees have forms of their own for.
enum FunctionName {
  static let cast = "castObject:toType:"
  static let index = "objectFrom:withIndex:"
}

extension ArchiveBuilder {
  private mutating func call(
    _ name: String,
    _ arguments: [ExpressionTree],
    on operand: PropertyListValue
  ) throws(ArchiveError) -> PropertyListValue {
    call(name, try array(of: arguments), on: operand)
  }

  private mutating func call(
    _ name: String,
    _ arguments: PropertyListValue,
    on operand: PropertyListValue
  ) -> PropertyListValue {
    expression(
      "NSFunctionExpression",
      4,
      ["NSOperand": operand, "NSSelectorName": text(name), "NSArguments": arguments]
    )
  }

  /// The class that Foundation's own functions belong to, as an operand.
  private mutating func utilities() -> PropertyListValue {
    expression(
      "NSConstantValueExpression",
      0,
      ["NSConstantValueClassName": text("_NSPredicateUtilities")]
    )
  }

  /// `notes[0]` is a call, and `FIRST` a symbol that it is given.
  private mutating func element(
    _ place: IndexPlace,
    of list: ExpressionTree
  ) throws(ArchiveError) -> PropertyListValue {
    let index =
      if case .at(let index) = place {
        try expression(index)
      } else {
        expression("NSSymbolicExpression", 11, ["NSSymbol": text(place.description)])
      }
    let arguments = array([try expression(list), index])
    return call(FunctionName.index, arguments, on: utilities())
  }

  private mutating func keyPath(
    _ names: [String],
    of operand: ExpressionTree
  ) throws(ArchiveError) -> PropertyListValue {
    let path = text(names.joined(separator: "."))
    let specifier = expression("NSKeyPathSpecifierExpression", 10, ["NSKeyPath": path])
    let isOwn = operand == .evaluatedObject
    return expression(
      "NSKeyPathExpression",
      isOwn ? 3 : 4,
      [
        "NSOperand": try expression(operand),
        "NSSelectorName": text(isOwn && names.count == 1 ? "valueForKey:" : "valueForKeyPath:"),
        "NSArguments": array([specifier]),
      ]
    )
  }
}

extension SetOperation {
  /// The raw value of `NSExpression.ExpressionType`.
  fileprivate var expressionType: Int64 {
    switch self {
    case .union: 5
    case .intersect: 6
    case .minus: 7
    }
  }
}
