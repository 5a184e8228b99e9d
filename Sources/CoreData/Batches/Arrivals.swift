import Foundation
import Synchronization

/// Values on their way from a task, which must not block, to a thread, which cannot do otherwise.
///
/// ```
/// a task ── add ─▶ up to a few hundred ── next ─▶ a thread
///    waits while there is no room             waits while there is none
/// ```
final class Arrivals<Value: Sendable>: Sendable {
  private let state = Mutex(State())
  private let change = DispatchSemaphore(value: 0)

  private struct State {
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
    let (isTaken, isAwaited) = state.withLock { state in
      if state.isAbandoned || state.waiting.count >= Self.room { return (false, false) }
      state.waiting.append(value)
      defer { state.isAwaited = false }
      return (true, state.isAwaited)
    }
    if isAwaited { change.signal() }
    if isTaken { return true }
    guard await hasRoom() else { return false }
    return await add(value)
  }

  /// Waits until there is room; false when nobody takes any more.
  private func hasRoom() async -> Bool {
    await withCheckedContinuation { giver in
      let answer: Bool? = state.withLock { state in
        if state.isAbandoned { return false }
        if state.waiting.count < Self.room { return true }
        state.giver = giver
        return nil
      }
      if let answer { giver.resume(returning: answer) }
    }
  }

  /// Says that no more values come, and why, if that is an error.
  func end(with error: (any Error)?) {
    state.withLock { $0.end = error.map(End.failed) ?? .complete }
    change.signal()
  }

  /// The next value, for which the thread waits; nil at the end.
  func next() throws -> Value? {
    while true {
      let (value, end, giver) = state.withLock { state in take(from: &state) }
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
    from state: inout State
  ) -> (Value?, End?, CheckedContinuation<Bool, Never>?) {
    if let value = state.taken.popLast() { return (value, nil, nil) }
    state.taken = state.waiting.reversed()
    state.waiting.removeAll(keepingCapacity: true)
    defer { state.giver = nil }
    let first = state.taken.popLast()
    state.isAwaited = first == nil && state.end == nil
    return (first, state.end, state.giver)
  }

  /// Takes no more values.
  func abandon() {
    let giver = state.withLock { state in
      state.isAbandoned = true
      state.waiting = []
      defer { state.giver = nil }
      return state.giver
    }
    giver?.resume(returning: false)
  }
}
