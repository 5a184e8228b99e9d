public import CoreData
import CoreDataSync
import CoreDataSyncCore
import Dispatch
import Foundation
import Synchronization

/// A store that is kept in step with those of other devices, over a server of your own.
///
/// ```swift
/// import CoreData
/// import CoreDataSyncDevice
///
/// let description = container.persistentStoreDescriptions[0]
/// description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
/// description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
/// container.loadPersistentStores { … }
/// container.viewContext.automaticallyMergesChangesFromParent = true
///
/// let synced = try SyncedStore(container, at: address)
/// for await status in synced.statuses {
///   … \(status.pendingChangeCount) changes waiting
/// }
/// ```
///
/// The same source compiles with Apple's Core Data and with that of this package, where an `NSPersistentCloudKitContainer`
/// does the same for all stores of a container. Keep a store in step by one of them only: the other one's status has a problem
/// that says so.
///
/// Each save of the program is sent to the server. A save of another device arrives as a save of the engine, with the author
/// `CoreDataSync`; it is in the store's history and posts a remote change notification. The exchange begins with the
/// initializer, has threads of its own, and ends with ``stop()`` or with the object. All members can be used on any thread.
public final class SyncedStore: Sendable {
  /// The state of the exchange, as this device knows it.
  public typealias Status = NSPersistentCloudKitContainer.SyncStatus
  /// An error that says why a store cannot be kept in step at the moment.
  public typealias Problem = NSPersistentCloudKitContainer.SyncProblem
  /// A value that lost against another that was written without knowledge of it.
  public typealias Conflict = NSPersistentCloudKitContainer.SyncConflict
  /// A value that is not exchanged for now.
  public typealias QuarantinedValue = NSPersistentCloudKitContainer.QuarantinedValue
  /// The kinds of protection of a zone's values from people who can read the server's files.
  public typealias Protection = NSPersistentCloudKitContainer.SyncProtection
  /// The kinds of events: a setup, an import or an export.
  public typealias EventType = NSPersistentCloudKitContainer.EventType

  /// A piece of work by which the store is kept in step, at its beginning or at its end.
  public struct Event: Hashable, Sendable, Identifiable {
    /// The identity of the event, which is the same at its beginning and at its end.
    public let id: UUID
    /// The kind of event.
    public let type: EventType
    /// The time when the event began.
    public let startDate: Date
    /// The time when the event ended, or `nil` if it has not ended yet.
    public let endDate: Date?
    /// The problem with which the event ended, or `nil`.
    public let problem: Problem?

    /// A Boolean value that indicates whether the event has ended without a problem.
    public var succeeded: Bool { endDate != nil && problem == nil }
  }

  /// The exchange, and whether it is paused or has ended.
  private struct State {
    var driver: SyncDriver
    var isPaused = false
    var hasEnded = false
  }

  private let state: Mutex<State>
  /// Held by code that ends or begins an exchange.
  private let turning = Mutex(())
  /// Prepares the exchange again after a pause, with the last status.
  private let prepare: @Sendable (Status) throws -> SyncDriver
  private var driver: SyncDriver { state.withLock { $0.driver } }
  private let statusListeners: Listeners<Status>
  private let eventListeners: Listeners<Event>

  /// Begins to keep the store of a container in step.
  ///
  /// - Parameters:
  ///   - container: A container whose stores are loaded, and which has one store.
  ///   - address: The address of a zone with its token, as `coredata serve` prints it, or a pairing code.
  ///   - deviceName: The name of this device, which people see beside conflicts on other devices. An empty name is not sent.
  /// - Throws: A ``Problem`` that says what is missing; see ``init(_:store:at:deviceName:)``.
  public convenience init(
    _ container: NSPersistentContainer,
    at address: String,
    deviceName: String = ""
  ) throws {
    try self.init(container.persistentStoreCoordinator, at: address, deviceName: deviceName)
  }

  /// Begins to keep a store in step.
  ///
  /// The initializer reads nothing and sends nothing. If the server cannot be reached, or another program keeps the store in
  /// step, ``status`` says so later.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator of the store.
  ///   - store: The store, or `nil` for the coordinator's only one.
  ///   - address: The address of a zone with its token, as `coredata serve` prints it, or a pairing code.
  ///   - deviceName: The name of this device, which people see beside conflicts on other devices. An empty name is not sent.
  /// - Throws: A ``Problem`` if the address cannot be understood, if the coordinator does not have exactly one store and none
  ///   is given, or if the store does not have a file, does not keep a history (`NSPersistentHistoryTrackingKey`) or does not
  ///   post its changes (`NSPersistentStoreRemoteChangeNotificationPostOptionKey`).
  public convenience init(
    _ coordinator: NSPersistentStoreCoordinator,
    store: NSPersistentStore? = nil,
    at address: String,
    deviceName: String = ""
  ) throws {
    try self.init(
      coordinator,
      store: store,
      at: address,
      deviceName: deviceName,
      framework: .current,
      over: HTTPTransport.connection
    )
  }

