import Foundation

// MARK: - Executing requests

extension NSManagedObjectContext {
  /// Executes a request of any kind that contexts know.
  ///
  /// An asynchronous fetch gives its result at once, which is filled later; see
  /// ``NSAsynchronousFetchRequest``. A fetch request gives a result that is complete. A batch request
  /// changes rows of the stores, a transaction in each; this context and its objects stay as they are,
  /// and where several stores were asked and some have failed, the error is 134070 with all failures
  /// under `NSDetailedErrorsKey`. Throws 134091 for a request of another kind, such as
  /// ``NSSaveChangesRequest``; errors of an asynchronous fetch are in its result.
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
    let fetch = AsynchronousFetch(result)
    let reading: FetchReading
    do {
      reading = try context.reading(for: fetch.request, control: control)
    } catch {
      context.perform { fetch.finish(.failure(error)) }
      return result
    }
    if reading.needsContextQueue {
      context.perform { fetch.finish(Result { (try reading.perform(), reading) }) }
      return result
    }
    DispatchQueue.global().async {
      let found = Result { try reading.perform() }
      context.perform { fetch.finish(found.map { ($0, reading) }) }
    }
    return result
  }
}

/// A fetch between its two ends on the context's queue.
///
/// Safety: touched on the context's queue only; what travels in between is a value.
private final class AsynchronousFetch<ResultType>: @unchecked Sendable {
  let request: NSFetchRequest<ResultType>
  private let result: NSAsynchronousFetchResult<ResultType>

  init(_ result: NSAsynchronousFetchResult<ResultType>) {
    self.result = result
    let original = result.fetchRequest
    // The user may change the request meanwhile.
    request = original.fetchRequest.retyped(ResultType.self)
    request.affectedStores = original.affectedStores ?? request.affectedStores
  }

  func finish(_ found: Result<(FetchReading.FoundRows, FetchReading), any Error>) {
    let context = result.managedObjectContext
    do {
      let (rows, reading) = try found.get()
      if result.control.isCancelled { throw FetchFailure.cancelled }
      let all = try context.results(of: request, rows, readBefore: reading)
      result.finalResult = all
      result.control.finish(all.count)
    } catch {
      result.operationError = error
    }
    result.fetchRequest.completionBlock?(result)
  }
}
