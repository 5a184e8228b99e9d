import Synchronization

/// Lets imports read and write portions of theirs one after another.
///
/// Several that are under way at once share the writer anyway; beside each other they would take the memory of several.
final class ImportTurns: Sendable {
  private let line = Mutex(Line())

  private struct Line {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Waits for earlier ones; code that takes a turn leaves it.
  func take() async throws {
    await withCheckedContinuation { continuation in
      let isFree = line.withLock { line in
        if line.isTaken {
          line.waiting.append(continuation)
          return false
        }
        line.isTaken = true
        return true
      }
      if isFree { continuation.resume() }
    }
    guard Task.isCancelled else { return }
    leave()
    throw CancellationError()
  }

  /// Lets the next one in.
  func leave() {
    let next = line.withLock { line in
      line.isTaken = !line.waiting.isEmpty
      return line.waiting.isEmpty ? nil : line.waiting.removeFirst()
    }
    next?.resume()
  }
}
