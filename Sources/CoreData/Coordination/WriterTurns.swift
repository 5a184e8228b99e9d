import Foundation
import Synchronization

/// The turns of writers: one writer at a time for each store of the process.
///
/// A writer of several stores waits until all of them are free. Waiting writers come in the order in which they
/// asked; none overtakes another that wants the same store.
final class WriterTurns: Sendable {
  static let ofProcess = WriterTurns()

  private let line = Mutex(Line())

  /// Waits for the turn, does the work, and gives the turn to the next.
  ///
  /// Throws what the work throws, and `CancellationError` if the task is canceled while it waits.
  func take<Result>(
    for coordinator: NSPersistentStoreCoordinator,
    _ work: () async throws -> Result
  ) async throws -> Result {
    let stores = Set(coordinator.persistentStores.map(StoreName.init))
    try await wait(for: stores)
    defer { leave(stores) }
    return try await work()
  }

  private func wait(for stores: Set<StoreName>) async throws {
    let number = line.withLock { $0.nextNumber() }
    let isTurn = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = line.withLock {
          $0.enter(Waiter(number: number, stores: stores, continuation: continuation))
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let (leaving, next) = line.withLock { $0.giveUp(number) }
      leaving?.resume(returning: false)
      for next in next { next.resume(returning: true) }
    }
    guard isTurn else { throw CancellationError() }
  }

  private func leave(_ stores: Set<StoreName>) {
    for next in line.withLock({ $0.leave(stores) }) { next.resume(returning: true) }
  }
}

// MARK: - The line

private struct Waiter {
  typealias Continuation = CheckedContinuation<Bool, Never>

  let number: Int
  let stores: Set<StoreName>
  let continuation: Continuation
}

private struct Line {
  private var busy: Set<StoreName> = []
  private var waiting: [Waiter] = []
  /// Writers that will join the line at once, unless they give up before.
  private var arriving: Set<Int> = []
  private var count = 0

  mutating func nextNumber() -> Int {
    count += 1
    arriving.insert(count)
    return count
  }

  /// Whether it is the newcomer's turn at once, or `nil` for a writer that has to wait.
  mutating func enter(_ waiter: Waiter) -> Bool? {
    if arriving.remove(waiter.number) == nil { return false }
    let wanted = waiting.reduce(into: busy) { $0.formUnion($1.stores) }
    guard wanted.isDisjoint(with: waiter.stores) else {
      waiting.append(waiter)
      return nil
    }
    busy.formUnion(waiter.stores)
    return true
  }

  /// The continuation of a writer that gives up, and those that it alone has held up; `nil` for a writer that is not
  /// in the line, or whose turn it is.
  mutating func giveUp(_ number: Int) -> (Waiter.Continuation?, next: [Waiter.Continuation]) {
    arriving.remove(number)
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return (nil, []) }
    let leaving = waiting.remove(at: place).continuation
    return (leaving, admitted())
  }

  /// Those whose turn it is now.
  mutating func leave(_ stores: Set<StoreName>) -> [Waiter.Continuation] {
    busy.subtract(stores)
    return admitted()
  }

  /// Takes those out of the line whose stores are free, and wanted by nobody before them.
  private mutating func admitted() -> [Waiter.Continuation] {
    var wanted = busy
    var next: [Waiter.Continuation] = []
    waiting.removeAll { waiter in
      let isFree = wanted.isDisjoint(with: waiter.stores)
      wanted.formUnion(waiter.stores)
      guard isFree else { return false }
      busy.formUnion(waiter.stores)
      next.append(waiter.continuation)
      return true
    }
    return next
  }
}

// MARK: - Names of stores

/// The same for every coordinator that has opened the file.
private enum StoreName: Hashable {
  case file(String)
  case memory(ObjectIdentifier)

  init(_ store: NSPersistentStore) {
    if let url = store.url, url.isFileURL, !url.isNowhere, store.type != NSInMemoryStoreType {
      self = .file(url.resolvingSymlinksInPath().path)
    } else {
      self = .memory(ObjectIdentifier(store))
    }
  }
}
