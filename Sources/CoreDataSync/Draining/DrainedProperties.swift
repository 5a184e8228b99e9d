import CoreData
import CoreDataSyncCore
import Foundation

/// The properties that local changes give to objects: attributes, and the targets of references.
final class DrainedProperties {
  private let material: DrainMaterial
  private let pen: CellPen
  private let lives: DrainedLives
  private let pairs: DrainedPairs
  private let orders: DrainedOrders
  /// The values that do not fit into a message, and so stay on this device.
  private(set) var tooLarge: [TooLarge] = []
  /// New objects that the store shows as their own cells say, whatever else is known.
  private(set) var plain: Set<SyncID> = []
  /// Whether that can still be said of the object whose properties are read.
  private var isPlain = false
  private let mayBePlain: Bool

  init(
    _ material: DrainMaterial,
    _ pen: CellPen,
    _ lives: DrainedLives,
    _ orders: DrainedOrders
  ) throws {
    self.material = material
    self.pen = pen
    self.lives = lives
    self.orders = orders
    pairs = DrainedPairs(material, pen)
    mayBePlain = try material.view.isCurrent && material.sidecar.heldBack().objects.isEmpty
  }

  private var view: ShownStore { material.view }
  private var overlay: CellOverlay { pen.overlay }
}

// MARK: - Properties

extension DrainedProperties {
  /// Writes the present references of objects that were known.
  ///
  /// This comes before any set is compared: an object that needs a deleted one counts as gone until it has another, and
  /// a gone object does not have members.
  func changeReferences() throws {
    let names = Set(material.model.entities.values.flatMap(\.referenceNames))
    try material.forEachTouch(
      where: { place, touch in
        touch.deleted == nil && lives.fates[place] == .known
          && touch.properties.keys.contains(where: names.contains)
      },
      { try changeReferences($1, $2) },
      afterPortion: { try pen.makeRoom() }
    )
  }

  private func changeReferences(_ touch: LocalChanges.Touch, _ object: NSManagedObject) throws {
    guard let entity = material.model.entity(of: object),
      let id = try lives.identity(at: touch.address)
    else { return }
    for role in entity.roles where role.kind == .reference {
      guard let name = role.name, let transaction = touch.properties[name] else { continue }
      try change(role, name, of: object, id, isNew: false, material.stamps[transaction], touch)
    }
  }

  func changeProperties() throws {
    try material.forEachTouch(
      where: { $1.deleted == nil && lives.fates[$0] != .adopted },
      { try changeProperties($0, $1, $2) },
      afterPortion: { try pen.makeRoom() }
    )
    try addRelationships()
    try noteShown()
    try pairs.noteGone()
  }

  private func changeProperties(
    _ place: Int,
    _ touch: LocalChanges.Touch,
    _ object: NSManagedObject
  ) throws {
    guard let entity = material.model.entity(of: object),
      let id = try lives.identity(at: touch.address)
    else { return }
    let fate = lives.fates[place]
    let isNew = fate != .known
    isPlain = mayBePlain && fate == .isNew && entity.isPlain
    for attribute in entity.attributes {
      let transaction = touch.properties[attribute.name]
      guard isNew || transaction != nil else { continue }
      let stamp = material.stamps[transaction ?? touch.inserted ?? 0]
      try change(attribute, of: object, id, entity, isNew: isNew, stamp)
    }
    for role in entity.roles {
      // The other known references already lead there.
      guard let name = role.name, isNew || role.kind != .reference else { continue }
      let transaction = touch.properties[name]
      guard isNew || transaction != nil else { continue }
      let stamp = material.stamps[transaction ?? touch.inserted ?? 0]
      try change(role, name, of: object, id, isNew: isNew, stamp, touch)
    }
    if isPlain, try pen.before.referrers(of: id).isEmpty { plain.insert(id) }
  }

  /// Gives objects that are known from elsewhere, by their content, the relationships that only this store has.
  private func addRelationships() throws {
    guard lives.fates.contains(.adopted) else { return }
    try material.forEachTouch(
      where: { place, _ in lives.fates[place] == .adopted },
      { try addRelationships(of: $2, $1) },
      afterPortion: { try pen.makeRoom() }
    )
  }

  private func addRelationships(
    of object: NSManagedObject,
    _ touch: LocalChanges.Touch
  ) throws {
    guard let entity = material.model.entity(of: object),
      let id = try lives.identity(at: touch.address), let cells = try overlay.cells(of: id),
      cells.isAlive
    else { return }
    isPlain = false
    let stamp = material.stamps[touch.inserted ?? 0]
    for role in entity.roles {
      guard let name = role.name else { continue }
      switch role.kind {
      case .reference:
        if let known = cells.values[role.property] {
          let key = CellKey(id, .value(role.property))
          try noteFound(object.value(forKey: name) as? NSManagedObject, KeyedCell(key, known))
          continue
        }
        try change(role, name, of: object, id, isNew: true, stamp, touch)
      case .members: try pairs.add(members(of: object, name), of: id, role, stamp)
      case .children:
        guard object.entity.relationshipsByName[name]?.inverseRelationship == nil else { continue }
        let new = try members(of: object, name).filter {
          try overlay.cells(of: $0)?.values[role.property] == nil
        }
        try adopt(new, of: id, role, stamp)
      // The objects at the other end say so.
      case .mirror, .owners: break
      }
    }
  }

