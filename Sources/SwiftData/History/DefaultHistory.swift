import CoreData
public import Foundation

/// A transaction of the history of a container's store.
public struct DefaultHistoryTransaction: HistoryTransaction, Hashable, Identifiable {
  /// The kind of the numbers of transactions.
  public typealias TransactionIdentifier = Int64

  public let author: String?
  /// The identifier of the program that saved.
  public let bundleIdentifier: String
  /// The process that saved.
  public let processIdentifier: String
  public let changes: [HistoryChange]
  public let storeIdentifier: String
  public let timestamp: Date
  public let token: DefaultHistoryToken
  public let transactionIdentifier: Int64

  init(_ transaction: NSPersistentHistoryTransaction) {
    author = transaction.author
    bundleIdentifier = transaction.bundleID
    processIdentifier = transaction.processID
    storeIdentifier = transaction.storeID
    timestamp = transaction.timestamp
    transactionIdentifier = transaction.transactionNumber
    token = DefaultHistoryToken([transaction.storeID: transaction.transactionNumber])
    let number = transaction.transactionNumber
    changes = (transaction.changes ?? []).compactMap { HistoryChange($0, in: number) }
  }

  /// The number of the transaction in its store.
  public var id: Int64 { transactionIdentifier }

  /// Returns whether both are the same transaction of one store.
  public static func == (
    one: DefaultHistoryTransaction,
    other: DefaultHistoryTransaction
  ) -> Bool { one.token == other.token }

  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

/// A place in the history of the stores of a container.
public struct DefaultHistoryToken: HistoryToken, Identifiable {
  /// The kind of a token's value.
  public typealias TokenType = [String: Int64]

  public let tokenValue: [String: Int64]?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

  /// A number that differs for different tokens of a process.
  public var id: Int { hashValue }

  /// Whether one place is before another in a store that both have.
  public static func < (one: DefaultHistoryToken, other: DefaultHistoryToken) -> Bool {
    let others = other.tokenValue ?? [:]
    return (one.tokenValue ?? [:]).contains { store, number in
      others[store].map { number < $0 } ?? false
    }
  }

  var coreDataToken: NSPersistentHistoryToken {
    NSPersistentHistoryToken(numbers: tokenValue ?? [:])
  }
}

/// The insertion of a model in the history of a container's store.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  /// The kind of the numbers of changes.
  public typealias ChangeIdentifier = Int64
  /// The kind of the numbers of transactions.
  public typealias TransactionIdentifier = Int64

  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// A change of a model in the history of a container's store.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  /// The kind of the numbers of changes.
  public typealias ChangeIdentifier = Int64
  /// The kind of the numbers of transactions.
  public typealias TransactionIdentifier = Int64
  /// A property that was changed.
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
}

/// The deletion of a model in the history of a container's store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  /// The kind of the numbers of changes.
  public typealias ChangeIdentifier = Int64
  /// The kind of the numbers of transactions.
  public typealias TransactionIdentifier = Int64

  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let tombstone: HistoryTombstone<Model>

  /// Returns whether both are the same change of one model.
  public static func == (
    one: DefaultHistoryDelete<Model>,
    other: DefaultHistoryDelete<Model>
  ) -> Bool {
    one.changeIdentifier == other.changeIdentifier
      && one.transactionIdentifier == other.transactionIdentifier
      && one.changedPersistentIdentifier == other.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

extension HistoryChange {
  /// `nil` for a class that the container does not have.
  fileprivate init?(_ change: NSPersistentHistoryChange, in transaction: Int64) {
    guard let kind = change.changedObjectID.entity.rowKind as? ModelType else { return nil }
    self = Self.made(kind.type, kind, change, transaction)
  }

  private static func made<Model: PersistentModel>(
    _ type: Model.Type,
    _ kind: ModelType,
    _ change: NSPersistentHistoryChange,
    _ transaction: Int64
  ) -> HistoryChange {
    let id = PersistentIdentifier(change.changedObjectID)
    switch change.changeType {
    case .insert:
      return .insert(
        DefaultHistoryInsert<Model>(
          changeIdentifier: change.changeID,
          transactionIdentifier: transaction,
          changedPersistentIdentifier: id
        )
      )
    case .update:
      return .update(
        DefaultHistoryUpdate<Model>(
          changeIdentifier: change.changeID,
          transactionIdentifier: transaction,
          changedPersistentIdentifier: id,
          updatedAttributes: (change.updatedProperties ?? []).compactMap { property in
            let keyPath = kind.property(named: property.name)?.metadata.keypath
            return (keyPath as? PartialKeyPath<Model>).map {
              // Key paths of properties capture nothing, so that any thread can have them.
              unsafeBitCast($0, to: (any PartialKeyPath<Model> & Sendable).self)
            }
          }
        )
      )
    case .delete:
      var values: [String: Any] = [:]
      for (key, value) in change.tombstone ?? [:] { (key as? String).map { values[$0] = value } }
      return .delete(
        DefaultHistoryDelete<Model>(
          changeIdentifier: change.changeID,
          transactionIdentifier: transaction,
          changedPersistentIdentifier: id,
          tombstone: HistoryTombstone(values: values)
        )
      )
    }
  }
}
