import Synchronization

// MARK: - Saving

extension NSPersistentStoreCoordinator {
  /// Whether a store was given metadata that no save has written.
  var hasUnsavedMetadata: Bool { persistentStores.contains(where: \.hasUnsavedMetadata) }

  /// Saves a context's changes, and tells the contexts that merge what others save, in the order of
  /// the saves.
  func save(_ changes: ChangeSet, of context: NSManagedObjectContext) throws -> SaveAttempt {
    saving.lock()
    defer { saving.unlock() }
    var save = CoordinatedSave(changes, of: context, in: self)
    let attempt = try save.perform()
    switch attempt {
    case .saved(let parts): audience.tell(MergedChanges(parts), except: context)
    case .incomplete(let save): audience.tell(MergedChanges(save.saved), except: context)
    case .refused: break
    }
    return attempt
  }

  /// Notes that rows have changed which somebody may hold.
  func noteOldRows() {
    changes.add(1, ordering: .acquiringAndReleasing)
  }
}
