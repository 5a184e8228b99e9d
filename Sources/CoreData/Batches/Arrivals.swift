import Foundation
import Synchronization

/// Values on their way from a task, which must not block, to a thread, which cannot do otherwise.
///
/// ```
/// a task ── add ─▶ up to a few hundred ── next ─▶ a thread
///    waits while the line is full             waits while the line is empty
/// ```
final class Arrivals<Value: Sendable>: Sendable {
  private let line = Mutex(Line())
  private let change = DispatchSemaphore(value: 0)

  private struct Line {
    /// The first at the end.
    var taken: [Value] = []
    var waiting: [Value] = []
    var end: End?
    var isAbandoned = false
    var giver: CheckedContinuation<Bool, Never>?
    /// Whether the thread has found nothing, and waits.
    var isAwaited = false
  }

  private enum End {
    case complete
    case failed(any Error)
  }

  private static var room: Int { 256 }

  /// Adds a value when there is room; false when nobody takes any more.
  func add(_ value: Value) async -> Bool {
    let (isTaken, isAwaited) = line.withLock { line in
      if line.isAbandoned || line.waiting.count >= Self.room { return (false, false) }
      line.waiting.append(value)
      defer { line.isAwaited = false }
      return (true, line.isAwaited)
    }
    if isAwaited { change.signal() }
    if isTaken { return true }
    guard await hasRoom() else { return false }
    return await add(value)
  }

  /// Waits until there is room; false when nobody takes any more.
  private func hasRoom() async -> Bool {
    await withCheckedContinuation { giver in
      let answer: Bool? = line.withLock { line in
        if line.isAbandoned { return false }
        if line.waiting.count < Self.room { return true }
        line.giver = giver
        return nil
      }
      if let answer { giver.resume(returning: answer) }
    }
  }

  /// Says that no more values come, and why, if that is an error.
  func end(with error: (any Error)?) {
    line.withLock { $0.end = error.map(End.failed) ?? .complete }
    change.signal()
  }

  /// The next value, for which the thread waits; nil at the end.
  func next() throws -> Value? {
    while true {
      let (value, end, giver) = line.withLock { line in take(from: &line) }
      giver?.resume(returning: true)
      if let value { return value }
      switch end {
      case .complete: return nil
      case .failed(let error): throw error
      case nil: change.wait()
      }
    }
  }

  private func take(
    from line: inout Line
  ) -> (Value?, End?, CheckedContinuation<Bool, Never>?) {
    if let value = line.taken.popLast() { return (value, nil, nil) }
    line.taken = line.waiting.reversed()
    line.waiting.removeAll(keepingCapacity: true)
    defer { line.giver = nil }
    let first = line.taken.popLast()
    line.isAwaited = first == nil && line.end == nil
    return (first, line.end, line.giver)
  }

  /// Takes no more values.
  func abandon() {
    let giver = line.withLock { line in
      line.isAbandoned = true
      line.waiting = []
      defer { line.giver = nil }
      return line.giver
    }
    giver?.resume(returning: false)
  }
}
