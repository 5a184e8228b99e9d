public import Foundation

/// A request that inserts rows into a SQLite or PostgreSQL store without creating objects.
///
/// ```swift
/// let request = NSBatchInsertRequest(
///   entityName: "Note",
///   objects: [["title": "First", "stars": 3], ["title": "Second", "folder": folder.objectID]]
/// )
/// request.resultType = .count
/// let result = try context.execute(request) as? NSBatchInsertResult
/// ```
///
/// All rows are written in one transaction: in a SQLite store by one prepared statement, each as soon
/// as it is supplied, and in a PostgreSQL store in runs of up to 5,000 rows. So a handler can insert a
/// million rows without keeping them in memory. If several stores contain the entity, the rows go into
/// the first one that can be written.
///
/// Values that a row leaves out are the defaults of the model. `awakeFromInsert()` is not called, and
/// contexts are not notified; see
/// ``NSManagedObjectContext/mergeChanges(fromRemoteContextSave:into:)``.
///
/// The value of a to-one relationship is the `NSManagedObjectID` of a saved object in the same store.
/// To-many and one-to-one relationships cannot be set.
///
/// Executing the request throws 1550 for a value of the wrong type, and 1570 for a row without a value
/// of a required attribute; other validation rules are not applied. It throws 134060 if the entity is
/// abstract, or if a row has a key that is not the name of a property or names one that cannot be set,
/// such as a derived attribute. After an error no row is inserted.
///
/// If a row violates a uniqueness constraint, the merge policy of the context decides. With
/// `NSMergePolicy.error` the request throws 133021 and inserts nothing. With
/// ``NSMergePolicy/mergeByPropertyObjectTrump`` the supplied values are written to the existing
/// row, with ``NSMergePolicy/overwrite`` also the defaults of the others. The remaining policies
/// leave the existing row unchanged.
public final class NSBatchInsertRequest: NSPersistentStoreRequest {
  /// The name of the entity of the rows.
  public var entityName: String { source.name }

  /// The entity of the rows.
  ///
  /// If the request was created with a name, the value is `nil` until the request is executed.
  public var entity: NSEntityDescription? { source.entity }

  /// The rows to insert, as dictionaries of values by property name.
  ///
  /// `NSNull` represents a missing value.
  public var objectsToInsert: [[String: Any]]?

  /// A closure that fills an empty dictionary with the next row, and returns `true` when there are
  /// no more rows.
  ///
  /// The closure is called on the thread that executes the request, within the transaction. It may
  /// read from the store but must not save.
  public var dictionaryHandler: ((NSMutableDictionary) -> Bool)?

  /// A closure that sets the properties of an object to those of the next row, and returns `true`
  /// when there are no more rows.
  ///
  /// The object has the defaults of the model and does not belong to a context. The same object is
  /// reused for the next row unless you keep a reference to it.
  public var managedObjectHandler: ((NSManagedObject) -> Bool)?

  /// The type of the result.
  ///
  /// The default is `.statusOnly`.
  public var resultType = NSBatchInsertRequestResultType.statusOnly

  let source: BatchEntity
  /// Begins with the first of the values again, each time that the request is executed.
  private(set) var values: (() -> (any Encoder) throws -> Bool)?
  /// Writes the rows, once.
  private(set) var filler: (any RowFiller)?

  /// Creates a request that inserts rows from dictionaries.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - dictionaries: The rows, as dictionaries of values by property name.
  public init(entityName: String, objects dictionaries: [[String: Any]]) {
    source = BatchEntity(name: entityName)
    objectsToInsert = dictionaries
    super.init()
  }

