/// How much JSON is read before it is refused.
///
/// Reading takes time and memory by the number of values, not by the number of bytes, so values are
/// counted: each object, list, text, number, and each null, true and false.
public struct JSONLimits: Sendable, Equatable {
  /// How deep lists and objects may be nested.
  public var depth: Int
  /// How many values there may be in all.
  public var values: Int

  public init(depth: Int, values: Int) {
    self.depth = depth
    self.values = values
  }

  /// For what somebody sends: more than any text that can be edited has.
  public static let sent = JSONLimits(depth: 128, values: 400_000)

  /// For what this program, or an older one with fewer limits, has written itself.
  public static let stored = JSONLimits(depth: 128, values: 20_000_000)

  /// Whole numbers go from −(2⁵³−1) to 2⁵³−1, as in JavaScript.
  ///
  /// A value can be added to and multiplied by a thousand, and its magnitude taken, without leaving 64 bits.
  public static let numbers: ClosedRange<Int64> = -9_007_199_254_740_991...9_007_199_254_740_991
}

/// Why bytes are not the JSON of a value, and at which byte.
public struct JSONProblem: Error, Sendable, Equatable {
  public enum Reason: Sendable, Equatable {
    case malformed
    case tooDeep(Int)
    case tooMany(Int)
    case numberOutOfBounds
    /// The task that reads was cancelled.
    case cancelled
  }

  public let reason: Reason
  public let position: Int

  /// The problem, as a sentence.
  public var sentence: String {
    switch reason {
    case .malformed: "This is not JSON; the mistake is at byte \(position)."
    case .tooDeep(let depth): "Lists and objects stand in one another more than \(depth) times."
    case .tooMany(let count): "There are more than \(count) values."
    case .numberOutOfBounds:
      "The number at byte \(position) is out of bounds; whole numbers go to \(JSONLimits.numbers.upperBound)."
    case .cancelled: "Nobody waits for this any more."
    }
  }
}