  /// Keeps an object's former target as a conflict if it has another one according to others.
  private func noteFound(_ target: NSManagedObject?, _ known: KeyedCell) throws {
    guard let end = try target.flatMap({ try lives.identity(of: $0) }) else { return }
    pen.noteFound(known, instead: CellValue.reference(end, place: "").payload)
  }

  /// Notes what the store shows of objects that are known from elsewhere: it can be taken away.
  private func noteShown() throws {
    if view.isCurrent || !lives.fates.contains(.adopted) { return }
    try material.forEachTouch(
      where: { place, _ in lives.fates[place] == .adopted },
      { try noteShown(of: $2, at: $1.address) },
      afterPortion: { try pen.makeRoom() }
    )
  }

  private func noteShown(of object: NSManagedObject, at address: String) throws {
    guard let entity = material.model.entity(of: object), let id = try lives.identity(at: address),
      let cells = try overlay.cells(of: id)
    else { return }
    let projector = pen.projector()
    // It was known again by its attributes.
    var shown = entity.attributes.compactMap { attribute in
      cells.values[attribute.property].map {
        KeyedCell(CellKey(id, .value(attribute.property)), $0)
      }
    }
    if let life = cells.life { shown.append(KeyedCell(CellKey(id, .life), life)) }
    for role in entity.roles {
      guard let name = role.name else { continue }
      switch role.kind {
      case .mirror: break
      case .reference:
        let target = object.value(forKey: name) as? NSManagedObject
        let end = try target.flatMap { try lives.identity(of: $0) }
        if cells.value(role.property)?.reference == end { shown += try reference(of: id, role) }
      case .children:
        for child in try members(of: object, name) {
          let leads = try overlay.cells(of: child)?.value(role.property)?.reference == id
          if leads { shown += try reference(of: child, role) }
        }
      case .members:
        for member in try members(of: object, name) {
          shown += try pairs.occurrences(
            of: .init(owner: id, member: member, role: role),
            projector
          )
        }
      case .owners:
        for owner in try members(of: object, name) {
          shown += try pairs.occurrences(of: .init(owner: owner, member: id, role: role), projector)
        }
      }
    }
    try view.noteShown(shown, since: material.changes.lookedAt)
  }

  private func change(
    _ attribute: SyncAttribute,
    of object: NSManagedObject,
    _ id: SyncID,
    _ entity: SyncEntity,
    isNew: Bool,
    _ stamp: Stamp
  ) throws {
    let known = attribute.isComposite ? try overlay.cells(of: id)?.value(attribute.property) : nil
    let value = attribute.completed(
      try attribute.cellValue(of: object.value(forKey: attribute.name)),
      from: known
    )
    guard value.payload.count <= WireLimits.value else {
      tooLarge.append(TooLarge(id: id, attribute: attribute, bytes: value.payload.count))
      isPlain = false
      return
    }
    // A value that nobody has set is the same everywhere.
    if isNew, value == .null, entity.rules.attributes[attribute.property] == .null { return }
    var ids: Set<SyncID> = [id]
    if entity.rules.constraints.contains(where: { $0.properties.contains(attribute.property) }) {
      // The objects that this one represents go along, or they would come to light.
      ids.formUnion(try Projector(pen.before, material.model.schema).group(of: id))
    }
    for id in ids.sorted() where try overlay.cells(of: id)?.isAlive == true {
      try pen.write(id, .value(attribute.property), value.payload, stamp)
    }
  }

  private func change(
    _ role: SyncRole,
    _ name: String,
    of object: NSManagedObject,
    _ id: SyncID,
    isNew: Bool,
    _ stamp: Stamp,
    _ touch: LocalChanges.Touch
  ) throws {
    switch role.kind {
    case .reference:
      let target = object.value(forKey: name) as? NSManagedObject
      try change(role, of: id, to: target, isNew: isNew, stamp) { end in
        try isGivenAway(end, by: name, of: object, touch)
      }
    case .mirror: break
    case .children:
      if role.isOrdered { orders.order(name, of: id, stamp) }
      if object.entity.relationshipsByName[name]?.inverseRelationship == nil {
        try adopt(members(of: object, name), of: id, role, stamp)
      }
    case .members:
      try pairs.change(
        members(of: object, name),
        of: id,
        role,
        stamp,
        Making(of: object, name, touch)
      )
      if role.isOrdered { orders.order(name, of: id, stamp) }
    case .owners:
      try pairs.change(
        members(of: object, name),
        owning: id,
        role,
        stamp,
        Making(of: object, name, touch)
      )
      if role.isOrdered { orders.order(name, of: id, stamp) }
    }
  }

