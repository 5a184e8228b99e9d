import CoreData
import CoreDataSyncCore

/// The lives that local changes begin and end, and the identities of the objects.
final class DrainedLives {
  /// The fate of each touched object, by its place.
  private(set) var fates: [Fate]
  /// The identities of objects without an earlier one, or whose life has begun.
  private(set) var begun: Set<SyncID> = []
  private var removed: Set<SyncID> = []
  /// The deleted objects that were known, with the stamps of their deletions.
  private var deletions: [(id: SyncID, stamp: Stamp)] = []
  private let material: DrainMaterial
  private let pen: CellPen
  private var contents: ContentIndex?

  enum Fate: UInt8 {
    /// It had an identity.
    case known
    /// Its life begins.
    case begins
    /// Its life begins, and of its identity nothing was known.
    case isNew
    /// It is known from elsewhere.
    case adopted
  }

  init(_ material: DrainMaterial, _ pen: CellPen) {
    self.material = material
    self.pen = pen
    fates = Array(repeating: .known, count: material.changes.touches.count)
  }

  func identity(at address: String) throws -> SyncID? {
    try material.sidecar.identity(at: address)
  }

  func identity(of object: NSManagedObject) throws -> SyncID? {
    try identity(at: object.objectID.address)
  }

  func identities(of objects: [NSManagedObject]) throws -> [SyncID] {
    try objects.compactMap { try identity(of: $0) }
  }

  private var overlay: CellOverlay { pen.overlay }
  private var sidecar: Sidecar { material.sidecar }
  private var schema: SyncSchema { material.model.schema }
}

// MARK: - Deletions

extension DrainedLives {
  func deleteObjects() throws {
    for portion in material.changes.touches.portions(of: material.world.objectsPerPortion) {
      let before = pen.projector()
      for touch in portion {
        guard let deleted = touch.deleted, isShared(touch) else { continue }
        let stamp = material.stamps[deleted]
        guard let id = try sidecar.identity(at: touch.address) else {
          try deleteUnknown(touch, stamp)
          continue
        }
        removed.insert(id)
        deletions.append((id, stamp))
        try sidecar.setAddress(nil, of: id, since: material.changes.numberOfLife(touch))
        for member in try before.group(of: id) where try member == id || mayHaveSeen(member) {
          try delete(member, stamp)
        }
      }
      try pen.makeRoom()
    }
  }

  /// Whether others get objects of the entity: a later model may keep on the device what they have got already.
  private func isShared(_ touch: LocalChanges.Touch) -> Bool {
    material.model.entities[touch.id.entity.stableName] != nil
  }

  /// Ends the life of an object that was made and deleted since the last reading.
  ///
  /// Others may know it nevertheless: from an earlier sidecar of this store, or from the time before store and sidecar
  /// were put back to a backup. At the first reading they are told at once, later if the server brings it.
  private func deleteUnknown(_ touch: LocalChanges.Touch, _ stamp: Stamp) throws {
    guard let inserted = touch.inserted,
      let time = material.changes.historyTime(of: inserted),
      let entity = material.model.entities[touch.id.entity.stableName]
    else { return }
    let id = SyncID(insertionOf: touch.address, at: time)
    let since = material.changes.number(of: inserted) ?? 0
    let until = material.changes.numberOfLife(touch)
    try sidecar.noteGone(id, from: touch.address, since: since, until: until)
    guard material.isFirst else { return }
    try overlay.merge(
      CellKey(id, .life),
      Cell(epoch: 2, stamp: stamp, payload: CellValue.entity(entity.name).payload)
    )
  }

  private func delete(_ id: SyncID, _ stamp: Stamp) throws {
    guard let cells = try overlay.cells(of: id), cells.isAlive, cells.epoch < .max,
      let life = cells.life
    else { return }
    // The latest cell of the object that the deletion has seen; a later cell was written without knowing of it.
    let base = cells.all.map(\.cell.stamp.moment).max() ?? 0
    try overlay.merge(
      CellKey(id, .life),
      Cell(epoch: cells.epoch + 1, stamp: stamp, base: base, payload: life.payload)
    )
  }

