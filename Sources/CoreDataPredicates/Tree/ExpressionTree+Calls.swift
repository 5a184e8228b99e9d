/// Why a call by name is not an expression.
struct CallError: Error {
  let problem: String
}

extension ExpressionTree {
  /// A predefined function by the name that format strings and `NSExpression` use.
  static func call(
    _ name: String,
    _ arguments: [ExpressionTree]
  ) throws(CallError) -> ExpressionTree {
    switch (name, arguments.count) {
    case ("castObject:toType:", 2):
      return try cast(arguments[0], named: arguments[1])
    case ("objectFrom:withIndex:", 2):
      return .index(arguments[0], .at(arguments[1]))
    default:
      return try predefined(name, arguments)
    }
  }

  private static func predefined(
    _ name: String,
    _ arguments: [ExpressionTree]
  ) throws(CallError) -> ExpressionTree {
    guard let function = PredicateFunction(spelled: name) else {
      throw CallError(problem: "there is no function \"\(name)\"")
    }
    guard function.arity.contains(arguments.count) else {
      let wanted = function.arity.lowerBound
      let least = function.arity.upperBound > wanted ? "at least " : ""
      throw CallError(
        problem: "\"\(function.rawValue)\" takes \(least)\(wanted) arguments, "
          + "\(arguments.count) were given"
      )
    }
    return .function(function, arguments)
  }

  private static func cast(
    _ expression: ExpressionTree,
    named name: ExpressionTree
  ) throws(CallError) -> ExpressionTree {
    guard case .constant(let constant) = name, case .text(let word) = Operand(constant.value),
      let type = CastType(rawValue: word)
    else {
      throw CallError(problem: "a cast needs the name of a class such as \"NSDate\"")
    }
    return .cast(folding: expression, to: type)
  }

  /// A cast; of a constant, the value it gives: dates are printed as casts.
  static func cast(folding expression: ExpressionTree, to type: CastType) -> ExpressionTree {
    guard case .constant(let constant) = expression,
      let value = type.converted(Operand(constant.value))
    else {
      return .cast(expression, to: type)
    }
    return .constant(Constant(value))
  }
}

extension PredicateFunction {
  /// `abs` and `abs:` are one name; Apple's documentation calls `random:` `randomn:`.
  fileprivate init?(spelled name: String) {
    if let function = PredicateFunction(rawValue: name) {
      self = function
    } else if let function = PredicateFunction(rawValue: name + ":") {
      self = function
    } else if let function = PredicateFunction(rawValue: String(name.dropLast())),
      name.last == ":"
    {
      self = name == "random:" ? .randomBelow : function
    } else {
      return nil
    }
  }
}
