import Foundation
import Synchronization

/// A line at the terminal that says how far the work is, and is gone when it is done.
///
/// ```
/// copying  ███████░░░░░░░░░░░░░  35 %
/// ```
///
/// It appears after half a second, and only where a person reads the errors. It is drawn beside the
/// work, so that a long statement of SQL shows too.
final class ProgressLine: Sendable {
  private let terminal: Terminal
  private let state = Mutex(Line())

  private struct Line {
    var text = ""
    /// The line that the terminal shows now.
    var drawn: String?
    var isOver = false
  }

  init(terminal: Terminal = .errors) {
    self.terminal = terminal
    if terminal.isInteractive { draw(after: .milliseconds(500)) }
  }

  deinit { erase() }

  /// Shows the present task; `all` is 0 if the amount is unknown.
  func show(_ work: String, _ done: Int = 0, of all: Int = 0) {
    guard terminal.isInteractive else { return }
    // The task may name a table, and the file's maker has chosen that name.
    let text = Self.text(work.inOneLine, done, of: all)
    state.withLock { $0.text = text }
  }

  /// The work is done, or something else shall be printed.
  func erase() {
    state.withLock { state in
      state.isOver = true
      if state.drawn != nil { Self.put("\r\u{1B}[K") }
      state.drawn = nil
    }
  }

  static func text(_ work: String, _ done: Int, of all: Int) -> String {
    guard all > 0 else { return done > 0 ? "\(work)  \(done.grouped)" : "\(work) …" }
    let share = min(1, max(0, Double(done) / Double(all)))
    let full = Int(share * 20)
    let bar = String(repeating: "█", count: full) + String(repeating: "░", count: 20 - full)
    return "\(work)  \(bar)  \(Int(share * 100)) %"
  }
}

// MARK: - Drawing

extension ProgressLine {
  private func draw(after delay: DispatchTimeInterval) {
    DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self, draws() else { return }
      draw(after: .milliseconds(100))
    }
  }

  /// False when the work is over.
  private func draws() -> Bool {
    let width = (terminal.width ?? 80) - 1
    return state.withLock { state in
      guard !state.isOver else { return false }
      if state.drawn != state.text, !state.text.isEmpty {
        Self.put("\r\u{1B}[K" + state.text.cut(to: width))
        state.drawn = state.text
      }
      return true
    }
  }

  private static func put(_ text: String) {
    Output.tell { try $0.writeExactly(text) }
  }
}
