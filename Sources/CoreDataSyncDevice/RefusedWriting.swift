/// For how long nothing is sent with a token that may not write, as the server has said, or somebody between.
///
/// Ten minutes later it is tried again: a proxy may have been in the way, and a token may have got another role.
struct RefusedWriting {
  private var end: ContinuousClock.Instant?

  static let patience = Duration.seconds(600)

  mutating func begin(at now: ContinuousClock.Instant) { end = now + Self.patience }

  /// Whether it is worth a try; also where nothing was refused.
  func isOver(at now: ContinuousClock.Instant) -> Bool { end.map { now >= $0 } ?? true }
}
