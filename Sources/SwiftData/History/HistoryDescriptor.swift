public import Foundation

/// Which transactions of the history are fetched or deleted.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > token && $0.author == "importer" }
/// ```
///
/// Only transactions after a token that the predicate names with `$0.token > …` are read; all else of the predicate is
/// evaluated in memory.
///
/// Safety: a value; the key paths in it are immutable.
public struct HistoryDescriptor<Transaction: HistoryTransaction>: @unchecked Sendable {
  /// The condition; all transactions if `nil`.
  public var predicate: Predicate<Transaction>?
  /// The order; that of the saves if empty.
  public var sortBy: [SortDescriptor<Transaction>]
  /// The largest number of transactions; 0 for no limit.
  public var fetchLimit: UInt64 = 0

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - predicate: The condition.
  ///   - sortBy: The order.
  public init(
    predicate: Predicate<Transaction>? = nil,
    sortBy: [SortDescriptor<Transaction>] = []
  ) {
    self.predicate = predicate
    self.sortBy = sortBy
  }
}

/// One save, as the history has it.
public protocol HistoryTransaction {
  /// The kind of the tokens.
  associatedtype TokenType: HistoryToken
  /// The author of the context that was saved.
  var author: String? { get }
  /// The identifier of the program that saved.
  var bundleIdentifier: String { get }
  /// The process that saved.
  var processIdentifier: String { get }
  /// The changes, in the order in which they were written.
  var changes: [HistoryChange] { get }
  /// The store.
  var storeIdentifier: String { get }
  /// The time of the save.
  var timestamp: Date { get }
  /// The place of the transaction in the history.
  var token: TokenType { get }
  /// The number of the transaction in its store.
  var transactionIdentifier: Int64 { get }
}

/// A place in the history.
public protocol HistoryToken: Codable, Comparable, Hashable, Sendable {
  /// The numbers of the last transactions, by the identifiers of the stores.
  var tokenValue: [String: Int64]? { get }
}

/// A change of one model, as the history has it.
public enum HistoryChange {
  /// A model was inserted.
  case insert(any HistoryInsert)
  /// A model was changed.
  case update(any HistoryUpdate)
  /// A model was deleted.
  case delete(any HistoryDelete)

  /// The identifier of the model.
  public var changedPersistentIdentifier: PersistentIdentifier {
    switch self {
    case .insert(let change): change.changedPersistentIdentifier
    case .update(let change): change.changedPersistentIdentifier
    case .delete(let change): change.changedPersistentIdentifier
    }
  }
}

/// The insertion of a model.
public protocol HistoryInsert<Model> {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The number of the change in its store.
  var changeIdentifier: Int64 { get }
  /// The number of the transaction.
  var transactionIdentifier: Int64 { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A change of a model's properties.
public protocol HistoryUpdate<Model> {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The number of the change in its store.
  var changeIdentifier: Int64 { get }
  /// The number of the transaction.
  var transactionIdentifier: Int64 { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties that were changed.
  var updatedAttributes: [PartialKeyPath<Model>] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model> {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The number of the change in its store.
  var changeIdentifier: Int64 { get }
  /// The number of the transaction.
  var transactionIdentifier: Int64 { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The values of the attributes with the option `.preserveValueOnDeletion`.
  var tombstone: HistoryTombstone<Model> { get }
}

/// Values that the history keeps of a deleted model.
public struct HistoryTombstone<Model: PersistentModel> {
  /// The values, by the names of the attributes.
  let values: [String: Any]

  /// Returns the value of an attribute, or `nil` if the history does not have it.
  public subscript<Value>(_ keyPath: KeyPath<Model, Value>) -> Value? {
    let kind = ModelType.of(Model.self)
    guard let name = kind.name(of: keyPath), let property = kind.property(named: name),
      let form = property.form, let boxed = values[name]
    else { return nil }
    let value = form.value(of: boxed, as: property.storedType, name: name)
    guard let optional = property.valueType as? any AnyOptionalType.Type else {
      return value as? Value
    }
    return optional.holding(value) as? Value
  }
}
