/// Why a predicate or an expression has no answer for an object.
///
/// `evaluate(with:)` cannot throw, so there it stops the program with this sentence.
package struct EvaluationError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
