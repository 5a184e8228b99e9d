import Foundation
import Synchronization
import Testing

@testable import CoreData

/// Tests of several stores of one container together.
struct SynchronizersTests {
  /// A store that is as far as somebody says.
  private final class Synchronizer: StoreSynchronizer {
    let store: SynchronizedStore
    let current: Mutex<NSPersistentCloudKitContainer.SyncStatus>
    /// Runs between reading the status and giving it.
    let whileAsked = Mutex<(@Sendable () -> Void)?>(nil)
    let hasLeft = Mutex(false)
    let hasExchanged = Mutex(false)

    let problem: NSPersistentCloudKitContainer.SyncProblem?

    init(
      confirmed: Date?,
      canWrite: Bool = true,
      problem: NSPersistentCloudKitContainer.SyncProblem? = nil
    ) throws {
      self.problem = problem
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      let store = try coordinator.addPersistentStore(
        ofType: NSInMemoryStoreType,
        configurationName: nil,
        at: nil
      )
      self.store = SynchronizedStore(
        coordinator: coordinator,
        store: store,
        address: "",
        deviceName: "",
        reportEvent: { _ in },
        reportStatus: { _ in }
      )
      var status = NSPersistentCloudKitContainer.SyncStatus()
      status.lastConfirmed = confirmed
      status.canWrite = canWrite
      current = Mutex(status)
    }

    var status: NSPersistentCloudKitContainer.SyncStatus {
      let status = current.withLock { $0 }
      whileAsked.withLock { $0 }?()
      return status
    }

    func start() {}
    func stop() {}
    func leave() { hasLeft.withLock { $0 = true } }
    func synchronize(
      _ completion: @escaping @Sendable (NSPersistentCloudKitContainer.SyncProblem?) -> Void
    ) {
      hasExchanged.withLock { $0 = true }
      completion(problem)
    }
    func conflicts() -> [NSPersistentCloudKitContainer.SyncConflict] { [] }
    func resolve(_ conflict: NSPersistentCloudKitContainer.SyncConflict, takesBack: Bool) {}
    func quarantine() -> [NSPersistentCloudKitContainer.QuarantinedValue] { [] }
  }

  @Test("two stores were said to be confirmed although one of them never was")
  func neverConfirmed() throws {
    let (early, late) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
    let both = Synchronizers()
    both.add(try Synchronizer(confirmed: late))
    #expect(both.status.lastConfirmed == late)
    both.add(try Synchronizer(confirmed: early))
    #expect(both.status.lastConfirmed == early)
    both.add(try Synchronizer(confirmed: nil))
    #expect(both.status.lastConfirmed == nil)
  }

  @Test("a store that can be written to was said to be read-only because another one is")
  func readOnly() throws {
    let all = Synchronizers()
    let (reader, writer) = (
      try Synchronizer(confirmed: nil, canWrite: false), try Synchronizer(confirmed: nil)
    )
    all.add(reader)
    all.add(writer)
    #expect(!all.canWrite(to: reader.store.store))
    #expect(all.canWrite(to: writer.store.store))
    #expect(all.canWrite(to: nil) && !all.status.canWrite)
  }

  @Test("a store was not exchanged because something was in the way of another one")
  func problemOfOne() async throws {
    let problem = NSPersistentCloudKitContainer.SyncProblem("The zone is full.", isTemporary: true)
    let all = Synchronizers()
    let (full, other) = (
      try Synchronizer(confirmed: nil, problem: problem), try Synchronizer(confirmed: nil)
    )
    all.add(full)
    all.add(other)
    #expect(await all.synchronize() == problem)
    #expect(other.hasExchanged.withLock { $0 })
  }

  @Test("what had been in the way of a store was told after it was in step, and after it was gone")
  func problemThatIsOver() async throws {
    let problem = NSPersistentCloudKitContainer.SyncProblem("No address.", isTemporary: false)
    let all = Synchronizers()
    let (wrong, gone) = (try Synchronizer(confirmed: .now), try Synchronizer(confirmed: nil))
    for one in [wrong, gone] { all.note(problem, of: one.store.store, in: one.store.coordinator) }
    all.add(wrong)
    #expect(all.status.problem == problem && all.status.lastConfirmed == nil)
    try gone.store.coordinator.remove(gone.store.store)
    #expect(all.status.problem == nil && all.status.lastConfirmed != nil)
    #expect(await all.synchronize() == nil)
  }

