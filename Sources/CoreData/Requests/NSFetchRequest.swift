import CoreDataPredicates
public import Foundation

/// A description of what to get: an entity, a condition, an order, a range and the form of the result.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// request.predicate = NSPredicate(format: "folder.name == %@", "Ideas")
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// let notes = try context.fetch(request)
/// ```
///
/// Values computed by the store come as dictionaries:
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
/// A request is used by one thread at a time. The generic parameter has no bound, because without
/// Objective-C a protocol type does not conform to itself and
/// `NSFetchRequest<NSFetchRequestResult>` would not compile.
public final class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying {
  /// The name of the entity, however it was given.
  public var entityName: String? { explicitEntity?.name ?? nameAlone }

  /// The entity itself; found by name in the context's model where only a name was given.
  public var entity: NSEntityDescription? {
    get { explicitEntity }
    set { explicitEntity = newValue }
  }

  /// Which objects; nil for all.
  ///
  /// A conjunction of nothing becomes nil.
  public var predicate: NSPredicate? {
    didSet {
      if let compound = predicate as? Foundation.NSCompoundPredicate, compound.isEmptyConjunction {
        predicate = nil
      }
    }
  }

  /// In which order; nil or empty for the order of the keys.
  public var sortDescriptors: [NSSortDescriptor]?

  /// How many at most; 0 for all.
  ///
  /// Part of the statement; with unsaved changes of the entity, taken after they were seen.
  public var fetchLimit = 0

  /// How many matching objects to skip first.
  public var fetchOffset = 0

  /// How many objects get their values together; 0 for all at once.
  ///
  /// The fetch then reads keys alone, and gives faults without values. The first access to one of them
  /// reads the values of the whole batch it stands in, in one statement: of 100,000 notes in batches
  /// of 20, a list that shows the first screen reads 20 rows. Apple's array makes the objects late as
  /// well; a Swift array has them from the beginning, without values.
  public var fetchBatchSize = 0

  /// Whether objects of subentities belong to the result; true unless set.
  public var includesSubentities = true

  /// Whether the context's unsaved changes are seen; true unless set.
  ///
  /// Dictionaries never see them.
  public var includesPendingChanges = true

  /// Whether rows are read with the identities, so that accessing a property needs no further
  /// statement; true unless set.
  public var includesPropertyValues = true

  /// Whether objects come as faults, their rows waiting in memory; true unless set.
  public var returnsObjectsAsFaults = true

  /// Whether objects that have values already get those of the store, under their unsaved changes;
  /// false unless set.
  public var shouldRefreshRefetchedObjects = false

  /// The relationships whose objects are read with the result, as key paths such as `folder.parent`.
  ///
  /// One statement for each step. Afterwards following them takes none.
  public var relationshipKeyPathsForPrefetching: [String]?

  /// Objects, identities, dictionaries or a count.
  public var resultType = NSFetchRequestResultType.managedObjectResultType

  /// Whether equal dictionaries come once; without `propertiesToFetch`, or for other results, it means
  /// nothing.
  public var returnsDistinctResults = false

  /// The values that are read: names, for dictionaries also key paths through to-one relationships and
  /// `NSExpressionDescription`s, or property descriptions.
  ///
  /// Objects come as faults that have these values and read the others at the first access to one of
  /// them. Setting it before the entity stops the program.
  public var propertiesToFetch: [Any]? {
    get { properties }
    set {
      require(
        newValue == nil || entityName != nil,
        "a fetch request was given propertiesToFetch before its entity; set the entity first"
      )
      properties = newValue
    }
  }

  /// The values by which rows are put together, one dictionary for each group.
  ///
  /// The result type must be `.dictionaryResultType`, and `propertiesToFetch` can then have nothing but
  /// these, constants and aggregates such as `sum:(views)`.
  public var propertiesToGroupBy: [Any]?

  /// Which groups become dictionaries, such as those where `count:(SELF) > 1`.
  ///
  /// The name of an expression that is fetched can stand in it as a variable: `$total > 10`.
  public var havingPredicate: NSPredicate?

  private var explicitEntity: NSEntityDescription?
  private var nameAlone: String?
  private var properties: [Any]?

  /// Makes a request that needs an entity yet.
  public override init() {
    super.init()
  }

  /// Makes a request for objects of an entity, which the context's model is to have.
  public init(entityName: String) {
    nameAlone = entityName
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

  /// Fetches in the context whose `perform` block this is.
  ///
  /// On the main queue outside of such a block it is the one context of that queue. Throws as
  /// ``NSManagedObjectContext/fetch(_:)``; stops the program where there is no such context.
  public func execute() throws -> [ResultType] {
    try CurrentContext.required.fetch(self)
  }

  /// The request for a log: entity, condition, order.
  public override var description: String {
    let order = (sortDescriptors ?? []).map { "\($0.key ?? "self") \($0.ascending ? "↑" : "↓")" }
    let parts = [
      "entity: \(entityName ?? "none")",
      "predicate: \(predicate.map { "\($0.tree)" } ?? "none")",
      "order: \(order.isEmpty ? "none" : order.joined(separator: ", "))",
    ]
    return "<NSFetchRequest<\(ResultType.self)> (\(parts.joined(separator: "; ")))>"
  }

  /// A request of its own, equal to this one.
  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.adopt(self)
    return copy
  }

  /// Whether the other request asks for the same in the same form.
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
