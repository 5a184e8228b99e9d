public import Foundation

/// A request that fetches or deletes the persistent history of stores.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
/// request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
/// request.fetchRequest?.predicate = NSPredicate(format: "author != %@", "app")
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] { … }
/// ```
///
/// Transactions and changes are returned in the order in which they were written. The request
/// concerns its `affectedStores` or, if these are `nil`, all stores with a history: SQLite and PostgreSQL
/// stores that are, or once were, opened with `NSPersistentHistoryTrackingKey`. Several histories are
/// merged by the time of the transactions.
///
/// Changes of entities that the coordinator's model does not have are left out.
///
/// Executing it throws 134091 if one of the `affectedStores` keeps no history, or, if these are `nil`,
/// none of the stores does; if the ``fetchRequest`` has another entity or a condition that SQL cannot
/// express; or if it has an order or an offset and concerns several stores. It throws 134301 if part of
/// the history after the given token was deleted, or if the store does not have the token's transaction,
/// because an older copy has taken its place. It throws 513 for a deletion in the history of a read-only store.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
  /// The type of the result.
  ///
  /// The default is `.transactionsAndChanges`. If the request deletes history, set `.count` to obtain the
  /// number of deleted changes; with any other value the result is that of `.statusOnly`.
  public var resultType = NSPersistentHistoryResultType.transactionsAndChanges

  /// The fetch request that selects transactions or changes, depending on its entity.
  ///
  /// Its predicate, sort descriptors, limit and offset become part of the SQL statement. With a
  /// request for changes, the transactions of the result contain only the selected changes.
  ///
  /// When history is deleted, the oldest selected transactions are deleted, up to the first one that is not selected,
  /// so that the history does not have gaps. A fetch request that selects changes then makes the request throw
  /// 134091.
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

  /// The token, or the token of the transaction, with which the request was created.
  public var token: NSPersistentHistoryToken? {
    switch verb {
    case .fetch(.token(let token)), .delete(.token(let token)): token
    case .fetch, .delete: nil
    }
  }

  /// The kind of request, which is `.fetchRequestType` for fetching and `.saveRequestType` for deleting.
  public override var requestType: NSPersistentStoreRequestType {
    switch verb {
    case .fetch: .fetchRequestType
    case .delete: .saveRequestType
    }
  }
}

// MARK: - Fetching

extension NSPersistentHistoryChangeRequest {
  /// Creates a request for the history after a token.
  ///
  /// Of a store that the token does not include, the whole history is fetched. Executing the
  /// request throws 134301 if part of the history after the token was deleted.
  ///
  /// - Parameter token: A token of an earlier transaction, or `nil` for the whole history.
  /// - Returns: The request.
  public class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
    Self(.fetch(after: token.map(Place.token) ?? .none))
  }

  /// Creates a request for the history after a point in time.
  ///
  /// The date is compared with the ``NSPersistentHistoryTransaction/timestamp`` of each transaction.
  /// Unlike a token, it does not make the request throw 134301 if part of the history was deleted; the
  /// result is then what is left.
  ///
  /// - Parameter date: The point in time.
  /// - Returns: The request.
  public class func fetchHistory(after date: Date) -> Self {
    Self(.fetch(after: .date(date)))
  }

  /// Creates a request for the history after a transaction.
  ///
  /// - Parameter transaction: The transaction, or `nil` for the whole history.
  /// - Returns: The request.
  public class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> Self {
    Self(.fetch(after: (transaction?.token).map(Place.token) ?? .none))
  }

  /// Creates a request for the transactions or changes that a fetch request selects.
  ///
  /// ```swift
  /// let fetch = NSFetchRequest<NSFetchRequestResult>()
  /// fetch.entity = NSPersistentHistoryChange.entityDescription(with: context)
  /// fetch.predicate = NSPredicate(format: "changedObjectID == %@", note.objectID)
  /// let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
  /// ```
  ///
  /// - Parameter fetchRequest: A request whose entity is that of transactions or changes.
  /// - Returns: The request.
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
  /// Creates a request that deletes the history before a token.
  ///
  /// The token's own transaction is kept. The history of a store that the token does not include is
  /// kept as well.
  ///
  /// - Parameter token: The token, or `nil` to delete the whole history.
  /// - Returns: The request.
  public class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
    Self(.delete(before: token.map(Place.token) ?? .none))
  }

  /// Creates a request that deletes the history before a point in time.
  ///
  /// The first transaction that was not written before this time is kept, with all that follow it.
  ///
  /// - Parameter date: The point in time.
  /// - Returns: The request.
  public class func deleteHistory(before date: Date) -> Self {
    Self(.delete(before: .date(date)))
  }

  /// Creates a request that deletes the history before a transaction.
  ///
  /// - Parameter transaction: The transaction, which is kept, or `nil` to delete the whole history.
  /// - Returns: The request.
  public class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> Self {
    guard let transaction else { return Self(.delete(before: .none)) }
    let token = NSPersistentHistoryToken([transaction.storeID: transaction.transactionNumber])
    return Self(.delete(before: .token(token)))
  }
}
