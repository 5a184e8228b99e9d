import CoreDataPredicates
public import Foundation

/// A description of the objects to fetch: their entity, a condition, an order, a range and the type
/// of the results.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// request.predicate = NSPredicate(format: "folder.name == %@", "Ideas")
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// let notes = try context.fetch(request)
/// ```
///
/// Values that the store computes are returned as dictionaries:
///
/// ```swift
/// let views = NSExpressionDescription()
/// views.name = "views"
/// views.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "views")])
/// views.resultType = .integer64
/// let request = NSFetchRequest<NSDictionary>(entityName: "Note")
/// request.resultType = .dictionaryResultType
/// request.propertiesToFetch = ["folder.name", views]
/// request.propertiesToGroupBy = ["folder.name"]
/// ```
///
/// Use a request on one thread at a time. Unlike Apple's, the generic parameter is unconstrained,
/// because without Objective-C a protocol type does not conform to itself and
/// `NSFetchRequest<NSFetchRequestResult>` would not compile.
public final class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying {
  /// The name of the entity to fetch, or `nil` if none was set.
  public var entityName: String? { explicitEntity?.name ?? nameAlone }

  /// The entity to fetch.
  ///
  /// The value is `nil` if the request was created with a name; the entity is then looked up in the
  /// model of the context that executes the request.
  public var entity: NSEntityDescription? {
    get { explicitEntity }
    set { explicitEntity = newValue }
  }

  /// The condition that the objects must meet, or `nil` to fetch all objects.
  ///
  /// In a SQLite or PostgreSQL store it becomes the `WHERE` clause of the statement. A predicate that SQL cannot
  /// express, such as a block, makes the fetch throw 134091. An `AND` predicate without
  /// subpredicates is replaced with `nil`.
  public var predicate: NSPredicate? {
    didSet {
      if let compound = predicate as? Foundation.NSCompoundPredicate, compound.isEmptyConjunction {
        predicate = nil
      }
    }
  }

  /// The order of the results.
  ///
  /// In a SQLite or PostgreSQL store it becomes the `ORDER BY` clause of the statement. If the value is `nil` or
  /// empty, the objects are returned in the order of their primary keys.
  public var sortDescriptors: [NSSortDescriptor]?

  /// The maximum number of results, or 0, the default, for no limit.
  ///
  /// In a SQLite or PostgreSQL store it becomes the `LIMIT` clause of the statement. If the context has unsaved
  /// changes of the entity, the limit is applied in memory after they have been taken into account.
  public var fetchLimit = 0

  /// The number of matching objects to skip.
  ///
  /// The default is 0.
  ///
  /// In a SQLite or PostgreSQL store it becomes the `OFFSET` clause of the statement. If the context has unsaved
  /// changes of the entity, the objects are skipped in memory after these have been taken into
  /// account.
  public var fetchOffset = 0

  /// The number of objects whose values are loaded together, or 0, the default, to load all at
  /// once.
  ///
  /// With a batch size, the fetch reads only primary keys and returns faults. The first access to
  /// one of them loads the values of its whole batch with one statement: of 100,000 notes in
  /// batches of 20, a list that shows the first screen loads 20 rows. Unlike Apple's array, which
  /// creates objects on demand, the returned Swift array contains all objects, without values.
  public var fetchBatchSize = 0

  /// A Boolean value that indicates whether the results include objects of subentities.
  ///
  /// The default is `true`.
  public var includesSubentities = true

  /// A Boolean value that indicates whether the results reflect the unsaved changes of the context.
  ///
  /// The default is `true`.
  ///
  /// Results of type `.dictionaryResultType` never reflect unsaved changes.
  public var includesPendingChanges = true

  /// A Boolean value that indicates whether the rows are read together with the identities.
  ///
  /// The default is `true`.
  ///
  /// If `false`, the first access to a property of a result runs another statement.
  public var includesPropertyValues = true

  /// A Boolean value that indicates whether the resulting objects are faults whose rows are cached.
  ///
  /// The default is `true`.
  ///
  /// Firing such a fault runs no SQL statement.
  public var returnsObjectsAsFaults = true

  /// A Boolean value that indicates whether objects that already have values take the fetched ones.
  ///
  /// The default is `false`.
  ///
  /// Unsaved changes of these objects are kept.
  public var shouldRefreshRefetchedObjects = false

