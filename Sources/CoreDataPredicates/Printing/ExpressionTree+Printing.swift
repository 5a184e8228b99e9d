extension ExpressionTree: CustomStringConvertible {
  package var description: String {
    switch self {
    case .constant(let constant): constant.description
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .keyPath(.evaluatedObject, let names): names.dotted
    case .keyPath(let base, let names): "\(base.stem).\(names.dotted)"
    case .variableKey(let base, let variable): "\(base.stem).$\(variable)"
    case .aggregate(let elements): "{\(elements.listed)}"
    case .function(let function, let arguments): function.call(arguments)
    case .message(let target, let selector, let arguments):
      "FUNCTION(\(target.operand), \(selector.quoted)\(arguments.map { ", \($0.operand)" }.joined()))"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(collection.operand), $\(variable), \(predicate))"
    case .index(let list, let place): "\(list.stem)[\(place)]"
    case .cast(let expression, let type): "CAST(\(expression.operand), \"\(type.rawValue)\")"
    case .conditional(let predicate, let yes, let no):
      "TERNARY(\(predicate), \(yes.operand), \(no.operand))"
    case .set(let operation, let one, let other):
      "\(one.inner) \(operation.rawValue) \(other.inner)"
    case .assignment(let name, let expression): "$\(name) := \(expression.inner)"
    case .fetch(let request, let context, let countOnly):
      "FETCH(\(request.operand), \(context.operand), \(countOnly ? "YES" : "NO"))"
    case .anyKey: "ANYKEY"
    case .block(let block, let arguments):
      "BLOCK(\(ObjectIdentifier(block).address)\(arguments.map { ", \($0.operand)" }.joined()))"
    }
  }

  /// As a side of a comparison, or in a list.
  var operand: String {
    if case .assignment = self { "(\(description))" } else { description }
  }

  /// As an operand of an operator: other operators are put in parentheses.
  fileprivate var inner: String {
    isOperation ? "(\(description))" : description
  }

  /// In front of a dot or a bracket.
  fileprivate var stem: String {
    if case .constant(let constant) = self, case .number = Operand(constant.value) {
      return "(\(description))"
    }
    return inner
  }

  private var isOperation: Bool {
    switch self {
    case .function(let function, let arguments): function.infix != nil && arguments.count == 2
    case .set, .assignment: true
    case .constant, .evaluatedObject, .variable, .keyPath, .variableKey, .aggregate, .message,
      .subquery, .index, .cast, .conditional, .fetch, .anyKey, .block:
      false
    }
  }
}

extension PredicateFunction {
  fileprivate func call(_ arguments: [ExpressionTree]) -> String {
    if let infix, arguments.count == 2 {
      return "\(arguments[0].inner) \(infix) \(arguments[1].inner)"
    }
    return "\(rawValue)(\(arguments.listed))"
  }
}

extension [ExpressionTree] {
  fileprivate var listed: String { map(\.operand).joined(separator: ", ") }
}

extension IndexPlace: CustomStringConvertible {
  package var description: String {
    switch self {
    case .first: "FIRST"
    case .last: "LAST"
    case .size: "SIZE"
    case .at(let expression): expression.operand
    }
  }
}

extension [String] {
  /// Keys as a path, with a number sign before those that would be read as something else.
  fileprivate var dotted: String {
    map { $0.isReadAsKey ? $0 : "#\($0)" }.joined(separator: ".")
  }
}

extension String {
  /// Not a reserved word, and no number.
  fileprivate var isReadAsKey: Bool {
    ReservedWord(self) == nil && utf8.first?.isDigit != true
  }
}
