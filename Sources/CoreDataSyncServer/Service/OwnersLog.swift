import Synchronization

/// Tells the server's owner what no device can mend: each thing once a minute, however many devices meet it.
final class OwnersLog: Sendable {
  private let report: @Sendable (String) -> Void
  /// The sentences of the last minute, with their times.
  private let told = Mutex<[String: UInt64]>([:])

  init(_ report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// Tells a sentence; the time is in milliseconds since 1970.
  func tell(_ sentence: String, at time: UInt64) {
    let isNew = told.withLock { told in
      // Sentences later than now come from before the clock went back.
      told = told.filter { $0.value <= time && time - $0.value < 60_000 }
      guard told[sentence] == nil else { return false }
      told[sentence] = time
      return true
    }
    if isNew { report(sentence) }
  }
}
