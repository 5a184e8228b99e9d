import CoreData
import CoreDataSyncCore

/// The properties that local changes give to objects, and the orders of their members.
final class DrainedProperties {
  private let material: DrainMaterial
  private let pen: CellPen
  private let lives: DrainedLives
  /// References to ordered sets, whose places are decided at the end.
  private var awaitingPlace: [SyncID: [PropertyID: AwaitedPlace]] = [:]
  private var orders: [SyncID: [String: Stamp]] = [:]
  private var ends = OrderEnds()
  /// The transactions that may have put into a set what a later one has taken out.
  private var goneMakers: Set<Int> = []
  /// What no message has room for, and what stays on this device.
  private(set) var tooLarge: [TooLarge] = []
  /// New objects that the store shows as their own cells say, whatever else is known.
  private(set) var plain: Set<SyncID> = []
  /// Whether that can still be said of the object whose properties are read.
  private var isPlain = false
  private let mayBePlain: Bool

  init(_ material: DrainMaterial, _ pen: CellPen, _ lives: DrainedLives) throws {
    self.material = material
    self.pen = pen
    self.lives = lives
    mayBePlain = try material.view.isCurrent && material.sidecar.heldBack().objects.isEmpty
  }

  private var view: StoreView { material.view }
  private var overlay: CellOverlay { pen.overlay }
}

// MARK: - Properties

