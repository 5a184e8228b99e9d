public import Foundation

// The following is not part of Apple's API.

// MARK: - Addresses

extension NSPersistentCloudKitContainer {
  /// Returns the address that a text represents, with the key that protects the zone.
  ///
  /// ```swift
  /// let address = try await NSPersistentCloudKitContainer.syncAddress(
  ///   from: pasted,
  ///   protection: .passphrase("mice eat cheese in the dark")
  /// )
  /// try container.startSyncing(at: address)
  /// ```
  ///
  /// With a passphrase, the server is asked how keys are made of it in this zone, and whether it is the right one; that
  /// takes some tenths of a second. If the zone is empty, the method leaves there what other devices need to make the same key
  /// of the passphrase. Nothing else is sent.
  ///
  /// - Parameters:
  ///   - text: An address as `coredata serve` prints it, or a pairing code. Spaces and line breaks are ignored.
  ///   - protection: How values are protected.
  /// - Returns: The address, with the key if there is one. Keep it as you keep a password.
  /// - Throws: A ``SyncProblem`` if the text cannot be understood, the passphrase is wrong, or the program does not
  ///   contain the engine.
  public static func syncAddress(
    from text: String,
    protection: SyncProtection = .asGiven
  ) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      // It may wait for the network.
      Thread.detachNewThread {
        continuation.resume(
          with: Result { try SyncEngineLocator.maker().address(from: text, protection) }
        )
      }
    }
  }

  /// Returns the text with which another device joins: the address, the token and the key, with a checksum.
  ///
  /// - Parameter address: The address of a zone.
  /// - Returns: A text of letters, digits and hyphens. Anybody who has it can read and write what the address permits.
  /// - Throws: A ``SyncProblem`` if the address cannot be understood, or the program does not contain the engine.
  public static func pairingCode(for address: String) throws -> String {
    try SyncEngineLocator.maker().pairingCode(for: address)
  }
}

extension NSPersistentCloudKitContainer {
  /// Returns whether no device has sent anything to a zone yet.
  ///
  /// A program that makes objects at its first start asks this before it makes them. In a zone that is not new, another device
  /// has made them already, and people may have changed or deleted them since:
  ///
  /// ```swift
  /// if try await NSPersistentCloudKitContainer.isNewZone(at: address) {
  ///   …
  /// }
  /// try container.startSyncing(at: address)
  /// ```
  ///
  /// A zone whose objects have all been deleted is not new. The server has fifteen seconds to answer. The method sends nothing of
  /// the device's data, and reads no store.
  ///
  /// - Parameter address: The address of a zone with its token, as `coredata serve` prints it, or a pairing code.
  /// - Returns: `true` if the zone is empty and has always been so.
  /// - Throws: A ``SyncProblem`` if the address cannot be understood, if the server cannot be reached or does not accept the
  ///   token, or if the program does not contain the engine.
  public static func isNewZone(at address: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      // It waits for the network.
      Thread.detachNewThread {
        continuation.resume(with: Result { try SyncEngineLocator.maker().isNewZone(at: address) })
      }
    }
  }
}

// MARK: - Status

extension NSPersistentCloudKitContainer {
  /// The state of the exchange with the server.
  ///
  /// If the container has several stores, the numbers are sums over all of them. You can read this property on any thread.
  /// It returns what the exchange has reported last, reads no file and does not wait. Before the stores are loaded, without an
  /// address, and after ``stopSyncing()``, the numbers are 0 and ``SyncStatus/lastConfirmed`` is `nil`. A save is counted in
  /// ``SyncStatus/pendingChangeCount`` as soon as the exchange has read it, which is a moment later.
  public var syncStatus: SyncStatus { synchronizers.status }

  /// The number of changed values that the server has not confirmed.
  public var pendingChangeCount: Int { syncStatus.pendingChangeCount }

  /// The time at which the last complete exchange with the server began, or `nil` before the first one.
  public var lastConfirmed: Date? { syncStatus.lastConfirmed }

  /// A stream of the current status and of each later one.
  ///
  /// ```swift
  /// for await status in container.syncStatuses {
  ///   … \(status.pendingChangeCount) changes waiting
  /// }
  /// ```
  ///
  /// A slow reader gets the latest status only. The stream goes on while nothing is kept in step, and ends with the
  /// container, which it does not keep alive.
  public var syncStatuses: AsyncStream<SyncStatus> { synchronizers.statuses() }
}

// MARK: - Work

extension NSPersistentCloudKitContainer {
  /// Exchanges changes with the server now, and returns when both have the same.
  ///
  /// The work is done on a thread of the exchange, and may take as long as the network takes. Canceling the task does not
  /// end it; ``stopSyncing()`` does. If the container has several stores, all of them are exchanged, even if one of them
  /// fails. The method returns at once if no store is kept in step: before the stores are loaded, and after
  /// ``stopSyncing()``.
  ///
  /// - Throws: A ``SyncProblem`` that says why the exchange of the first store that failed did so, or why no exchange could
  ///   begin, such as an address that cannot be understood.
  public func syncNow() async throws {
    if let problem = await synchronizers.synchronize() { throw problem }
  }

  /// The values that lost against others in the last 30 days, the latest first.
  ///
  /// Reads the sidecars of the stores as they are at this moment, and does not wait for an exchange that is under way;
  /// can be called on any thread.
  ///
  /// - Returns: Nothing for stores that are not kept in step at the moment, as before they are loaded, or after
  ///   ``stopSyncing()``.
  /// - Throws: A ``SyncProblem`` if a sidecar cannot be read, or an error of SQLite's.
  public var conflicts: [SyncConflict] {
    get throws { try synchronizers.all.flatMap { try $0.conflicts() } }
  }

