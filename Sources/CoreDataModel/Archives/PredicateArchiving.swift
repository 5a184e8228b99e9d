/// Trees, written as Foundation archives predicates.
///
///     NSComparisonPredicate
///     ├── NSLeftExpression    NSKeyPathExpression "length"
///     ├── NSPredicateOperator NSComparisonPredicateOperator ≥
///     └── NSRightExpression   NSConstantValueExpression 3
///
/// Equality, order, `CONTAINS`, key paths, variables, constants and functions stand in archives that
/// Apple's frameworks wrote. The classes of the other forms are Foundation's too; their keys follow
/// the pattern of the former.
extension ArchiveBuilder {
  mutating func predicate(_ tree: PredicateTree) -> PropertyListValue {
    switch tree {
    case .value(let value):
      object(value ? "NSTruePredicate" : "NSFalsePredicate", [:])
    case .compound(let kind, let parts):
      object(
        "NSCompoundPredicate",
        [
          "NSCompoundPredicateType": .integer(Int64(kind.rawValue)),
          "NSSubpredicates": array(parts.map { predicate($0) }),
        ]
      )
    case .comparison(let comparison):
      object(
        "NSComparisonPredicate",
        [
          "NSLeftExpression": expression(comparison.left),
          "NSRightExpression": expression(comparison.right),
          "NSPredicateOperator": method(of: comparison),
        ]
      )
    }
  }

  private mutating func method(of comparison: PredicateTree.Comparison) -> PropertyListValue {
    let comparator = comparison.comparator
    let options = PropertyListValue.integer(Int64(comparison.options.rawValue))
    var fields: [String: PropertyListValue] = [
      "NSOperatorType": .integer(Int64(comparator.rawValue)),
      "NSModifier": .integer(Int64(comparison.modifier.rawValue)),
    ]
    switch comparator {
    case .equal, .notEqual:
      fields["NSNegate"] = .boolean(comparator == .notEqual)
      fields["NSOptions"] = options
      return object("NSEqualityPredicateOperator", fields)
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      fields["NSVariant"] = .integer(Int64(comparator.rawValue))
      fields["NSOptions"] = options
      return object("NSComparisonPredicateOperator", fields)
    case .isIn, .contains:
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
      fields["NSSubstringPosition"] = .integer(comparator == .beginsWith ? 0 : 1)
      return object("NSSubstringPredicateOperator", fields)
    case .between:
      return object("NSBetweenPredicateOperator", fields)
    }
  }
}

// MARK: - Expressions

extension ArchiveBuilder {
  mutating func expression(_ tree: ExpressionTree) -> PropertyListValue {
    switch tree {
    case .constant(let value):
      expression("NSConstantValueExpression", 0, ["NSConstantValue": constant(value)])
    case .evaluatedObject:
      expression("NSSelfExpression", 1, [:])
    case .variable(let name):
      expression("NSVariableExpression", 2, ["NSVariable": text(name)])
    case .keyPath(let path, of: let operand):
      keyPath(path, of: operand)
    case .function(let name, let arguments):
      call(name, arguments, on: utilities())
    case .method(let operand, let name, let arguments):
      call(name, arguments, on: expression(operand))
    case .aggregate(let elements):
      expression(
        "NSAggregateExpression",
        14,
        ["NSCollection": array(elements.map { expression($0) })]
      )
    case .combination(let left, let operation, let right):
      expression(
        "NSSetExpression",
        operation.expressionType,
        ["NSLeftExpression": expression(left), "NSRightExpression": expression(right)]
      )
    case .subquery(let collection, let variable, let condition):
      expression(
        "NSSubqueryExpression",
        13,
        [
          "NSCollection": expression(collection), "NSVariable": text(variable),
          "NSPredicate": predicate(condition),
        ]
      )
    case .conditional(let condition, let first, let second):
      expression(
        "NSTernaryExpression",
        20,
        [
          "NSPredicate": predicate(condition), "NSTrueExpression": expression(first),
          "NSFalseExpression": expression(second),
        ]
      )
    }
  }

  private mutating func expression(
    _ className: String,
    _ type: Int64,
    _ fields: [String: PropertyListValue]
  ) -> PropertyListValue {
    object(className, fields.merging(["NSExpressionType": .integer(type)]) { own, _ in own })
  }

  private mutating func constant(_ value: SchemaValue?) -> PropertyListValue {
    value.map { archived($0) } ?? Self.null
  }

  private mutating func call(
    _ name: String,
    _ arguments: [ExpressionTree],
    on operand: PropertyListValue
  ) -> PropertyListValue {
    expression(
      "NSFunctionExpression",
      4,
      [
        "NSOperand": operand,
        "NSSelectorName": text(name),
        "NSArguments": array(arguments.map { expression($0) }),
      ]
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

  private mutating func keyPath(
    _ path: String,
    of operand: ExpressionTree
  ) -> PropertyListValue {
    let specifier = expression("NSKeyPathSpecifierExpression", 10, ["NSKeyPath": text(path)])
    let isOwn = operand == .evaluatedObject
    let isOneKey = isOwn && !path.contains(".")
    return expression(
      "NSKeyPathExpression",
      isOwn ? 3 : 4,
      [
        "NSOperand": expression(operand),
        "NSSelectorName": text(isOneKey ? "valueForKey:" : "valueForKeyPath:"),
        "NSArguments": array([specifier]),
      ]
    )
  }
}

extension ExpressionTree.SetOperation {
  /// The raw value of `NSExpression.ExpressionType`.
  fileprivate var expressionType: Int64 {
    switch self {
    case .union: 5
    case .intersection: 6
    case .subtraction: 7
    }
  }
}
