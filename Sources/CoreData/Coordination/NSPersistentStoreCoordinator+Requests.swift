// MARK: - Requests

extension NSPersistentStoreCoordinator {
  /// Has the stores answer a request.
  ///
  /// A fetch gives what the context's own fetch gives; a batch request and a request for history give
  /// their results. A request of one's own goes to the incremental stores among those concerned, and
  /// gives a list of their answers. Throws 134091 for anything else: changes are saved by a context.
  public func execute(
    _ request: NSPersistentStoreRequest,
    with context: NSManagedObjectContext
  ) throws -> Any {
    if let fetch = request as? any FetchingRequest { return try fetch.found(in: context) }
    if let history = request as? NSPersistentHistoryChangeRequest { return try answer(history) }
    let stores = (request.affectedStores ?? persistentStores).filter { $0.rows is IncrementalRows }
    if let batch = request as? any BatchRequest, stores.isEmpty {
      return try batch.execute(in: context, by: self)
    }
    guard !(request is NSSaveChangesRequest), !stores.isEmpty else {
      let kind = "a \(type(of: request))"
      let path = persistentStores.first?.url?.path ?? "the coordinator"
      throw StoreFailure(.unsupportedRequest(kind), path: path).error()
    }
    return try stores.map { store in
      guard let rows = store.rows as? IncrementalRows else { return [] as [Any] as Any }
      return try rows.answer(to: request, context)
    }
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
