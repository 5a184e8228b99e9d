import CoreData
import Foundation

/// A line on the terminal that says what is being looked at, and goes away in the end.
enum ProgressLine {
  /// Nil where nobody watches: what is not a terminal gets no such lines.
  static var onTerminal: ((CheckProgress) -> Void)? {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    return { progress in
      let percent = progress.done * 100 / max(progress.total, 1)
      let text = progress.done == progress.total ? "" : "\(percent) % \(progress.subject)"
      FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
    }
  }
}
