import Synchronization

/// How many connections are suspended; none may be when the server's threads end.
final class Pauses: Sendable {
  private let count = Atomic(0)
  private let isOver = Atomic(false)

  /// Notes that a connection is suspended; returns false if none may be any more.
  func begin() -> Bool {
    count.add(1, ordering: .sequentiallyConsistent)
    guard isOver.load(ordering: .sequentiallyConsistent) else { return true }
    end()
    return false
  }

  func end() { count.subtract(1, ordering: .sequentiallyConsistent) }

  /// Lets no more begin.
  func close() { isOver.store(true, ordering: .sequentiallyConsistent) }

  var areOver: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }
}