  init(
    _ coordinator: NSPersistentStoreCoordinator,
    store: NSPersistentStore? = nil,
    at address: String,
    deviceName: String = "",
    framework: HostFramework,
    over connect: @escaping HTTPTransport.Connecting
  ) throws {
    let store = try store ?? Self.onlyStore(of: coordinator)
    try Self.checkOptions(of: store)
    let (statuses, events) = (Listeners<Status>(), Listeners<Event>())
    let kept = KeptStore(
      coordinator: coordinator,
      store: store,
      address: address,
      deviceName: deviceName,
      reportEvent: { events.tell($0) },
      reportStatus: { statuses.tell($0) }
    )
    prepare = { try SyncDriver(kept, status: $0, framework: framework, over: connect) }
    let driver = try prepare(Status())
    state = Mutex(State(driver: driver))
    (statusListeners, eventListeners) = (statuses, events)
    driver.start()
  }

  deinit { stop() }

  private static func onlyStore(
    of coordinator: NSPersistentStoreCoordinator
  ) throws(Problem) -> NSPersistentStore {
    let stores = coordinator.persistentStores
    guard stores.count == 1 else {
      throw Problem(
        stores.isEmpty
          ? "The coordinator has no store. Load the stores first."
          : "The coordinator has \(stores.count) stores. Say which one is to be kept in step.",
        isTemporary: false
      )
    }
    return stores[0]
  }

  /// Throws if a store does not tell the engine of the program's saves.
  private static func checkOptions(of store: NSPersistentStore) throws(Problem) {
    let keys = [
      NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ]
    for key in keys where !isOn(store.options?[key]) {
      let name = store.url?.lastPathComponent ?? "The store"
      throw Problem(
        """
        \(name) was opened without the option \(key), which the exchange needs. Set it in the store's description, and \
        load the store again.
        """,
        isTemporary: false
      )
    }
  }

  /// Whether an option is given: a number that is not zero, or a dictionary with settings of it.
  private static func isOn(_ value: Any?) -> Bool {
    guard let value else { return false }
    return (value as? NSNumber)?.boolValue ?? true
  }
}

// MARK: - Status

extension SyncedStore {
  /// The state of the exchange with the server.
  ///
  /// Returns what the exchange has reported last, reads no file and does not wait. A save is counted in
  /// ``NSPersistentCloudKitContainer/SyncStatus/pendingChangeCount`` as soon as the exchange has read it, which is a moment
  /// later.
  public var status: Status { driver.status }

  /// A stream of the current status and of each later one.
  ///
  /// A slow reader gets the latest status only. The stream ends with the object, which it does not keep alive.
  public var statuses: AsyncStream<Status> {
    statusListeners.stream(bufferingPolicy: .bufferingNewest(1)) { status }
  }

  /// A stream of the events from now on: one element for the beginning of each, and one for its end.
  ///
  /// A reader that is slow misses the earliest of more than a thousand events. The stream ends with the object, which it does
  /// not keep alive.
  public var events: AsyncStream<Event> {
    eventListeners.stream(bufferingPolicy: .bufferingNewest(1_000)) { nil }
  }
}

// MARK: - Work

