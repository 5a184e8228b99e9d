import CoreData
import CoreDataSyncCore

/// The cells that local changes have become, and the identities they needed.
///
/// ```
/// 1  deletions           a life ends                                     DrainedLives
/// 2  insertions          an identity is found or made, a life begins     DrainedLives
/// 3  properties          attributes, references, members                 DrainedProperties
/// 4  orders              places, for as few members as will do           DrainedProperties
/// ```
struct DrainedCells {
  let overlay: CellOverlay
  /// The identities of objects that had none.
  let addresses: [String: SyncID]
  /// The objects that are gone, with the addresses that they had.
  let removedAddresses: [SyncID: String]
  let clock: HybridClock
  let tooLarge: [TooLarge]

  /// Makes cells of changes, with the changed objects that there are, by their addresses.
  init(
    of changes: LocalChanges,
    _ objects: [String: NSManagedObject],
    _ sidecar: Sidecar,
    _ model: SyncModel,
    _ world: SyncWorld,
    writer: UInt64
  ) throws {
    let material = try DrainMaterial(changes, objects, sidecar, model, world, writer: writer)
    let pen = CellPen(on: sidecar, model.schema)
    let lives = DrainedLives(material, pen)
    try lives.deleteObjects()
    try lives.insertObjects()
    let properties = DrainedProperties(material, pen, lives)
    try properties.changeProperties()
    try properties.placeMembers()
    try lives.releaseProtected()
    overlay = pen.overlay
    addresses = lives.addresses
    removedAddresses = lives.removedAddresses
    clock = material.clock
    tooLarge = properties.tooLarge
  }
}
