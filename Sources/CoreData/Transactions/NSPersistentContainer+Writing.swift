// MARK: - Transactions

extension NSPersistentContainer {
  /// Runs a block with a context of its own, saves its changes, and returns the block's result.
  ///
  /// ```swift
  /// let stars = try await container.write { context in
  ///   guard let note = try context.existingObject(with: id) as? Note else { return Int16(0) }
  ///   note.stars += 1
  ///   return note.stars
  /// }
  /// ```
  ///
  /// No update is lost. The block sees all its stores at one moment. If somebody else has changed a row in the
  /// meantime, nothing is written, and **the block runs again** with a new context, after growing random pauses, until
  /// it has run eight times. So a block must not do anything that cannot be repeated, such as sending a message.
  ///
  /// The writers of a program take turns at a file: one block runs at a time, in the order of the calls, whichever
  /// container they come from, and sees the save of the writer before. Blocks that write to PostgreSQL databases run
  /// concurrently. After two of them have changed the same row, blocks take turns until a second has passed without
  /// such a conflict, and wait for blocks of other programs that change this row.
  ///
  /// If a save violates a uniqueness constraint, the block runs again once, because an object that it has looked for
  /// and not found may exist now.
  ///
  /// After an error, nothing of the block's work remains. A store that cannot read what a property of an object is asked
  /// for is such an error, although the property reads `nil`. If the block has saved the context
  /// itself, only what came after that save is undone.
  ///
  /// The compiler refuses a block that returns an object, because objects belong to the context that
  /// they were fetched in. Return an `NSManagedObjectID`, or values. A result that is an identity, or an array of
  /// them, has the permanent identities of new objects, which the save gives them; inside of other values call
  /// ``NSManagedObjectContext/obtainPermanentIDs(for:)`` before.
  ///
  /// Call this method from any task. If the task is canceled while it waits for its turn or between two
  /// runs, the block does not run again; a block that has begun is not interrupted. The block runs on the context's queue
  /// and occupies no thread of Swift's tasks. It costs the statements of the block, one transaction
  /// for the save, and, for each SQLite store with a write-ahead log, a read transaction on another connection.
  ///
  /// - Parameters:
  ///   - author: The transaction author for the persistent history, or `nil` for none.
  ///   - block: The work to do. It receives a context made by ``newBackgroundContext()``, whose merge policy
  ///     is ``NSMergePolicy/error``.
  /// - Returns: The block's result.
  /// - Throws: The error of the block, such as 134070 if a PostgreSQL server has ended the connection while the block
  ///   read; an error of ``NSManagedObjectContext/save()``, 133020 and 133021 if the conflict remained after all runs;
  ///   `CancellationError` if the task was canceled before the block ran.
  @discardableResult
  public func write<Result: Sendable>(
    author: String? = nil,
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let (turns, coordinator) = (WriterTurns.ofProcess, persistentStoreCoordinator)
    var repetition = ConflictRepetition()
    // A writer that is on its way while others meet does not leave them to those who hold nothing.
    var met = turns.metLately(in: coordinator)
    if !turns.areNeeded(for: coordinator) {
      do {
        return try await once(author, block) { [] }
      } catch let error where repetition.mayFollow(error) {
        turns.note(error, in: coordinator, among: &met)
        try await Task.sleep(for: repetition.pause)
      }
    }
    return try await turns.take(for: coordinator) {
      while true {
        do {
          return try await once(author, block) { [met] in
            turns.hold(met, in: coordinator)
          }
        } catch let error where repetition.mayFollow(error) {
          turns.note(error, in: coordinator, among: &met)
          try await Task.sleep(for: repetition.pause)
        }
      }
    }
  }

  /// Runs the block, holding some rows until its changes are saved.
  private func once<Result: Sendable>(
    _ author: String?,
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result,
    holding: @escaping @Sendable () -> [any HeldRows]
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.perform(schedule: .enqueued) {
      let held = holding()
      defer { for rows in held { rows.letGo() } }
      context.mergePolicy = NSMergePolicy.error
      context.transactionAuthor = author ?? context.transactionAuthor
      context.seeOneMoment()
      let result = try block(context)
      try context.checkReading()
      let new = context.newObjects(in: result)
      if context.hasChanges { try context.save() }
      return Self.settled(result, new)
    }
  }