extension DrainedProperties {
  /// Gives objects that were known what they lead to now.
  ///
  /// Before any set is compared: an object that needs what is deleted counts as gone until it has another, and what
  /// is gone has no members.
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
    try noteShown()
    // Others may know it from before store and sidecar were put back to a backup.
    if material.changes.isFound { return }
    try material.sidecar.noteGone(Set(goneMakers.map(material.dot)))
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
      // What was known leads there already.
      guard let name = role.name, isNew || role.kind != .reference else { continue }
      let transaction = touch.properties[name]
      guard isNew || transaction != nil else { continue }
      let stamp = material.stamps[transaction ?? touch.inserted ?? 0]
      try change(role, name, of: object, id, isNew: isNew, stamp, touch)
    }
    if isPlain, try pen.before.referrers(of: id).isEmpty { plain.insert(id) }
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
          shown += try occurrences(of: Pair(owner: id, member: member, role: role), projector)
        }
      case .owners:
        for owner in try members(of: object, name) {
          shown += try occurrences(of: Pair(owner: owner, member: id, role: role), projector)
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
    let value = try attribute.cellValue(of: object.value(forKey: attribute.name))
    guard value.payload.count <= WireLimits.value else {
      tooLarge.append(TooLarge(id: id, attribute: attribute, bytes: value.payload.count))
      isPlain = false
      return
    }
    // What nobody has set is the same everywhere.
    if isNew, value == .null, entity.rules.attributes[attribute.property] == .null { return }
    var ids: Set<SyncID> = [id]
    if entity.rules.constraints.contains(where: { $0.properties.contains(attribute.property) }) {
      // The objects that this one stands for go along, or they would come to light.
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
      try change(role, of: id, to: target, isNew: isNew, stamp)
    case .mirror: break
    case .children:
      if role.isOrdered { orders[id, default: [:]][name] = stamp }
      if object.entity.relationshipsByName[name]?.inverseRelationship == nil {
        try adopt(members(of: object, name), of: id, role, stamp)
      }
    case .members:
      goneMakers.formUnion(touch.transactions(of: name).dropLast())
      try change(members(of: object, name), of: id, role, stamp, Making(of: object, name, touch))
      if role.isOrdered { orders[id, default: [:]][name] = stamp }
    case .owners:
      goneMakers.formUnion(touch.transactions(of: name).dropLast())
      try change(
        members(of: object, name),
        owning: id,
        role,
        stamp,
        Making(of: object, name, touch)
      )
      if role.isOrdered { orders[id, default: [:]][name] = stamp }
    }
  }

  private func members(of object: NSManagedObject, _ name: String) throws -> [SyncID] {
    let members = object.members(named: name)
    let ids = try members.compactMap { try lives.identity(of: $0) }
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
    _ stamp: Stamp
  ) throws {
    let end = try target.flatMap { try lives.identity(of: $0) }
    guard let end else {
      if target != nil || role.reference.isRequired { isPlain = false }
      if isNew { return }
      // A deletion has emptied it, not the program; if the end comes back, so does this.
      if let before = try overlay.cells(of: id)?.value(role.property)?.reference {
        guard try overlay.cells(of: before)?.isAlive == true,
          try !view.takenOut(reference(of: id, role), pen.projector()).isEmpty
        else { return }
      }
      return try pen.write(id, .value(role.property), CellValue.null.payload, stamp)
    }
    if isPlain { isPlain = try isSteady(end) }
    let isOrdered = role.reference.isOrdered
    let known = isOrdered ? try overlay.cells(of: id)?.value(role.property)?.reference : nil
    let isMoved = !isNew && known != end
    if isOrdered {
      awaitingPlace[id, default: [:]][role.property] =
        AwaitedPlace(parent: end, stamp: stamp, isMoved: isMoved)
    }
    if isOrdered, !isMoved { return }
    let value = CellValue.reference(end, place: "")
    try pen.write(id, .value(role.property), value.payload, stamp)
  }

  /// Where an object goes among others.
  private struct AwaitedPlace {
    let parent: SyncID
    let stamp: Stamp
    /// Whether the reference was written already, without its place.
    var isMoved = false
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
        awaitingPlace[member, default: [:]][role.property] =
          AwaitedPlace(parent: owner, stamp: stamp)
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

// MARK: - Pairs

extension DrainedProperties {
  private func change(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp,
    _ making: Making
  ) throws {
    let projector = pen.projector()
    let visible = try standIn(for: owner, projector)
    let known = Set(try projector.object(visible)?.members[role.property] ?? [])
    var shown: Set<SyncID> = []
    for member in members {
      let other = try standIn(for: member, projector)
      shown.insert(other)
      let pair = Pair(owner: owner, member: member, role: role)
      if try isNew(pair, isKnown: known.contains(other), projector) {
        try link(pair, stamp, making, beyond: member)
      }
    }
    for member in known.subtracting(shown).sorted() {
      try unlink(Pair(owner: owner, member: member, role: role), projector, stamp)
    }
    try noteTakenOut(allBut: members, of: owner, role, projector)
  }

  private func change(
    _ owners: [SyncID],
    owning member: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp,
    _ making: Making
  ) throws {
    let projector = pen.projector()
    let visible = try standIn(for: member, projector)
    let known = Set(try projector.owners(of: visible, role.property, role.membership))
    var shown: Set<SyncID> = []
    for owner in owners {
      let other = try standIn(for: owner, projector)
      shown.insert(other)
      let pair = Pair(owner: owner, member: member, role: role)
      if try isNew(pair, isKnown: known.contains(other), projector) {
        try link(pair, stamp, making, beyond: owner)
      }
    }
    for owner in known.subtracting(shown).sorted() {
      try unlink(Pair(owner: owner, member: member, role: role), projector, stamp)
    }
  }

  /// The object that stands for one of the store's, by what is known: another than the store shows, where that was learned.
  private func standIn(for id: SyncID, _ projector: Projector) throws -> SyncID {
    view.isCurrent ? id : try projector.visible(id) ?? id
  }

  private struct Pair {
    let owner: SyncID
    let member: SyncID
    let role: SyncRole
  }

  /// Adds an occurrence, which is known by the first transaction that may have made the pair, because it has changed the
  /// sets at both ends.
  ///
  /// A history names the sets, and not the members. But whoever is put back to a backup, and reads up to that
  /// transaction or beyond, finds the same one.
  private func link(_ pair: Pair, _ stamp: Stamp, _ making: Making, beyond end: SyncID) throws {
    var maker: Int?
    if !material.changes.isFound {
      let address = making.inverse == nil ? nil : try material.sidecar.address(of: end)
      maker = making.maker(with: address.flatMap { material.changes.touch(at: $0) })
    }
    guard let maker else { return try link(pair, stamp, dot: material.world.dot(stamp)) }
    try link(pair, material.stamps[maker], dot: material.dot(of: maker))
  }

  private func link(_ pair: Pair, _ stamp: Stamp, dot: Stamp) throws {
    let field = CellKey.Field.member(pair.role.property, pair.member, dot: dot)
    let known = try overlay.cells(of: pair.owner)
    // An occurrence that was removed stays removed.
    if let cell = known?[field], cell.epoch == known?.seenEpoch,
      CellValue.isRemoval(cell.payload)
    {
      return
    }
    try pen.write(pair.owner, field, CellValue.present, stamp)
  }

  /// Whether the program has made a pair that the store shows, and nobody has noted that yet.
  private func isNew(_ pair: Pair, isKnown: Bool, _ projector: Projector) throws -> Bool {
    let (owner, member) = (pair.owner, pair.member)
    if view.isCurrent { return !isKnown }
    if isKnown {
      let known = try occurrences(of: pair, projector)
      // Nobody was told since when it is there, but that it is.
      if material.changes.isFound { try view.noteShown(known, since: material.changes.lookedAt) }
      return try view.isMadeAgain(known, between: owner, member)
    }
    let cells = try occurrences(of: pair, projector, isLive: false)
    return try !view.isLeftOver(cells, between: owner, member)
  }

  /// Removes what the store has shown of a pair.
  private func unlink(_ pair: Pair, _ projector: Projector, _ stamp: Stamp) throws {
    let known = try occurrences(of: pair, projector)
    for keyed in try view.takenOut(known, projector) {
      try pen.write(keyed.key.object, keyed.key.field, CellValue.removed, stamp)
    }
  }

  /// Notes which members are taken out that an older store went on showing: put there again, they are new.
  private func noteTakenOut(
    allBut members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ projector: Projector
  ) throws {
    guard view.mayHaveLeftOver else { return }
    let shown = Set(try members.flatMap { try projector.group(of: $0) })
    for id in try projector.group(of: owner).sorted() {
      for (member, cell) in try overlay.cells(of: id)?.members ?? [:]
      where member.relationship == role.property && !shown.contains(member.target)
        && CellValue.isRemoval(cell.payload)
      {
        try view.noteTakenOut(CellKey(id, member.field))
      }
    }
  }

  /// What is known of a pair: between any two objects that these stand for.
  private func occurrences(
    of pair: Pair,
    _ projector: Projector,
    isLive: Bool = true
  ) throws -> [KeyedCell] {
    var ends = [(try group(of: pair.owner, projector), try group(of: pair.member, projector))]
    if pair.role.membership.isSymmetric { ends.append((ends[0].1, ends[0].0)) }
    var found: [KeyedCell] = []
    for (owners, members) in ends {
      for owner in owners.sorted() {
        guard let cells = try overlay.cells(of: owner) else { continue }
        for member in isLive ? cells.liveMembers : Array(cells.members.keys)
        where member.relationship == pair.role.property && members.contains(member.target) {
          guard let cell = cells.members[member], cell.epoch == cells.seenEpoch else { continue }
          found.append(KeyedCell(CellKey(owner, member.field), cell))
        }
      }
    }
    return found
  }

  /// The objects of which the store may show one, and what is known another.
  private func group(of id: SyncID, _ projector: Projector) throws -> Set<SyncID> {
    try projector.group(of: standIn(for: id, projector)).union([id])
  }
}

// MARK: - Orders

extension DrainedProperties {
  func placeMembers() throws {
    for (child, properties) in awaitingPlace.sorted(by: { $0.key < $1.key }) {
      for (property, awaited) in properties { try placeAmongOthers(child, property, awaited) }
      try pen.makeRoom()
    }
    isPlain = false
    try material.forEachTouch(
      where: { _, touch in
        guard touch.deleted == nil, !orders.isEmpty else { return false }
        return try lives.identity(at: touch.address).map { orders[$0] != nil } ?? false
      },
      { try placeMembers(of: $2, at: $1.address) },
      afterPortion: { try pen.makeRoom() }
    )
  }

  private func placeMembers(of object: NSManagedObject, at address: String) throws {
    guard let id = try lives.identity(at: address), let names = orders[id],
      let entity = material.model.entity(of: object)
    else { return }
    for (name, stamp) in names.sorted(by: { $0.key < $1.key }) {
      guard let role = entity.role(named: name) else { continue }
      try place(members(of: object, name), of: id, role, stamp)
    }
  }

  /// Gives a child its parent, at the end; where the order is known, the place follows.
  private func placeAmongOthers(
    _ child: SyncID,
    _ property: PropertyID,
    _ awaited: AwaitedPlace
  ) throws {
    let (parent, stamp) = (awaited.parent, awaited.stamp)
    let known = try overlay.cells(of: child)?.value(property)
    let place =
      try known?.reference == parent && !awaited.isMoved
      ? known?.place ?? ""
      : ends.next(in: parent, property, jitter: material.world.random()) {
        try pen.projector().children(of: parent, property).last { $0.id != child }?.place
      }
    try pen.write(
      child,
      .value(property),
      CellValue.reference(parent, place: place).payload,
      stamp
    )
  }

  /// Whether a child leads to its parent by what is known, too: its place elsewhere is none of this order.
  private func isChild(_ child: SyncID, of parent: SyncID, _ role: SyncRole) throws -> Bool {
    guard !view.isCurrent, let end = try overlay.cells(of: child)?.value(role.property)?.reference
    else { return true }
    let projector = pen.projector()
    return try standIn(for: end, projector) == standIn(for: parent, projector)
  }

  private func place(
    _ members: [SyncID],
    of owner: SyncID,
    _ role: SyncRole,
    _ stamp: Stamp
  ) throws {
    let isOfChildren = role.kind == .children
    let members = isOfChildren ? try members.filter { try isChild($0, of: owner, role) } : members
    let owned = try overlay.cells(of: owner)
    let known = try members.map { member -> String? in
      isOfChildren
        ? try overlay.cells(of: member)?.value(role.property)?.place
        : owned?.place(of: member, in: role.places)
    }
    for (index, place) in Places.moved(known, jitter: material.world.random()).sorted(by: {
      $0.key < $1.key
    }
    ) {
      let member = members[index]
      if !isOfChildren {
        try pen.write(owner, .place(role.places, member), CellValue.place(place).payload, stamp)
      } else if let target = try overlay.cells(of: member)?.value(role.property)?.reference {
        let value = CellValue.reference(target, place: place)
        try pen.write(member, .value(role.property), value.payload, stamp)
      }
    }
  }
}