  /// The relationships whose objects are fetched together with the results, as key paths such as
  /// `folder.parent`.
  ///
  /// Runs one additional statement for each step of a key path. Following these relationships
  /// afterwards runs none.
  ///
  /// A loop over the results that follows a relationship of each object is fast without it, too. From the third object
  /// on, a SQL store reads the relationship for the next objects as well: for up to 64 with one statement, or fewer if
  /// they have many members. Members that were read ahead and are not used within a second are read again, as are all
  /// those that a save in this process may have changed. A context whose
  /// ``NSManagedObjectContext/stalenessInterval`` is 0 or more reads nothing ahead.
  public var relationshipKeyPathsForPrefetching: [String]?

  /// The type of the results: objects, identities, dictionaries or a count.
  ///
  /// The default is `.managedObjectResultType`.
  public var resultType = NSFetchRequestResultType.managedObjectResultType

  /// A Boolean value that indicates whether equal dictionaries are returned only once.
  ///
  /// The default is `false`.
  ///
  /// The value is ignored without ``propertiesToFetch`` and for other types of results.
  public var returnsDistinctResults = false

  /// The values to fetch, as names or property descriptions; `nil`, or an empty array, for all.
  ///
  /// For dictionaries, the values can also be key paths through to-one relationships and
  /// `NSExpressionDescription`s. Objects are returned as faults that have these values and load the
  /// others when one of them is first accessed. Create the request with an entity's name, or set its
  /// entity, before you set this property; otherwise the program stops.
  ///
  /// If ``entity`` is set, names of its properties become their descriptions.
  public var propertiesToFetch: [Any]? {
    get { properties }
    set {
      require(
        newValue == nil || entityName != nil,
        "a fetch request was given propertiesToFetch before its entity; set the entity first"
      )
      properties = described(newValue)
    }
  }

  /// The values by which rows are grouped.
  ///
  /// Each group becomes one dictionary.
  ///
  /// In a SQLite or PostgreSQL store they become the `GROUP BY` clause of the statement. The result type must be
  /// `.dictionaryResultType`. ``propertiesToFetch`` may then contain only these values, constants
  /// and aggregates such as `sum:(views)`, and ``sortDescriptors`` only these values. Other properties of the
  /// entity, and another result type, stop the program when the request is executed.
  ///
  /// If ``entity`` is set, names of its properties become their descriptions.
  public var propertiesToGroupBy: [Any]? {
    get { groups }
    set { groups = described(newValue) }
  }

  /// The condition that a group must meet, such as `count:(SELF) > 1`.
  ///
  /// In a SQLite or PostgreSQL store it becomes the `HAVING` clause of the statement. The predicate can refer to
  /// the name of a fetched expression as a variable: `$total > 10`. Without ``propertiesToGroupBy``, the
  /// program stops when the request is executed.
  public var havingPredicate: NSPredicate?

  private var explicitEntity: NSEntityDescription?
  private var nameAlone: String?
  private var properties: [Any]?
  private var groups: [Any]?

  /// Creates a fetch request without an entity.
  ///
  /// Set ``entity`` before you execute the request.
  public override init() {
    super.init()
  }

  /// Creates a fetch request for an entity.
  ///
  /// - Parameter entityName: The name of an entity in the model of the context that executes the
  ///   request.
  public init(entityName: String) {
    nameAlone = entityName
    super.init()
  }

  /// Creates a request with the criteria of another one, for another type of results.
  ///
  /// ```swift
  /// let request = NSFetchRequest<any NSFetchRequestResult>(Note.fetchRequest())
  /// ```
  ///
  /// Use it if a program for Apple's systems casts a request: without Objective-C, requests for
  /// different types of results are of different classes, and a cast between them always fails. If
  /// the results are not of the new type, ``NSManagedObjectContext/fetch(_:)`` throws 134060.
  ///
  /// - Parameter other: The request to copy.
  public convenience init<Other>(_ other: NSFetchRequest<Other>) {
    self.init()
    adopt(other)
  }

  /// The kind of request, which is `.fetchRequestType`.
  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Executes the request in the context whose `perform` block is running.
  ///
  /// On the main queue outside such a block, this is the only context of the main queue. The program stops if no such
  /// context exists.
  ///
  /// - Returns: The results, as ``NSManagedObjectContext/fetch(_:)`` returns them.
  /// - Throws: The same errors as ``NSManagedObjectContext/fetch(_:)``.
  public func execute() throws -> [ResultType] {
    try CurrentContext.required.fetch(self)
  }

