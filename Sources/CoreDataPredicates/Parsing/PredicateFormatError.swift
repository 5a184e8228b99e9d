/// An error that describes why a text cannot be parsed as a predicate or expression.
///
/// ```
/// cannot parse "title ==": expected a value at the end
/// cannot parse "title == )": expected a value at position 9, found ")"
/// ```
public struct PredicateFormatError: Error, Hashable, Sendable {
  /// The whole text that cannot be parsed.
  public let format: String
  /// The number of characters before the position of the error.
  public let position: Int
  /// The part of the message that follows the colon.
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
