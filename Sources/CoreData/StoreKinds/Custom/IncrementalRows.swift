import CoreDataPredicates
import Foundation
import Synchronization

/// The rows of an incremental store of one's own: its author's answers, as contexts want them.
///
/// ```
/// rows for a plan     execute(NSFetchRequest)      identities; their values come with the first access
/// row of a key        newValuesForObject           attributes and to-one relationships
/// members             newValue(forRelationship:)   identities
/// ```
///
/// The author's methods are called under the lock.
final class IncrementalRows: AnsweringStore {
  /// The store holds its rows.
  private unowned let store: NSIncrementalStore
  private let model: ModelLayout
  /// One of the author's methods runs at a time.
  let lock: NSRecursiveLock
  private let told: Told
  /// The context that asks, or `nil` if the store is copied.
  private weak let asker: NSManagedObjectContext?

  /// The members of to-many relationships that nodes have reported.
  private final class Told: Sendable {
    let members = Mutex<[ObjectKey: [Int: [NSManagedObjectID]]]>([:])
  }

  init(_ store: NSIncrementalStore, _ model: ModelLayout) {
    self.store = store
    self.model = model
    lock = NSRecursiveLock()
    told = Told()
    asker = nil
  }

  /// Creates the same rows for questions of a context.
  init(_ rows: IncrementalRows, askedBy context: NSManagedObjectContext) {
    store = rows.store
    model = rows.model
    lock = rows.lock
    told = rows.told
    asker = context
  }

  var wantsContext: Bool { true }

  func beginSave() throws -> any SaveTransaction { IncrementalTransaction(store, self) }

  func close() {}
}

extension IncrementalRows: MovableStore {
  /// The author's store reads and writes where its URL says.
  func moved(
    _ store: NSPersistentStore,
    to url: URL,
    in coordinator: NSPersistentStoreCoordinator
  ) -> (any RowStore)? { self }
}

extension IncrementalRows {
  /// Returns the context that asks, or a new one if the store is copied.
  func context() -> NSManagedObjectContext {
    if let asker { return asker }
    let context = NSManagedObjectContext(.privateQueue)
    // It is used where the question is, under the store's lock.
    context.watch.remove(.guarded)
    context.persistentStoreCoordinator = store.persistentStoreCoordinator
    return context
  }
}

// MARK: - Fetching

extension IncrementalRows {
  func rows(for plan: FetchPlan) throws -> [Row] {
    let type: NSFetchRequestResultType =
      plan.includesValues ? .managedObjectResultType : .managedObjectIDResultType
    let found = try answer(to: request(for: plan, type), context())
    return try identities(in: found, asked: "a fetch").map { id in
      Row(primaryKey: id.key.number, layout: id.layout, snapshot: nil)
    }
  }

  func count(for plan: FetchPlan) throws -> Int {
    let found = try answer(to: request(for: plan, .countResultType), context())
    if let number = Self.number(found) { return number }
    if let list = found as? [Any], list.count == 1, let number = Self.number(list[0]) {
      return number
    }
    return try identities(in: found, asked: "a count").count
  }

  private static func number(_ value: Any) -> Int? {
    (value as? Int) ?? (value as? NSNumber)?.intValue
  }

  func answer(
    to request: NSPersistentStoreRequest,
    _ context: NSManagedObjectContext
  ) throws -> Any {
    lock.lock()
    defer { lock.unlock() }
    return try store.execute(request, with: context)
  }

  func request(
    for plan: FetchPlan,
    _ type: NSFetchRequestResultType
  ) -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = plan.layout.description
    request.includesSubentities = plan.includesSubentities
    request.predicate = plan.predicate.map { NSPredicate.of($0) }
    request.sortDescriptors = plan.sort.isEmpty ? nil : plan.sort.map { NSSortDescriptor.of($0) }
    request.fetchLimit = plan.limit ?? 0
    request.fetchOffset = plan.offset
    request.includesPropertyValues = plan.includesValues
    request.resultType = type
    request.affectedStores = [store]
    return request
  }

  /// The identities in an answer; throws for anything else, and for those of another store.
  private func identities(in answer: Any, asked: String) throws -> [NSManagedObjectID] {
    let list: [Any]? =
      switch answer {
      case let list as [Any]: list
      case let set as NSSet: set.allObjects
      case let set as NSOrderedSet: set.array
      case _: nil
      }
    guard let list else { throw misfit("\(asked) with a \(type(of: answer))") }
    return try list.map { element in
      let id = (element as? NSManagedObject)?.objectID ?? element as? NSManagedObjectID
      guard let id else { throw misfit("\(asked) with a \(type(of: element))") }
      guard id.key.store == store.number else {
        throw misfit("\(asked) with \(id) of another store")
      }
      return id
    }
  }

  func misfit(_ what: String) -> NSError {
    FailureText(
      description: "The store gave an answer that cannot be used.",
      reason: "\(type(of: store)) answered \(what).",
      suggestion: "Answer with identities that newObjectID(for:referenceObject:) has made, or with "
        + "objects of the context that has asked."
    ).error(code: NSPersistentStoreOperationError)
  }
}

