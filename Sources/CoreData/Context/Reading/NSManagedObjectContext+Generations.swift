import Foundation

// MARK: - A moment of the stores

extension NSManagedObjectContext {
  /// The query generation to which the context is pinned.
  ///
  /// The value is `nil` if the context reads the current state of the stores, and always for a
  /// context that has a parent.
  public var queryGenerationToken: NSQueryGenerationToken? {
    checkQueue()
    return freshness.moment.map(NSQueryGenerationToken.init)
  }

  /// Pins the context to a query generation, so that it does not see later saves of others.
  ///
  /// ```swift
  /// try context.setQueryGenerationFrom(.current)
  /// ```
  ///
  /// ``save()``, ``mergeChanges(fromContextDidSave:)``, ``reset()`` and another call of this method
  /// advance the context to the newest generation. Objects that have their values keep them until
  /// they are refreshed. Conflicts are detected as usual when the context is saved.
  ///
  /// Each pinned store costs an open connection and a separate row cache. Only SQLite files with a
  /// write-ahead log and stores in PostgreSQL can be pinned; other stores are read as they are.
  /// Stores that are added later are not visible to the pinned context.
  ///
  /// At most 32 contexts can be pinned to a PostgreSQL store at once, and the server keeps deleted rows as long as
  /// one of them may read them. If the server closes the connection, reading throws until the context is pinned
  /// again.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter token: `NSQueryGenerationToken.current` for the generation of the next read, the
  ///   token of another context to read the same generation, or `nil` to remove the pin.
  /// - Throws: 134091 if the context has a parent, or if the token belongs to other stores.
  public func setQueryGenerationFrom(_ token: NSQueryGenerationToken?) throws {
    checkQueue()
    if parent != nil { throw GenerationFailure.child.error }
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    if let generation = token?.generation, !stores.isEmpty, !generation.knows(stores) {
      throw GenerationFailure.otherStores.error
    }
    pin(to: token.map { $0.generation ?? QueryGeneration(for: readerName) })
  }

  /// Pins the context to the moment of its next reading; one with a parent sees what its parent sees.
  func seeOneMoment(from source: NSPersistentContainer.ReadSource = .primary) {
    checkQueue()
    guard parent == nil else { return }
    pin(to: QueryGeneration(from: source, for: readerName, endsWithSave: true))
  }

  /// Whether a replica has ended the moment to which the context is pinned.
  var hasLostReplica: Bool { freshness.moment?.hasLostReplica == true }

  /// Moves a pinned context on to the moment of its next reading.
  func advanceGeneration() {
    if let moment = freshness.moment { pin(to: moment.next()) }
  }

  /// Lets go of the moment of a block that begins to save.
  func endMomentOfBlock() {
    if freshness.moment?.endsWithSave == true { advanceGeneration() }
  }

  /// The words for this context as a reader of a moment.
  private var readerName: String {
    name.map { "the context “\($0)”" } ?? "a context without a name"
  }

  /// Rows of another moment must not become the values of faults.
  private func pin(to moment: QueryGeneration?) {
    for object in identityMap.objects where object.isFault { object.snapshot = nil }
    freshness.pin(to: moment)
  }
}

// MARK: - How stores are seen

extension NSManagedObjectContext {
  /// A store as this context sees it; nil for one that was added after the context was pinned.
  func view(of store: NSPersistentStore) throws -> StoreView? {
    try freshness.view(of: store)?.asked(by: self)
  }
}

/// Why a context cannot be pinned.
enum GenerationFailure {
  case child
  case otherStores

  var error: NSError {
    let reason =
      switch self {
      case .child: "The context has a parent, and a child sees what its parent sees."
      case .otherStores: "The token holds a moment of other stores than this context's."
      }
    return FailureText(
      description: "The context cannot be pinned to a query generation.",
      reason: reason,
      suggestion: "Pin a context of the same coordinator that has no parent."
    )
    .error(code: NSPersistentStoreUnsupportedRequestTypeError)
  }
}
