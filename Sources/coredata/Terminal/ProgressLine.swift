import Foundation

/// A line at the terminal that says how far the work is, and is gone when it is done.
///
/// ```
/// copying  ███████░░░░░░░░░░░░░  35 %
/// ```
///
/// It appears after half a second, and only where a person reads the errors.
final class ProgressLine {
  private let terminal: Terminal
  private let start = ContinuousClock.now
  private var last: ContinuousClock.Instant?

  init(terminal: Terminal = .errors) {
    self.terminal = terminal
  }

  deinit { erase() }

  /// Says what is being done; `all` is 0 where nobody knows how much there is.
  func show(_ work: String, _ done: Int, of all: Int) {
    let now = ContinuousClock.now
    guard terminal.isInteractive, start.duration(to: now) > .milliseconds(500) else { return }
    if let last, last.duration(to: now) < .milliseconds(100) { return }
    last = now
    put("\r\u{1B}[K" + Self.text(work, done, of: all).cut(to: (terminal.width ?? 80) - 1))
  }

  func erase() {
    guard last != nil else { return }
    last = nil
    put("\r\u{1B}[K")
  }

  static func text(_ work: String, _ done: Int, of all: Int) -> String {
    guard all > 0 else { return done > 0 ? "\(work)  \(done.grouped)" : "\(work) …" }
    let share = min(1, max(0, Double(done) / Double(all)))
    let full = Int(share * 20)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
    return "\(work)  \(bar)  \(Int(share * 100)) %"
  }

  private func put(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