  /// The deletion of an object also releases the objects that would bring it back: the program could not have deleted
  /// it otherwise.
  ///
  /// Objects that the program did not see go on leading to the deleted object, which they need once it is seen again.
  func releaseProtected() throws {
    for (id, stamp) in deletions {
      let before = Projector(pen.before, schema)
      for member in try before.group(of: id) { try release(member, stamp, before) }
      try pen.makeRoom()
    }
  }

  private func release(_ id: SyncID, _ stamp: Stamp, _ before: Projector) throws {
    guard let cells = try overlay.cells(of: id), !cells.isAlive,
      let rules = schema[cells.entity]
    else { return }
    for member in cells.liveMembers
    where rules.memberships[member.relationship]?.protectsOwner == true {
      guard let cell = cells.members[member],
        try mayHaveSeen(KeyedCell(CellKey(id, member.field), cell), of: member.target, before)
      else { continue }
      try pen.remove(member, from: id, stamp)
    }
    for lead in try leads(to: id) where lead.protects {
      guard try mayHaveSeen(lead.keyed, of: lead.key.object, before) else { continue }
      try pen.write(lead.key.object, lead.key.field, lead.nowhere, stamp)
    }
  }

  /// Whether the program has seen where an object leads, or could have.
  private func mayHaveSeen(
    _ keyed: KeyedCell,
    of id: SyncID,
    _ before: Projector
  ) throws -> Bool {
    try material.view.mayHaveShown(keyed, of: id, before, orOneOf: removed)
  }

  /// Whether the program has seen an object that another represents.
  private func mayHaveSeen(_ id: SyncID) throws -> Bool {
    guard let life = try overlay.cells(of: id)?.life else { return false }
    return try material.view.showing(KeyedCell(CellKey(id, .life), life)) != .never
  }

  /// A cell of a living object that leads to another without which it can be.
  private struct Lead {
    let keyed: KeyedCell
    var key: CellKey { keyed.key }
    /// Whether the other object cannot be deleted as long as this leads there.
    let protects: Bool
    /// The cell's payload once it no longer leads there.
    let nowhere: [UInt8]
  }

  private func leads(to id: SyncID) throws -> [Lead] {
    try overlay.referrers(of: id).sorted().flatMap { referrer -> [Lead] in
      guard let cells = try overlay.cells(of: referrer), cells.isAlive else { return [] }
      let rules = schema[cells.entity]
      let pairs = cells.liveMembers.filter { $0.target == id }.compactMap { member -> Lead? in
        guard let cell = cells.members[member] else { return nil }
        let protects = rules?.memberships[member.relationship]?.protectsMember == true
        let keyed = KeyedCell(CellKey(referrer, member.field), cell)
        return Lead(keyed: keyed, protects: protects, nowhere: CellValue.removed)
      }
      let references = (rules?.references ?? [:]).filter { property, rules in
        !rules.isRequired && cells.value(property)?.reference == id
      }.compactMap { property, rules -> Lead? in
        guard let cell = cells.values[property] else { return nil }
        let keyed = KeyedCell(CellKey(referrer, .value(property)), cell)
        return Lead(keyed: keyed, protects: rules.protectsTarget, nowhere: CellValue.null.payload)
      }
      return pairs + references
    }
  }
}

// MARK: - Insertions

extension DrainedLives {
  func insertObjects() throws {
    let isOldest = material.changes.isOldest
    try material.forEachTouch(
      where: { _, touch in
        guard touch.deleted == nil else { return false }
        let isKnown = try sidecar.identity(at: touch.address) != nil
        if isKnown { return touch.inserted != nil }
        // The objects that it leads to may be older than the history too, and are found together with it.
        return touch.inserted != nil || !material.awaitsScan
      },
      withValues: { isOldest || material.model.entities[$0.stableName]?.identity != nil },
      { try insert($0, $1, $2) },
      afterPortion: { try pen.makeRoom() }
    )
  }

