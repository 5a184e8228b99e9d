import Foundation

/// The answers of values to `FUNCTION(value, "selector:", …)`.
///
/// There is no runtime that finds methods by their names here, so these are the methods
/// that predicates are known to call, and every getter that key-value coding finds.
enum Messages {
  static func answer(
    of receiver: Any,
    to selector: String,
    _ arguments: [Any?]
  ) throws(EvaluationError) -> Any? {
    let operand = Operand(receiver)
    if arguments.isEmpty { return try KeyValues.value(ofPath: [selector], in: receiver) }
    switch (operand, arguments.map(Operand.init)) {
    case (.text(let text), let arguments):
      if let answer = text.answer(to: selector, arguments) { return answer }
    case (.date(let date), let arguments):
      if let answer = date.answer(to: selector, arguments) { return answer }
    case (.collection(let collection), let operands):
      if let answer = collection.answer(to: selector, operands) { return answer }
    case (.dictionary(let dictionary), _) where selector == "objectForKey:":
      return arguments[0].flatMap { dictionary.value(for: $0) }
    case (.nothing, _), (.number, _), (.uuid, _), (.url, _), (.data, _), (.dictionary, _),
      (.object, _):
      break
    }
    if selector == "valueForKeyPath:" || selector == "valueForKey:",
      case .text(let path) = Operand(arguments[0])
    {
      return try KeyValues.value(ofPath: path.keys[...], in: receiver)
    }
    if selector == "isEqual:" { return operand == Operand(arguments[0]) }
    if operand.needsArgument(for: selector), Operand(arguments[0]).isNothing {
      throw EvaluationError(
        "the argument of \"\(selector)\" is nil; \(operand) needs one that is not"
      )
    }
    throw EvaluationError("\(operand) does not answer to \"\(selector)\"")
  }
}

extension Operand {
  /// Whether it answers to a selector, but not where the argument is nil.
  fileprivate func needsArgument(for selector: String) -> Bool {
    switch self {
    case .text:
      ["stringByAppendingString:", "hasPrefix:", "hasSuffix:", "containsString:"].contains(selector)
    case .date: ["dateByAddingTimeInterval:", "timeIntervalSinceDate:"].contains(selector)
    case .collection: selector == "objectAtIndex:"
    case .nothing, .number, .uuid, .url, .data, .dictionary, .object: false
    }
  }
}

extension String {
  fileprivate func answer(to selector: String, _ arguments: [Operand]) -> Any? {
    guard case .text(let other)? = arguments.first else { return nil }
    return switch selector {
    case "stringByAppendingString:": self + other
    case "hasPrefix:": hasPrefix(other)
    case "hasSuffix:": hasSuffix(other)
    case "containsString:": contains(other)
    default: nil
    }
  }
}

extension Date {
  fileprivate func answer(to selector: String, _ arguments: [Operand]) -> Any? {
    switch (selector, arguments.first) {
    case ("dateByAddingTimeInterval:", .number(let seconds)?):
      addingTimeInterval(seconds.double)
    case ("timeIntervalSinceDate:", .date(let other)?):
      timeIntervalSince(other)
    default:
      nil
    }
  }
}

extension ValueCollection {
  fileprivate func answer(to selector: String, _ arguments: [Operand]) -> Any? {
    switch (selector, arguments.first) {
    case ("containsObject:", let element?):
      contains(element)
    case ("objectAtIndex:", .number(let index)?)
    where elements.indices.contains(Int(index.integerPart)):
      elements[Int(index.integerPart)]
    default:
      nil
    }
  }
}