  /// A textual representation of the request with its entity, predicate and order.
  public override var description: String {
    let order = (sortDescriptors ?? []).map { "\($0.key ?? "self") \($0.ascending ? "↑" : "↓")" }
    let parts = [
      "entity: \(entityName ?? "none")",
      "predicate: \(predicate.map { "\($0.tree)" } ?? "none")",
      "order: \(order.isEmpty ? "none" : order.joined(separator: ", "))",
    ]
    return "<NSFetchRequest<\(ResultType.self)> (\(parts.joined(separator: "; ")))>"
  }

  /// Returns a copy of the request.
  ///
  /// - Parameter zone: Ignored.
  /// - Returns: A request that is equal to this one.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.adopt(self)
    return copy
  }

  /// Returns whether another request fetches the same results in the same form.
  ///
  /// - Parameter object: The object to compare with.
  /// - Returns: `true` if the requests are equal.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? NSFetchRequest<ResultType>).map(asksTheSame) ?? false
  }

  public override var hash: Int { entityName.hashValue }

  fileprivate func adopt<Other>(_ other: NSFetchRequest<Other>) {
    explicitEntity = other.entity
    nameAlone = other.entityName
    affectedStores = other.affectedStores
    predicate = other.predicate
    sortDescriptors = other.sortDescriptors
    fetchLimit = other.fetchLimit
    fetchOffset = other.fetchOffset
    fetchBatchSize = other.fetchBatchSize
    includesSubentities = other.includesSubentities
    includesPendingChanges = other.includesPendingChanges
    includesPropertyValues = other.includesPropertyValues
    returnsObjectsAsFaults = other.returnsObjectsAsFaults
    shouldRefreshRefetchedObjects = other.shouldRefreshRefetchedObjects
    relationshipKeyPathsForPrefetching = other.relationshipKeyPathsForPrefetching
    resultType = other.resultType
    returnsDistinctResults = other.returnsDistinctResults
    properties = other.propertiesToFetch
    propertiesToGroupBy = other.propertiesToGroupBy
    havingPredicate = other.havingPredicate
  }
}

extension NSFetchRequest {
  /// This request with another result type in the type system.
  package func retyped<Other>(_ type: Other.Type) -> NSFetchRequest<Other> {
    let copy = NSFetchRequest<Other>()
    copy.adopt(self)
    return copy
  }

  /// The properties with descriptions for names, as far as the entity is known; key paths stay.
  private func described(_ properties: [Any]?) -> [Any]? {
    guard let known = explicitEntity?.propertiesByName else { return properties }
    return properties?.map { ($0 as? String).flatMap { known[$0] } ?? $0 }
  }

  private func asksTheSame(_ other: NSFetchRequest<ResultType>) -> Bool {
    entityName == other.entityName && affectedStores == other.affectedStores
      && predicate == other.predicate && havingPredicate == other.havingPredicate
      && (sortDescriptors ?? []) == (other.sortDescriptors ?? [])
      && fetchLimit == other.fetchLimit && fetchOffset == other.fetchOffset
      && fetchBatchSize == other.fetchBatchSize && resultType == other.resultType
      && includesSubentities == other.includesSubentities
      && includesPendingChanges == other.includesPendingChanges
      && includesPropertyValues == other.includesPropertyValues
      && returnsObjectsAsFaults == other.returnsObjectsAsFaults
      && returnsDistinctResults == other.returnsDistinctResults
      && shouldRefreshRefetchedObjects == other.shouldRefreshRefetchedObjects
      && relationshipKeyPathsForPrefetching ?? [] == other.relationshipKeyPathsForPrefetching ?? []
      && NSArray(array: propertiesToFetch ?? []).isEqual(to: other.propertiesToFetch ?? [])
      && NSArray(array: propertiesToGroupBy ?? []).isEqual(to: other.propertiesToGroupBy ?? [])
  }
}

extension Foundation.NSCompoundPredicate {
  fileprivate var isEmptyConjunction: Bool {
    if case .and(let terms) = tree { terms.isEmpty } else { false }
  }
}