  private func members(of object: NSManagedObject, _ name: String) throws -> [SyncID] {
    let members = object.members(named: name)
    let ids = try lives.identities(of: members)
    if isPlain { isPlain = try ids.count == members.count && ids.allSatisfy(isSteady) }
    return ids
  }

  /// Whether an object is seen as itself, whatever else is known.
  private func isSteady(_ id: SyncID) throws -> Bool {
    guard let cells = try overlay.cells(of: id), cells.isAlive else { return false }
    return cells.entity.flatMap { material.model.entities[$0] }?.isSteady == true
  }
}

// MARK: - References

extension DrainedProperties {
  private func change(
    _ role: SyncRole,
    of id: SyncID,
    to target: NSManagedObject?,
    isNew: Bool,
    _ stamp: Stamp,
    isGivenAway: (SyncID) throws -> Bool
  ) throws {
    let end = try target.flatMap { try lives.identity(of: $0) }
    guard let end else {
      if target != nil || role.reference.isRequired { isPlain = false }
      if isNew { return }
      let before = try overlay.cells(of: id)?.value(role.property)?.reference
      // To others, what stays on this device is not there.
      if before == nil, target.map(material.model.isLocal) == true { return }
      // A deletion has emptied it, not the program; if the end comes back, so does this.
      if let before {
        let (known, projector) = (try reference(of: id, role), pen.projector())
        let isTakenOut =
          try overlay.cells(of: before)?.isAlive == true
          && !view.takenOut(known, projector).isEmpty
        let isEmptied = try known.contains { keyed in
          try view.emptiedEnd(keyed, projector).map { try !isGivenAway($0) } ?? false
        }
        guard isTakenOut || isEmptied else { return }
      }
      return try pen.write(id, .value(role.property), CellValue.null.payload, stamp)
    }
    if isPlain { isPlain = try isSteady(end) }
    let isOrdered = role.reference.isOrdered
    let known = isOrdered ? try overlay.cells(of: id)?.value(role.property)?.reference : nil
    let isMoved = !isNew && known != end
    if isOrdered {
      orders.place(id, role.property, .init(parent: end, stamp: stamp, isMoved: isMoved))
    }
    if isOrdered, !isMoved { return }
    let value = CellValue.reference(end, place: "")
    try pen.write(id, .value(role.property), value.payload, stamp)
  }

  /// Whether the end of a reference to which only one object can lead went to another object in the same save, which
  /// empties the reference, and not the program.
  private func isGivenAway(
    _ end: SyncID,
    by name: String,
    of object: NSManagedObject,
    _ touch: LocalChanges.Touch
  ) throws -> Bool {
    guard let transaction = touch.properties[name],
      let inverse = object.entity.relationshipsByName[name]?.inverseRelationship,
      !inverse.isToMany, let address = try material.sidecar.address(of: end),
      let url = URL(string: address),
      let id = material.reader.context.persistentStoreCoordinator?.managedObjectID(
        forURIRepresentation: url
      )
    else { return false }
    // A later history reports an object that is gone by now.
    let given = try? material.reader.context.existingObject(with: id)
    guard let other = given?.value(forKey: inverse.name) as? NSManagedObject else { return false }
    let taken = material.changes.touch(at: other.objectID.address)
    return taken?.isChanged(name, by: transaction) ?? false
  }

  /// Members of a set without an inverse, as references of theirs.
  private func adopt(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp
  ) throws {
    let projector = pen.projector()
    let known = Set(try projector.children(of: owner, role.property).map(\.id))
    for member in members
    where try isNew(member, of: owner, role, isKnown: known.contains(member)) {
      if role.isOrdered {
        orders.place(member, role.property, .init(parent: owner, stamp: stamp))
      } else {
        let value = CellValue.reference(owner, place: "")
        try pen.write(member, .value(role.property), value.payload, stamp)
      }
    }
    for member in known.subtracting(members).sorted() {
      for keyed in try view.takenOut(reference(of: member, role), projector) {
        try pen.write(keyed.key.object, keyed.key.field, CellValue.null.payload, stamp)
      }
    }
  }

  /// Whether the program has put a member into a set without an inverse, and nobody has noted that yet.
  private func isNew(
    _ member: SyncID,
    of owner: SyncID,
    _ role: SyncRole,
    isKnown: Bool
  ) throws -> Bool {
    let cells = try reference(of: member, role)
    return isKnown
      ? try view.isMadeAgain(cells, between: owner, member)
      : try !view.isLeftOver(cells, between: owner, member)
  }

  private func reference(of member: SyncID, _ role: SyncRole) throws -> [KeyedCell] {
    guard let cells = try overlay.cells(of: member), let cell = cells.values[role.property],
      cell.epoch == cells.seenEpoch
    else { return [] }
    return [KeyedCell(CellKey(member, .value(role.property)), cell)]
  }
}
