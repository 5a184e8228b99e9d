import Foundation

/// A closure that is called when an asynchronous fetch has finished.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType> = (
  NSAsynchronousFetchResult<ResultType>
) -> Void

/// A fetch request that is executed in the background.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(fetchRequest: Note.fetchRequest()) { result in
///   show(result.finalResult ?? [])
/// }
/// let result = try context.execute(request)
/// ```
///
/// Rows are read on a background thread, except from an ``NSIncrementalStore``, which is asked on the
/// context's queue. Objects are created on the context's queue, where the completion block is called.
public final class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// The request to execute.
  public let fetchRequest: NSFetchRequest<ResultType>

  /// The closure that is called once on the context's queue when the fetch has finished, failed or
  /// been canceled.
  public let completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType>?

  /// The expected number of results, from which the progress is computed, or 0 if it is unknown.
  public var estimatedResultCount = 0

  /// Creates an asynchronous fetch request.
  ///
  /// - Parameters:
  ///   - request: The request to execute. Later changes of it do not affect a running fetch.
  ///   - blk: A closure that is called once on the context's queue when the fetch has finished,
  ///     failed or been canceled.
  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completionBlock = blk
    super.init()
    affectedStores = request.affectedStores
  }

  /// The kind of request, which is `.fetchRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}
