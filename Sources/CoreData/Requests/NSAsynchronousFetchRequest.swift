import Foundation

/// What is called when an asynchronous fetch is complete.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType> = (
  NSAsynchronousFetchResult<ResultType>
) -> Void

/// A fetch that reads while the program goes on.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(fetchRequest: Note.fetchRequest()) { result in
///   show(result.finalResult ?? [])
/// }
/// let result = try context.execute(request)
/// ```
///
/// Rows are read on a thread of their own; objects are made on the context's queue, where the block is
/// called.
public final class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
  /// What is fetched.
  public let fetchRequest: NSFetchRequest<ResultType>

  /// Called on the context's queue, once, also when the fetch fails or is cancelled.
  public let completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock<ResultType>?

  /// How many results there will be, for the progress; 0 where nobody knows.
  public var estimatedResultCount = 0

  public init(
    fetchRequest request: NSFetchRequest<ResultType>,
    completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
  ) {
    fetchRequest = request
    completionBlock = blk
    super.init()
    affectedStores = request.affectedStores
  }

  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}
