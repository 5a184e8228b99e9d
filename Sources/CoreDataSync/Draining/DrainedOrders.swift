import CoreData
import CoreDataSyncCore

/// The places that local changes give to the members of ordered sets, once all members are known.
final class DrainedOrders {
  private let material: DrainMaterial
  private let pen: CellPen
  private let lives: DrainedLives
  /// References to ordered sets, whose places are decided at the end.
  private var awaitingPlace: [SyncID: [PropertyID: AwaitedPlace]] = [:]
  private var orders: [SyncID: [String: Stamp]] = [:]
  private var ends = OrderEnds()

  init(_ material: DrainMaterial, _ pen: CellPen, _ lives: DrainedLives) {
    self.material = material
    self.pen = pen
    self.lives = lives
  }

  private var overlay: CellOverlay { pen.overlay }

  /// The place of an object among others.
  struct AwaitedPlace {
    let parent: SyncID
    let stamp: Stamp
    /// Whether the reference was written already, without its place.
    var isMoved = false
  }

  /// Gives a child its place among others at the end.
  func place(_ child: SyncID, _ property: PropertyID, _ awaited: AwaitedPlace) {
    awaitingPlace[child, default: [:]][property] = awaited
  }

  /// Brings a set of an object into its order at the end.
  func order(_ name: String, of id: SyncID, _ stamp: Stamp) {
    orders[id, default: [:]][name] = stamp
  }
}

// MARK: - Places

extension DrainedOrders {
  func placeMembers() throws {
    for (child, properties) in awaitingPlace.sorted(by: { $0.key < $1.key }) {
      for (property, awaited) in properties { try placeAmongOthers(child, property, awaited) }
      try pen.makeRoom()
    }
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
      try place(lives.identities(of: object.members(named: name)), of: id, role, stamp)
    }
  }

  /// Gives a child its parent, at the end; if the order is known, the place follows.
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

  /// Whether a child leads to its parent according to the cells, too: otherwise its place does not belong to this
  /// order.
  private func isChild(_ child: SyncID, of parent: SyncID, _ role: SyncRole) throws -> Bool {
    guard !material.view.isCurrent,
      let end = try overlay.cells(of: child)?.value(role.property)?.reference
    else { return true }
    let projector = pen.projector()
    return try material.standIn(for: end, projector) == material.standIn(for: parent, projector)
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
