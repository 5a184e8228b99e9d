import CoreData
import CoreDataSyncCore

/// Changes objects of a store to the state in the cells, in a context that is then saved.
///
/// ```
/// 1  objects of another entity than in their cells are deleted
/// 2  missing objects are inserted
/// 3  attributes, then the targets of relationships
/// 4  sets and orders
/// 5  gone objects are deleted, when nothing leads there any more
/// ```
final class StoreEdit {
  private let context: NSManagedObjectContext
  private let door: StoreDoor
  private let sidecar: Sidecar
  private let model: SyncModel
  private let projector: Projector
  private let held: Set<HeldProperty>
  /// Whether the store was put back to a known time, and may show what was emptied before anybody had read it: of that
  /// there is no cell.
  private var emptiesUnknown = false
  private(set) var objects: [SyncID: NSManagedObject] = [:]
  /// The values that do not fit into their attributes, and why.
  private(set) var unfit: [HeldProperty: String] = [:]
  /// The objects that the save will insert.
  private(set) var inserted: [SyncID: NSManagedObject] = [:]

  init(
    in context: NSManagedObjectContext,
    _ door: StoreDoor,
    _ sidecar: Sidecar,
    _ model: SyncModel,
    _ projector: Projector,
    held: Set<HeldProperty>
  ) {
    self.context = context
    self.door = door
    self.sidecar = sidecar
    self.model = model
    self.projector = projector
    self.held = held
  }

  func perform(on affected: Set<SyncID>) throws {
    let ids = affected.sorted()
    emptiesUnknown = try sidecar.isStale && sidecar.number("putBackTo") != nil
    try findObjects(ids)
    var visible: [(SyncID, ProjectedObject)] = []
    var gone: [SyncID] = []
    for id in ids {
      if let object = try projector.object(id) {
        visible.append((id, object))
      } else {
        gone.append(id)
      }
    }
    for (id, wanted) in visible { deleteWhereOfAnotherEntity(id, wanted) }
    for (id, wanted) in visible where objects[id] == nil { insert(id, wanted) }
    for (id, wanted) in visible { setAttributes(of: id, wanted) }
    for (id, wanted) in visible { try setReferences(of: id, wanted) }
    for (id, wanted) in visible { try setMembers(of: id, wanted) }
    for (id, wanted) in visible { try setOrders(of: id, wanted) }
    for id in gone { delete(id) }
    context.processPendingChanges()
  }
}

// MARK: - What stays as it is

extension StoreEdit {
  /// Makes the save fail if a program has changed an end of a pair that gets or loses occurrences.
  ///
  /// The store may show the same with and without them. But a program that has taken the pair apart since has not seen
  /// the new ones, which therefore stay.
  func watchEnds(of keys: some Sequence<CellKey>) throws {
    var watched: Set<SyncID> = []
    for key in keys {
      guard case .member(_, let target, _) = key.field else { continue }
      watched.formUnion([key.object, target])
    }
    for id in watched.sorted() {
      if let object = objects[id], !object.hasChanges { context.detectConflicts(for: object) }
    }
  }
}

// MARK: - Objects

extension StoreEdit {
  private func findObjects(_ ids: [SyncID]) throws {
    var wanted: [NSManagedObjectID: SyncID] = [:]
    for id in ids {
      // An object that a later model keeps on this device is no longer anybody else's.
      guard let address = try sidecar.address(of: id), let objectID = door.objectID(at: address),
        model.entities[objectID.entity.stableName] != nil
      else { continue }
      wanted[objectID] = id
    }
    for (entity, ids) in Dictionary(grouping: wanted.keys, by: { $0.entity.name ?? "" }) {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "self IN %@", ids)
      request.includesSubentities = false
      request.returnsObjectsAsFaults = false
      for object in try context.fetch(request) {
        if let id = wanted[object.objectID] { objects[id] = object }
      }
    }
  }

  /// Makes room for an object that the store has as one of another entity.
  ///
  /// No device turns an object into one of another entity. A server may say so, and so may anybody who writes to a zone
  /// that is not encrypted; then all devices show what a new one would.
  private func deleteWhereOfAnotherEntity(_ id: SyncID, _ wanted: ProjectedObject) {
    guard let object = objects[id], let entity = model.entities[wanted.entity],
      object.entity.name != entity.description.name
    else { return }
    delete(id)
    objects[id] = nil
  }

  private func insert(_ id: SyncID, _ wanted: ProjectedObject) {
    guard model.entities[wanted.entity] != nil else { return }
    let object = NSEntityDescription.insertNewObject(forEntityName: wanted.entity, into: context)
    context.assign(object, to: door.store)
    objects[id] = object
    inserted[id] = object
  }

  /// The object with an identity, which may be one that nothing else is known of here.
  private func object(_ id: SyncID) throws -> NSManagedObject? {
    if let known = objects[id] { return known }
    guard let address = try sidecar.address(of: id), let objectID = door.objectID(at: address)
    else {
      return nil
    }
    let object = context.object(with: objectID)
    objects[id] = object
    return object
  }

  /// The object to which a relationship shall lead; `nil` for one of an entity that the relationship cannot lead to.
  ///
  /// Such objects are stand-ins with the same unique values, if several entities inherit the constraint, and objects
  /// from a sender that follows no model.
  private func object(
    _ id: SyncID,
    asEndOf name: String,
    of source: NSManagedObject
  ) throws -> NSManagedObject? {
    guard let end = try object(id),
      let wanted = source.entity.relationshipsByName[name]?.destinationEntity,
      end.entity.isKindOf(entity: wanted)
    else { return nil }
    return end
  }

  private func delete(_ id: SyncID) {
    guard let object = objects[id] else { return }
    // Else the model's delete rules would take along what other devices have kept.
    for (name, relationship) in object.entity.relationshipsByName
    where relationship.deleteRule != .nullifyDeleteRule && !relationship.isTransient {
      if relationship.isToMany {
        if !object.members(named: name).isEmpty { object.setMembers([], named: name) }
      } else if object.value(forKey: name) != nil {
        object.setValue(nil, forKey: name)
      }
    }
    context.delete(object)
  }
}

