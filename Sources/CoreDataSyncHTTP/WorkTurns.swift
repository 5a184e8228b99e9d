package import Foundation
import Synchronization

/// Decides which requests are worked on at once, over all connections, if they are messages or large values.
///
/// A message takes several times the memory of its bytes while it is read and answered: fifty thousand small cells have
/// two megabytes, and more than ten as values. So a few threads work, and the others wait with only the bytes that have
/// arrived. The first to come goes first, and with one token there is always a place less than all, so that a client
/// that sends without end does not keep the others waiting.
package final class WorkTurns: Sendable {
  private let places: Int
  private let part: Int
  private let patience: TimeInterval
  private let line = Mutex(Line())

  /// Lets so many threads work, with one token so many of them at most, and lets others wait for so many seconds.
  package init(places: Int = 4, forToken part: Int = 3, patience: TimeInterval = 30) {
    self.places = places
    self.part = part
    self.patience = patience
  }

  /// Works for a client with this token once it is its turn; `nil` if that does not come in time.
  func work<Result>(forToken token: Int64, _ work: () -> Result) -> Result? {
    guard begins(token) else { return nil }
    defer { end(token) }
    return work()
  }
}

// MARK: - The line

extension WorkTurns {
  private struct Line {
    var working = 0
    var workingByToken: [Int64: Int] = [:]
    /// In the order in which they have come.
    var waiting: [Waiter] = []
  }

  private final class Waiter: Sendable {
    let token: Int64
    let bell = DispatchSemaphore(value: 0)

    init(_ token: Int64) { self.token = token }
  }

  /// Waits for a place, and takes it; says whether there was one in time.
  private func begins(_ token: Int64) -> Bool {
    let waiter = line.withLock { line -> Waiter? in
      if takesPlace(token, in: &line) { return nil }
      let waiter = Waiter(token)
      line.waiting.append(waiter)
      return waiter
    }
    guard let waiter, waiter.bell.wait(timeout: .now() + patience) == .timedOut else {
      return true
    }
    return line.withLock { line in
      // A thread that is called in this moment has its place.
      guard let number = line.waiting.firstIndex(where: { $0 === waiter }) else { return true }
      line.waiting.remove(at: number)
      return false
    }
  }

  private func takesPlace(_ token: Int64, in line: inout Line) -> Bool {
    let own = line.workingByToken[token, default: 0]
    guard line.working < places, own < part else { return false }
    line.working += 1
    line.workingByToken[token] = own + 1
    return true
  }

  /// Gives a place back, and calls the first who may have it.
  private func end(_ token: Int64) {
    line.withLock { line in
      line.working -= 1
      let left = line.workingByToken[token, default: 1] - 1
      line.workingByToken[token] = left > 0 ? left : nil
      var number = 0
      while number < line.waiting.count, line.working < places {
        guard takesPlace(line.waiting[number].token, in: &line) else {
          number += 1
          continue
        }
        line.waiting.remove(at: number).bell.signal()
      }
    }
  }
}
