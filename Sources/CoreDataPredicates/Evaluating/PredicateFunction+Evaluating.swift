import Foundation

extension PredicateFunction {
  /// Returns the function's result.
  ///
  /// If a number is `nil`, the result is `nil`, as it is in SQL. It is also `nil` if there is no result,
  /// such as the square root of -1.
  func result(of arguments: [Any?]) throws(EvaluationError) -> Any? {
    switch facts.computation {
    case .values(let compute):
      return compute(try elements(of: arguments))
    case .numbers(let compute):
      return compute(try numbers(elements(of: arguments)))
    case .twoNumbers(let compute):
      guard let left = try number(arguments[0]), let right = try number(arguments[1]) else {
        return nil
      }
      return compute(left, right)?.known?.value
    case .oneNumber(let compute):
      return try number(arguments[0]).flatMap(compute)?.known?.value
    case .text(let compute):
      return try text(arguments[0]).map(compute)
    case .anything:
      return arguments[0]
    case .nothing(let compute):
      return compute()
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
