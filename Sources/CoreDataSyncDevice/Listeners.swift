import Foundation
import Synchronization

/// The readers of streams that all get the same elements.
final class Listeners<Element: Sendable>: Sendable {
  private struct Readers {
    var all: [UUID: AsyncStream<Element>.Continuation] = [:]
    var isFinished = false
  }

  private let readers = Mutex(Readers())

  /// A stream of an element of now, if there is one, and of each later one.
  func stream(
    bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy,
    _ first: () -> Element?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: bufferingPolicy)
    let id = UUID()
    continuation.onTermination = { [weak self] _ in
      _ = self?.readers.withLock { $0.all.removeValue(forKey: id) }
    }
    let isFinished = readers.withLock { readers in
      // Under the lock, so that no later element comes before the first one.
      if let first = first() { continuation.yield(first) }
      if !readers.isFinished { readers.all[id] = continuation }
      return readers.isFinished
    }
    if isFinished { continuation.finish() }
    return stream
  }

  func tell(_ element: Element) {
    readers.withLock { for reader in $0.all.values { reader.yield(element) } }
  }

  /// Ends all streams, and those that are asked for later.
  func finish() {
    let all = readers.withLock { readers in
      readers.isFinished = true
      return Array(readers.all.values)
    }
    for reader in all { reader.finish() }
  }
}
