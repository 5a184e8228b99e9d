import CoreData
import CoreDataSyncDevice
import Observation

/// The notes of the app, newest first, and their exchange with other devices.
///
/// This file and `Note.swift` compile on Linux, too: the tests of the package run them there, over a server.
@MainActor
@Observable
final class Notebook {
  /// The notes, in the order of their last change.
  private(set) var notes: [Note] = []
  /// The state of the exchange, or `nil` while the notes are on this device only.
  private(set) var status: SyncedStore.Status?
  /// The values that lost against those of other devices.
  private(set) var conflicts: [SyncedStore.Conflict] = []
  /// The last error that a person has to know about.
  var problem: String?

  @ObservationIgnored private let container: NSPersistentContainer
  @ObservationIgnored private var list: NoteList?
  @ObservationIgnored private var synced: SyncedStore?
  @ObservationIgnored private var following: Task<Void, Never>?

  /// Opens the store, and creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - model: The model of the notes.
  ///   - file: The file of the store.
  /// - Throws: The error of Core Data if the store cannot be opened.
  init(model: NSManagedObjectModel, file: URL) throws {
    container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: file)
    // The exchange reads the history, and hears of each save.
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber,
      forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey
    )
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let list = try NoteList(in: container.viewContext) { [weak self] in self?.notes = $0 }
    self.list = list
    notes = list.notes
  }
}

// MARK: - Notes

extension Notebook {
  /// Adds an empty note.
  func add() -> Note {
    let note = Note(context: container.viewContext)
    note.title = "New note"
    save()
    return note
  }

  /// Deletes a note.
  func delete(_ note: Note) {
    container.viewContext.delete(note)
    save()
  }

  /// Saves what a person has changed; a note that was changed becomes the first of the list.
  func save() {
    let context = container.viewContext
    guard context.hasChanges else { return }
    for case let note as Note in context.updatedObjects where note.hasPersistentChangedValues {
      note.updatedAt = Date()
    }
    do {
      try context.save()
      problem = nil
    } catch {
      problem = error.localizedDescription
    }
  }
}

// MARK: - Other devices

extension Notebook {
  /// Begins to keep the notes in step with all devices that have the same address.
  func join(_ address: String, deviceName: String) {
    leave()
    do {
      let synced = try SyncedStore(container, at: address, deviceName: deviceName)
      self.synced = synced
      status = synced.status
      following = Task { [weak self] in
        for await status in synced.statuses { self?.take(status, of: synced) }
      }
    } catch {
      problem = error.localizedDescription
    }
  }

  /// Ends the exchange, and keeps the notes on this device.
  func leave() {
    following?.cancel()
    synced?.stop()
    (synced, following, status, conflicts) = (nil, nil, nil, [])
  }

  private func take(_ status: SyncedStore.Status, of synced: SyncedStore) {
    guard synced === self.synced else { return }
    self.status = status
    do {
      conflicts = try Self.conflicts(of: synced)
    } catch {
      problem = error.localizedDescription
    }
  }

  /// The conflicts that a person should see: two devices that change one note always differ in its date.
  private static func conflicts(of synced: SyncedStore) throws -> [SyncedStore.Conflict] {
    try synced.conflicts.filter { $0.propertyName != "updatedAt" }
  }

  /// Sends and fetches changes now, for example in a background task.
  func exchange(within limit: Duration = .seconds(20)) async {
    do {
      try await synced?.syncNow(within: limit)
    } catch {
      problem = error.localizedDescription
    }
  }

  /// Pauses the exchange while the app is in the background, or goes on with it.
  func pause(_ isPaused: Bool) {
    if isPaused { synced?.pause() } else { synced?.resume() }
  }

  /// Restores a value that lost, on all devices, or keeps the one that won.
  func settle(_ conflict: SyncedStore.Conflict, takesBack: Bool) async {
    guard let synced else { return }
    do {
      // Not on the main thread: an exchange that is under way may have to report a save there first.
      try await Task.detached {
        if takesBack { try synced.takeBack(conflict) } else { try synced.dismiss(conflict) }
      }.value
      conflicts = try Self.conflicts(of: synced)
    } catch {
      problem = error.localizedDescription
    }
  }
}

// MARK: - The list

/// Follows the notes of a context.
@MainActor
private final class NoteList: NSObject {
  private let controller: NSFetchedResultsController<Note>
  private let changed: ([Note]) -> Void

  init(in context: NSManagedObjectContext, changed: @escaping ([Note]) -> Void) throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.updatedAt, ascending: false)]
    controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    self.changed = changed
    super.init()
    controller.delegate = self
    try controller.performFetch()
  }

  var notes: [Note] { controller.fetchedObjects ?? [] }
}

extension NoteList: NSFetchedResultsControllerDelegate {
  nonisolated func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    // The context of the main queue reports its changes there.
    MainActor.assumeIsolated { changed(notes) }
  }
}
