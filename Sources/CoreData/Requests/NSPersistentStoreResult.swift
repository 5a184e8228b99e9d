public import Foundation

/// What the execution of a request gives.
public class NSPersistentStoreResult: NSObject {}

/// The result of a request that is executed while the program goes on.
///
/// It belongs to the queue of its context; ``cancel()`` may be called from any thread.
public class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The context that executes the request.
  public let managedObjectContext: NSManagedObjectContext

  /// Why there is no result, once it is complete: 3072 when it was cancelled, else as the fetch throws.
  public internal(set) var operationError: (any Error)?

  /// How many results have been read, of as many as the request estimates.
  ///
  /// Cancelling it cancels the request. It is part of the progress that was current when the request was executed.
  public var progress: Progress? { control.progress }

  let control: FetchControl

  init(_ context: NSManagedObjectContext, _ control: FetchControl) {
    managedObjectContext = context
    self.control = control
    super.init()
  }

  /// Stops the request, also within a statement.
  ///
  /// The completion block is called all the same.
  public func cancel() {
    control.cancel()
    control.progress.cancel()
  }
}

/// The result of a fetch that goes on while the program does.
public final class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
  /// The request that this is the result of.
  public let fetchRequest: NSAsynchronousFetchRequest<ResultType>

  /// What was found; nil until the fetch is complete, and when it failed.
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
