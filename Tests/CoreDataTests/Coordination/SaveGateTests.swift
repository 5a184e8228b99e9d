import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

@Suite struct SaveGateTests {
  /// Runs work on a thread of its own.
  private func thread(_ work: @escaping @Sendable () -> Void) -> DispatchSemaphore {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      work()
      done.signal()
    }
    return done
  }

  private func isDone(_ done: DispatchSemaphore, within seconds: Double) -> Bool {
    done.wait(timeout: .now() + seconds) == .success
  }

  @Test func `a thread that is alone asks again, and lets others in only at its last unlock`() {
    let gate = SaveGate()
    gate.lock()
    gate.lock()
    #expect(gate.beside { $0 == nil })
    let other = thread { gate.beside { _ in } }
    gate.unlock()
    #expect(!isDone(other, within: 0.1))
    gate.unlock()
    #expect(isDone(other, within: 10))
  }

  @Test
  func
    `nobody is alone while others are beside each other, and newcomers wait for whoever wants to be`()
  {
    let gate = SaveGate()
    let (leave, isIn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let first = thread {
      gate.beside { _ in
        isIn.signal()
        leave.wait()
      }
    }
    isIn.wait()
    #expect(isDone(thread { gate.beside { _ in } }, within: 10))
    #expect(!gate.try())
    let order = Mutex<[String]>([])
    let alone = thread {
      gate.lock()
      order.withLock { $0.append("alone") }
      gate.unlock()
    }
    Thread.sleep(forTimeInterval: 0.1)
    let late = thread { gate.beside { _ in order.withLock { $0.append("late") } } }
    #expect(!isDone(late, within: 0.1))
    leave.signal()
    #expect(isDone(first, within: 10) && isDone(alone, within: 10) && isDone(late, within: 10))
    #expect(order.withLock { $0 } == ["alone", "late"])
  }

  @Test func `results come in the order in which their commits began`() {
    let gate = SaveGate()
    let order = Mutex<[Int]>([])
    let begun = (0..<3).map { _ in DispatchSemaphore(value: 0) }
    let mayCommit = (0..<3).map { _ in DispatchSemaphore(value: 0) }
    var threads: [DispatchSemaphore] = []
    for number in 0..<3 {
      threads.append(
        thread {
          gate.beside { place in
            place?.beginCommit()
            begun[number].signal()
            mayCommit[number].wait()
            place?.waitForEarlier()
            order.withLock { $0.append(number) }
          }
        }
      )
      begun[number].wait()
    }
    for number in [2, 1, 0] { mayCommit[number].signal() }
    #expect(threads.allSatisfy { isDone($0, within: 10) })
    #expect(order.withLock { $0 } == [0, 1, 2])
  }

  @Test func `a save that fails behind its place keeps nobody waiting`() throws {
    struct Refused: Error {}
    let gate = SaveGate()
    #expect(throws: Refused.self) {
      try gate.beside { place in
        place?.beginCommit()
        throw Refused()
      }
    }
    let next = thread {
      gate.beside { place in
        place?.beginCommit()
        place?.waitForEarlier()
      }
    }
    #expect(isDone(next, within: 10))
  }
}
