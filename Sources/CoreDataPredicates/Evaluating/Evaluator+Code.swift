import Foundation

/// An object that answers `FUNCTION(object, "selector:", …)`, such as a migration manager.
package protocol SelectorPerforming {
  /// The answer, or nil for the outer optional when there is no such method.
  func perform(selector: String, with arguments: [Any?]) throws -> Any??
}

/// A context that answers `FETCH(request, context, countOnly)`.
package protocol FetchPerforming {
  func fetch(_ request: Any, countOnly: Bool) throws -> Any?
}

extension Evaluator {
  func answer(
    of target: ExpressionTree,
    to selector: String,
    _ arguments: [ExpressionTree]
  ) throws(EvaluationError) -> Any? {
    let receiver = try value(of: target)
    guard let receiver else { return nil }
    let values = try values(of: arguments)
    if let performer = receiver as? any SelectorPerforming {
      let answer = try EvaluationError.wrap {
        try performer.perform(selector: selector, with: values.map(\.outward))
      }
      if let answer { return answer }
    }
    return try Messages.answer(of: receiver, to: selector, values)
  }

  func fetch(
    _ request: ExpressionTree,
    in context: ExpressionTree,
    countOnly: Bool
  ) throws(EvaluationError) -> Any? {
    let place = try value(of: context)
    guard let performer = place as? any FetchPerforming else {
      throw EvaluationError("FETCH needs a managed object context, \(context) is \(Operand(place))")
    }
    guard let request = try value(of: request) else {
      throw EvaluationError("FETCH needs a fetch request, \(request) is nil")
    }
    return try EvaluationError.wrap { try performer.fetch(request, countOnly: countOnly) }
  }

  func call(
    _ block: ExpressionBlock,
    _ arguments: [ExpressionTree]
  ) throws(EvaluationError) -> Any? {
    let values = try values(of: arguments)
    return block.body(object, values.map { $0.outward ?? NSNull() }, bindings.context)
  }
}

extension EvaluationError {
  /// Turns the errors of other modules into this one.
  fileprivate static func wrap<Value>(_ body: () throws -> Value) throws(EvaluationError) -> Value {
    do {
      return try body()
    } catch let error as EvaluationError {
      throw error
    } catch {
      throw EvaluationError("\(error)")
    }
  }
}
