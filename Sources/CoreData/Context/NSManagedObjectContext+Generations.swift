import Foundation

// MARK: - A moment of the stores

extension NSManagedObjectContext {
  /// The moment of the stores to which this context is pinned; nil where it sees them as they are, and
  /// for a child.
  public var queryGenerationToken: NSQueryGenerationToken? {
    checkQueue()
    return generation.map(NSQueryGenerationToken.init)
  }

  /// Pins the context to a moment of the stores: what others save from then on is not seen here.
  ///
  /// ``NSQueryGenerationToken/current`` stands for the moment of the next reading, a token of another
  /// context for that context's moment, nil for the stores as they are. ``save()``,
  /// ``mergeChanges(fromContextDidSave:)``, ``reset()`` and another call move the context on; objects that
  /// have values keep them until they are refreshed.
  ///
  /// Costs a connection for each SQLite store, held open, and a cache of rows. SQLite files with a
  /// write-ahead log can be pinned; other stores are seen as they are, and stores that are added later
  /// not at all. Conflicts are found as ever when the context saves.
  ///
  /// Throws 134091 on a child, which sees what its parent sees, and for a token of other stores.
  public func setQueryGenerationFrom(_ token: NSQueryGenerationToken?) throws {
    checkQueue()
    if parent != nil { throw GenerationFailure.child.error }
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    if let generation = token?.generation, !stores.isEmpty, !generation.knows(stores) {
      throw GenerationFailure.otherStores.error
    }
    generation = token.map { $0.generation ?? QueryGeneration() }
    forgetWaitingRows()
  }

  /// Moves a pinned context on to the moment of its next reading.
  func advanceGeneration() {
    if generation == nil { return }
    generation = QueryGeneration()
    forgetWaitingRows()
  }

  /// Rows of another moment must not become the values of faults.
  private func forgetWaitingRows() {
    for object in identityMap.objects where object.isFault { object.record.pointee.snapshot = nil }
    oldestWaitingGeneration = nil
  }
}

// MARK: - How stores are seen

extension NSManagedObjectContext {
  /// A store as this context sees it; nil for one that was added after the context was pinned.
  func view(of store: NSPersistentStore) throws -> StoreView? {
    guard let generation else { return StoreView(store) }
    return try generation.view(of: store)
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