extension SyncedStore {
  /// Exchanges changes with the server now, and returns when both have the same.
  ///
  /// The work is done on a thread of the exchange. If the time is over or the task is canceled, it is interrupted at its next
  /// step: what was exchanged stays, and the next exchange goes on from there. A store that is paused is paused again
  /// afterwards, so that a background task can exchange once:
  ///
  /// ```swift
  /// .backgroundTask(.appRefresh("sync")) { try? await synced.syncNow(within: .seconds(20)) }
  /// ```
  ///
  /// - Parameter limit: The time after which the exchange is interrupted, or `nil` to wait for as long as the network takes. A
  ///   save that has begun is finished.
  /// - Throws: A ``Problem`` that says why the exchange has failed, or that it was interrupted.
  public func syncNow(within limit: Duration? = nil) async throws {
    let wasPaused = goOn()
    let driver = driver
    let isInterrupted = Flag()
    let problem = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = DispatchSemaphore(value: 0)
        driver.synchronize {
          isDone.signal()
          continuation.resume(returning: $0)
        }
        guard let limit else { return }
        let time = limit.components
        let end = DispatchTime.now() + Double(time.seconds) + Double(time.attoseconds) / 1e18
        DispatchQueue.global().asyncAfter(deadline: end) { [self] in
          if isDone.wait(timeout: .now()) == .success { return }
          interrupt(driver, isInterrupted)
        }
      }
    } onCancel: {
      DispatchQueue.global().async { [self] in interrupt(driver, isInterrupted) }
    }
    if wasPaused { pause() }
    guard let problem else { return }
    throw isInterrupted.isSet
      ? Problem(
        "The exchange was interrupted before it had ended. What was exchanged stays, and the next exchange goes on from there.",
        isTemporary: true
      ) : problem
  }

  /// Interrupts an exchange at its next step, and prepares the next one.
  private func interrupt(_ driver: SyncDriver, _ isInterrupted: Flag) {
    isInterrupted.set()
    turning.withLock { _ in
      guard state.withLock({ $0.driver === driver && !$0.isPaused && !$0.hasEnded }) else { return }
      driver.stop()
      begin()
    }
  }

  /// Stops exchanging changes until ``resume()``, and waits for what is being done.
  ///
  /// Afterwards, no thread runs, no connection to the server is open, and no file is locked. Pause before the app is
  /// suspended if the store is in a group container, because iOS ends an app that is suspended while it has locked a file
  /// there. Pause also while the network is constrained (Low Data Mode), as `NWPathMonitor` reports.
  ///
  /// Changes of the store are exchanged after the pause. ``status``, ``conflicts`` and ``quarantine`` can be read, and
  /// ``syncNow(within:)`` exchanges once.
  ///
  /// Waits as ``stop()`` does.
  public func pause() {
    turning.withLock { _ in
      let driver = state.withLock { state -> SyncDriver? in
        if state.isPaused || state.hasEnded { return nil }
        state.isPaused = true
        return state.driver
      }
      driver?.stop()
    }
  }

  /// Exchanges changes again after ``pause()``, from now on.
  ///
  /// Does nothing if the exchange is not paused, or has ended.
  public func resume() { _ = goOn() }

  /// A Boolean value that indicates whether the exchange is paused.
  public var isPaused: Bool { state.withLock { $0.isPaused } }

  /// - Returns: Whether the exchange was paused.
  private func goOn() -> Bool {
    turning.withLock { _ in
      guard state.withLock({ $0.isPaused && !$0.hasEnded }) else { return false }
      begin()
      return true
    }
  }

  /// Begins an exchange in place of one that has ended.
  private func begin() {
    let last = driver.status
    // The address was understood before, and the store has a file.
    guard let driver = try? prepare(last) else { return }
    state.withLock { ($0.driver, $0.isPaused) = (driver, false) }
    driver.start()
  }

  /// Ends the exchange, and waits for what is being done.
  ///
  /// Call it before you remove the store from its coordinator. It may be called more than once. Observers of a save that the
  /// exchange makes at that moment are not waited for if they take longer than a second, because they may wait for the
  /// caller. Nothing is saved after the method has returned, except a save that had begun. Changes of the store are exchanged
  /// the next time that it is kept in step.
  public func stop() {
    turning.withLock { _ in
      let driver = state.withLock { state in
        state.hasEnded = true
        return state.driver
      }
      driver.stop()
    }
    statusListeners.finish()
    eventListeners.finish()
  }

  /// The values that lost against others in the last 30 days, the latest first.
  ///
  /// Reads the sidecar of the store as it is at this moment, and does not wait for an exchange that is under way.
  ///
  /// - Throws: A ``Problem`` if the sidecar cannot be read, or an error of SQLite's.
  public var conflicts: [Conflict] {
    get throws { try driver.conflicts() }
  }

  /// The values of other devices that the store refuses, large values that the server has lost, and values of this device
  /// that are too large to be sent.
  ///
  /// Reads the sidecar of the store as it is at this moment, and does not wait for an exchange that is under way.
  ///
  /// - Throws: A ``Problem`` if the sidecar cannot be read, or an error of SQLite's.
  public var quarantine: [QuarantinedValue] {
    get throws { try driver.quarantine() }
  }

  /// Restores the value that lost, which all devices get as a new change.
  ///
  /// An object that was deleted in the meantime comes back as it was before, with the value. Waits for an exchange that is
  /// under way. Does nothing if the conflict was forgotten before, or is of another store. Do not call the method on the main
  /// thread if observers of a context's saves wait for it; it throws after about a second then.
  ///
  /// - Parameter conflict: One of the ``conflicts``. It is forgotten then; if the method throws, it is kept.
  /// - Throws: A ``Problem`` if the object to which the value leads, or one that a deleted object needs, does not exist
  ///   anymore, or if the exchange has ended; an error if the store refuses the value.
  public func takeBack(_ conflict: Conflict) throws {
    try driver.resolve(conflict, takesBack: true)
  }

  /// Forgets a conflict; the value that won stays.
  ///
  /// - Parameter conflict: One of the ``conflicts``.
  /// - Throws: A ``Problem`` if the exchange has ended, or an error of SQLite's.
  public func dismiss(_ conflict: Conflict) throws {
    try driver.resolve(conflict, takesBack: false)
  }
}

/// Whether something has happened.
private final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock { $0 } }

  func set() { value.withLock { $0 = true } }
}