  private func insert(
    _ place: Int,
    _ touch: LocalChanges.Touch,
    _ object: NSManagedObject
  ) throws {
    guard let entity = material.model.entity(of: object) else { return }
    let known = try sidecar.identity(at: touch.address)
    let recalled = try known == nil ? recalledIdentity(at: touch.address) : nil
    // Others have deleted what the store has got again.
    if let recalled, let life = try overlay.cells(of: recalled)?.life, life.epoch & 1 == 0 {
      return try note(recalled, touch)
    }
    // An object that is known by its place must not be taken for another that looks like it.
    if known == nil, recalled == nil, material.changes.isOldest,
      let id = try adopt(object, entity)
    {
      fates[place] = .adopted
      return try note(id, touch)
    }
    let transaction = touch.inserted ?? touch.properties.values.max() ?? 0
    let id = try known ?? newIdentity(of: object, entity, touch, orElse: recalled)
    fates[place] = try overlay.cells(of: id) == nil ? .isNew : .begins
    try note(id, touch)
    try begin(id, entity, material.stamps[transaction])
  }

  private func note(_ id: SyncID, _ touch: LocalChanges.Touch) throws {
    begun.insert(id)
    try sidecar.setAddress(touch.address, of: id, since: material.changes.numberOfLife(touch))
  }

  private func adopt(_ object: NSManagedObject, _ entity: SyncEntity) throws -> SyncID? {
    var contents = try self.contents ?? ContentIndex(sidecar, material.model)
    defer { self.contents = contents }
    return try contents.take(object, entity)
  }

  private func begin(_ id: SyncID, _ entity: SyncEntity, _ stamp: Stamp) throws {
    let cells = try overlay.cells(of: id) ?? ObjectCells()
    if cells.isAlive { return try beginAgain(id, cells, stamp) }
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

  /// A program that makes an object again that a store had lost when it was put back has not seen it deleted elsewhere.
  private func beginAgain(_ id: SyncID, _ cells: ObjectCells, _ stamp: Stamp) throws {
    guard material.view.tellsOfPutBack, let life = cells.life else { return }
    try overlay.merge(
      CellKey(id, .life),
      Cell(epoch: life.epoch, stamp: stamp, base: life.stamp.moment, payload: life.payload)
    )
  }

  /// Clears the references to an earlier object with this identity, which is gone.
  ///
  /// References from objects that need it, and that the deleting program did not see, stay.
  private func forgetEnds(at id: SyncID, _ stamp: Stamp) throws {
    let before = Projector(pen.before, schema)
    for lead in try leads(to: id) {
      if lead.protects, try !mayHaveSeen(lead.keyed, of: lead.key.object, before) { continue }
      try pen.write(lead.key.object, lead.key.field, lead.nowhere, stamp)
    }
  }

  /// An identity derived from the object's natural values, if it has some and no other object has that identity.
  ///
  /// Otherwise one derived from its insertion, so that a device that reads the same history again, or a copy of it,
  /// does not take the object for another.
  private func newIdentity(
    of object: NSManagedObject,
    _ entity: SyncEntity,
    _ touch: LocalChanges.Touch,
    orElse recalled: SyncID?
  ) throws -> SyncID {
    if let rule = entity.identity {
      let attributes = rule.properties.compactMap { property in
        entity.attributes.first { $0.property == property }
      }
      let values = try attributes.map { try $0.cellValue(of: object.value(forKey: $0.name)) }
      if !values.contains(.null) {
        let digest = UniqueClaim(rule, values).digest(under: rule, of: entity.name)
        let id = SyncID(natural: digest)
        if try isFree(id, entity) { return id }
      }
    }
    if let inserted = touch.inserted, let time = material.changes.historyTime(of: inserted) {
      let id = SyncID(insertionOf: touch.address, at: time)
      if try overlay.cells(of: id) == nil || sidecar.address(of: id) == nil { return id }
    }
    return recalled ?? SyncID(random: material.world.random(), material.world.random())
  }

  /// The identity derived from the insertion of an object that a store has got again by being put back: others may know
  /// the object by that identity, or get to know it.
  private func recalledIdentity(at address: String) throws -> SyncID? {
    guard material.view.isOlder, let id = try sidecar.goneIdentity(at: address) else { return nil }
    return try sidecar.address(of: id) == nil ? id : nil
  }

  private func isFree(_ id: SyncID, _ entity: SyncEntity) throws -> Bool {
    if begun.contains(id) { return false }
    if removed.contains(id) { return true }
    guard let cells = try overlay.cells(of: id) else { return true }
    guard cells.entity == entity.name else { return false }
    return try !cells.isAlive || sidecar.address(of: id) == nil
  }
}
