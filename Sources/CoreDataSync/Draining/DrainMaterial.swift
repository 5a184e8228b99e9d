import CoreData
import CoreDataSyncCore

/// What cells are made of: the changes of a store, its objects, and a stamp for each save.
struct DrainMaterial {
  let changes: LocalChanges
  let objects: [String: NSManagedObject]
  let sidecar: Sidecar
  let model: SyncModel
  let world: SyncWorld
  /// The stamps of the transactions.
  let stamps: [Stamp]
  /// The clock, behind the last of the stamps.
  let clock: HybridClock
  /// Whether the store's sets are older than the cells, so that what they lack says nothing.
  let isStale: Bool
  /// Whether the history is read from its beginning, so that others may know objects that were deleted in it.
  let isFirst: Bool
  /// Whether all objects are looked at next, those among them that the history does not know from their beginning.
  let awaitsScan: Bool

  init(
    _ changes: LocalChanges,
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
    isStale = try sidecar.number("isStale") == 1
    awaitsScan = try !changes.isFound && sidecar.number("needsScan") == 1
    isFirst = try !changes.isFound && sidecar.token == nil
    var clock = try sidecar.clock
    let offset = try sidecar.clockOffset
    var stamps: [Stamp] = []
    if changes.isOldest { stamps.append(Stamp(moment: 1, writer: writer)) }
    for saved in changes.times.dropFirst(stamps.count) {
      let time = changes.isFound ? saved : world.timeOfSave(saved)
      let milliseconds = min(max(Int64(time.timeIntervalSince1970 * 1000) + offset, 0), 1 << 47)
      stamps.append(Stamp(moment: clock.tick(milliseconds: UInt64(milliseconds)), writer: writer))
    }
    self.stamps = stamps
    self.clock = clock
  }

  /// The touched objects, in an order that does not change from run to run.
  var touches: [(address: String, touch: LocalChanges.Touch)] {
    changes.touches.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension NSManagedObject {
  /// The members of a to-many relationship, in their order where they have one.
  func members(named name: String) -> [NSManagedObject] {
    switch value(forKey: name) {
    case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>:
      set.map { ($0.objectID.address, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
    default: []
    }
  }
}
