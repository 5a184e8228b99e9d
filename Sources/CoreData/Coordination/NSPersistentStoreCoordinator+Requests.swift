// MARK: - Requests

extension NSPersistentStoreCoordinator {
  /// Executes a request in the stores on behalf of a context.
  ///
  /// Programs usually call ``NSManagedObjectContext/execute(_:)`` instead. If the coordinator has incremental
  /// stores, this method passes a batch request to them alone, as it does with a request of your own.
  ///
  /// - Parameters:
  ///   - request: A fetch, batch or history request, a request for events of containers, or a request of your own for
  ///     incremental stores.
  ///   - context: The context on whose behalf the request is executed.
  /// - Returns: For a fetch, the result of ``NSManagedObjectContext/fetch(_:)``; for a batch, history or
  ///   event request, its result; for a request of your own, an array with the answers of the
  ///   incremental stores.
  /// - Throws: 134091 for any other request; otherwise the error of a store.
  @discardableResult
  public func execute(
    _ request: NSPersistentStoreRequest,
    with context: NSManagedObjectContext
  ) throws -> Any {
    if let fetch = request as? any FetchingRequest { return try fetch.found(in: context) }
    if let history = request as? NSPersistentHistoryChangeRequest { return try answer(history) }
    if let events = request as? NSPersistentCloudKitContainerEventRequest {
      return try events.execute(in: context)
    }
    let stores = (request.affectedStores ?? persistentStores).compactMap { store in
      store.backend as? any AnsweringStore
    }
    if let batch = request as? any BatchRequest, stores.isEmpty {
      return try batch.execute(in: context, by: self)
    }
    guard !(request is NSSaveChangesRequest), !stores.isEmpty else {
      let kind = "a \(type(of: request))"
      let path = persistentStores.first?.shownPath ?? "the coordinator"
      throw StoreFailure(.unsupportedRequest(kind), path: path).error()
    }
    return try stores.map { try $0.answer(to: request, context) }
  }
}

/// A fetch request, whatever it promises to find.
private protocol FetchingRequest {
  func found(in context: NSManagedObjectContext) throws -> [Any]
}

extension NSFetchRequest: FetchingRequest {
  fileprivate func found(in context: NSManagedObjectContext) throws -> [Any] {
    try context.fetch(self)
  }
}