  /// The values of other devices that the stores refuse, large values that the server has lost, and values of this device that
  /// are too large to be sent.
  ///
  /// Reads the sidecars of the stores as they are at this moment, and does not wait for an exchange that is under way;
  /// can be called on any thread.
  ///
  /// - Returns: Nothing for stores that are not kept in step at the moment.
  /// - Throws: A ``SyncProblem`` if a sidecar cannot be read, or an error of SQLite's.
  public var quarantine: [QuarantinedValue] {
    get throws { try synchronizers.all.flatMap { try $0.quarantine() } }
  }

  /// Restores the value that lost, which all devices get as a new change.
  ///
  /// An object that was deleted in the meantime comes back as it was before, with the value. Waits for an exchange
  /// that is under way, which may take as long as the network does. Does nothing if the conflict was forgotten
  /// before.
  ///
  /// The value is saved on a thread of the exchange. If the program observes the notifications of all contexts with
  /// `queue: .main`, do not call the method on the main thread: the observers would wait for the main thread, and the main
  /// thread for them. The method throws after about a second then, and after half a minute if the observers wait for another
  /// queue on which you call it. The value may be saved all the same a moment later; it is no longer among the ``conflicts``
  /// in that case.
  ///
  /// - Parameter conflict: One of the ``conflicts``. It is forgotten then; if the method throws, it is kept.
  /// - Throws: A ``SyncProblem`` if the object to which the value leads, or one that a deleted object needs, does not
  ///   exist anymore, or if the store is not kept in step at the moment; an error if the store refuses the value.
  public func takeBack(_ conflict: SyncConflict) throws {
    try synchronizers.resolve(conflict, takesBack: true)
  }

  /// Forgets a conflict; the value that won stays.
  ///
  /// Waits for an exchange that is under way, as ``takeBack(_:)`` does.
  ///
  /// - Parameter conflict: One of the ``conflicts``.
  /// - Throws: A ``SyncProblem`` if the store is not kept in step at the moment, or an error of SQLite's.
  public func dismiss(_ conflict: SyncConflict) throws {
    try synchronizers.resolve(conflict, takesBack: false)
  }

  /// Begins to keep the loaded stores in step, for the first time or with another server than before.
  ///
  /// Only stores whose description has ``NSPersistentStoreDescription/cloudKitContainerOptions`` are kept in step; their
  /// options get the address. An exchange that is under way is ended first. If the stores are not loaded yet, the
  /// exchange begins when you load them.
  ///
  /// A store that was in step with the same zone before goes on from there, also with another token: waiting changes
  /// are sent.
  ///
  /// At a first meeting, and after ``leaveServer()``, objects that the server and a store have in common are recognized by
  /// their natural identities, or by having the same values; all others are on both sides afterwards. Of two values of such
  /// an object the later one counts, and the other is a conflict. If the history of the store does not reach back to the
  /// insertion of the object, nobody knows which is the later: the server's counts, and that of the store is a conflict.
  ///
  /// - Parameter address: The address of a zone with its token, as `coredata serve` prints it, or a pairing code.
  /// - Throws: A ``SyncProblem`` if the address cannot be understood, or the program does not contain the
  ///   engine. If the server cannot be reached, ``syncStatus`` says so later.
  public func startSyncing(at address: String) throws {
    try SyncEngineLocator.maker().check(address: address)
    stopSyncing()
    for description in persistentStoreDescriptions {
      description.cloudKitContainerOptions?.syncAddress = address
      keepInStep(description)
    }
  }

  /// Ends the exchange with the server, and waits for what is being done.
  ///
  /// The stores stay loaded, and their changes are exchanged the next time they are loaded, or after
  /// ``startSyncing(at:)``.
  ///
  /// You can call this method on any thread, and more than once. An exchange may be saving at that moment, and its save
  /// posts the notifications of a context. Observers that take longer than a second are not waited for, as they may
  /// wait for the caller: with `queue: .main`, while this method runs on the main thread. Saved changes are then
  /// still being announced when the method returns; nothing else is saved afterwards.
  ///
  /// Do not call the method between ``NSPersistentStoreCoordinator/lock()`` and
  /// ``NSPersistentStoreCoordinator/unlock()``, which keep an exchange from saving, and so from its end.
  public func stopSyncing() { synchronizers.stop() }

  /// Ends the exchange with the server, and forgets all that is known of it.
  ///
  /// The stores keep their objects. Changes that the server has not confirmed do not come to the other devices. The
  /// next ``startSyncing(at:)`` compares all objects with those of the server, as if for the first time.
  ///
  /// The history of a store is kept. If the program deletes an object after leaving, and its history contains both the
  /// insertion and the deletion, the object is also deleted on the other devices as soon as the store joins again. This does
  /// not happen to objects with a uniqueness constraint. To keep the objects on the other devices, delete the whole history
  /// before you delete objects, with `NSPersistentHistoryChangeRequest.deleteHistory(before:)` and a token of `nil`.
  ///
  /// Deletes the files of the sidecars of the stores that are loaded. Kept conflicts are forgotten with them.
  ///
  /// - Throws: A ``SyncProblem`` if another program keeps a store in step, or an observer that ``stopSyncing()`` has not
  ///   waited for holds up the exchange: call the method again then. Otherwise an error of the file system.
  public func leaveServer() throws {
    stopSyncing()
    for description in persistentStoreDescriptions
    where description.cloudKitContainerOptions != nil {
      description.cloudKitContainerOptions?.syncAddress = ""
      guard let url = description.url,
        let store = persistentStoreCoordinator.persistentStore(for: url)
      else { continue }
      try SyncEngineLocator.maker().forgetServer(of: store)
    }
  }
}
