import CoreDataHTTP
import Foundation
import Synchronization
import Testing

@testable import CoreDataSyncHTTP

/// How many messages are worked on at once.
struct WorkTurnsTests {
  /// Something that takes until it is let go.
  private final class Work: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private let begun = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let wasDone = Mutex<Bool?>(nil)

    init(on turns: WorkTurns, _ token: Int64) {
      turns.add(forToken: token) { [self] in
        begun.signal()
        gate.wait()
        end(true)
      } orGiveUp: { [self] in
        end(false)
      }
    }

    private func end(_ wasDone: Bool) {
      self.wasDone.withLock { $0 = wasDone }
      ended.signal()
    }

    /// Whether it was given up.
    func wasGivenUp() -> Bool {
      ended.wait(timeout: .now() + 60) == .success && wasDone.withLock { $0 } == false
    }

    func hasBegun(within seconds: TimeInterval = 60) -> Bool {
      begun.wait(timeout: .now() + seconds) == .success
    }

    /// Lets it go; says whether it was done.
    func finish() -> Bool {
      gate.signal()
      return ended.wait(timeout: .now() + 60) == .success && wasDone.withLock { $0 } == true
    }
  }

  @Test func `as many messages were worked on at once as came`() {
    let turns = WorkTurns(places: 2, forToken: 2, patience: .seconds(600))
    let first = Work(on: turns, 1)
    #expect(first.hasBegun())
    let second = Work(on: turns, 2)
    #expect(second.hasBegun())
    let third = Work(on: turns, 3)
    #expect(!third.hasBegun(within: 0.1))
    #expect(second.finish())
    #expect(third.hasBegun())
    #expect(first.finish() && third.finish())
  }

  @Test func `whoever sent without end let those with other tokens wait behind him`() {
    let turns = WorkTurns(places: 2, forToken: 1, patience: .seconds(600))
    let first = Work(on: turns, 1)
    #expect(first.hasBegun())
    let second = Work(on: turns, 1)
    #expect(!second.hasBegun(within: 0.1))
    let other = Work(on: turns, 2)
    #expect(other.hasBegun())
    #expect(other.finish())
    #expect(!second.hasBegun(within: 0.1))
    #expect(first.finish())
    #expect(second.hasBegun())
    #expect(second.finish())
  }

  @Test func `whoever waited for his turn waited for ever`() {
    let turns = WorkTurns(places: 1, forToken: 1, patience: .seconds(1))
    let first = Work(on: turns, 1)
    #expect(first.hasBegun())
    let second = Work(on: turns, 2)
    turns.look()
    #expect(turns.waitingCount == 1)
    turns.look(at: .now + .seconds(2))
    #expect(second.wasGivenUp())
    #expect(first.finish())
    let third = Work(on: turns, 2)
    #expect(third.hasBegun())
    #expect(third.finish())
    #expect(HTTPRequest.noTurn.status == 503)
    #expect(HTTPRequest.noTurn.fields.contains { $0.name == "Retry-After" && $0.value == "5" })
  }
}