// MARK: - Values

extension IncrementalRows {
  func row(_ primaryKey: Int64, for plan: RowPlan) throws -> Row? {
    let key = ObjectKey(store: store.number, root: plan.layout.rootNumber, number: primaryKey)
    let id = NSManagedObjectID(key: key, layout: plan.layout)
    let context = context()
    lock.lock()
    defer { lock.unlock() }
    do {
      return try row(of: store.newValuesForObject(with: id, with: context), context)
    } catch CocoaError.managedObjectReferentialIntegrity {
      return nil
    }
  }

  /// The values of a node as a row; to-one relationships that it does not contain are asked for.
  private func row(of node: NSIncrementalStoreNode, _ context: NSManagedObjectContext) throws -> Row
  {
    let layout = node.objectID.layout
    var writer = SnapshotWriter()
    var collections: [Int: [NSManagedObjectID]] = [:]
    writer.begin(
      slotCount: layout.slots.count,
      version: Int64(truncatingIfNeeded: node.version)
    )
    for (slot, entry) in layout.slots.prefix(layout.propertyCount).enumerated()
    where entry.isPersistent {
      guard let property = layout.description.propertiesByName[entry.name] else { continue }
      let value = node.value(for: property)
      switch entry.kind {
      case .toOne:
        guard let target = try target(value, of: node.objectID, property, context) else { continue }
        writer.set(slot, to: target.key.number)
        if let entity = entry.end?.entitySlot {
          writer.set(entity, to: Int64(target.layout.number))
        }
      case .toMany, .orderedToMany:
        if let value = SlotValue.unwrapped(value) {
          collections[slot] = try members(in: value, asked: "\(entry.name) of \(node.objectID)")
        }
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .composite, .object, .fetched:
        guard let value = SlotValue.unwrapped(value) else { continue }
        guard let taken = layout.accepted(value, at: slot) else {
          throw misfit("\(layout.name).\(entry.name) with the \(type(of: value)) \(value)")
        }
        try writer.set(slot, to: taken, in: layout)
      }
    }
    let key = node.objectID.key
    told.members.withLock { $0[key] = collections.isEmpty ? nil : collections }
    return Row(primaryKey: key.number, layout: layout, snapshot: writer.finish())
  }

  private func target(
    _ value: Any?,
    of id: NSManagedObjectID,
    _ property: NSPropertyDescription,
    _ context: NSManagedObjectContext
  ) throws -> NSManagedObjectID? {
    guard let relationship = property as? NSRelationshipDescription else { return nil }
    let value =
      try value
      ?? store.newValue(forRelationship: relationship, forObjectWith: id, with: context)
    guard let target = SlotValue.unwrapped(value) else { return nil }
    return try identities(in: [target], asked: "\(property.name) of \(id)").first
  }
}

// MARK: - Relationships

extension IncrementalRows {
  func members(of owner: Int64, for plan: MemberPlan) throws -> [Row] {
    let key = ObjectKey(store: store.number, root: plan.layout.rootNumber, number: owner)
    let id = NSManagedObjectID(key: key, layout: plan.layout)
    lock.lock()
    defer { lock.unlock() }
    let ids = try told.members.withLock { $0[key]?[plan.slot] } ?? asked(id, plan.slot, context())
    return ids.map { Row(primaryKey: $0.key.number, layout: $0.layout, snapshot: nil) }
  }

  private func asked(
    _ id: NSManagedObjectID,
    _ slot: Int,
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObjectID] {
    let name = id.layout.slots[slot].name
    guard let relationship = id.layout.description.relationshipsByName[name] else { return [] }
    let value = try store.newValue(forRelationship: relationship, forObjectWith: id, with: context)
    return try members(in: value, asked: "\(name) of \(id)")
  }

  /// The identities in an answer that is a set, whatever collection a custom store has made of it: each is listed
  /// once, at its first place.
  private func members(in answer: Any, asked: String) throws -> [NSManagedObjectID] {
    var seen: Set<NSManagedObjectID> = []
    return try identities(in: answer, asked: asked).filter { seen.insert($0).inserted }
  }

  /// Forgets the nodes' values of objects that change.
  func forget(_ keys: [ObjectKey]) {
    told.members.withLock { told in
      for key in keys { told[key] = nil }
    }
  }
}
