import CoreData
import CoreDataSyncCore

/// The cells that local changes have become, and the identities they needed.
///
/// ```
/// 1  deletions           a life ends
/// 2  insertions          an identity is found or made, a life begins
/// 3  properties          attributes, references, members
/// 4  orders              places, for as few members as will do
/// ```
final class DrainedCells {
  let overlay: CellOverlay
  private(set) var addresses: [String: SyncID] = [:]
  private(set) var removedAddresses: Set<SyncID> = []
  /// Objects of the store that are known from elsewhere.
  private var adopted: Set<String> = []
  private var contents: ContentIndex?
  private(set) var clock: HybridClock

  private let sidecar: Sidecar
  private let model: SyncModel
  private let changes: LocalChanges
  private let objects: [String: NSManagedObject]
  private let world: SyncWorld
  private let stamps: [Stamp]
  /// Whether the store's sets are older than the cells, so that what they lack says nothing.
  private let isStale: Bool
  /// References to ordered sets, whose places are decided at the end.
  private var awaitingPlace: [SyncID: [PropertyID: (parent: SyncID, Stamp)]] = [:]
  private var orders: [SyncID: [String: Stamp]] = [:]

  /// Makes cells of changes, with the changed objects that there are, by their addresses.
  init(
    of changes: LocalChanges,
    _ objects: [String: NSManagedObject],
    _ sidecar: Sidecar,
    _ model: SyncModel,
    _ world: SyncWorld,
    writer: UInt64
  ) throws {
    self.changes = changes
    self.objects = objects
    self.sidecar = sidecar
    self.model = model
    self.world = world
    overlay = CellOverlay(on: sidecar, model.schema)
    isStale = try sidecar.number("isStale") == 1
    clock = try sidecar.clock
    let offset = try sidecar.clockOffset
    var stamps: [Stamp] = []
    if changes.isOldest { stamps.append(Stamp(moment: 1, writer: writer)) }
    for saved in changes.times.dropFirst(stamps.count) {
      let time = changes.isFound ? saved : world.timeOfSave(saved)
      let milliseconds = min(max(Int64(time.timeIntervalSince1970 * 1000) + offset, 0), 1 << 47)
      stamps.append(Stamp(moment: clock.tick(milliseconds: UInt64(milliseconds)), writer: writer))
    }
    self.stamps = stamps
    try deleteObjects()
    try insertObjects()
    try changeProperties()
    try placeMembers()
    try releaseProtected()
  }

  private var touches: [(address: String, touch: LocalChanges.Touch)] {
    changes.touches.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func identity(at address: String) throws -> SyncID? {
    try addresses[address] ?? sidecar.identity(at: address)
  }

  private func identity(of object: NSManagedObject) throws -> SyncID? {
    try identity(at: object.objectID.address)
  }

  private func projector() -> Projector { Projector(overlay, model.schema) }

  /// Writes a cell in the present life of its object.
  private func write(
    _ id: SyncID,
    _ field: CellKey.Field,
    _ payload: [UInt8],
    _ stamp: Stamp
  ) throws {
    guard let cells = try overlay.cells(of: id), cells.epoch > 0 else { return }
    let known = cells[field]
    // The clock has seen all that is known, so that only these changes have later stamps.
    let isOurs = known.map { $0.stamp >= stamp && $0.stamp.writer == stamp.writer } ?? false
    if let known, known.stamp > stamp, !isOurs { return }
    try overlay.replace(
      CellKey(id, field),
      by: Cell(
        epoch: cells.seenEpoch,
        stamp: isOurs ? known?.stamp ?? stamp : stamp,
        base: isOurs ? known?.base ?? 0 : known?.stamp.moment ?? 0,
        payload: payload
      )
    )
  }
}

// MARK: - Deletions

extension DrainedCells {
  private func deleteObjects() throws {
    let before = projector()
    for (address, touch) in touches {
      guard let deleted = touch.deleted, let id = try sidecar.identity(at: address) else {
        continue
      }
      removedAddresses.insert(id)
      for member in try before.group(of: id) { try delete(member, stamps[deleted]) }
    }
  }

  private func delete(_ id: SyncID, _ stamp: Stamp) throws {
    guard let cells = try overlay.cells(of: id), cells.isAlive, cells.epoch < .max,
      let life = cells.life
    else { return }
    // What the deletion has seen of the object; a later cell was written without knowing of it.
    let base = cells.all.map(\.cell.stamp.moment).max() ?? 0
    try overlay.merge(
      CellKey(id, .life),
      Cell(epoch: cells.epoch + 1, stamp: stamp, base: base, payload: life.payload)
    )
  }

