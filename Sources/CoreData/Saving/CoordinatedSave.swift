/// One save of a context's changes in all the stores that they concern: all of it, or nothing.
///
/// ```
/// begin everywhere ─▶ reserve keys ─▶ plan everything ─▶ perform ─▶ commit
/// ```
///
/// A refusal names everything that prevents the save, in all the stores. A save with a place commits beside others.
struct CoordinatedSave {
  private let coordinator: NSPersistentStoreCoordinator
  private let changes: ChangeSet
  private let context: NSManagedObjectContext
  private let place: SaveGate.Place?
  private var parts: [StoreSave] = []
  private var identities = PermanentIdentities()
  private var refusal = SaveRefusal()

  init(
    _ changes: ChangeSet,
    of context: NSManagedObjectContext,
    in coordinator: NSPersistentStoreCoordinator,
    at place: SaveGate.Place?
  ) {
    self.place = place
    self.changes = changes
    self.context = context
    self.coordinator = coordinator
  }

  /// Saves; throws before anything is written for good, and nothing is then.
  mutating func perform() throws -> SaveAttempt {
    let shares = try changes.shares(
      among: coordinator.persistentStores,
      assigned: context.pending.assignments
    )
    do {
      for (store, changes) in shares {
        parts.append(try StoreSave(changes, in: store, for: context))
      }
      let keys = try makePlans()
      try write(keys)
      if !refusal.isEmpty { return try refuse() }
      place?.beginCommit()
      try commit()
      place?.waitForEarlier()
      return .saved(finish())
    } catch {
      return .incomplete(try takeBack(after: error))
    }
  }

  private var saved: [StoreSave] {
    parts.allSatisfy(\.isSaved) ? parts : parts.filter(\.isSaved)
  }

  /// The parts in the order in which they write: those of authors, which may be unable to take it back, come last.
  private var authorsLast: [StoreSave] {
    guard parts.contains(where: \.isOfAuthor) else { return parts }
    return parts.filter { !$0.isOfAuthor } + parts.filter(\.isOfAuthor)
  }

  /// The parts in the order in which they end: those that cannot be undone come first, so that they are not left
  /// waiting for the others.
  private var authorsFirst: [StoreSave] {
    guard parts.contains(where: \.isOfAuthor) else { return parts }
    return parts.filter(\.isOfAuthor) + parts.filter { !$0.isOfAuthor }
  }
}

// MARK: - The steps

extension CoordinatedSave {
  private mutating func makePlans() throws -> ReservedKeys {
    var keys = ReservedKeys(count: changes.inserted.count)
    for part in parts { try part.reserve(&keys) }
    for part in parts { try part.makePlan(keys) }
    if coordinator.layout.hasConstraints {
      for part in parts { try part.checkConstraints(&refusal) }
    }
    for part in parts { try part.takeMetadata() }
    return keys
  }

  /// Performs the plans; stores that can take back what they perform come first.
  private mutating func write(_ keys: ReservedKeys) throws {
    for part in authorsLast {
      if part.isOfAuthor, refusal.isEmpty { identities.give(part.changes.inserted, keys) }
      try part.perform(&refusal, in: coordinator)
    }
  }

  private func refuse() throws -> SaveAttempt {
    guard saved.isEmpty else { throw SaveFailure.lateConflicts.error }
    for part in parts { part.rollback() }
    identities.takeBack(except: [])
    return .refused(refusal)
  }

  private func commit() throws {
    for part in authorsFirst { try part.commit() }
  }

  /// Lets the coordinator and the context's relatives know of what is saved.
  private func finish() -> [StoreSave] {
    let saved = saved
    for part in saved { part.remember(in: coordinator) }
    identities.confirm(saved)
    return saved
  }

  /// Undoes as much as possible; throws the error again if that is everything.
  private func takeBack(after error: any Error) throws -> IncompleteSave {
    for part in parts { part.rollback() }
    identities.takeBack(except: saved)
    if saved.isEmpty { throw error }
    place?.waitForEarlier()
    let failed = parts.filter { !$0.isSaved }
    return IncompleteSave(saved: finish(), failed: failed, cause: error)
  }
}