  /// Runs a block with a context that sees all stores at one moment, and returns the block's result.
  ///
  /// ```swift
  /// let (count, stars) = try await container.read { context in
  ///   let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
  ///   return (notes.count, notes.reduce(0) { $0 + Int($1.stars) })
  /// }
  /// ```
  ///
  /// The block does not see saves of others while it runs, so that everything it reads fits together.
  /// This holds for SQLite stores with a write-ahead log and for stores in PostgreSQL; other stores are read as
  /// they are. Changes that the block makes are dropped, unless it saves the context itself: use
  /// ``write(author:_:)`` to change objects.
  ///
  /// Readers wait neither for each other nor for writers. Call this method from any task.
  /// The compiler refuses a block that returns an object; see ``write(author:_:)``.
  ///
  /// With ``ReadSource/replica`` a replica of a PostgreSQL server may answer. The block sees everything that was
  /// committed before it began, by any program. If the replica ends the connection in the meantime, the result of the
  /// block is dropped, and **the block runs again** with a new context, at the store's own server. So such a block must
  /// not do anything that cannot be repeated, such as sending a message.
  ///
  /// - Parameters:
  ///   - source: Which servers may answer, if the stores are in PostgreSQL databases; other stores do not
  ///     distinguish.
  ///   - block: The work to do. It receives a context made by ``newBackgroundContext()``.
  /// - Returns: The block's result.
  /// - Throws: The error of the block, or that of a store that cannot be read, also for a property that the block has read,
  ///   such as 134070 if a PostgreSQL server has
  ///   ended the connection while the block ran: call the method again then. `CancellationError` if the task was canceled
  ///   before the block had read all; see ``NSManagedObjectContext/performCancellable(_:)``.
  @discardableResult
  public func read<Result: Sendable>(
    from source: ReadSource = .primary,
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result {
    if source == .replica, let result = try await readAtReplica(block) { return result }
    let context = newBackgroundContext()
    return try await context.performCancellable {
      context.seeOneMoment()
      let result = try block(context)
      try context.checkReading()
      return result
    }
  }

  /// The block's result; `nil` if a replica has ended the moment, even if the block has ignored that.
  private func readAtReplica<Result: Sendable>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
  ) async throws -> Result? {
    let context = newBackgroundContext()
    return try await context.performCancellable {
      context.seeOneMoment(from: .replica)
      let outcome = Swift.Result {
        let result = try block(context)
        try context.checkReading()
        return result
      }
      if context.hasLostReplica { return nil }
      return try outcome.get()
    }
  }

  /// The servers that may answer a block that reads PostgreSQL stores.
  public enum ReadSource: Hashable, Sendable {
    /// The store's own server.
    case primary
    /// A replica of it, if one knows everything that was committed before the block begins; otherwise the store's own
    /// server.
    ///
    /// Replicas are the servers in the option `NSPostgreSQLReplicasOption` of a store. The block begins at most 20
    /// milliseconds later because of them: this is how long they may take to answer and to catch up. One that
    /// cannot be reached, or is not a replica of the store's database, is left alone for five seconds; one that
    /// is behind, for a quarter of a second.
    case replica
  }
}

// MARK: - Identities of new objects

extension NSPersistentContainer {
  /// The result with the identities that the save has given to objects.
  private static func settled<Result>(
    _ result: Result,
    _ new: [NSManagedObjectID: NSManagedObject]
  ) -> Result {
    if new.isEmpty { return result }
    let settled: Any =
      switch result {
      case let id as NSManagedObjectID: new[id]?.objectID ?? id
      case let ids as [NSManagedObjectID]: ids.map { new[$0]?.objectID ?? $0 }
      default: result
      }
    return settled as? Result ?? result
  }
}

extension NSManagedObjectContext {
  /// The unsaved objects whose identities are the result of a block.
  fileprivate func newObjects(in result: Any) -> [NSManagedObjectID: NSManagedObject] {
    let ids = result as? [NSManagedObjectID] ?? (result as? NSManagedObjectID).map { [$0] } ?? []
    var objects: [NSManagedObjectID: NSManagedObject] = [:]
    for id in ids where id.isTemporaryID { objects[id] = registeredObject(for: id) }
    return objects
  }
}