  /// What a deleted object would be brought back for was let go with it: the program could not have
  /// deleted it otherwise.
  private func releaseProtected() throws {
    for (address, touch) in touches {
      guard let deleted = touch.deleted, let id = try sidecar.identity(at: address) else {
        continue
      }
      for member in try Projector(sidecar, model.schema).group(of: id) {
        try release(member, stamps[deleted])
      }
    }
  }

  private func release(_ id: SyncID, _ stamp: Stamp) throws {
    guard let cells = try overlay.cells(of: id), !cells.isAlive,
      let rules = model.schema[cells.entity]
    else { return }
    for member in cells.liveMembers
    where rules.memberships[member.relationship]?.protectsOwner == true {
      try remove(member, from: id, stamp)
    }
    for referrer in try overlay.referrers(of: id).sorted() {
      guard let others = try overlay.cells(of: referrer), others.isAlive,
        let rules = model.schema[others.entity]
      else { continue }
      for member in others.liveMembers
      where member.target == id && rules.memberships[member.relationship]?.protectsMember == true {
        try remove(member, from: referrer, stamp)
      }
      for (property, reference) in rules.references
      where reference.protectsTarget && !reference.isRequired
        && others.value(property)?.reference == id
      {
        try write(referrer, .value(property), CellValue.null.payload, stamp)
      }
    }
  }

  private func remove(_ member: ObjectCells.Member, from owner: SyncID, _ stamp: Stamp) throws {
    try write(
      owner,
      .member(member.relationship, member.target, dot: member.dot),
      CellValue.removed,
      stamp
    )
  }
}

// MARK: - Insertions

extension DrainedCells {
  private func insertObjects() throws {
    for (address, touch) in touches where touch.deleted == nil {
      guard let object = objects[address], let entity = model.entity(of: object) else { continue }
      let known = try sidecar.identity(at: address)
      guard known == nil || touch.inserted != nil else { continue }
      if known == nil, changes.isOldest, let id = try adopt(object, entity) {
        addresses[address] = id
        adopted.insert(address)
        continue
      }
      let transaction = touch.inserted ?? touch.properties.values.max() ?? 0
      let id = try known ?? newIdentity(of: object, entity, address, touch)
      addresses[address] = id
      try begin(id, entity, stamps[transaction])
    }
  }

  private func adopt(_ object: NSManagedObject, _ entity: SyncEntity) throws -> SyncID? {
    var contents = try self.contents ?? ContentIndex(sidecar, model)
    defer { self.contents = contents }
    return try contents.take(object, entity)
  }

  private func begin(_ id: SyncID, _ entity: SyncEntity, _ stamp: Stamp) throws {
    let cells = try overlay.cells(of: id) ?? ObjectCells()
    if cells.isAlive { return }
    guard cells.epoch < .max else { return }
    try overlay.merge(
      CellKey(id, .life),
      Cell(
        epoch: cells.epoch + 1,
        stamp: stamp,
        base: cells.life?.stamp.moment ?? 0,
        payload: CellValue.entity(entity.name).payload
      )
    )
    if cells.epoch > 0 { try forgetEnds(at: id, stamp) }
  }

  /// What led to an object with this identity led to another, which is gone.
  private func forgetEnds(at id: SyncID, _ stamp: Stamp) throws {
    for referrer in try overlay.referrers(of: id).sorted() {
      guard let cells = try overlay.cells(of: referrer), cells.isAlive else { continue }
      for member in cells.liveMembers where member.target == id {
        try remove(member, from: referrer, stamp)
      }
      for (property, cell) in cells.values where cell.epoch == cells.epoch {
        guard cells.value(property)?.reference == id,
          model.schema[cells.entity]?.references[property]?.isRequired == false
        else { continue }
        try write(referrer, .value(property), CellValue.null.payload, stamp)
      }
    }
  }

  /// An identity that stands for the object's unique values, where it has some and nobody has it.
  ///
  /// Else one that stands for its insertion, so that whoever reads the same history again, or a copy of
  /// it, does not take the object for another.
  private func newIdentity(
    of object: NSManagedObject,
    _ entity: SyncEntity,
    _ address: String,
    _ touch: LocalChanges.Touch
  ) throws -> SyncID {
    if let rule = entity.rules.constraints.first {
      let attributes = rule.properties.compactMap { property in
        entity.attributes.first { $0.property == property }
      }
      let values = try attributes.map { try $0.cellValue(of: object.value(forKey: $0.name)) }
      if !values.contains(.null) {
        let id = SyncID(natural: UniqueClaim(rule, values).digest)
        if try isFree(id, entity) { return id }
      }
    }
    if let inserted = touch.inserted, let time = changes.historyTime(of: inserted) {
      let id = SyncID(insertionOf: address, at: time)
      if try overlay.cells(of: id) == nil || sidecar.address(of: id) == nil { return id }
    }
    return SyncID(random: world.random(), world.random())
  }

