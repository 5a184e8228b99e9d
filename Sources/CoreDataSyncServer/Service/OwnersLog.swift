import Synchronization

/// Tells the server's owner what no device can mend: each thing once a minute, however many devices meet it.
final class OwnersLog: Sendable {
  private let report: @Sendable (String) -> Void
  private let last = Mutex<(sentence: String, time: UInt64)?>(nil)

  init(_ report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// Tells a sentence; the time is in milliseconds since 1970.
  func tell(_ sentence: String, at time: UInt64) {
    let isNew = last.withLock { last in
      if let last, last.sentence == sentence, time < last.time + 60_000 { return false }
      last = (sentence, time)
      return true
    }
    if isNew { report(sentence) }
  }
}
