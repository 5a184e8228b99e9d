import CoreDataModel
import Foundation
import Synchronization

// MARK: - One object for each identity

extension NSManagedObjectContext {
  func heldObject(with objectID: NSManagedObjectID) -> NSManagedObject? {
    checkQueue()
    return identityMap[own(objectID).key]
  }

  func objectOrFault(with objectID: NSManagedObjectID) -> NSManagedObject {
    checkQueue()
    let objectID = own(objectID)
    return object(for: objectID.key, of: objectID.layout)
  }

  func storedObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
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
    object.key = key
    object.life = .fault
    register(object)
    return object
  }

  func register(_ object: NSManagedObject) {
    object.identityMap = identityMap
    object.watch.formUnion(watch)
    object.watch.remove(.forgotten)
    identityMap.register(object, key: object.key)
    retained?.insert(object)
  }

  func forgetEverything() {
    checkQueue()
    forgetUndo()
    let objects = identityMap.removeAll()
    let ids = objects.map(\.objectID)
    tracker.removeAll()
    retained?.removeAll()
    merges.hidden = HiddenMerges()
    pending = PendingSave()
    _ = unreadable.take()
    walks = RelationshipWalks()
    freshness.forgetWaitingRows()
    advanceGeneration()
    forgetDeparted()
    children.noteEvent()
    for object in objects {
      object.tellTrackersOfNewValues()
      object.forgetTransientValues()
      object.detach()
      object.watch.insert(.forgotten)
    }
    announceReset(of: ids)
  }

  /// The entity that a class represents in this context's model: the one that the class names, if it does.
  func entity(for type: NSManagedObject.Type) -> NSEntityDescription {
    let model = model
    if let found = model[onlyOneOf: type], !found.isNamedByClass { return found.description }
    if MethodOverride.ofEntity.isIn(type) { return ownLayout(of: type.entity()).description }
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
    guard !layout.belongs(to: model), let own = model[layout.name] else { return layout }
    var schema = layout.schema
    // A migration knows the entities of a program without their classes.
    schema.className = own.schema.className
    return own.schema == schema ? own : layout
  }

  /// The frozen model of the coordinator.
  var model: ModelLayout { kinship.model ?? requiredCoordinator.layout }

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
  /// Lets go of the values that no store has, as an object does that becomes a fault.
  fileprivate func forgetTransientValues() {
    guard let overlay = existingOverlay else { return }
    for slot in overlay.present where !layout.slots[slot].isPersistent { overlay.forget(slot) }
  }

  /// Leaves the context for good, with the values it has.
  ///
  /// A fault stays one: to read it now stops the program, as there is nowhere to read from.
  func detach() {
    if life == .detached { return }
    if life != .fault { life = .detached }
    identityMap = nil
    existingExtras?.prefetched = nil
    batch = nil
    // Objects that lead to each other would keep each other alive.
    guard let overlay = existingOverlay else { return }
    for slot in overlay.present where layout.slots[slot].kind.isRelationship {
      overlay.forget(slot)
    }
  }
}