  private func isFree(_ id: SyncID, _ entity: SyncEntity) throws -> Bool {
    if addresses.values.contains(id) { return false }
    if removedAddresses.contains(id) { return true }
    guard let cells = try overlay.cells(of: id) else { return true }
    guard cells.entity == entity.name else { return false }
    return try !cells.isAlive || sidecar.address(of: id) == nil
  }
}

// MARK: - Properties

extension DrainedCells {
  private func changeProperties() throws {
    for (address, touch) in touches where touch.deleted == nil && !adopted.contains(address) {
      guard let object = objects[address], let entity = model.entity(of: object),
        let id = try identity(at: address)
      else { continue }
      let isNew = addresses[address] != nil
      for attribute in entity.attributes {
        let transaction = touch.properties[attribute.name]
        guard isNew || transaction != nil else { continue }
        let stamp = stamps[transaction ?? touch.inserted ?? 0]
        try change(attribute, of: object, id, entity, isNew: isNew, stamp)
      }
      for role in entity.roles {
        guard let name = role.name else { continue }
        let transaction = touch.properties[name]
        guard isNew || transaction != nil else { continue }
        let stamp = stamps[transaction ?? touch.inserted ?? 0]
        try change(role, name, of: object, id, isNew: isNew, stamp)
      }
    }
  }

  private func change(
    _ attribute: SyncAttribute,
    of object: NSManagedObject,
    _ id: SyncID,
    _ entity: SyncEntity,
    isNew: Bool,
    _ stamp: Stamp
  ) throws {
    let value = try attribute.cellValue(of: object.value(forKey: attribute.name))
    // What nobody has set is the same everywhere.
    if isNew, value == .null, entity.rules.attributes[attribute.property] == .null { return }
    var ids: Set<SyncID> = [id]
    if entity.rules.constraints.contains(where: { $0.properties.contains(attribute.property) }) {
      // The objects that this one stands for go along, or they would come to light.
      ids.formUnion(try Projector(sidecar, model.schema).group(of: id))
    }
    for id in ids.sorted() where try overlay.cells(of: id)?.isAlive == true {
      try write(id, .value(attribute.property), value.payload, stamp)
    }
  }

  private func change(
    _ role: SyncRole,
    _ name: String,
    of object: NSManagedObject,
    _ id: SyncID,
    isNew: Bool,
    _ stamp: Stamp
  ) throws {
    switch role.kind {
    case .reference:
      let target = object.value(forKey: name) as? NSManagedObject
      try change(role, of: id, to: target, isNew: isNew, stamp)
    case .mirror: break
    case .children:
      if role.isOrdered { orders[id, default: [:]][name] = stamp }
      if object.entity.relationshipsByName[name]?.inverseRelationship == nil {
        try adopt(members(of: object, name), of: id, role, stamp)
      }
    case .members:
      try change(members(of: object, name), of: id, role, stamp)
      if role.isOrdered { orders[id, default: [:]][name] = stamp }
    case .owners:
      try change(members(of: object, name), owning: id, role, stamp)
      if role.isOrdered { orders[id, default: [:]][name] = stamp }
    }
  }

  private func members(of object: NSManagedObject, _ name: String) throws -> [SyncID] {
    try object.members(named: name).compactMap { try identity(of: $0) }
  }
}

// MARK: - References

extension DrainedCells {
  private func change(
    _ role: SyncRole,
    of id: SyncID,
    to target: NSManagedObject?,
    isNew: Bool,
    _ stamp: Stamp
  ) throws {
    let end = try target.flatMap { try identity(of: $0) }
    guard let end else {
      if isNew { return }
      // A deletion has emptied it, not the program; if the end comes back, so does this.
      if let before = try overlay.cells(of: id)?.value(role.property)?.reference,
        try overlay.cells(of: before)?.isAlive != true
      {
        return
      }
      return try write(id, .value(role.property), CellValue.null.payload, stamp)
    }
    if role.reference.isOrdered {
      awaitingPlace[id, default: [:]][role.property] = (end, stamp)
      return
    }
    try write(
      id,
      .value(role.property),
      CellValue.reference(end, place: "").payload,
      stamp
    )
  }

