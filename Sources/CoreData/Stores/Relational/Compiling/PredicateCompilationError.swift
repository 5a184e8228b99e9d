import CoreDataPredicates

/// Why a predicate or a sort order cannot become SQL.
///
///     note.wordCount > 3: wordCount of Note is not in the store; fetch without it and filter the
///     objects afterwards
package struct PredicateCompilationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part in question, spelled as `predicateFormat` does.
  package let part: String
  package let problem: String
  package let remedy: Advice

  init(_ part: some CustomStringConvertible, _ problem: String, remedy: Advice) {
    self.part = part.description
    self.problem = problem
    self.remedy = remedy
  }

  package var description: String { "\(part): \(problem); \(remedy.phrase)" }
}

extension PredicateCompilationError {
  /// The advice if only memory can answer.
  static let filterInMemory: Advice =
    "leave this part out of the request and filter the objects it finds"
}

extension StoreFailure {
  /// A predicate or an order that SQL cannot express is the request's fault, and said so.
  package static func translatingPredicates<Result>(
    path: @autoclosure () -> String,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as PredicateCompilationError {
      let cause = StoreFailure.Cause.untranslatable(
        part: error.part,
        problem: error.problem,
        remedy: error.remedy
      )
      throw StoreFailure(cause, path: path()).error()
    }
  }
}
