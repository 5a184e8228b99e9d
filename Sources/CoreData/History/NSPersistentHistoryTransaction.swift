public import Foundation
import Synchronization

/// What one save, or one batch request, has written to a store: who, when, and which rows.
///
/// ```swift
/// for transaction in transactions where transaction.author != "import" {
///   context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
///
/// It was read whole and asks the store for nothing more. May be used on any thread.
///
/// Safety: immutable but for the changes, which are made once, behind a mutex.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
  private let excerpt: HistoryExcerpt
  private let index: Int
  private let made = Mutex<[NSPersistentHistoryChange]?>(nil)
  /// The token where several stores were asked; else it is made when somebody wants it.
  private let given: NSPersistentHistoryToken?

  init(_ excerpt: HistoryExcerpt, at index: Int, token: NSPersistentHistoryToken? = nil) {
    self.excerpt = excerpt
    self.index = index
    given = token
    super.init()
  }

  /// Everything up to this transaction, in the order in which it was read.
  public var token: NSPersistentHistoryToken {
    given ?? NSPersistentHistoryToken([excerpt.identifier: row.number])
  }

  private var row: HistoryExcerpt.TransactionRow { excerpt.transactions[index] }

  // MARK: Identity

  /// Whether the other is the same transaction of the same store.
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

// MARK: - Who and when

extension NSPersistentHistoryTransaction {
  /// When it was written, by the clock of whoever did.
  public var timestamp: Date { Date(timeIntervalSinceReferenceDate: row.time) }

  /// The `transactionAuthor` of the context that saved; nil where it had none.
  public var author: String? { row.author }

  /// The `name` of the context that saved; nil where it had none.
  public var contextName: String? { row.contextName }

  /// The program that saved: its bundle's identifier, or its name where it has no bundle.
  public var bundleID: String { row.bundleID ?? "" }

  /// The name of the process that saved.
  public var processID: String { row.processID ?? "" }

  /// The UUID of the store.
  public var storeID: String { excerpt.identifier }

  /// Counts the store's transactions, from 1.
  public var transactionNumber: Int64 { row.number }
}

// MARK: - What

extension NSPersistentHistoryTransaction {
  /// The changes, in the order in which they were written; nil when the request asked for transactions
  /// only.
  ///
  /// With a request for certain changes these alone.
  public var changes: [NSPersistentHistoryChange]? {
    guard excerpt.hasChanges else { return nil }
    return made.withLock { made in
      if let made { return made }
      let new = row.changes.map { NSPersistentHistoryChange(excerpt, at: $0) }
      made = new
      return new
    }
  }

  /// The changes in the form of a context's notification, for
  /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``: sets of identities.
  public func objectIDNotification() -> Notification {
    var sets: [HistoryChange.Kind: Set<NSManagedObjectID>] = [:]
    if excerpt.hasChanges {
      for index in row.changes {
        sets[excerpt.changes[index].kind, default: []].insert(excerpt.id(ofChange: index))
      }
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
  /// The entity that requests for transactions are about.
  ///
  /// Its properties, such as `author`, `timestamp` and `token`, can stand in predicates.
  public class var entityDescription: NSEntityDescription? { HistoryModel.transaction }

  /// The same entity whatever the context.
  public class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    HistoryModel.transaction
  }

  /// A request for transactions, to be given a predicate and put into a
  /// ``NSPersistentHistoryChangeRequest``.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryModel.request(for: HistoryModel.transaction)
  }
}
