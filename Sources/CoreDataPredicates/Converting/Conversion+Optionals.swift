import Foundation

extension PredicateExpressions.NilLiteral: TreeConvertible {
  func converted(by conversion: inout Conversion) -> Converted { .constant(nil) }
}

extension PredicateExpressions.ForcedUnwrap: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.convert(inner)
  }
}

extension PredicateExpressions.NilCoalesce: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let left = try conversion.convert(lhs)
    let right = try conversion.convert(rhs)
    if case .optionalCondition(let condition, let wrapped) = left {
      let isThere = PredicateTree.not(.isNil(wrapped))
      switch try right.condition {
      case .constant(true): return .condition(.or([.isNil(wrapped), condition]))
      case .constant(false): return .condition(.and([isThere, condition]))
      case let other:
        return .condition(.or([.and([isThere, condition]), .and([.isNil(wrapped), other])]))
      }
    }
    let value = try left.value
    return .value(.conditional(.isNil(value), try right.value, value))
  }
}

extension PredicateExpressions.OptionalFlatMap: TreeConvertible {
  /// `folder?.name` is the key path `folder.name`, which is `nil` if the folder is.
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let optional = try conversion.value(of: wrapped)
    conversion.bind(variable, to: optional)
    switch try conversion.convert(transform) {
    case .condition(let condition):
      return .optionalCondition(condition, unlessNil: optional)
    case .optionalCondition(let condition, let inner) where inner.isNil(with: optional):
      return .optionalCondition(condition, unlessNil: inner)
    case let result:
      let value = try result.value
      if value.isNil(with: optional) { return .value(value) }
      return .value(.conditional(.isNil(optional), .null, value))
    }
  }
}

// MARK: - Types

extension PredicateExpressions.ForceCast: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    try conversion.convert(input)
  }
}

extension PredicateExpressions.ConditionalCast: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let value = try conversion.value(of: input)
    if Input.Output.self is Desired.Type { return .value(value) }
    return .value(.conditional(try typeCheck(of: value, Desired.self), value, .null))
  }
}

extension PredicateExpressions.TypeCheck: TreeConvertible {
  func converted(by conversion: inout Conversion) throws(ConversionError) -> Converted {
    let value = try conversion.value(of: input)
    if Input.Output.self is Desired.Type { return .condition(.constant(true)) }
    return .condition(try typeCheck(of: value, Desired.self))
  }
}

private func typeCheck(
  of value: ExpressionTree,
  _ type: Any.Type
) throws(ConversionError) -> PredicateTree {
  if let check = Foreign.types?.isInstance(value, of: type) { return check }
  guard let check = (type as? any KeyPathNaming.Type)?.isInstance(value) else {
    var error = ConversionError("no predicate asks whether something is of the type \(type)")
    error.isForNow = (type as? any KeyPathNaming.Type)?.isNamedLater ?? false
    throw error
  }
  return check
}
