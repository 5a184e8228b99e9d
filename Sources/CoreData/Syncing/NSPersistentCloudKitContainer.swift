import Foundation

/// A container whose stores are kept in step with those of other devices, over a server of your own.
///
/// ```swift
/// let container = NSPersistentCloudKitContainer(name: "Notes")
/// container.loadPersistentStores { _, error in
///   if let error { fatalError("\(error)") }
/// }
/// container.viewContext.automaticallyMergesChangesFromParent = true
/// ```
///
/// The program needs the product `CoreDataSync` among the dependencies of its target, and an address as
/// `coredata serve` prints it: in ``NSPersistentCloudKitContainerOptions/syncAddress``, or in the
/// environment variable `COREDATA_SYNC_ADDRESS`. Without an address the stores are used on this
/// device only.
///
/// Stores whose description has ``NSPersistentStoreDescription/cloudKitContainerOptions`` keep a history.
/// Each save is sent to the server. A save of another device arrives as a save of the engine, which is in the history and
/// posts a remote change notification.
///
/// Safety: mutable state is set before the stores are loaded, and only read then; the rest is behind mutexes.
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {
  let synchronizers = Synchronizers()
  /// Events are posted here, in their order: an observer that waits for another thread does not keep an exchange from
  /// its end.
  private let eventQueue = DispatchQueue(label: "NSPersistentCloudKitContainer.events")

  /// Creates a container with a model.
  ///
  /// The description of the default store has options for keeping it in step.
  ///
  /// - Parameters:
  ///   - name: The name of the container.
  ///   - model: The model. It is frozen and cannot be changed afterwards.
  public override init(name: String, managedObjectModel model: NSManagedObjectModel) {
    super.init(name: name, managedObjectModel: model)
    persistentStoreDescriptions.first?.cloudKitContainerOptions =
      NSPersistentCloudKitContainerOptions(containerIdentifier: name)
  }

  deinit { synchronizers.stop() }

  /// Opens the stores as ``NSPersistentContainer`` does, and begins to keep them in step.
  ///
  /// The stores keep a history, and post `NSPersistentStoreRemoteChange`. If a store opens and cannot be kept in step, the
  /// closure gets no error: ``syncStatus`` has the problem, and ``eventChangedNotification`` is posted with a setup event
  /// that has failed. After a store was removed from its coordinator, it is no longer kept in step.
  ///
  /// - Parameter handler: A closure that is called once for each store, with its description and, if it could not be
  ///   opened, the error. For the codes see
  ///   ``NSPersistentStoreCoordinator/addPersistentStore(ofType:configurationName:at:options:)``.
  open override func loadPersistentStores(
    completionHandler handler:
      @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    let on = NSNumber(value: true)
    for description in persistentStoreDescriptions
    where description.cloudKitContainerOptions != nil {
      description.setOption(on, forKey: NSPersistentHistoryTrackingKey)
      description.setOption(on, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
      // An exchange would fill the page caches of its connections with pages that nobody asks for again.
      let isLarge = description.sqlitePragmas["cache_size"] == nil
      if isLarge, description.type == NSSQLiteStoreType, Self.address(of: description) != nil {
        description.setValue("-8192" as NSString, forPragmaNamed: "cache_size")
      }
    }
    persistentStoreDescriptions.filter(isOpen).forEach(keepInStep)
    super.loadPersistentStores { [weak self] description, error in
      if error == nil { self?.keepInStep(description) }
      handler(description, error)
    }
  }
}

// MARK: - Beginning

extension NSPersistentCloudKitContainer {
  /// The environment variable with the address of containers that are given none.
  package static let environmentKey = "COREDATA_SYNC_ADDRESS"

  /// Where the server of a store is; nil for one that is kept in step with no other.
  private static func address(of description: NSPersistentStoreDescription) -> String? {
    guard let options = description.cloudKitContainerOptions else { return nil }
    let address = options.syncAddress ?? ProcessInfo.processInfo.environment[environmentKey]
    return address?.isEmpty == false ? address : nil
  }

  /// Throws a ``SyncProblem`` if a text is not an address, or if the program does not contain the engine.
  package static func check(address: String) throws {
    try SyncEngineLocator.maker().check(address: address)
  }

  /// The environment variable with the name of a device whose program gives it none.
  static let deviceNameKey = "COREDATA_SYNC_DEVICE"

  /// The name of this device for people; empty if it is not shared, or if the machine does not have a name of its
  /// own.
  private static func deviceName(_ description: NSPersistentStoreDescription) -> String {
    if let name = description.cloudKitContainerOptions?.deviceName
      ?? ProcessInfo.processInfo.environment[deviceNameKey]
    {
      return name
    }
    // Without the network's part of it.
    let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    return host == "localhost" ? "" : String(host)
  }

  package func keepInStep(_ description: NSPersistentStoreDescription) {
    guard let address = Self.address(of: description), let url = description.url,
      let store = persistentStoreCoordinator.persistentStore(for: url), !synchronizers.keeps(store)
    else { return }
    let begun = Date()
    let events = persistentStoreCoordinator.syncEvents
    let report: @Sendable (Event) -> Void = { [weak self, eventQueue] event in
      events.note(event)
      eventQueue.async {
        NotificationCenter.default.post(
          name: Self.eventChangedNotification,
          object: self,
          userInfo: [Self.eventNotificationUserInfoKey: event]
        )
      }
    }
    do {
      try refuseSharedEntities(of: description, at: address)
      let synchronizer = try SyncEngineLocator.maker().synchronizer(
        for: SynchronizedStore(
          coordinator: persistentStoreCoordinator,
          store: store,
          address: address,
          deviceName: Self.deviceName(description),
          reportEvent: report,
          reportStatus: { [weak synchronizers] _ in synchronizers?.tell() }
        )
      )
      // An exchange writes many rows for which nobody asks, and each of them would push out one that was asked for.
      store.rowCache.setCapacity(RowCache.usualCapacity / 4)
      synchronizers.add(synchronizer)
    } catch {
      let problem = error as? SyncProblem ?? SyncProblem("\(error)", isTemporary: false)
      synchronizers.note(problem, of: store, in: persistentStoreCoordinator)
      report(
        Event(
          identifier: UUID(),
          storeIdentifier: store.identifier ?? "",
          type: .setup,
          startDate: begun,
          endDate: Date(),
          error: problem
        )
      )
    }
  }
}

// MARK: - Several stores

extension NSPersistentCloudKitContainer {
  /// Throws if an earlier store has the same address and entities that this one has too: each of them would get the
  /// other's objects.
  private func refuseSharedEntities(
    of description: NSPersistentStoreDescription,
    at address: String
  ) throws {
    let own = entityNames(of: description)
    for other in persistentStoreDescriptions.prefix(while: { $0 !== description })
    where Self.address(of: other) == address {
      guard let shared = own.intersection(entityNames(of: other)).min() else { continue }
      let name = description.url?.lastPathComponent ?? "a store"
      throw SyncProblem(
        """
        \(name) and \(other.url?.lastPathComponent ?? "another store") both have objects of the entity \(shared), and one \
        address, so that each would get the other's objects. Give \(name) an address of its own in its \
        cloudKitContainerOptions, or the stores configurations without a common entity.
        """,
        isTemporary: false
      )
    }
  }

  private func entityNames(of description: NSPersistentStoreDescription) -> Set<String> {
    let entities = managedObjectModel.entities(forConfigurationName: description.configuration)
    return Set((entities ?? managedObjectModel.entities).compactMap(\.name))
  }
}

// MARK: - What may be changed

extension NSPersistentCloudKitContainer {
  /// Checks whether the model can be kept in step.
  ///
  /// Each value that is sent names its entity and its property, by their renaming identifiers if they have some. So
  /// there is nothing to prepare at the server, and the method sends nothing.
  ///
  /// - Parameter options: Whether the entities and properties are printed.
  /// - Throws: A ``SyncProblem`` if the model cannot be kept in step, or the program does not contain the
  ///   engine.
  public func initializeCloudKitSchema(
    options: NSPersistentCloudKitContainerSchemaInitializationOptions = []
  ) throws {
    let text = try SyncEngineLocator.maker().explain(managedObjectModel)
    if options.contains(.printSchema) { print(text) }
  }

  /// Returns whether changes of a store can be sent.
  ///
  /// You can call this method on any thread. It asks neither the store nor the server, which reports the rights of a
  /// token only when a change is sent: with a token that can only read, the method returns `true` until the first
  /// change was refused.
  ///
  /// - Parameter store: A store of the container.
  /// - Returns: `true` also for stores that are not kept in step.
  public func canModifyManagedObjects(in store: NSPersistentStore) -> Bool {
    synchronizers.canWrite(to: store)
  }

  /// Returns whether changes of an object can be sent.
  ///
  /// You can call this method on any thread. It asks neither the store nor the server, and knows as much as
  /// ``canModifyManagedObjects(in:)`` does.
  ///
  /// - Parameter objectID: The identity of the object.
  /// - Returns: `true` for objects that are not saved yet, and if the token of their store allows sending changes.
  public func canUpdateRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    objectID.isTemporaryID || synchronizers.canWrite(to: objectID.persistentStore)
  }

  /// Returns whether the deletion of an object can be sent.
  ///
  /// You can call this method on any thread. It asks neither the store nor the server, and knows as much as
  /// ``canModifyManagedObjects(in:)`` does.
  ///
  /// - Parameter objectID: The identity of the object.
  /// - Returns: `true` for objects that are not saved yet, and if the token of their store allows sending changes.
  public func canDeleteRecord(forManagedObjectWith objectID: NSManagedObjectID) -> Bool {
    objectID.isTemporaryID || synchronizers.canWrite(to: objectID.persistentStore)
  }
}
