import CoreData
import CoreDataSyncCore

/// Looks at every object of a store for changes, if its history does not have them.
struct StoreScan {
  private let sidecar: Sidecar
  private let model: SyncModel
  private let projector: Projector
  private let view: ShownStore
  private let held: Set<HeldProperty>
  private let comparesKnown: Bool
  private let news: ModelNews
  private(set) var touches: [LocalChanges.Touch] = []
  private var seen: Set<SyncID> = []

  /// Compares all objects with the cells.
  ///
  /// Where what is known is compared too, an object that the store lacks was deleted. In a store that was restored it was
  /// not there yet. Else those properties are compared that are new to the program.
  init(
    _ reader: StoreReader,
    _ door: StoreDoor,
    _ sidecar: Sidecar,
    _ model: SyncModel,
    comparesKnown: Bool,
    _ news: ModelNews,
    portion: Int
  ) throws {
    self.sidecar = sidecar
    self.model = model
    self.comparesKnown = comparesKnown
    self.news = news
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
      guard !seen.contains(known), let id = door.objectID(at: address),
        model.entities[id.entity.stableName] != nil
      else { return }
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
      var touch = LocalChanges.Touch(object.objectID)
      touch.properties = try changes(of: object, id, entity)
      if !touch.properties.isEmpty { touches.append(touch) }
    }
  }

  /// The properties to be read, with the transactions that they count as: 1 for now, 0 for older than anything known.
  private func changes(
    of object: NSManagedObject,
    _ id: SyncID,
    _ entity: SyncEntity
  ) throws -> [String: Int] {
    if comparesKnown {
      let names = try changedNames(of: object, id, entity) { _ in true }
      return names.filter { !isHeld($0, of: id, entity) }.reduce(into: [:]) { $0[$1] = 1 }
    }
    let unknown = try namesLeadingToUnknown(from: object, entity)
    // Of a store that is an older one, what is known says more than its objects do.
    let leading = unknown.reduce(into: [:]) { $0[$1] = view.isOlder ? 0 : 1 }
    guard let new = news.properties[entity.name] else { return leading }
    let migrated = try changedNames(of: object, id, entity, among: new.contains)
    return migrated.reduce(into: leading) { $0[$1] = 0 }
  }

  private func isHeld(_ name: String, of id: SyncID, _ entity: SyncEntity) -> Bool {
    guard let attribute = entity.attribute(named: name) else { return false }
    return held.contains(HeldProperty(object: id, property: attribute.property))
  }

  /// The relationships that lead to objects without an identity yet.
  ///
  /// The history knows the object from its beginning, but not the older objects that it leads to.
  private func namesLeadingToUnknown(
    from object: NSManagedObject,
    _ entity: SyncEntity
  ) throws -> [String] {
    try entity.roles.compactMap { role in
      guard let name = role.name, role.kind != .mirror else { return nil }
      let relationship = object.entity.relationshipsByName[name]
      // The objects that lead here say so themselves.
      if role.kind == .children, !role.isOrdered, relationship?.inverseRelationship != nil {
        return nil
      }
      let isToMany = relationship?.isToMany == true
      let ends =
        isToMany
        ? object.members(named: name)
        : (object.value(forKey: name) as? NSManagedObject).map { [$0] } ?? []
      let isUnknown = try ends.contains {
        try !model.isLocal($0) && sidecar.identity(at: $0.objectID.address) == nil
      }
      return isUnknown ? name : nil
    }
  }

  /// The properties among those that are asked for which are not as the cells have them.
  private func changedNames(
    of object: NSManagedObject,
    _ id: SyncID,
    _ entity: SyncEntity,
    among isAsked: (PropertyID) -> Bool
  ) throws -> [String] {
    guard let known = try projector.object(id) else { return [] }
    var names: [String] = []
    for attribute in entity.attributes where isAsked(attribute.property) {
      let value = try attribute.cellValue(of: object.value(forKey: attribute.name))
      let expected =
        known.attributes[attribute.property]
        ?? entity.rules.attributes[attribute.property]
      guard value != expected.map(attribute.shown) else { continue }
      let key = CellKey(id, .value(attribute.property))
      if try view.isBeforeLearning(key, showing: value, of: attribute) { continue }
      names.append(attribute.name)
    }
    for role in entity.roles where isAsked(role.property) {
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
      var target = object.value(forKey: name) as? NSManagedObject
      if target.map(model.isLocal) == true { target = nil }
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
    try object.members(named: name).filter { !model.isLocal($0) }
      .map { try sidecar.identity(at: $0.objectID.address) }
  }

  private func differs(_ members: [SyncID?], from known: [SyncID], isOrdered: Bool) -> Bool {
    isOrdered ? members != known : Set(members) != Set(known.map { $0 })
  }
}
