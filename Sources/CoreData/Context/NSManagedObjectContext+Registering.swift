import CoreDataModel
import Foundation
import Synchronization

// MARK: - One object for each identity

extension NSManagedObjectContext {
  /// The object with that identity, if the context knows it.
  ///
  /// No statement.
  public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    checkQueue()
    return identityMap[own(objectID).key]
  }

  /// The object with that identity, known or made as a fault.
  ///
  /// No statement; whether there is a row shows at the first access. An identity of another coordinator
  /// is understood by its URI.
  public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    checkQueue()
    let objectID = own(objectID)
    return object(for: objectID.key, of: objectID.layout)
  }

  /// The object with that identity, with its values.
  ///
  /// One statement unless the values are known. An identity of another coordinator is understood by its
  /// URI. Throws 133000 when there is no such row, or no store that could have it.
  public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    checkQueue()
    let objectID = own(objectID)
    if isForeign(objectID) {
      let uri = objectID.uriRepresentation().absoluteString
      throw ObjectFailure.missingStore(uri: uri, entity: objectID.layout.name).error()
    }
    let object = object(for: objectID.key, of: objectID.layout)
    if !object.isFault, !object.isInaccessible { return object }
    guard !object.isInaccessible, let snapshot = try snapshot(for: object) else {
      let uri = objectID.uriRepresentation().absoluteString
      throw ObjectFailure.missingRow(uri: uri, entity: objectID.layout.name).error()
    }
    object.fulfil(with: snapshot)
    return object
  }

  /// The identity as this context's coordinator has it; one of another coordinator may mean an object of
  /// a store that both have open.
  func own(_ id: NSManagedObjectID) -> NSManagedObjectID {
    guard isForeign(id) else { return id }
    return persistentStoreCoordinator?.managedObjectID(
      forURIRepresentation: id.uriRepresentation()
    ) ?? id
  }

  private func isForeign(_ id: NSManagedObjectID) -> Bool {
    !id.key.isTemporary && persistentStoreCoordinator?.store(numbered: id.key.store) == nil
  }

  func object(for key: ObjectKey, of layout: EntityLayout) -> NSManagedObject {
    identityMap[key] ?? relative(named: key) ?? fault(for: currentName(key), of: layout)
  }

  /// Makes an object that is known by its identity alone.
  func fault(for key: ObjectKey, of layout: EntityLayout) -> NSManagedObject {
    let object = layout.objectClass.init(entity: layout.description, insertInto: nil)
    object.record.pointee.key = key
    object.record.pointee.life = .fault
    register(object)
    return object
  }

  func register(_ object: NSManagedObject) {
    object.record.pointee.identityMap = identityMap
    object.record.pointee.watch.formUnion(watch)
    object.record.pointee.watch.remove(.forgotten)
    identityMap.register(object, key: object.record.pointee.key)
    if retainsRegisteredObjects { retained.insert(object) }
  }

  /// Forgets every object; those that somebody still holds have no context afterwards, and are faults.
  ///
  /// Values that such an object had can be read still; to ask for others stops the program.
  /// Posts `NSManagedObjectContextObjectsDidChange` with the identities under
  /// `NSInvalidatedAllObjectsKey`.
  public func reset() {
    checkQueue()
    forgetUndo()
    let objects = identityMap.removeAll()
    let ids = objects.map(\.objectID)
    tracker.removeAll()
    retained = []
    lockedObjects = []
    hiddenMerges = HiddenMerges()
    assignments = [:]
    oldestWaitingGeneration = nil
    advanceGeneration()
    pendingDeletions = []
    forgetDeparted()
    eventCount.add(1, ordering: .acquiringAndReleasing)
    for object in objects {
      object.tellTrackersOfNewValues()
      object.detach()
      object.record.pointee.watch.insert(.forgotten)
    }
    announceReset(of: ids)
  }

  /// The entity that a class stands for, in this context's model.
  func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    let found = model.entities.filter { $0.objectClass == type }
    require(
      found.count == 1,
      """
      \(type) stands for \(found.isEmpty ? "no entity" : "several entities") of the context's model; \
      use init(entity:insertInto:)
      """
    )
    return found[0].description
  }

  /// The entity of this context's model that is the same as one of another copy of the model.
  ///
  /// Programs with two containers of one model have two descriptions of each entity, and mean either.
  func ownLayout(of entity: NSEntityDescription) -> EntityLayout {
    let layout = entity.layout
    guard layout.model !== model, let own = model[layout.name] else { return layout }
    var schema = layout.schema
    // A migration knows the entities of a program without their classes.
    schema.className = own.schema.className
    return own.schema == schema ? own : layout
  }

  /// The frozen model of the coordinator.
  var model: ModelLayout { requiredCoordinator.layout }

  var requiredCoordinator: NSPersistentStoreCoordinator {
    guard let persistentStoreCoordinator else {
      stop(
        "the context \(name ?? "") has no persistent store coordinator; set one before using it"
      )
    }
    return persistentStoreCoordinator
  }
}

extension NSManagedObject {
  /// Leaves the context for good, with the values it has.
  ///
  /// A fault stays one: to read it now stops the program, as there is nowhere to read from.
  func detach() {
    if record.pointee.life == .detached { return }
    if record.pointee.life != .fault { record.pointee.life = .detached }
    record.pointee.identityMap = nil
    record.pointee.extras?.prefetched = nil
    record.pointee.batch = nil
    // Objects that lead to each other would keep each other alive.
    guard let overlay = record.pointee.overlay else { return }
    for slot in overlay.present where layout.slots[slot].kind.isRelationship {
      overlay.forget(slot)
    }
  }
}
