/// Why a format string is not a predicate, and where.
///
/// ```
/// cannot parse "title ==": expected a value at the end
/// cannot parse "title == )": expected a value at position 9, found ")"
/// ```
public struct PredicateFormatError: Error, Hashable, Sendable {
  /// The text that was to be parsed.
  public let format: String
  /// How many characters stand before the place where it went wrong.
  public let position: Int
  /// The part of the sentence that follows the colon.
  public let problem: String

  init(_ format: String, position: Int, problem: String) {
    self.format = format
    self.position = position
    self.problem = problem
  }
}

extension PredicateFormatError: CustomStringConvertible {
  public var description: String {
    "cannot parse \"\(format)\": \(problem)"
  }
}
