/// The reason why a predicate or an expression cannot be evaluated for an object.
///
/// A fetch throws it. `evaluate(with:)` cannot throw: there a comparison of values that cannot be
/// compared does not hold, and only a mistake in the predicate itself stops the program.
package struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// Whether the predicate would be wrong with other values too: a key that its object does not have,
  /// a variable without a value.
  package let isMistake: Bool
  /// Whether there would be an answer, but for the time it takes.
  package let isLimit: Bool

  package init(_ description: String, isLimit: Bool = false) {
    self.description = description
    self.isLimit = isLimit
    isMistake = false
  }

  private init(mistake: String) {
    description = mistake
    isLimit = false
    isMistake = true
  }

  /// An error that other values would not mend.
  static func mistake(_ description: String) -> EvaluationError {
    EvaluationError(mistake: description)
  }
}
