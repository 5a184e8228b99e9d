import CoreData
public import Foundation

/// A transaction of the history of a container's store.
public struct DefaultHistoryTransaction: HistoryTransaction {
  public let author: String?
  public let bundleIdentifier: String
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
}

/// A place in the history of the stores of a container.
public struct DefaultHistoryToken: HistoryToken {
  public let tokenValue: [String: Int64]?

  init(_ numbers: [String: Int64]) { tokenValue = numbers }

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
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert {
  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
}

/// A change of a model in the history of a container's store.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate {
  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let updatedAttributes: [PartialKeyPath<Model>]
}

/// The deletion of a model in the history of a container's store.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete {
  public let changeIdentifier: Int64
  public let transactionIdentifier: Int64
  public let changedPersistentIdentifier: PersistentIdentifier
  public let tombstone: HistoryTombstone<Model>
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
            kind.property(named: property.name)?.metadata.keypath as? PartialKeyPath<Model>
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