  /// Creates a request that inserts rows from dictionaries.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - dictionaries: The rows, as dictionaries of values by property name.
  public init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
    source = BatchEntity(entity)
    objectsToInsert = dictionaries
    super.init()
  }

  private init(
    _ source: BatchEntity,
    dictionaries: ((NSMutableDictionary) -> Bool)? = nil,
    objects: ((NSManagedObject) -> Bool)? = nil
  ) {
    self.source = source
    dictionaryHandler = dictionaries
    managedObjectHandler = objects
    super.init()
  }

  /// Creates a request that inserts the rows with which a closure fills dictionaries.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - handler: A closure that fills an empty dictionary with the next row, and returns `true`
  ///     when there are no more rows.
  public convenience init(
    entityName: String,
    dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(BatchEntity(name: entityName), dictionaries: handler)
  }

  /// Creates a request that inserts the rows with which a closure fills dictionaries.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - handler: A closure that fills an empty dictionary with the next row, and returns `true`
  ///     when there are no more rows.
  public convenience init(
    entity: NSEntityDescription,
    dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
  ) {
    self.init(BatchEntity(entity), dictionaries: handler)
  }

  /// Creates a request that inserts the rows with which a closure fills managed objects.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - handler: A closure that sets the properties of an object to those of the next row, and
  ///     returns `true` when there are no more rows.
  public convenience init(
    entityName: String,
    managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(BatchEntity(name: entityName), objects: handler)
  }

  /// Creates a request that inserts the rows with which a closure fills managed objects.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - handler: A closure that sets the properties of an object to those of the next row, and
  ///     returns `true` when there are no more rows.
  public convenience init(
    entity: NSEntityDescription,
    managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
  ) {
    self.init(BatchEntity(entity), objects: handler)
  }

  /// Creates a request that inserts a row for each value of a sequence.
  ///
  /// ```swift
  /// struct Draft: Encodable {
  ///   let title: String
  ///   let stars: Int
  /// }
  ///
  /// let drafts = (1...1_000).lazy.map { Draft(title: "Draft \($0)", stars: $0 % 5) }
  /// try context.execute(NSBatchInsertRequest(entityName: "Note", values: drafts))
  /// ```
  ///
  /// The coding keys of the values are the names of the entity's properties. Each value of the sequence is
  /// encoded when its row is written, so that a lazy sequence of a million values is never in memory as a whole.
  /// An enumeration with raw values is stored as its raw value. A key that names no property makes the request
  /// throw 134060, a list or a nested value 1550.
  ///
  /// For a to-one relationship, the value is the object's URI (``NSManagedObjectID/uriRepresentation()``), or
  /// the value of the destination's attribute that is unique by a constraint of its own, such as an author's
  /// name. Each such value costs one SQL statement, once. If no object has it, the request throws 1550
  /// and inserts nothing.
  ///
  /// - Parameters:
  ///   - entityName: The name of the entity.
  ///   - values: The values. The sequence is started again each time that the request is executed.
  @inlinable
  public convenience init<Values: Sequence>(
    entityName: String,
    values: Values
  ) where Values.Element: Encodable {
    self.init(entityName: entityName) { Self.encoding(values) }
  }

  /// Creates a request that inserts a row for each value of a sequence.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - values: The values, whose coding keys are the names of the entity's properties; see
  ///     ``init(entityName:values:)``.
  @inlinable
  public convenience init<Values: Sequence>(
    entity: NSEntityDescription,
    values: Values
  ) where Values.Element: Encodable {
    self.init(entity: entity) { Self.encoding(values) }
  }

  /// Creates a request whose rows are filled by what `beginning` gives each time that it is executed: one after
  /// the other, until that returns `false`.
  @usableFromInline
  convenience init(entityName: String, beginning: @escaping () -> (any Encoder) throws -> Bool) {
    self.init(BatchEntity(name: entityName))
    values = beginning
  }

  @usableFromInline
  convenience init(
    entity: NSEntityDescription,
    beginning: @escaping () -> (any Encoder) throws -> Bool
  ) {
    self.init(BatchEntity(entity))
    values = beginning
  }

  /// Creates a request, to be executed once, whose rows a filler writes directly into their places.
  package convenience init(entity: NSEntityDescription, filling rows: any RowFiller) {
    self.init(BatchEntity(entity))
    filler = rows
  }

  /// Compiled with the program: going through a sequence of a type that is not known costs more than
  /// writing a row.
  @inlinable
  static func encoding<Values: Sequence>(
    _ values: Values
  ) -> (any Encoder) throws -> Bool where Values.Element: Encodable {
    var rest = values.makeIterator()
    return { row in
      guard let value = rest.next() else { return false }
      try value.encode(to: row)
      return true
    }
  }

  /// The kind of request, which is `.batchInsertRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }
}

/// The types of results of a batch insert request, with the raw values of Apple's framework.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// `true`, as an `NSNumber`, if the request succeeded.
  case statusOnly = 0
  /// The identities of the rows that were inserted or, under a merge policy, updated.
  case objectIDs = 1
  /// The number of rows that were inserted or, under a merge policy, updated.
  case count = 2
}
