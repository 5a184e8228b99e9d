import CoreData
import Foundation

// A slip box is synchronized by the container: saves here go out, and those of others come in as a save of another
// program would. Only joining, leaving, and reporting the progress are left to do here.

extension Library {
  private var container: NSPersistentCloudKitContainer { controller.container }
  private var addressFile: SyncAddressFile { SyncAddressFile(in: folder) }

  /// How far this slip box is in step with those on other devices.
  public var syncState: SyncState {
    get throws { SyncState(container.syncStatus, address: try addressFile.address) }
  }

  /// The state now, and after each change of it; a slow listener gets the latest only.
  public func syncStates() -> AsyncStream<SyncState> {
    let (statuses, file) = (container.syncStatuses, addressFile)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let pump = Task {
        for await status in statuses {
          // A file that cannot be read now is reported when somebody asks.
          continuation.yield(SyncState(status, address: (try? file.address) ?? nil))
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in pump.cancel() }
    }
  }

  /// The address with its token, with which another device can join; `nil` if this one has not joined.
  public var syncAddress: String? {
    get throws { try addressFile.address }
  }

  /// The text with which another device joins, which holds the address and detects a wrong letter; `nil` if this one
  /// has not joined.
  public var pairingCode: String? {
    get throws { try addressFile.address.map(NSPersistentCloudKitContainer.pairingCode) }
  }

  /// Begins to keep this slip box in step with all that have the same address.
  ///
  /// The notes of both sides are on both sides afterwards; a note that both have is one note. The address is kept, so
  /// that it goes on after the next start.
  ///
  /// If others have sent something there already, the notes that explain the program are taken from them: those here that
  /// nobody has changed are deleted before.
  ///
  /// A slip box that is synchronized already takes another address of its zone, as when its token was revoked: waiting
  /// changes are sent with the new one.
  ///
  /// - Parameters:
  ///   - text: An address as `coredata serve` prints it, or a pairing code.
  ///   - passphrase: The words that encrypt the notes, so that the server cannot read them; empty if the text has
  ///     the key, or if nothing is encrypted.
  /// - Returns: The state once the server has answered, or after a few seconds.
  /// - Throws: A ``LibraryProblem`` with a sentence if the address is not valid, if the server does not accept it, or
  ///   if the slip box is synchronized with another zone. All is as before then. The same if the address cannot be kept;
  ///   then nothing is sent to the server.
  public func join(_ text: String, passphrase: String = "") async throws -> SyncState {
    guard text.utf8.count <= Self.longestAddress, passphrase.utf8.count <= Self.longestAddress
    else {
      throw LibraryProblem.refused("That is too long for an address or a passphrase.")
    }
    let (container, file) = (container, addressFile)
    guard container.persistentStoreDescriptions.first?.cloudKitContainerOptions != nil else {
      throw LibraryProblem.refused(
        controller.folder == nil
          ? "A slip box in memory cannot be kept in step."
          : "These notes are in a database, which other machines open themselves: there is nothing to "
            + "keep in step."
      )
    }
    let kept = try file.address
    // Without it, the next start would keep nothing in step, and tell nobody.
    try file.requireWritable()
    // Before anything is asked of another server.
    if let kept { try await Self.requireZone(of: kept, in: text) }
    let address = try await Self.address(from: text, passphrase, keyOf: kept)
    let gone = kept == nil ? try await letSamplesGiveWay(toThoseAt: address) : nil
    do {
      try await aside { try Self.join(container, at: address, file, or: kept) }
    } catch {
      if let gone { _ = try await undo(gone, by: nil) }
      throw error
    }
    return try syncState
  }

  private static func join(
    _ container: NSPersistentCloudKitContainer,
    at address: String,
    _ file: SyncAddressFile,
    or kept: String?
  ) throws {
    let confirmed = container.syncStatus.lastConfirmed
    // Before anything is sent: what is written from now on has a lineage.
    if container.persistentStoreCoordinator.name == nil {
      TextWriter.begin(true, in: container.persistentStoreCoordinator)
    }
    do {
      try container.startSyncing(at: address)
    } catch let problem as NSPersistentCloudKitContainer.SyncProblem {
      if kept == nil { TextWriter.begin(false, in: container.persistentStoreCoordinator) }
      throw LibraryProblem.refused(problem.description)
    }
    try waitForAnswer(container, after: confirmed)
    if let problem = container.syncStatus.problem, !problem.isTemporary,
      container.syncStatus.canWrite
    {
      try goBack(to: kept, container)
      throw LibraryProblem.refused(problem.description)
    }
    do {
      try file.write(address)
    } catch {
      // The received notes may have filled the disk.
      try goBack(to: kept, container)
      throw error
    }
  }

  /// Exchanges changes with the server now.
  ///
  /// Texts that others have sent are put together with those that were written here, and the results are sent.
  ///
  /// - Returns: The state afterwards, which tells what is in the way where something is.
  public func syncNow() async throws -> SyncState {
    do {
      try await container.syncNow()
      try await adoptArrivals()
      try await adoptLostTexts()
      if try syncState.waiting > 0 { try await container.syncNow() }
    } catch is NSPersistentCloudKitContainer.SyncProblem {
      // The state has it.
    }
    return try syncState
  }

