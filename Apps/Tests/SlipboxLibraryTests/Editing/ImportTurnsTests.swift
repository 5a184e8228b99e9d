import Synchronization
import Testing

@testable import SlipboxLibrary

/// Imports take their turns: one at a time, all of them, and none after it was given up.
struct ImportTurnsTests {
  private final class Count: Sendable {
    private let numbers = Mutex((now: 0, most: 0, all: 0))

    func enter() {
      numbers.withLock {
        $0.now += 1
        $0.all += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { numbers.withLock { $0.now -= 1 } }

    var most: Int { numbers.withLock { $0.most } }
    var all: Int { numbers.withLock { $0.all } }
  }

  @Test("Portions of several imports are in memory one at a time")
  func oneAtATime() async throws {
    let (turns, count) = (ImportTurns(), Count())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            try await turns.take()
            count.enter()
            await Task.yield()
            count.leave()
            turns.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(count.most == 1)
    #expect(count.all == 400)
  }

  @Test("An import that was canceled while it waited kept the others waiting")
  func canceledWhileItWaited() async throws {
    let turns = ImportTurns()
    try await turns.take()
    let waiting = Task { try await turns.take() }
    waiting.cancel()
    turns.leave()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    try await turns.take()
    turns.leave()
  }
}
