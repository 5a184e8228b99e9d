import CoreData
import CoreDataSyncCore

/// The cells that local changes have become, and the identities they needed.
///
/// ```
/// 1  deletions           a life ends                                     DrainedLives
/// 2  insertions          an identity is found or made, a life begins     DrainedLives
/// 3  references          where known objects lead now                    DrainedProperties
/// 4  properties          attributes, members, all of new objects         DrainedProperties, DrainedPairs
/// 5  orders              places, for as few members as will do           DrainedOrders
/// ```
///
/// As many objects are in memory as a portion has. All of it happens within one transaction of the sidecar.
struct DrainedCells {
  let clock: HybridClock
  let tooLarge: [TooLarge]
  /// Values that have lost, because the program has written others without seeing them, or the other way round.
  let conflicts: [KeyedCell]
  /// The objects that the store may show differently than the cells say.
  let dirty: Set<SyncID>

  /// Makes cells of changes, and of the changed objects that a reader finds; on the queue of its context.
  init(
    of changes: LocalChanges,
    readBy reader: StoreReader,
    _ sidecar: Sidecar,
    _ model: SyncModel,
    _ world: SyncWorld,
    writer: UInt64,
    checkQuiet: @escaping () throws -> Void
  ) throws {
    let material = try DrainMaterial(
      changes,
      reader,
      sidecar,
      model,
      world,
      writer: writer,
      checkQuiet: checkQuiet
    )
    let room = 4 * world.objectsPerPortion
    let pen = CellPen(
      on: sidecar,
      model.schema,
      room: room,
      awaitsLook: try sidecar.number("needsScan") == 1,
      material.view,
      found: material.stampOfFound,
      material.numbers
    )
    let lives = DrainedLives(material, pen)
    try lives.deleteObjects()
    try lives.insertObjects()
    try world.pass(.whileDraining)
    let orders = DrainedOrders(material, pen, lives)
    let properties = try DrainedProperties(material, pen, lives, orders)
    try properties.changeReferences()
    try properties.changeProperties()
    try orders.placeMembers()
    try lives.releaseProtected()
    let touched = pen.touched.subtracting(properties.plain)
    dirty = try pen.affected(by: touched, portion: world.objectsPerPortion)
      .union(lives.begun.subtracting(properties.plain))
    try pen.flush()
    // Values that were read may be later than the history that was.
    try checkQuiet()
    clock = material.clock
    tooLarge = properties.tooLarge
    conflicts = pen.conflicts
  }
}
