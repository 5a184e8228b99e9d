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
  /// The treatment of a comparison whose values do not fit.
  var mismatches = Mismatches.thrown

  enum Mismatches {
    case thrown
    /// It does not hold, and the log says why.
    case falseAndSaid
  }

  func holds(_ predicate: PredicateTree) throws(EvaluationError) -> Bool {
    switch predicate {
    case .constant(let value):
      return value
    case .comparison(let comparison):
      return switch mismatches {
      case .thrown: try holds(comparison)
      case .falseAndSaid: try holdsIfValuesFit(comparison)
      }
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

  /// The value of an expression that is not a part of another one.
  ///
  /// A key path answers as in key-value coding: the collections of a collection's elements stay what they are.
  func wholeValue(of expression: ExpressionTree) throws(EvaluationError) -> Any? {
    guard case .keyPath(let base, let names) = expression else { return try value(of: expression) }
    return try KeyValues.value(ofPath: names[...], in: try value(of: base), .kept)
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

extension Evaluator {
  /// False for values that cannot be compared so; a mistake in the predicate is an error all the same.
  private func holdsIfValuesFit(_ comparison: Comparison) throws(EvaluationError) -> Bool {
    do throws(EvaluationError) {
      return try holds(comparison)
    } catch {
      if error.isMistake { throw error }
      error.say(in: "\(comparison)", instead: "It does not hold.")
      return false
    }
  }
}

extension PredicateTree {
  /// Whether the predicate holds for an object, where nobody can catch an error.
  ///
  /// Comparisons of values that cannot be compared do not hold. A key that an object does not have and
  /// a variable without a value are mistakes of the program, and stop it.
  func answer(for object: Any?, _ variables: [String: Any]?) -> Bool {
    let evaluator = Evaluator(
      object: object,
      bindings: Bindings(variables),
      mismatches: .falseAndSaid
    )
    do {
      return try evaluator.holds(self)
    } catch {
      fatalError("cannot evaluate \(self): \(error)")
    }
  }

  /// Whether the predicate holds for an object.
  package func evaluate(
    with object: Any?,
    variables: [String: Any]? = nil
  ) throws(EvaluationError) -> Bool {
    try Evaluator(object: object, bindings: Bindings(variables)).holds(self)
  }
}

extension ExpressionTree {
  /// Evaluates the expression for an object.
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

extension ExpressionTree {
  /// Evaluates the expression where nobody can catch an error: `nil` for values that do not fit.
  func answer(for object: Any?, context: NSMutableDictionary?) -> Any? {
    let evaluator = Evaluator(
      object: object,
      bindings: Bindings(context: context),
      mismatches: .falseAndSaid
    )
    do {
      return try evaluator.wholeValue(of: self).asObject
    } catch {
      guard !error.isMistake else { fatalError("cannot evaluate \(self): \(error)") }
      error.say(in: "\(self)", instead: "It has no value.")
      return nil
    }
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
      throw .mistake("the variable $\(name) has no value; pass one in the substitution variables")
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

  func values(of expressions: [ExpressionTree]) throws(EvaluationError) -> [Any?] {
    var values: [Any?] = []
    values.reserveCapacity(expressions.count)
    for expression in expressions { values.append(try value(of: expression)) }
    return values
  }
}
