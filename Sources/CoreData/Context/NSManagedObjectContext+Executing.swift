import Foundation

// MARK: - Executing requests

extension NSManagedObjectContext {
  /// Executes a fetch, asynchronous fetch, batch or history request.
  ///
  /// A fetch request is executed before the method returns. An asynchronous fetch request returns a
  /// result at once and fills it later; its errors are reported in the result. A batch request runs
  /// one transaction in each store and does not change this context or its objects.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter request: The request to execute.
  /// - Returns: The result of the request; its type depends on the type of the request.
  /// - Throws: 134091 if a context cannot execute this kind of request, such as
  ///   ``NSSaveChangesRequest``; 134070 if the request failed in some of several stores, with the
  ///   errors under `NSDetailedErrorsKey`; otherwise the error of the store.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    checkQueue()
    guard let executable = request as? any ContextExecutable else {
      throw StoreFailure(
        .unsupportedRequest("the execution of a \(type(of: request))"),
        path: persistentStoreCoordinator?.persistentStores.first?.url?.path ?? "(no store)"
      ).error()
    }
    return try executable.execute(in: self)
  }
}

/// A request that a context can execute.
protocol ContextExecutable {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult
}

extension NSFetchRequest: ContextExecutable {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let request = NSAsynchronousFetchRequest(fetchRequest: self)
    let result = NSAsynchronousFetchResult(request, context, FetchControl(estimate: 0))
    let found = try context.fetch(self)
    result.finalResult = found
    result.control.finish(found.count)
    return result
  }
}

extension NSAsynchronousFetchRequest: ContextExecutable {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let control = FetchControl(estimate: estimatedResultCount)
    let result = NSAsynchronousFetchResult(self, context, control)
    let fetch = Handover(AsynchronousFetch(result))
    let prepared: PreparedFetch
    do {
      prepared = try context.prepared(for: fetch.value.request, control: control)
    } catch {
      context.perform { fetch.value.finish(.failure(error)) }
      return result
    }
    if prepared.needsContextQueue {
      context.perform { fetch.value.finish(Result { (try prepared.perform(), prepared) }) }
      return result
    }
    DispatchQueue.global().async {
      let found = Result { try prepared.perform() }
      context.perform { fetch.value.finish(found.map { ($0, prepared) }) }
    }
    return result
  }
}

/// A fetch between its two ends on the context's queue; what travels in between is a value.
private final class AsynchronousFetch<ResultType> {
  let request: NSFetchRequest<ResultType>
  private let result: NSAsynchronousFetchResult<ResultType>

  init(_ result: NSAsynchronousFetchResult<ResultType>) {
    self.result = result
    let original = result.fetchRequest
    // The user may change the request meanwhile.
    request = original.fetchRequest.retyped(ResultType.self)
    request.affectedStores = original.affectedStores ?? request.affectedStores
  }

  func finish(_ found: Result<(FoundRows, PreparedFetch), any Error>) {
    let context = result.managedObjectContext
    do {
      let (rows, prepared) = try found.get()
      if result.control.isCancelled { throw FetchFailure.cancelled }
      let all = try context.results(of: request, rows, readBefore: prepared)
      result.finalResult = all
      result.control.finish(all.count)
    } catch {
      result.operationError = error
    }
    result.fetchRequest.completionBlock?(result)
  }
}
