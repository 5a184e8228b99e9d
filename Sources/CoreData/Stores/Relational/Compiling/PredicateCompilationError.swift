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
  /// What helps wherever only memory has an answer.
  static let filterInMemory: Advice =
    "leave this part out of the request and filter the objects it finds"
}
