import Foundation

extension PredicateFunction {
  /// The function's result.
  ///
  /// A number that is `nil` gives `nil`, as it does in SQL, and so does one for which there is no result, such as the
  /// square root of -1.
  func result(of arguments: [Any?]) throws(EvaluationError) -> Any? {
    switch self {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
      return try statistic(of: arguments)
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift:
      guard let left = try number(arguments[0]), let right = try number(arguments[1]) else {
        return nil
      }
      return try combined(left, right)?.known?.value
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute,
      .truncate, .onesComplement, .randomBelow:
      return try number(arguments[0]).flatMap(applied)?.known?.value
    case .uppercase:
      return try text(arguments[0])?.uppercased()
    case .lowercase:
      return try text(arguments[0])?.lowercased()
    case .canonical:
      return try text(arguments[0]).map {
        $0.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      }
    case .length:
      return try text(arguments[0])?.utf16.count
    case .noIndex:
      return arguments[0]
    case .random:
      return Double.random(in: 0..<1)
    case .now:
      return Date()
    }
  }

  private func number(_ value: Any?) throws(EvaluationError) -> Number? {
    let operand = Operand(value)
    switch operand {
    case .nothing: return nil
    case .number(let number): return number
    case .date(let date): return .real(date.timeIntervalSinceReferenceDate)
    case .text, .uuid, .url, .data, .collection, .dictionary, .object:
      throw EvaluationError("\"\(rawValue)\" expects a number, not \(operand)")
    }
  }

  private func text(_ value: Any?) throws(EvaluationError) -> String? {
    let operand = Operand(value)
    switch operand {
    case .nothing: return nil
    case .text(let text): return text
    case .number, .date, .uuid, .url, .data, .collection, .dictionary, .object:
      throw EvaluationError("\"\(rawValue)\" expects a text, not \(operand)")
    }
  }
}

// MARK: - Of two numbers

extension PredicateFunction {
  /// Nil when there is no such number, as for a division of integers by zero.
  private func combined(_ left: Number, _ right: Number) throws(EvaluationError) -> Number? {
    switch self {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .modulus: left % right
    case .power: left.raised(to: right)
    case .bitwiseAnd: .integer(left.integerPart & right.integerPart)
    case .bitwiseOr: .integer(left.integerPart | right.integerPart)
    case .bitwiseXor: .integer(left.integerPart ^ right.integerPart)
    case .leftShift: .integer(left.integerPart << right.integerPart)
    case .rightShift: .integer(left.integerPart >> right.integerPart)
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .squareRoot,
      .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate,
      .onesComplement, .randomBelow, .uppercase, .lowercase, .canonical, .length, .noIndex,
      .random, .now:
      throw EvaluationError("\"\(rawValue)\" is not a function of two numbers")
    }
  }
}

// MARK: - Of one number

extension PredicateFunction {
  private func applied(_ number: Number) -> Number? {
    switch self {
    case .absolute: number < .integer(0) ? .integer(0) - number : number
    case .onesComplement: .integer(~number.integerPart)
    case .randomBelow:
      number.integerPart > 0 ? .integer(Int64.random(in: 0..<number.integerPart)) : nil
    case .floor: number.rounded(.down)
    case .ceiling: number.rounded(.up)
    case .truncate: number.rounded(.towardZero)
    case .squareRoot: .real(number.double.squareRoot())
    case .logarithm: .real(log10(number.double))
    case .naturalLogarithm: .real(log(number.double))
    case .exponential: .real(exp(number.double))
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation, .add, .subtract,
      .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift,
      .rightShift, .uppercase, .lowercase, .canonical, .length, .noIndex, .random, .now:
      nil
    }
  }
}
