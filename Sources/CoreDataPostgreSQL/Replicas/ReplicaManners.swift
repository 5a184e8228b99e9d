import CoreData

/// When a server is asked for the sake of replicas, and when it is left alone.
///
/// A reader that was sent to it and has not come back in time keeps others away: a server that does not answer costs
/// one read its patience, and not each. The caller supplies the time.
struct ReplicaManners: Sendable {
  typealias Instant = ContinuousClock.Instant

  private var restsUntil: Instant?
  /// The deadlines of the readers that are there now.
  private var visits: [Instant] = []

  /// How long a replica is left alone that was behind, and how long a server that could not be used.
  static let (pauseBehind, pauseUnfit) = (Duration.milliseconds(250), Duration.seconds(5))

  func welcomes(at now: Instant) -> Bool {
    if let restsUntil, now < restsUntil { return false }
    return visits.allSatisfy { now <= $0 }
  }

  mutating func begin(until deadline: Instant) {
    visits.append(deadline)
  }

  mutating func end(until deadline: Instant) {
    if let index = visits.firstIndex(of: deadline) { visits.remove(at: index) }
  }

  mutating func rest(_ pause: Duration, from now: Instant) {
    let end = now.advanced(by: pause)
    restsUntil = restsUntil.map { max($0, end) } ?? end
  }
}
