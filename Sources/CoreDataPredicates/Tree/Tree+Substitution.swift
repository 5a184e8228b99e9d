extension PredicateTree {
  /// The same predicate with expressions in the place of some variables, and another in the place
  /// of the evaluated object.
  ///
  /// The variable of a subquery hides an outer one of its name.
  package func replacingVariables(
    object: ExpressionTree = .evaluatedObject,
    _ replacement: (String) -> ExpressionTree?
  ) -> PredicateTree {
    switch self {
    case .constant, .block:
      return self
    case .comparison(var comparison):
      comparison.left = comparison.left.replacingVariables(object: object, replacement)
      comparison.right = comparison.right.replacingVariables(object: object, replacement)
      return .comparison(comparison)
    case .and(let terms):
      return .and(terms.map { $0.replacingVariables(object: object, replacement) })
    case .or(let terms):
      return .or(terms.map { $0.replacingVariables(object: object, replacement) })
    case .not(let term):
      return .not(term.replacingVariables(object: object, replacement))
    }
  }
}

extension ExpressionTree {
  /// The same expression with others in the place of some variables, and of the evaluated object.
  package func replacingVariables(
    object: ExpressionTree = .evaluatedObject,
    _ replacement: (String) -> ExpressionTree?
  ) -> ExpressionTree {
    func replaced(_ expression: ExpressionTree) -> ExpressionTree {
      expression.replacingVariables(object: object, replacement)
    }
    switch self {
    case .constant, .anyKey:
      return self
    case .evaluatedObject:
      return object
    case .variable(let name):
      return replacement(name) ?? self
    case .keyPath(.evaluatedObject, let names):
      return .path(object, names)
    case .keyPath(let base, let names):
      return .path(replaced(base), names)
    case .variableKey(let base, let variable):
      return replaced(base).key(namedBy: variable, replacement(variable))
    case .aggregate(let elements):
      return .aggregate(elements.map(replaced))
    case .function(let function, let arguments):
      return .function(function, arguments.map(replaced))
    case .message(let target, let selector, let arguments):
      return .message(
        target: replaced(target),
        selector: selector,
        arguments: arguments.map(replaced)
      )
    case .subquery(let collection, let variable, let predicate):
      let inner = predicate.replacingVariables(object: object) {
        $0 == variable ? nil : replacement($0)
      }
      return .subquery(replaced(collection), variable: variable, inner)
    case .index(let list, .at(let place)):
      return .index(replaced(list), .at(replaced(place)))
    case .index(let list, let place):
      return .index(replaced(list), place)
    case .cast(let expression, let type):
      return .cast(replaced(expression), to: type)
    case .conditional(let predicate, let yes, let no):
      return .conditional(
        predicate.replacingVariables(object: object, replacement),
        replaced(yes),
        replaced(no)
      )
    case .set(let operation, let one, let other):
      return .set(operation, replaced(one), replaced(other))
    case .assignment(let name, let expression):
      return .assignment(name, replaced(expression))
    case .fetch(let request, let context, let countOnly):
      return .fetch(request: replaced(request), context: replaced(context), countOnly: countOnly)
    case .block(let block, let arguments):
      return .block(block, arguments.map(replaced))
    }
  }

  /// `$note.$attribute`, once it is known that `$attribute` is `"folder.name"`.
  private func key(namedBy variable: String, _ value: ExpressionTree?) -> ExpressionTree {
    guard case .constant(let constant)? = value, case .text(let path) = Operand(constant.value)
    else {
      return .variableKey(base: self, variable: variable)
    }
    return .path(self, path.keys)
  }
}

extension String {
  /// The keys of a dotted path.
  package var keys: [String] {
    utf8.contains(UInt8(ascii: "."))
      ? split(separator: ".").map(String.init) : isEmpty ? [] : [self]
  }
}
