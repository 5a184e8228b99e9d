import Foundation
import Synchronization

/// The turns of writers: one writer at a time for each store of the process.
///
/// A writer of several stores waits until all of them are free. Waiting writers come in the order in which they
/// asked; none overtakes another that wants the same store.
///
/// Stores that put writers in order by the rows that they write are asked for a turn only while writers meet at the same
/// rows: from a conflict on, for a second.
final class WriterTurns: Sendable {
  static let ofProcess = WriterTurns()

  private let line = Mutex(Line())
  private let contentions = Mutex<[StoreName: Contention]>([:])

  /// The rows at which writers of a store have met lately.
  private struct Contention {
    var rows: Set<RowName>
    var end: ContinuousClock.Instant

    var isOver: Bool { end < .now }
  }

  /// The rows that one writer holds when its turn comes, however long it waits for that.
  struct MetRows {
    fileprivate var rows: [StoreName: Set<RowName>] = [:]
  }

  private static let contentionTime = Duration.seconds(1)
  /// Of more rows nobody waits for each single one.
  private static let mostRows = 100

  /// Does the work of a batch, which reads nothing first: in a turn only if the store needs turns.
  func takeIfNeeded<Result>(
    for coordinator: NSPersistentStoreCoordinator,
    _ work: () async throws -> Result
  ) async throws -> Result {
    if coordinator.admitsWritersBesideEachOther { return try await work() }
    return try await take(for: coordinator, work)
  }

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

// MARK: - Conflicts

extension WriterTurns {
  /// Whether writers have to take turns: always, or because they have met lately.
  func areNeeded(for coordinator: NSPersistentStoreCoordinator) -> Bool {
    guard coordinator.admitsWritersBesideEachOther else { return true }
    let names = coordinator.persistentStores.map(StoreName.init)
    return contentions.withLock { contentions in
      names.contains { contentions[$0]?.isOver == false }
    }
  }

  /// The rows at which writers of the stores have met lately.
  func metLately(in coordinator: NSPersistentStoreCoordinator) -> MetRows {
    guard coordinator.admitsWritersBesideEachOther else { return MetRows() }
    let names = coordinator.persistentStores.map(StoreName.init)
    return contentions.withLock { contentions in
      let lately = names.compactMap { name in
        contentions[name].flatMap { $0.isOver ? nil : (name, $0.rows) }
      }
      return MetRows(rows: Dictionary(lately) { one, _ in one })
    }
  }

  /// Notes the rows at which a writer has met another one, also among those that it has met before.
  func note(
    _ error: any Error,
    in coordinator: NSPersistentStoreCoordinator,
    among met: inout MetRows
  ) {
    guard coordinator.admitsWritersBesideEachOther else { return }
    let conflicts =
      (error as NSError).userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    let keys = (conflicts ?? []).map(\.sourceObject.key)
    let stores = coordinator.persistentStores
    contentions.withLock { contentions in
      contentions = contentions.filter { !$0.value.isOver }
      for store in stores {
        let rows = keys.filter { $0.store == store.number }.prefix(Self.mostRows).map {
          RowName(root: $0.root, number: $0.number)
        }
        met.rows[StoreName(store), default: []].formUnion(rows)
        if rows.isEmpty, !keys.isEmpty { continue }
        var known = contentions[StoreName(store)]?.rows ?? []
        known.formUnion(rows)
        if known.count > Self.mostRows { known = Set(rows) }
        contentions[StoreName(store)] = Contention(rows: known, end: .now + Self.contentionTime)
      }
    }
  }

  /// Holds rows, also those at which writers of the stores have met lately, and waits for writers of other programs that hold
  /// one.
  func hold(_ met: MetRows, in coordinator: NSPersistentStoreCoordinator) -> [any HeldRows] {
    let lately = metLately(in: coordinator)
    return coordinator.persistentStores.compactMap { store in
      guard let backend = store.backend as? any ContendedStore else { return nil }
      let name = StoreName(store)
      let rows = lately.rows[name, default: []].union(met.rows[name, default: []])
      return rows.isEmpty ? nil : backend.hold(Array(rows))
    }
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
