extension PredicateTree {
  /// The same predicate with expressions in the place of some variables, and another in the place
  /// of the evaluated object.
  ///
  /// The variable of a subquery hides an outer one of its name.
  package func replacingVariables(
    object: ExpressionTree = .evaluatedObject,
    _ replacement: (String) -> ExpressionTree?
  ) -> PredicateTree {
    mappingExpressions { $0.replacingVariables(object: object, replacement) }
  }
}

extension ExpressionTree {
  /// The same expression with others in the place of some variables, and of the evaluated object.
  package func replacingVariables(
    object: ExpressionTree = .evaluatedObject,
    _ replacement: (String) -> ExpressionTree?
  ) -> ExpressionTree {
    switch self {
    case .evaluatedObject:
      return object
    case .keyPath(.evaluatedObject, let names):
      if case .evaluatedObject = object { return self }
      return .path(object, names)
    case .variable(let name):
      return replacement(name) ?? self
    case .variableKey(let base, let variable):
      return base.replacingVariables(object: object, replacement)
        .key(namedBy: variable, replacement(variable))
    case .subquery(let collection, let variable, let predicate):
      let inner = predicate.replacingVariables(object: object) {
        $0 == variable ? nil : replacement($0)
      }
      let whole = collection.replacingVariables(object: object, replacement)
      return .subquery(whole, variable: variable, inner)
    case .constant, .keyPath, .aggregate, .function, .message, .index, .cast, .conditional, .set,
      .assignment, .fetch, .anyKey, .block:
      return mappingParts { $0.replacingVariables(object: object, replacement) }
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
