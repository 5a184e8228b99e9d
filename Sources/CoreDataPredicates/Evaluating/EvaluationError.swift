/// Why a predicate or an expression has no answer for an object.
///
/// `evaluate(with:)` cannot throw, so there it stops the program with this sentence.
package struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Whether there would be an answer, but for the time it takes.
  package let isLimit: Bool

  package init(_ description: String, isLimit: Bool = false) {
    self.description = description
    self.isLimit = isLimit
  }
}
