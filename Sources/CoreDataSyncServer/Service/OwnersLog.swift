import Synchronization

/// Tells the server's owner what no device can mend: each thing once a minute, however many devices meet it.
final class OwnersLog: Sendable {
  private let report: @Sendable (String) -> Void
  /// What was told within a minute, and when.
  private let told = Mutex<[String: UInt64]>([:])

  init(_ report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// Tells a sentence; the time is in milliseconds since 1970.
  func tell(_ sentence: String, at time: UInt64) {
    let isNew = told.withLock { told in
      // What was told later than now was told by a clock that went back since.
      told = told.filter { $0.value <= time && time - $0.value < 60_000 }
      guard told[sentence] == nil else { return false }
      told[sentence] = time
      return true
    }
    if isNew { report(sentence) }
  }
}
