public import Foundation

/// The base class of the results of requests.
public class NSPersistentStoreResult: NSObject {}

/// The result of a request that is executed in the background.
///
/// Use the result on the queue of its context. Only ``cancel()`` may be called on any thread.
public class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The context that executes the request.
  public let managedObjectContext: NSManagedObjectContext

  /// The error of a finished request, or `nil`.
  ///
  /// The code is 3072 if the request was canceled; otherwise the errors are those of
  /// ``NSManagedObjectContext/fetch(_:)``.
  public internal(set) var operationError: (any Error)?

  /// The progress of the request, in the number of results.
  ///
  /// Canceling the progress cancels the request. If a progress was current when the request was
  /// executed, this one is a child of it.
  public var progress: Progress? { control.progress }

  let control: FetchControl

  init(_ context: NSManagedObjectContext, _ control: FetchControl) {
    managedObjectContext = context
    self.control = control
    super.init()
  }

  /// Cancels the request, even while a statement is running.
  ///
  /// The completion block is still called.
  public func cancel() {
    control.cancel()
    control.progress.cancel()
  }
}

/// The result of an asynchronous fetch request.
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request that was executed.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

  /// The results of the fetch, or `nil` before it has finished or if it failed.
  public internal(set) var finalResult: [ResultType]?

  init(
    _ request: NSAsynchronousFetchRequest<ResultType>,
    _ context: NSManagedObjectContext,
    _ control: FetchControl
  ) {
    fetchRequest = request
    super.init(context, control)
  }
}
