import CoreDataPredicates
public import Foundation

/// A request that a persistent store can answer.
open class NSPersistentStoreRequest: NSObject {
  /// The stores to ask; nil asks every store that has the entity.
  public var affectedStores: [NSPersistentStore]?

  public override init() {
    super.init()
  }

  open var requestType: NSPersistentStoreRequestType {
    stop("\(type(of: self)) does not say what kind of request it is")
  }
}

/// The kinds of requests; raw values are Apple's.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  case fetchRequestType = 1
  case saveRequestType = 2
}

/// What a fetch request can give.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSNumber: NSFetchRequestResult {}
extension NSManagedObject: NSFetchRequestResult {}
extension NSManagedObjectID: NSFetchRequestResult {}

/// A description of which objects to get: an entity, a condition, an order and a range.
///
/// ```swift
/// let request = NSFetchRequest<Note>(entityName: "Note")
/// request.predicate = NSPredicate(format: "folder.name == %@", "Ideas")
/// request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
/// let notes = try context.fetch(request)
/// ```
///
/// A request is used by one thread at a time. The generic parameter has no bound, because without
/// Objective-C a protocol type does not conform to itself and
/// `NSFetchRequest<NSFetchRequestResult>` would not compile.
public final class NSFetchRequest<ResultType>: NSPersistentStoreRequest, NSCopying {
  public var entityName: String? { explicitEntity?.name ?? nameAlone }

  /// The entity itself; found by name in the context's model where only a name was given.
  public var entity: NSEntityDescription? {
    get { explicitEntity }
    set { explicitEntity = newValue }
  }

  /// Which objects; nil for all.
  public var predicate: NSPredicate?
  /// In which order; nil or empty for the store's own.
  public var sortDescriptors: [NSSortDescriptor]?
  /// How many at most; 0 for all.
  public var fetchLimit = 0
  /// How many matching objects to skip first.
  public var fetchOffset = 0
  /// Whether objects of subentities belong to the result; true unless set.
  public var includesSubentities = true
  /// Whether the context's unsaved changes are seen; true unless set.
  public var includesPendingChanges = true
  /// Whether rows are read with the identities, so that accessing a property needs no further
  /// statement; true unless set.
  public var includesPropertyValues = true
  /// Whether objects come as faults, their rows waiting in memory; true unless set.
  public var returnsObjectsAsFaults = true
  /// Objects, identities or a count.
  public var resultType = NSFetchRequestResultType.managedObjectResultType

  private var explicitEntity: NSEntityDescription?
  private var nameAlone: String?

  public override init() {
    super.init()
  }

  public init(entityName: String) {
    nameAlone = entityName
    super.init()
  }

  public override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

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

  public func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchRequest<ResultType>()
    copy.adopt(self)
    return copy
  }
}

extension NSFetchRequest {
  /// This request with another result type in the type system.
  package func retyped<Other>(_ type: Other.Type) -> NSFetchRequest<Other> {
    let copy = NSFetchRequest<Other>()
    copy.adopt(self)
    return copy
  }

  fileprivate func adopt<Other>(_ other: NSFetchRequest<Other>) {
    explicitEntity = other.entity
    nameAlone = other.entityName
    affectedStores = other.affectedStores
    predicate = other.predicate
    sortDescriptors = other.sortDescriptors
    fetchLimit = other.fetchLimit
    fetchOffset = other.fetchOffset
    includesSubentities = other.includesSubentities
    includesPendingChanges = other.includesPendingChanges
    includesPropertyValues = other.includesPropertyValues
    returnsObjectsAsFaults = other.returnsObjectsAsFaults
    resultType = other.resultType
  }
}

/// What a fetch gives; raw values are Apple's.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let managedObjectResultType = NSFetchRequestResultType([])
  public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
  public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}
