import Synchronization

// MARK: - Saving

extension NSPersistentStoreCoordinator {
  /// Whether a store was given metadata that no save has written.
  var hasUnsavedMetadata: Bool { persistentStores.contains(where: \.hasUnsavedMetadata) }

  /// Whether all stores put writers in order themselves, so that saves need not wait for each other.
  var admitsWritersBesideEachOther: Bool {
    persistentStores.allSatisfy(\.backend.admitsWritersBesideEachOther)
  }

  /// Saves a context's changes, and informs the contexts that merge the saves of others, in the order of the saves.
  func save(_ changes: ChangeSet, of context: NSManagedObjectContext) throws -> SaveAttempt {
    if admitsWritersBesideEachOther, !hasUnsavedMetadata {
      return try saving.beside { try save(changes, of: context, at: $0) }
    }
    saving.lock()
    defer { saving.unlock() }
    return try save(changes, of: context, at: nil)
  }

  private func save(
    _ changes: ChangeSet,
    of context: NSManagedObjectContext,
    at place: SaveGate.Place?
  ) throws -> SaveAttempt {
    let attempt = try attempt(changes, of: context, at: place)
    switch attempt {
    case .saved(let parts): audience.tell(MergedChanges(parts), except: context)
    case .incomplete(let save): audience.tell(MergedChanges(save.saved), except: context)
    case .refused: break
    }
    return attempt
  }

  /// Saves; once more, and with new checks, if others were quicker.
  private func attempt(
    _ changes: ChangeSet,
    of context: NSManagedObjectContext,
    at place: SaveGate.Place?,
    _ number: Int = 1
  ) throws -> SaveAttempt {
    do {
      var save = CoordinatedSave(changes, of: context, in: self, at: place)
      return try save.perform()
    } catch let error as OvertakenSave {
      guard number < 5 else { throw error.cause }
      return try attempt(changes, of: context, at: place, number + 1)
    }
  }

  /// Notes that rows have changed which somebody may hold.
  func noteOldRows() {
    changes.grow()
  }
}