  /// Members of a set without an inverse, as references of theirs.
  private func adopt(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp
  ) throws {
    let known = Set(try projector().children(of: owner, role.property).map(\.id))
    for member in members where !known.contains(member) {
      if role.isOrdered {
        awaitingPlace[member, default: [:]][role.property] = (owner, stamp)
      } else {
        let value = CellValue.reference(owner, place: "")
        try write(member, .value(role.property), value.payload, stamp)
      }
    }
    for member in known.subtracting(members).sorted() where !isStale {
      try write(member, .value(role.property), CellValue.null.payload, stamp)
    }
  }
}

// MARK: - Pairs

extension DrainedCells {
  private func change(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp
  ) throws {
    let projector = projector()
    let known = Set(try projector.object(owner)?.members[role.property] ?? [])
    for member in members where !known.contains(member) {
      try write(owner, .member(role.property, member, dot: stamp), CellValue.present, stamp)
    }
    for member in known.subtracting(members).sorted() where !isStale {
      try unlink(owner, member, role, projector, stamp)
    }
  }

  private func change(
    _ owners: [SyncID],
    owning member: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp
  ) throws {
    let projector = projector()
    let known = Set(try projector.owners(of: member, role.property, role.membership))
    for owner in owners where !known.contains(owner) {
      try write(owner, .member(role.property, member, dot: stamp), CellValue.present, stamp)
    }
    for owner in known.subtracting(owners).sorted() where !isStale {
      try unlink(owner, member, role, projector, stamp)
    }
  }

  /// Removes all that is known of a pair: between any two objects that these stand for.
  private func unlink(
    _ owner: SyncID,
    _ member: SyncID,
    _ role: SyncRole,
    _ projector: Projector,
    _ stamp: Stamp
  ) throws {
    var ends = [(try projector.group(of: owner), try projector.group(of: member))]
    if role.membership.isSymmetric { ends.append((ends[0].1, ends[0].0)) }
    for (owners, members) in ends {
      for owner in owners.sorted() {
        for known in try overlay.cells(of: owner)?.liveMembers ?? []
        where known.relationship == role.property && members.contains(known.target) {
          try remove(known, from: owner, stamp)
        }
      }
    }
  }
}

// MARK: - Orders

extension DrainedCells {
  private func placeMembers() throws {
    for (child, properties) in awaitingPlace.sorted(by: { $0.key < $1.key }) {
      for (property, (parent, stamp)) in properties {
        try placeAmongOthers(child, property, parent, stamp)
      }
    }
    for (address, touch) in touches where touch.deleted == nil {
      guard let object = objects[address], let id = try identity(at: address),
        let names = orders[id], let entity = model.entity(of: object)
      else { continue }
      for (name, stamp) in names.sorted(by: { $0.key < $1.key }) {
        guard let role = entity.role(named: name) else { continue }
        try place(members(of: object, name), of: id, role, stamp)
      }
    }
  }

  /// Gives a child its parent, at the end; where the order is known, the place follows.
  private func placeAmongOthers(
    _ child: SyncID,
    _ property: PropertyID,
    _ parent: SyncID,
    _ stamp: Stamp
  ) throws {
    let known = try overlay.cells(of: child)?.value(property)
    let isSame = known?.reference == parent
    let last = try projector().children(of: parent, property).last { $0.id != child }?.place ?? ""
    let place = isSame ? known?.place ?? "" : Places.between(last, "", jitter: world.random())
    try write(
      child,
      .value(property),
      CellValue.reference(parent, place: place).payload,
      stamp
    )
  }

  private func place(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp
  ) throws {
    let isOfChildren = role.kind == .children
    let owned = try overlay.cells(of: owner)
    let known = try members.map { member -> String? in
      isOfChildren
        ? try overlay.cells(of: member)?.value(role.property)?.place
        : owned?.place(of: member, in: role.places)
    }
    for (index, place) in Places.moved(known, jitter: world.random()).sorted(by: { $0.key < $1.key }
    ) {
      let member = members[index]
      if !isOfChildren {
        try write(owner, .place(role.places, member), CellValue.place(place).payload, stamp)
      } else if let target = try overlay.cells(of: member)?.value(role.property)?.reference {
        let value = CellValue.reference(target, place: place)
        try write(member, .value(role.property), value.payload, stamp)
      }
    }
  }
}

extension NSManagedObject {
  /// The members of a to-many relationship, in their order where they have one.
  func members(named name: String) -> [NSManagedObject] {
    switch value(forKey: name) {
    case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>: set.sorted { $0.objectID.address < $1.objectID.address }
    case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
    default: []
    }
  }
}
