package import Foundation

/// Answers predicates and expressions for one object, in memory.
///
/// ```
/// evaluator.holds(stars > 3)      true or false
/// evaluator.value(of: stars + 1)  4
/// ```
struct Evaluator {
  let object: Any?
  let bindings: Bindings

  func holds(_ predicate: PredicateTree) throws(EvaluationError) -> Bool {
    switch predicate {
    case .constant(let value):
      return value
    case .comparison(let comparison):
      return try holds(comparison)
    case .and(let terms):
      for term in terms where try !holds(term) { return false }
      return true
    case .or(let terms):
      for term in terms where try holds(term) { return true }
      return false
    case .not(let term):
      return try !holds(term)
    case .block(let block):
      return block.predicate.evaluate(with: object, substitutionVariables: bindings.dictionary)
    }
  }

  /// The value, collections as a `ValueCollection`.
  func value(of expression: ExpressionTree) throws(EvaluationError) -> Any? {
    switch expression {
    case .constant(let constant):
      return constant.value
    case .evaluatedObject:
      return object
    case .variable(let name):
      return try value(ofVariable: name)
    case .keyPath(let base, let names):
      return try KeyValues.value(ofPath: names[...], in: try value(of: base))
    case .variableKey(let base, let variable):
      return try value(ofKeyNamedBy: variable, in: base)
    case .aggregate(let elements):
      return ValueCollection(.list, try values(of: elements))
    case .function(let function, let arguments):
      return try function.result(of: try values(of: arguments).map { $0 })
    case .message(let target, let selector, let arguments):
      return try answer(of: target, to: selector, arguments)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(collection, variable, predicate)
    case .index(let list, let place):
      return try element(of: list, at: place)
    case .cast(let expression, let type):
      return type.converted(Operand(try value(of: expression)))
    case .conditional(let predicate, let yes, let no):
      return try value(of: try holds(predicate) ? yes : no)
    case .set(let operation, let one, let other):
      return try set(operation, one, other)
    case .assignment(let name, let expression):
      let value = try value(of: expression)
      bindings.assign(value, to: name)
      return value
    case .fetch(let request, let context, let countOnly):
      return try fetch(request, in: context, countOnly: countOnly)
    case .anyKey:
      throw EvaluationError("ANYKEY names every key of a Spotlight query; it has no value here")
    case .block(let block, let arguments):
      return try call(block, arguments)
    }
  }
}

// MARK: - For callers

extension PredicateTree {
  /// Whether the predicate holds for an object.
  package func evaluate(
    with object: Any?,
    variables: [String: Any]? = nil
  ) throws(EvaluationError) -> Bool {
    try Evaluator(object: object, bindings: Bindings(variables)).holds(self)
  }
}

extension ExpressionTree {
  /// What the expression gives for an object.
  ///
  /// The context holds the variables, and takes those that the expression assigns.
  package func value(
    with object: Any?,
    context: NSMutableDictionary? = nil
  ) throws(EvaluationError) -> Any? {
    let evaluator = Evaluator(object: object, bindings: Bindings(context: context))
    return try evaluator.value(of: self).outward
  }
}

extension Any? {
  /// A value as code outside of the evaluation knows it.
  var outward: Any? {
    guard let value = self else { return nil }
    if let collection = value as? ValueCollection { return collection.outward }
    return value
  }
}

// MARK: - Variables

extension Evaluator {
  private func value(ofVariable name: String) throws(EvaluationError) -> Any? {
    guard let bound = bindings[name] else {
      throw EvaluationError(
        "the variable $\(name) has no value; pass one in the substitution variables"
      )
    }
    guard let expression = bound.instance as? NSExpression else { return bound }
    return try value(of: expression.tree)
  }

  private func value(
    ofKeyNamedBy variable: String,
    in base: ExpressionTree
  ) throws(EvaluationError) -> Any? {
    guard case .text(let path) = Operand(try value(ofVariable: variable)) else {
      throw EvaluationError("the variable $\(variable) stands for a key, but is not a text")
    }
    return try KeyValues.value(ofPath: path.keys[...], in: try value(of: base))
  }

  private func values(of expressions: [ExpressionTree]) throws(EvaluationError) -> [Any?] {
    var values: [Any?] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try value(of: expression)) }
    return values
  }
}

// MARK: - Collections

extension Evaluator {
  private func subquery(
    _ expression: ExpressionTree,
    _ variable: String,
    _ predicate: PredicateTree
  ) throws(EvaluationError) -> Any? {
    guard let collection = try collection(of: expression, for: "SUBQUERY") else { return nil }
    return try bindings.shadowing(variable) { bind throws(EvaluationError) -> ValueCollection in
      try collection.filter { element throws(EvaluationError) -> Bool in
        bind(element)
        return try holds(predicate)
      }
    }
  }

  private func set(
    _ operation: SetOperation,
    _ one: ExpressionTree,
    _ other: ExpressionTree
  ) throws(EvaluationError) -> Any? {
    let left = try collection(of: one, for: operation.rawValue)?.elements ?? []
    let right = try collection(of: other, for: operation.rawValue)?.elements ?? []
    let others = Set(right.map(Operand.init))
    switch operation {
    case .union:
      return ValueCollection(.set, (left + right).withoutDoubles)
    case .intersect:
      return ValueCollection(.set, left.filter { others.contains(Operand($0)) }.withoutDoubles)
    case .minus:
      return ValueCollection(.set, left.filter { !others.contains(Operand($0)) }.withoutDoubles)
    }
  }

  private func collection(
    of expression: ExpressionTree,
    for word: String
  ) throws(EvaluationError) -> ValueCollection? {
    let operand = Operand(try value(of: expression))
    switch operand {
    case .nothing: return nil
    case .collection(let collection): return collection
    case .number, .text, .date, .uuid, .url, .data, .object:
      throw EvaluationError("\(word) expects a collection, \(expression) is \(operand)")
    }
  }

  private func element(
    of list: ExpressionTree,
    at place: IndexPlace
  ) throws(EvaluationError) -> Any? {
    let value = try value(of: list)
    if case .at(let expression) = place, let value, let dictionary = KeyValues.dictionary(value),
      case .text(let key) = Operand(try self.value(of: expression))
    {
      return dictionary.keyValue(key)
    }
    guard let collection = value.flatMap(ValueCollection.init) else {
      guard case .nothing = Operand(value) else {
        throw EvaluationError("\(list) is \(Operand(value)); brackets need a list or dictionary")
      }
      return nil
    }
    switch place {
    case .size: return collection.count
    case .first: return collection.elements.first ?? nil
    case .last: return collection.elements.last ?? nil
    case .at(let expression): return try collection.element(at: try self.value(of: expression))
    }
  }
}

extension ValueCollection {
  /// The element at a position; nothing stands beyond the end.
  fileprivate func element(at place: Any?) throws(EvaluationError) -> Any? {
    guard case .number(let number) = Operand(place) else {
      throw EvaluationError("a place in a list is a number, not \(Operand(place))")
    }
    let index = Int(number.integerPart)
    return elements.indices.contains(index) ? elements[index] : nil
  }
}

// MARK: - Code from outside

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
  private func answer(
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

  private func fetch(
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

  private func call(
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
