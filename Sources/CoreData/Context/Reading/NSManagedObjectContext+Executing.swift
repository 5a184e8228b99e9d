import Foundation

// MARK: - Executing requests

extension NSManagedObjectContext {
  func carryOut(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    checkQueue()
    guard let executable = request as? any ContextExecutable else {
      throw StoreFailure(
        .unsupportedRequest("the execution of a \(type(of: request))"),
        path: persistentStoreCoordinator?.persistentStores.first?.shownPath ?? "(no store)"
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

/// A fetch between its two ends on the context's queue; in between, only a value travels.
private final class AsynchronousFetch<ResultType> {
  let request: NSFetchRequest<ResultType>
  private let result: NSAsynchronousFetchResult<ResultType>

  init(_ result: NSAsynchronousFetchResult<ResultType>) {
    self.result = result
    let original = result.fetchRequest
    // The user may change the request before it is executed.
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
