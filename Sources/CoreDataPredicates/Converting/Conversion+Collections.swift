import Foundation

extension PredicateExpressions.SequenceContains: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    if case .range(let bounds) = try conversion.convert(sequence) {
      return .condition(bounds.contain(try conversion.value(of: element)))
    }
    let list = try conversion.value(of: sequence)
    let value = try conversion.value(of: element)
    if let isIn = try Foreign.types?.membership(of: value, in: list, of: RHS.Output.self) {
      return .condition(isIn)
    }
    return .comparison(value, .in, list)
  }
}

extension PredicateExpressions.SequenceContainsWhere: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let found = try conversion.subquery(of: sequence, variable, where: test)
    return .comparison(.path(found, ["@count"]), .greaterThan, .number(0))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let others = try conversion.subquery(of: sequence, variable, where: test, isNegated: true)
    return .comparison(.path(others, ["@count"]), .equalTo, .number(0))
  }
}

extension PredicateExpressions.Filter: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    .value(try conversion.subquery(of: sequence, variable, where: filter))
  }
}

extension PredicateExpressions.SequenceMaximum: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    .value(.function(.max, [try conversion.value(of: elements)]))
  }
}

extension PredicateExpressions.SequenceMinimum: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    .value(.function(.min, [try conversion.value(of: elements)]))
  }
}

// MARK: - Elements

extension PredicateExpressions.CollectionIndexSubscript: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let list = try conversion.value(of: wrapped)
    return .value(.index(list, .at(try conversion.value(of: index))))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let dictionary = try conversion.value(of: wrapped)
    return .value(.index(dictionary, .at(try conversion.value(of: key))))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let dictionary = try conversion.value(of: wrapped)
    let value = ExpressionTree.index(dictionary, .at(try conversion.value(of: key)))
    return .value(.conditional(.isNil(value), try conversion.value(of: `default`), value))
  }
}

// MARK: - Texts

extension PredicateExpressions.CollectionContainsCollection: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.text(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.text(base, .beginsWith, prefix)
  }
}

extension PredicateExpressions.StringContainsRegex: TreeConvertible {
  /// `MATCHES` covers the whole text, so anything may precede and follow the expression.
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let text = try conversion.value(of: subject)
    guard case .value(.constant(let constant)) = try conversion.convert(regex),
      let expression = constant.value as? PredicateExpressions.PredicateRegex
    else {
      throw ConversionError("a regular expression stands in a predicate as a literal")
    }
    let pattern = "(?s:.*?)(?:\(expression.stringRepresentation))(?s:.*)"
    return .comparison(text, .matches, .constant(Constant(pattern)))
  }
}

extension Conversion {
  /// An operator on texts; Swift has it for other collections too, predicates have not.
  fileprivate mutating func text<Base: PredicateExpression>(
    _ base: Base,
    _ op: Comparison.Operator,
    _ part: any PredicateExpression
  ) throws(ConversionError) -> Converted {
    guard Base.Output.self is any StringProtocol.Type else {
      throw ConversionError("\(op.sign) in a \(Base.Output.self) works for texts only")
    }
    let text = try value(of: base)
    return .comparison(text, op, try value(of: part))
  }
}
