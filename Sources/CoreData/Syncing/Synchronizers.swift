import Foundation
import Synchronization

/// The synchronizers of one container's stores, and the listeners that follow their progress.
final class Synchronizers: Sendable {
  typealias Status = NSPersistentCloudKitContainer.SyncStatus
  typealias Problem = NSPersistentCloudKitContainer.SyncProblem

  private let members = Mutex(Members())

  private struct Members: Sendable {
    var all: [any StoreSynchronizer] = []
    /// The problems of stores that do not have a synchronizer, in the order in which they occurred.
    var problems: [(store: ObjectIdentifier, problem: Problem)] = []
    var listeners: [UUID: AsyncStream<Status>.Continuation] = [:]

    mutating func forgetProblem(of store: NSPersistentStore) {
      problems.removeAll { $0.store == ObjectIdentifier(store) }
    }
  }

  /// Held while a status is added up and told, so that no older one is told after a newer one.
  private let telling = Mutex(())

  /// The streams that follow the status of a container end with it.
  deinit {
    for listener in members.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }

  var all: [any StoreSynchronizer] { members.withLock { $0.all } }

  func add(_ synchronizer: any StoreSynchronizer) {
    followDepartures(from: synchronizer.store.coordinator)
    members.withLock { members in
      members.all.append(synchronizer)
      members.forgetProblem(of: synchronizer.store.store)
    }
    synchronizer.start()
    tell()
  }

  /// Whether something keeps a store in step.
  func keeps(_ store: NSPersistentStore) -> Bool { all.contains { $0.store.store === store } }

  /// Ends the synchronizer of a store that leaves its coordinator.
  private func leave(_ store: NSPersistentStore) {
    let gone = members.withLock { members in
      let gone = members.all.filter { $0.store.store === store }
      members.all.removeAll { $0.store.store === store }
      members.forgetProblem(of: store)
      return gone
    }
    for synchronizer in gone { synchronizer.leave() }
    tell()
  }

  private func followDepartures(from coordinator: NSPersistentStoreCoordinator) {
    coordinator.departures.follow(for: self) { [weak self] in self?.leave($0) }
  }

  /// Notes a problem that prevents keeping a store in step, until that succeeds or the store is gone.
  func note(
    _ problem: Problem,
    of store: NSPersistentStore,
    in coordinator: NSPersistentStoreCoordinator
  ) {
    followDepartures(from: coordinator)
    members.withLock { members in
      members.forgetProblem(of: store)
      members.problems.append((ObjectIdentifier(store), problem))
    }
    tell()
  }

  func stop() {
    let all = members.withLock { members in
      defer { (members.all, members.problems) = ([], []) }
      return members.all
    }
    for synchronizer in all { synchronizer.stop() }
    tell()
  }

  func resolve(
    _ conflict: NSPersistentCloudKitContainer.SyncConflict,
    takesBack: Bool
  ) throws {
    let store = conflict.storeIdentifier
    guard let synchronizer = all.first(where: { $0.store.store.identifier == store }) else {
      throw Problem(
        """
        The store of this conflict is not kept in step at the moment, and the conflict stays as it is. Begin to \
        exchange changes again, and ask for the conflicts anew.
        """,
        isTemporary: false
      )
    }
    try synchronizer.resolve(conflict, takesBack: takesBack)
  }

  /// Brings all stores and the server to the same state.
  ///
  /// - Returns: The first thing that was in the way of one of them; the others are exchanged all the same.
  func synchronize() async -> Problem? {
    var problem: Problem?
    for synchronizer in all {
      let met = await withCheckedContinuation { continuation in
        synchronizer.synchronize { continuation.resume(returning: $0) }
      }
      problem = problem ?? met
    }
    return problem ?? members.withLock { $0.problems.first?.problem }
  }
}

// MARK: - Status

extension Synchronizers {
  var status: Status {
    let (all, problem) = members.withLock { ($0.all, $0.problems.first?.problem) }
    var sum = Status()
    sum.problem = problem
    let statuses = all.map(\.status)
    sum.countsAreKnown = problem == nil && !all.isEmpty && statuses.allSatisfy(\.countsAreKnown)
    for status in statuses {
      sum.pendingChangeCount += status.pendingChangeCount
      sum.pendingSaveCount += status.pendingSaveCount
      sum.conflictCount += status.conflictCount
      sum.quarantineCount += status.quarantineCount
      sum.isActive = sum.isActive || status.isActive
      sum.canWrite = sum.canWrite && status.canWrite
      sum.isEncrypted = sum.isEncrypted || status.isEncrypted
      sum.problem = sum.problem ?? status.problem
    }
    // For all stores together, the time is that of the store that is the furthest behind.
    let times = statuses.compactMap(\.lastConfirmed)
    sum.lastConfirmed = problem == nil && times.count == statuses.count ? times.min() : nil
    return sum
  }

  /// Whether changes of a store can be sent; also of one that is not kept in step.
  func canWrite(to store: NSPersistentStore?) -> Bool {
    all.first { $0.store.store === store }?.status.canWrite ?? true
  }

  func statuses() -> AsyncStream<Status> {
    let id = UUID()
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      members.withLock { $0.listeners[id] = continuation }
      continuation.onTermination = { [weak self] _ in
        _ = self?.members.withLock { $0.listeners.removeValue(forKey: id) }
      }
      telling.withLock { _ in _ = continuation.yield(status) }
    }
  }

  /// Tells everybody how far it is.
  func tell() {
    telling.withLock { _ in
      let status = status
      let listeners = members.withLock { Array($0.listeners.values) }
      for listener in listeners { listener.yield(status) }
    }
  }
}
