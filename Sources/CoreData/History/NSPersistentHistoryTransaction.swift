public import Foundation
import Synchronization

/// A transaction of the persistent history: the changes that one save or batch request has made in a store.
///
/// ```swift
/// for transaction in transactions where transaction.author != "import" {
///   context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
///
/// A transaction is completely in memory; using it runs no SQL statement. You can use it on any
/// thread.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, Sendable {
  private let excerpt: HistoryExcerpt
  private let index: Int
  private let made = Mutex<[NSPersistentHistoryChange]?>(nil)
  /// The token where several stores were asked; else it is made when somebody wants it.
  private let given: NSPersistentHistoryToken?
  /// The changes of the excerpt that it has; `nil` if only transactions were asked for.
  private let shown: Range<Int>?

  convenience init(
    _ excerpt: HistoryExcerpt,
    at index: Int,
    token: NSPersistentHistoryToken? = nil
  ) {
    let changes = excerpt.hasChanges ? excerpt.transactions[index].changes : nil
    self.init(excerpt, at: index, token: token, changes: changes)
  }

  init(
    _ excerpt: HistoryExcerpt,
    at index: Int,
    token: NSPersistentHistoryToken?,
    changes: Range<Int>?
  ) {
    self.excerpt = excerpt
    self.index = index
    given = token
    shown = changes
    super.init()
  }

  /// The token of the position after this transaction.
  public var token: NSPersistentHistoryToken {
    given ?? NSPersistentHistoryToken([excerpt.identifier: row.number])
  }

  private var row: HistoryExcerpt.TransactionRow { excerpt.transactions[index] }

  // MARK: Identity

  /// Returns whether another object represents the same transaction of the same store.
  ///
  /// - Parameter object: The object to compare with.
  /// - Returns: `true` if both represent the same transaction.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryTransaction else { return false }
    return other.row.number == row.number && other.storeID == storeID
  }

  public override var hash: Int { row.number.hashValue }

  public override var description: String {
    let author = author.map { " by \($0)" } ?? ""
    return "<NSPersistentHistoryTransaction \(row.number)\(author) at \(timestamp)>"
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

// MARK: - Author and time

extension NSPersistentHistoryTransaction {
  /// The time of the save, taken from the clock of the process that wrote the transaction.
  public var timestamp: Date { Date(timeIntervalSinceReferenceDate: row.time) }

  /// The `transactionAuthor` of the context that saved, or `nil` if it was `nil`.
  public var author: String? { row.origin.author }

  /// The `name` of the context that saved, or `nil` if it was `nil`.
  public var contextName: String? { row.origin.contextName }

  /// The bundle identifier of the program that saved, or its name if it does not have a bundle.
  public var bundleID: String { row.origin.bundleID ?? "" }

  /// The name of the process that saved.
  public var processID: String { row.origin.processID ?? "" }

  /// The UUID of the store to which the transaction belongs, as its ``NSPersistentStore/identifier``.
  public var storeID: String { excerpt.identifier }

  /// The number of the transaction.
  ///
  /// The transactions of a store are numbered from 1.
  public var transactionNumber: Int64 { row.number }
}

// MARK: - What

extension NSPersistentHistoryTransaction {
  /// The changes of the transaction in the order in which they were written.
  ///
  /// The value is `nil` if the request asked for transactions only. If the request selected certain
  /// changes, only these are included.
  public var changes: [NSPersistentHistoryChange]? {
    guard let shown else { return nil }
    return made.withLock { made in
      if let made { return made }
      let new = shown.map { NSPersistentHistoryChange(excerpt, at: $0, token: given) }
      made = new
      return new
    }
  }

  /// Returns a notification with the identities of the changed objects.
  ///
  /// It contains those of the ``changes``: none if the transaction was fetched without them.
  ///
  /// - Returns: A notification for ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``.
  public func objectIDNotification() -> Notification {
    var sets: [HistoryChange.Kind: Set<NSManagedObjectID>] = [:]
    for index in shown ?? 0..<0 {
      sets[excerpt.changes[index].kind, default: []].insert(excerpt.id(ofChange: index))
    }
    var userInfo: [AnyHashable: Any] = [NSPersistentHistoryTokenKey: token]
    userInfo[NSInsertedObjectIDsKey] = sets[.insert]
    userInfo[NSUpdatedObjectIDsKey] = sets[.update]
    userInfo[NSDeletedObjectIDsKey] = sets[.delete]
    return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, userInfo: userInfo)
  }
}

// MARK: - As an entity

extension NSPersistentHistoryTransaction {
  /// The entity for fetch requests of transactions.
  ///
  /// You can use its properties, such as `author`, `timestamp` and `token`, in predicates.
  public class var entityDescription: NSEntityDescription? { HistoryModel.transaction }

  /// Returns the entity for fetch requests of transactions.
  ///
  /// - Parameter context: A context. The result is the same for all contexts.
  /// - Returns: The entity.
  public class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    HistoryModel.transaction
  }

  /// A new fetch request for transactions.
  ///
  /// Set its predicate and assign it to ``NSPersistentHistoryChangeRequest/fetchRequest``.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryModel.request(for: HistoryModel.transaction)
  }
}