  @Test("a status was told after a later one")
  func olderStatus() async throws {
    let all = Synchronizers()
    let slow = try Synchronizer(confirmed: nil)
    all.add(slow)
    let told = Mutex(-1)
    let following = Task { [statuses = all.statuses()] in
      for await status in statuses { told.withLock { $0 = status.pendingChangeCount } }
    }
    defer { following.cancel() }
    #expect(try await comes { told.withLock { $0 } == 0 })
    let (isAsked, isOld) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    slow.whileAsked.withLock {
      $0 = {
        isAsked.signal()
        // If no other thread may report at that time, none does.
        _ = isOld.wait(timeout: .now() + .milliseconds(300))
      }
    }
    let hasEnded = Mutex(false)
    Thread.detachNewThread {
      all.tell()
      hasEnded.withLock { $0 = true }
    }
    try #require(isAsked.wait(timeout: .now() + 30) == .success)
    slow.whileAsked.withLock { $0 = nil }
    slow.current.withLock { $0.pendingChangeCount = 7 }
    all.tell()
    isOld.signal()
    #expect(try await comes { hasEnded.withLock { $0 } && told.withLock { $0 } == 7 })
    try await Task.sleep(for: .milliseconds(50))
    #expect(told.withLock { $0 } == 7)
  }

  @Test(
    "whoever followed the status of a container waited for ever when that was gone",
    .timeLimit(.minutes(60))
  )
  func endOfStatuses() async {
    var count = 0
    for await _ in Self.statusesOfContainerThatIsGone() { count += 1 }
    #expect(count == 1)
  }

  private static func statusesOfContainerThatIsGone()
    -> AsyncStream<NSPersistentCloudKitContainer.SyncStatus>
  {
    Synchronizers().statuses()
  }

  @Test("an event in a log says what it is of, and what went wrong")
  func eventInLog() {
    let (begun, ended) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 60))
    func said(_ end: Date?, _ problem: NSPersistentCloudKitContainer.SyncProblem?) -> String {
      let event = NSPersistentCloudKitContainer.Event(
        identifier: UUID(),
        storeIdentifier: "S",
        type: .export,
        startDate: begun,
        endDate: end,
        error: problem
      )
      return "\(event)"
    }
    #expect(said(nil, nil) == "export of store S, begun \(begun), under way")
    #expect(said(ended, nil) == "export of store S, begun \(begun), ended \(ended)")
    let full = NSPersistentCloudKitContainer.SyncProblem("The zone is full.", isTemporary: true)
    #expect(said(ended, full).hasSuffix("ended \(ended): The zone is full."))
  }

  @Test("a coordinator that was asked for events refused to tell them")
  func eventsOfCoordinator() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    coordinator.syncEvents.note(
      NSPersistentCloudKitContainer.Event(
        identifier: UUID(),
        storeIdentifier: "S",
        type: .import,
        startDate: Date(timeIntervalSince1970: 0)
      )
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let count = try context.performAndWait {
      let request = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: nil)
      request.resultType = .countEvents
      let answer = try coordinator.execute(request, with: context)
      return (answer as? NSPersistentCloudKitContainerEventResult)?.result as? [NSNumber]
    }
    #expect(count == [1])
  }

  @Test("a conflict of a store that is not kept in step was said to be settled")
  func conflictOfNobody() throws {
    let all = Synchronizers()
    all.add(try Synchronizer(confirmed: nil))
    let conflict = NSPersistentCloudKitContainer.SyncConflict(
      id: 1,
      storeIdentifier: "of nobody",
      objectID: nil,
      entityName: "Note",
      propertyName: "title",
      losingText: "Seeds",
      losingObjectID: nil,
      date: Date(timeIntervalSince1970: 1),
      deviceName: nil
    )
    for takesBack in [true, false] {
      #expect(throws: NSPersistentCloudKitContainer.SyncProblem.self) {
        try all.resolve(conflict, takesBack: takesBack)
      }
    }
  }

  @Test("a store that its coordinator had let go of was asked for changes for ever")
  func removedStore() throws {
    let all = Synchronizers()
    let (gone, kept) = (try Synchronizer(confirmed: nil), try Synchronizer(confirmed: nil))
    all.add(gone)
    all.add(kept)
    try gone.store.coordinator.remove(gone.store.store)
    #expect(gone.hasLeft.withLock { $0 } && !kept.hasLeft.withLock { $0 })
    #expect(all.all.count == 1 && all.keeps(kept.store.store))
  }
}
