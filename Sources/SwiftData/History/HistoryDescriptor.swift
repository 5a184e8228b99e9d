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
  /// The kind of the numbers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The author of the context that was saved.
  var author: String? { get }
  /// The changes, in the order in which they were written.
  var changes: [HistoryChange] { get }
  /// The store.
  var storeIdentifier: String { get }
  /// The time of the save.
  var timestamp: Date { get }
  /// The place of the transaction in the history.
  var token: TokenType { get }
  /// The number of the transaction in its store.
  var transactionIdentifier: TransactionIdentifier { get }
}

/// A place in the history.
public protocol HistoryToken: Codable, Comparable, Hashable, Sendable {
  /// The kind of a token's value.
  associatedtype TokenType: Codable, Hashable, Sendable
  /// The numbers of the last transactions, by the identifiers of the stores.
  var tokenValue: TokenType? { get }
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
  /// The kind of the numbers of changes.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The kind of the numbers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The number of the change in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// A change of a model's properties.
public protocol HistoryUpdate<Model> {
  /// A property that was changed.
  typealias PropertyUpdate = PartialKeyPath<Model> & Sendable
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The kind of the numbers of changes.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The kind of the numbers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The number of the change in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
  /// The identifier of the model.
  var changedPersistentIdentifier: PersistentIdentifier { get }
  /// The properties that were changed.
  var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model> {
  /// The class of the model.
  associatedtype Model: PersistentModel
  /// The kind of the numbers of changes.
  associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
  /// The kind of the numbers of transactions.
  associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
  /// The number of the change in its store.
  var changeIdentifier: ChangeIdentifier { get }
  /// The number of the transaction.
  var transactionIdentifier: TransactionIdentifier { get }
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
    guard let name = ModelType.of(Model.self).name(of: keyPath),
      let property = ModelType.of(Model.self).property(named: name), let value = value(of: property)
    else { return nil }
    guard let optional = property.valueType as? any AnyOptionalType.Type else {
      return value as? Value
    }
    return optional.holding(value) as? Value
  }

  /// Returns the value of an attribute whose type is not known, or `nil` if the history does not have it.
  @_disfavoredOverload
  public subscript(_ keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
    guard let name = ModelType.of(Model.self).name(of: keyPath),
      let property = ModelType.of(Model.self).property(named: name)
    else { return nil }
    return value(of: property)
  }

  fileprivate func value(of property: ModelProperty) -> (any Sendable)? {
    guard let form = property.form, let boxed = values[property.name] else { return nil }
    let found: Any? = form.value(of: boxed, as: property.storedType, name: property.name)
    guard let found else { return nil }
    // The value was made of stored bytes just now, so that nobody else has it.
    return unsafeBitCast(found as Any, to: (any Sendable).self)
  }
}

extension HistoryTombstone: Sequence {
  /// The kind of the values.
  public typealias Element = Any

  /// The values that the history keeps, in the order of their attributes' names.
  public func makeIterator() -> IndexingIterator<[Any]> {
    let kind = ModelType.of(Model.self)
    let found = values.keys.sorted().compactMap { name in
      kind.property(named: name).flatMap { property -> Any? in value(of: property) }
    }
    return found.makeIterator()
  }
}
