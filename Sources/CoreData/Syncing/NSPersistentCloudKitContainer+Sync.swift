public import Foundation

// What follows is not part of Apple's API.

extension NSPersistentCloudKitContainer {
  /// How far the stores of a container are in step, as it is known on this device.
  public struct SyncStatus: Hashable, Sendable {
    /// The number of changed values that the server has not confirmed.
    public var pendingChangeCount = 0
    /// The time of the last complete exchange with the server, or `nil` if there was none yet.
    public var lastConfirmed: Date?
    /// A Boolean value that indicates whether an exchange is under way.
    public var isActive = false
    /// What is in the way at the moment, or `nil`.
    public var problem: SyncProblem?
    /// The number of values that lost against others; see ``NSPersistentCloudKitContainer/conflicts``.
    public var conflictCount = 0
    /// The number of values that the store refuses; see ``NSPersistentCloudKitContainer/quarantine``.
    public var quarantineCount = 0
    /// A Boolean value that indicates whether the token allows sending changes.
    public var canWrite = true

    package init() {}
  }

  /// A value that lost against another that was written without knowledge of it.
  public struct SyncConflict: Hashable, Sendable, Identifiable {
    /// The number of the conflict on this device.
    public let id: Int64
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The object, if the store has it.
    public let objectID: NSManagedObjectID?
    /// The name of the entity, if it is known.
    public let entityName: String?
    /// The name of the property, if the model has it.
    public let propertyName: String?
    /// The value that lost, as text.
    public let losingText: String
    /// The time at which the losing value was written, by the clock of its device.
    public let date: Date

    package init(
      id: Int64,
      storeIdentifier: String,
      objectID: NSManagedObjectID?,
      entityName: String?,
      propertyName: String?,
      losingText: String,
      date: Date
    ) {
      self.id = id
      self.storeIdentifier = storeIdentifier
      self.objectID = objectID
      self.entityName = entityName
      self.propertyName = propertyName
      self.losingText = losingText
      self.date = date
    }
  }

  /// Something that came from another device and that this store refuses.
  public struct QuarantinedValue: Hashable, Sendable {
    /// The object, or `nil` if the whole object is refused.
    public let objectID: NSManagedObjectID?
    /// The name of the property, or `nil` if the whole object is refused.
    public let propertyName: String?
    /// Why it is refused.
    public let reason: String

    package init(objectID: NSManagedObjectID?, propertyName: String?, reason: String) {
      self.objectID = objectID
      self.propertyName = propertyName
      self.reason = reason
    }
  }
}

// MARK: - Status

extension NSPersistentCloudKitContainer {
  /// How far the stores are in step; of several stores, what they add up to.
  public var syncStatus: SyncStatus { synchronizers.status }

  /// The number of changed values that the server has not confirmed.
  public var pendingChangeCount: Int { syncStatus.pendingChangeCount }

  /// The time of the last complete exchange with the server, or `nil` if there was none yet.
  public var lastConfirmed: Date? { syncStatus.lastConfirmed }

  /// The status now, and after each change of it.
  ///
  /// ```swift
  /// for await status in container.syncStatuses {
  ///   … \(status.pendingChangeCount) changes waiting
  /// }
  /// ```
  ///
  /// Whoever is slow gets the latest status only.
  public var syncStatuses: AsyncStream<SyncStatus> { synchronizers.statuses() }
}

// MARK: - Work

extension NSPersistentCloudKitContainer {
  /// Exchanges changes with the server now, and returns when both have the same.
  ///
  /// - Throws: A ``SyncProblem`` that says what is in the way.
  public func syncNow() async throws {
    for synchronizer in synchronizers.all {
      let problem = await withCheckedContinuation { continuation in
        synchronizer.synchronize { continuation.resume(returning: $0) }
      }
      if let problem { throw problem }
    }
  }

  /// The values that lost against others in the last 30 days, the latest first.
  ///
  /// Reads the sidecars of the stores; can be called on any thread.
  ///
  /// - Throws: An error of SQLite's.
  public var conflicts: [SyncConflict] {
    get throws { try synchronizers.all.flatMap { try $0.conflicts() } }
  }

  /// What came from other devices and is refused by the stores.
  ///
  /// Reads the sidecars of the stores; can be called on any thread.
  ///
  /// - Throws: An error of SQLite's.
  public var quarantine: [QuarantinedValue] {
    get throws { try synchronizers.all.flatMap { try $0.quarantine() } }
  }

  /// Gives a property the value again that lost; all devices get it as a new change.
  ///
  /// - Parameter conflict: One of the ``conflicts``. It is forgotten then.
  /// - Throws: An error if the object does not exist anymore, or the store refuses the value.
  public func takeBack(_ conflict: SyncConflict) throws {
    try synchronizers.resolve(conflict, takesBack: true)
  }

  /// Forgets a conflict; the value that won stays.
  ///
  /// - Parameter conflict: One of the ``conflicts``.
  /// - Throws: An error of SQLite's.
  public func dismiss(_ conflict: SyncConflict) throws {
    try synchronizers.resolve(conflict, takesBack: false)
  }

  /// Ends the exchange with the server, and waits for what is being done.
  ///
  /// The stores stay loaded, and their changes are exchanged the next time they are loaded.
  public func stopSyncing() { synchronizers.stop() }
}