// MARK: - Values

extension StoreEdit {
  private func setAttributes(of id: SyncID, _ wanted: ProjectedObject) {
    guard let object = objects[id], let entity = model.entities[wanted.entity] else { return }
    for attribute in entity.attributes {
      let unset = emptiesUnknown ? entity.rules.attributes[attribute.property] : nil
      let given = wanted.attributes[attribute.property] ?? unset
      // A value that cannot be a cell is in any case not the wanted value.
      guard let value = given.map(attribute.shown),
        !held.contains(HeldProperty(object: id, property: attribute.property)),
        (try? attribute.cellValue(of: object.value(forKey: attribute.name))) != value
      else { continue }
      guard let new = attribute.storeValue(of: value) else {
        let property = HeldProperty(object: id, property: attribute.property)
        unfit[property] = attribute.sentence(on: value, of: wanted.entity)
        continue
      }
      object.setValue(new, forKey: attribute.name)
    }
  }

  private func setReferences(of id: SyncID, _ wanted: ProjectedObject) throws {
    guard let object = objects[id], let entity = model.entities[wanted.entity] else { return }
    for role in entity.roles where role.kind == .reference {
      let unset: SyncID?? = emptiesUnknown ? .some(nil) : nil
      guard let name = role.name, let end = wanted.references[role.property] ?? unset else {
        continue
      }
      let new = try end.flatMap { try self.object($0, asEndOf: name, of: object) }
      let old = object.value(forKey: name) as? NSManagedObject
      // To others, a reference to an object that stays on this device leads nowhere.
      if old === new || new == nil && old.map(model.isLocal) == true { continue }
      object.setValue(new, forKey: name)
    }
  }
}

// MARK: - Sets

extension StoreEdit {
  private func setMembers(of id: SyncID, _ wanted: ProjectedObject) throws {
    guard let object = objects[id], let entity = model.entities[wanted.entity] else { return }
    for role in entity.roles where role.kind == .members {
      guard let name = role.name, let members = wanted.members[role.property] else { continue }
      try set(members, of: object, name, isOrdered: role.isOrdered)
    }
    for role in entity.roles where role.kind == .children {
      guard let name = role.name,
        object.entity.relationshipsByName[name]?.inverseRelationship == nil
      else { continue }
      let children = try projector.children(of: id, role.property).map(\.id)
      try set(children, of: object, name, isOrdered: role.isOrdered)
    }
  }

  /// Once all sets are complete, those that have an order are brought into it.
  private func setOrders(of id: SyncID, _ wanted: ProjectedObject) throws {
    guard let object = objects[id], let entity = model.entities[wanted.entity] else { return }
    for role in entity.roles where role.isOrdered {
      guard let name = role.name else { continue }
      switch role.kind {
      case .children:
        guard object.entity.relationshipsByName[name]?.inverseRelationship != nil else { continue }
        let children = try projector.children(of: id, role.property).map(\.id)
        try set(children, of: object, name, isOrdered: true)
      case .owners:
        let owners = try projector.owners(of: id, role.property, role.membership)
        try set(owners, of: object, name, isOrdered: true)
      case .members, .reference, .mirror: break
      }
    }
  }

  private func set(
    _ ids: [SyncID],
    of object: NSManagedObject,
    _ name: String,
    isOrdered: Bool
  ) throws {
    var new = try ids.compactMap { try self.object($0, asEndOf: name, of: object) }
    let old = object.members(named: name)
    // A member that stays on this device keeps its place.
    for (place, member) in old.enumerated() where model.isLocal(member) {
      new.insert(member, at: min(place, new.count))
    }
    if isOrdered ? old.elementsEqual(new, by: ===) : Set(old) == Set(new) { return }
    object.setMembers(new, named: name)
  }
}

extension NSManagedObject {
  func setMembers(_ members: [NSManagedObject], named name: String) {
    if entity.relationshipsByName[name]?.isOrdered == true {
      setValue(NSOrderedSet(array: members), forKey: name)
    } else {
      setValue(Set(members), forKey: name)
    }
  }
}
