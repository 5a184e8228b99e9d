import CoreData

/// Which replica is asked next for one read, and when the search is over.
///
/// ```
/// each in turn ─▶ a pause ─▶ those again that were behind ─▶ a longer pause ─▶ … ─▶ over: the primary answers
/// ```
///
/// The caller supplies the time.
struct ReplicaSearch: Sendable {
  typealias Instant = ContinuousClock.Instant

  enum Step: Hashable, Sendable {
    case ask(Int)
    case wait(Duration)
    case giveUp
  }

  let deadline: Instant
  private var round: [Int]
  private var nextRound: [Int] = []
  private var pause = Duration.microseconds(200)
  /// The replicas that were behind.
  private(set) var late: Set<Int> = []

  /// How much later a read may begin because there are replicas.
  static let budget = Duration.milliseconds(20)
  private static let longestPause = Duration.milliseconds(4)

  init(_ replicas: [Int], from now: Instant) {
    round = replicas
    deadline = now.advanced(by: Self.budget)
  }

  mutating func next(at now: Instant) -> Step {
    if now >= deadline || round.isEmpty && nextRound.isEmpty { return .giveUp }
    if !round.isEmpty { return .ask(round.removeFirst()) }
    (round, nextRound) = (nextRound, [])
    defer { pause = min(pause * 2, Self.longestPause) }
    return .wait(min(pause, now.duration(to: deadline)))
  }

  /// Asks the replica again in the next round.
  mutating func wasBehind(_ replica: Int) {
    nextRound.append(replica)
    late.insert(replica)
  }
}