  /// Keeps this slip box on this device only, from now on.
  ///
  /// - Parameters:
  ///   - keepsNotes: Whether the notes stay here. The other devices keep theirs in any case.
  ///   - author: The author of the change.
  /// - Returns: The state afterwards.
  /// - Throws: A ``LibraryProblem`` if another program synchronizes the slip box, if the file of the address cannot be
  ///   removed, or if nobody else has the notes that shall go, because this device has left already. It is synchronized
  ///   as before then.
  public func leave(keepsNotes: Bool, by author: String?) async throws -> SyncState {
    let (container, file) = (container, addressFile)
    let kept = try file.address
    guard keepsNotes || kept != nil else {
      throw LibraryProblem.refused(
        "This slip box is on this device only, and nothing was deleted. Move notes to the trash to delete them."
      )
    }
    try await aside {
      // If it cannot be removed, the next start would join again.
      try file.remove()
      do {
        try container.leaveServer()
      } catch let problem as NSPersistentCloudKitContainer.SyncProblem {
        if let kept { try file.write(kept) }
        throw LibraryProblem.unable(problem.description)
      }
      TextWriter.begin(false, in: container.persistentStoreCoordinator)
    }
    // Before anything is deleted here: a device that joins again sends the others everything that was made and deleted
    // in its history, and it is unknown whether the next steps will complete.
    try await forgetHistory(by: author)
    if !keepsNotes {
      try await deleteEverything(by: author)
      try await forgetHistory(by: author)
    }
    return try syncState
  }

  /// Forgets all of the history: the time of changes that were made while the clock was ahead is still to come.
  private func forgetHistory(by author: String?) async throws {
    try await write(by: author) { context in
      let all = NSPersistentHistoryChangeRequest.deleteHistory(
        before: nil as NSPersistentHistoryToken?
      )
      _ = try context.execute(all)
    }
  }

  private static let longestAddress = 2_000

  private static func address(from text: String, _ passphrase: String) async throws -> String {
    do {
      return try await NSPersistentCloudKitContainer.syncAddress(
        from: text,
        protection: passphrase.isEmpty ? .asGiven : .passphrase(passphrase)
      )
    } catch let problem as NSPersistentCloudKitContainer.SyncProblem {
      throw LibraryProblem.refused(problem.description)
    }
  }

  /// Synchronizes the slip box as before, or not at all if it was not.
  private static func goBack(
    to kept: String?,
    _ container: NSPersistentCloudKitContainer
  ) throws {
    if let kept {
      try container.startSyncing(at: kept)
    } else {
      TextWriter.begin(false, in: container.persistentStoreCoordinator)
      try container.leaveServer()
    }
  }

  /// Waits until the server has answered, for some seconds at most; an earlier confirmation is not an answer.
  private static func waitForAnswer(
    _ container: NSPersistentCloudKitContainer,
    after confirmed: Date?
  ) throws {
    for _ in 0..<300 {
      let status = container.syncStatus
      if status.lastConfirmed != confirmed, status.lastConfirmed != nil { return }
      if status.problem != nil { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
  }

  /// Runs a block on a thread of its own: the engine may be waiting for the network.
  func aside<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: work)) }
    }
  }
}

// MARK: - Another token

extension Library {
  private static func requireZone(of kept: String, in text: String) async throws {
    let wanted = SyncState.zone(in: try await address(from: text, ""))
    // A file that somebody has changed may lack an address.
    let known = try? await address(from: kept, "")
    if known.map(SyncState.zone(in:)) == wanted { return }
    throw LibraryProblem.refused(
      "This slip box already syncs with other devices. Stop syncing first, then join again."
    )
  }

  /// The address in a text, with the key of the zone if it lacks one: a server that makes a token does not have it.
  private static func address(
    from text: String,
    _ passphrase: String,
    keyOf kept: String?
  ) async throws -> String {
    let wanted = try await address(from: text, passphrase)
    guard let kept, SyncState.key(in: wanted).isEmpty else { return wanted }
    let known = try await address(from: kept, "")
    return wanted + SyncState.key(in: known)
  }
}

// MARK: - Without the notes

extension Library {
  /// Deletes all that there is, without a way back: the other devices have it.
  private func deleteEverything(by author: String?) async throws {
    for entity in [
      "Note", "Attachment", "Keyword", "SavedSearch", "OtherWording", "Property", "Folder",
    ] {
      while try await deleteSome(entity, by: author) {}
    }
    acts.forgetAll()
  }

  /// - Returns: Whether there may be more.
  private func deleteSome(_ entity: String, by author: String?) async throws -> Bool {
    try await write(by: author) { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.fetchLimit = 500
      request.includesPropertyValues = false
      let some = try context.fetch(request)
      for object in some { context.delete(object) }
      try context.save()
      context.reset()
      return !some.isEmpty
    }
  }
}
