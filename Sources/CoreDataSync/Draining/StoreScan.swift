import CoreData
import CoreDataSyncCore

/// Looks at every object of a store for what has changed, where its history does not say.
struct StoreScan {
  private let sidecar: Sidecar
  private let model: SyncModel
  private let projector: Projector
  private let view: ShownStore
  private let held: Set<HeldProperty>
  private let comparesKnown: Bool
  private(set) var touches: [LocalChanges.Touch] = []
  private var seen: Set<SyncID> = []

  /// Compares all objects with the cells.
  ///
  /// Where what is known is compared too, an object that the store lacks was deleted. In a store that was restored it was
  /// not there yet.
  init(
    _ reader: StoreReader,
    _ door: StoreDoor,
    _ sidecar: Sidecar,
    _ model: SyncModel,
    comparesKnown: Bool,
    portion: Int
  ) throws {
    self.sidecar = sidecar
    self.model = model
    self.comparesKnown = comparesKnown
    view = try ShownStore(sidecar, isTold: false)
    let held = try sidecar.heldBack()
    self.held = held.properties
    projector = Projector(
      sidecar,
      model.schema,
      showsUnfinished: true,
      isHeldBack: held.objects.contains
    )
    for entity in model.entities.values.sorted(by: { $0.name < $1.name }) {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.description.name ?? "")
      request.resultType = .managedObjectIDResultType
      request.includesSubentities = false
      request.affectedStores = [door.store]
      for ids in try reader.context.fetch(request).portions(of: portion) {
        try look(at: ids, entity, reader.context)
        try reader.forgetObjects()
      }
    }
    guard comparesKnown else { return }
    try sidecar.forEachAddress { known, address in
      guard !seen.contains(known), let id = door.objectID(at: address) else { return }
      var touch = LocalChanges.Touch(id)
      touch.deleted = 1
      touches.append(touch)
    }
  }

  private mutating func look(
    at ids: ArraySlice<NSManagedObjectID>,
    _ entity: SyncEntity,
    _ context: NSManagedObjectContext
  ) throws {
    var known: [NSManagedObjectID: SyncID] = [:]
    for id in ids {
      var touch = LocalChanges.Touch(id)
      if let identity = try sidecar.identity(at: touch.address) {
        known[id] = identity
      } else {
        touch.inserted = 0
        touches.append(touch)
      }
    }
    seen.formUnion(known.values)
    if known.isEmpty { return }
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.description.name ?? "")
    request.predicate = NSPredicate(format: "self IN %@", Array(known.keys))
    request.includesSubentities = false
    request.returnsObjectsAsFaults = false
    for object in try context.fetch(request) {
      guard let id = known[object.objectID] else { continue }
      let names =
        comparesKnown
        ? try changedNames(of: object, id, entity).filter { !isHeld($0, of: id, entity) }
        : try namesLeadingToUnknown(from: object, entity)
      if names.isEmpty { continue }
      var touch = LocalChanges.Touch(object.objectID)
      // Of a store that is an older one, what is known says more than its objects do.
      let transaction = !comparesKnown && view.isOlder ? 0 : 1
      touch.properties = Dictionary(uniqueKeysWithValues: names.map { ($0, transaction) })
      touches.append(touch)
    }
  }

  private func isHeld(_ name: String, of id: SyncID, _ entity: SyncEntity) -> Bool {
    guard let attribute = entity.attribute(named: name) else { return false }
    return held.contains(HeldProperty(object: id, property: attribute.property))
  }

  /// The relationships that lead to objects which have no identity yet.
  ///
  /// The history knows the object from its beginning, and not what it leads to, which is older.
  private func namesLeadingToUnknown(
    from object: NSManagedObject,
    _ entity: SyncEntity
  ) throws -> [String] {
    try entity.roles.compactMap { role in
      guard let name = role.name, role.kind != .mirror else { return nil }
      let relationship = object.entity.relationshipsByName[name]
      // What leads here says so itself.
      if role.kind == .children, !role.isOrdered, relationship?.inverseRelationship != nil {
        return nil
      }
      let isToMany = relationship?.isToMany == true
      let ends =
        isToMany
        ? object.members(named: name)
        : (object.value(forKey: name) as? NSManagedObject).map { [$0] } ?? []
      let isUnknown = try ends.contains {
        try sidecar.identity(at: $0.objectID.address) == nil
      }
      return isUnknown ? name : nil
    }
  }

  /// The properties that are not as the cells have them.
  private func changedNames(
    of object: NSManagedObject,
    _ id: SyncID,
    _ entity: SyncEntity
  ) throws -> [String] {
    guard let known = try projector.object(id) else { return [] }
    var names: [String] = []
    for attribute in entity.attributes {
      let value = try attribute.cellValue(of: object.value(forKey: attribute.name))
      let expected =
        known.attributes[attribute.property]
        ?? entity.rules.attributes[attribute.property]
      guard value != expected else { continue }
      let key = CellKey(id, .value(attribute.property))
      if try view.isBeforeLearning(key, showing: value) { continue }
      names.append(attribute.name)
    }
    for role in entity.roles {
      guard let name = role.name else { continue }
      if try isChanged(role, name, of: object, id, known) { names.append(name) }
    }
    return names
  }

  private func isChanged(
    _ role: SyncRole,
    _ name: String,
    of object: NSManagedObject,
    _ id: SyncID,
    _ known: ProjectedObject
  ) throws -> Bool {
    switch role.kind {
    case .mirror: return false
    case .reference:
      let target = object.value(forKey: name) as? NSManagedObject
      let end = try target.flatMap { try sidecar.identity(at: $0.objectID.address) }
      let isSame = end == (known.references[role.property] ?? nil) && (end != nil || target == nil)
      if isSame { return false }
      let key = CellKey(id, .value(role.property))
      return try !view.isBeforeLearning(key, leadingTo: end)
    case .children:
      let isHidden = object.entity.relationshipsByName[name]?.inverseRelationship == nil
      guard role.isOrdered || isHidden else { return false }
      return try differs(
        members(of: object, name),
        from: projector.children(of: id, role.property).map(\.id),
        isOrdered: role.isOrdered
      )
    case .members:
      return try differs(
        members(of: object, name),
        from: known.members[role.property] ?? [],
        isOrdered: role.isOrdered
      )
    case .owners:
      return try differs(
        members(of: object, name),
        from: projector.owners(of: id, role.property, role.membership),
        isOrdered: role.isOrdered
      )
    }
  }

  private func members(of object: NSManagedObject, _ name: String) throws -> [SyncID?] {
    try object.members(named: name).map { try sidecar.identity(at: $0.objectID.address) }
  }

  private func differs(_ members: [SyncID?], from known: [SyncID], isOrdered: Bool) -> Bool {
    isOrdered ? members != known : Set(members) != Set(known.map { $0 })
  }
}
