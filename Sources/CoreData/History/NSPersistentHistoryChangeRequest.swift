public import Foundation

/// A request for what has happened in the stores since then, or to forget what has happened until then.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
/// request.fetchRequest?.predicate = NSPredicate(format: "author != %@", "app")
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] { … }
/// ```
///
/// Transactions and changes come oldest first. ``affectedStores`` are asked, or all stores that keep a
/// history: SQLite stores that were opened with `NSPersistentHistoryTrackingKey`.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// What is returned; transactions with their changes unless set, of a purge whether it was done.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges

  /// Which transactions, or which changes, and in which order; its entity says which of the two.
  ///
  /// Predicate, sort descriptors, limit and offset become part of the statement. With a request for
  /// changes, transactions have these changes alone.
  public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

  let verb: Verb

  enum Verb {
    case fetch(after: Place)
    case delete(before: Place)
  }

  /// A place in the histories.
  enum Place {
    /// Before all history; for a purge, after it.
    case none
    case token(NSPersistentHistoryToken)
    case date(Date)
  }

  private init(_ verb: Verb) {
    self.verb = verb
    super.init()
  }

  /// The token that was given, or that of the transaction.
  public var token: NSPersistentHistoryToken? {
    switch verb {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    case .fetch, .delete: nil
    }
  }

  public override var requestType: NSPersistentStoreRequestType {
    switch verb {
    case .fetch: .fetchRequestType
    case .delete: .saveRequestType
    }
  }
}

// MARK: - Fetching

extension NSPersistentHistoryChangeRequest {
  /// Asks for what came after the token; nil for everything that is there.
  ///
  /// Of a store that the token does not know, everything. Execution throws 134301 where some of what
  /// came after it was purged.
  public class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
    Self(.fetch(after: token.map(Place.token) ?? .none))
  }

  /// Asks for what was written after the date.
  public class func fetchHistory(after date: Date) -> Self {
    Self(.fetch(after: .date(date)))
  }

  /// Asks for what came after the transaction; nil for everything that is there.
  public class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
    Self(.fetch(after: (transaction?.token).map(Place.token) ?? .none))
  }

  /// Asks for the transactions or changes that the request describes.
  ///
  /// ```swift
  /// let request = NSFetchRequest<NSFetchRequestResult>()
  /// request.entity = NSPersistentHistoryChange.entityDescription(with: context)
  /// request.predicate = NSPredicate(format: "changedObjectID == %@", note.objectID)
  /// ```
  public class func fetchHistory(
    withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> Self {
    let request = Self(.fetch(after: .none))
    request.fetchRequest = fetchRequest
    return request
  }
}

// MARK: - Purging

extension NSPersistentHistoryChangeRequest {
  /// Forgets what came before the token's transaction, which stays; nil forgets everything.
  ///
  /// A store that the token does not know keeps its history.
  public class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
    Self(.delete(before: token.map(Place.token) ?? .none))
  }

  /// Forgets what was written before the date.
  public class func deleteHistory(before date: Date) -> Self {
    Self(.delete(before: .date(date)))
  }

  /// Forgets what came before the transaction, which stays; nil forgets everything.
  public class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
    guard let transaction else { return Self(.delete(before: .none)) }
    let token = NSPersistentHistoryToken([transaction.storeID: transaction.transactionNumber])
    return Self(.delete(before: .token(token)))
  }
}
