package import CoreData
import CoreDataSyncCore

/// The material that cells are made of: the changes of a store, its objects, and a stamp for each save.
struct DrainMaterial {
  let changes: LocalChanges
  let reader: StoreReader
  let sidecar: Sidecar
  let model: SyncModel
  let world: SyncWorld
  /// The stamps of the transactions.
  let stamps: [Stamp]
  /// The clock, behind the last of the stamps.
  let clock: HybridClock
  /// The transactions that have these stamps.
  let numbers: [Stamp: Int64]
  /// The identifier of the store.
  private let store: String
  /// The state that the store showed the program when it made the changes.
  let view: ShownStore
  /// Whether the history is read from its beginning, so that others may know objects that were deleted in it.
  let isFirst: Bool
  /// The stamp with which a first reading keeps as conflicts the store's values that differ from others'; `nil` if the
  /// store's values are known to be older.
  let stampOfFound: Stamp?
  /// Whether all objects are looked at next, those among them that the history does not know from their beginning.
  let awaitsScan: Bool
  /// Throws if a program has written to the store since its history was read: then all is read again, the sooner the
  /// better.
  let checkQuiet: () throws -> Void

  init(
    _ changes: LocalChanges,
    _ reader: StoreReader,
    _ sidecar: Sidecar,
    _ model: SyncModel,
    _ world: SyncWorld,
    writer: UInt64,
    checkQuiet: @escaping () throws -> Void
  ) throws {
    self.checkQuiet = checkQuiet
    self.changes = changes
    self.reader = reader
    self.sidecar = sidecar
    self.model = model
    self.world = world
    store = try sidecar.text("store") ?? ""
    awaitsScan = try !changes.isFound && sidecar.number("needsScan") == 1
    isFirst = try !changes.isFound && sidecar.token == nil
    var clock = try sidecar.clock
    let offset = try sidecar.clockOffset
    var stamps: [Stamp] = []
    if changes.isOldest { stamps.append(Stamp(moment: 1, writer: writer)) }
    for saved in changes.times.dropFirst(stamps.count) {
      let time = changes.isFound ? saved : world.timeOfSave(saved)
      let told = UInt64(Self.milliseconds(time)).corrected(by: offset)
      stamps.append(clock.stamp(milliseconds: told, writer: writer))
    }
    self.stamps = stamps
    self.clock = clock
    let isFirstLook =
      try changes.isOldest && !sidecar.isStale && sidecar.number("isScanned") != 1
      && sidecar.text("modelOfScan") == nil
    stampOfFound = isFirstLook ? stamps.last : nil
    var numbers: [Stamp: Int64] = [:]
    for (transaction, stamp) in stamps.enumerated() {
      numbers[stamp] = changes.numberOfShowing(transaction)
    }
    self.numbers = numbers
    view = try ShownStore(sidecar, isTold: !changes.isFound, own: Set(stamps))
  }

  /// The time of a save in milliseconds, bounded because any number may be in the store's history.
  private static func milliseconds(_ time: Date) -> Int64 {
    let told = Int64(exactly: (time.timeIntervalSince1970 * 1000).rounded(.down)) ?? 0
    return min(max(told, 0), Int64(HybridClock.latest))
  }
}

// MARK: - Objects that represent others

extension DrainMaterial {
  /// The object that represents one of the store's according to the cells: a different one from the store's, if that
  /// was learned.
  func standIn(for id: SyncID, _ projector: Projector) throws -> SyncID {
    view.isCurrent ? id : try projector.visible(id) ?? id
  }
}

// MARK: - Occurrences

extension DrainMaterial {
  /// The stamp by which an occurrence of a member is known that a transaction has made.
  ///
  /// It follows from the transaction. A device that was put back to a backup of before it was read reads it again, and
  /// finds the same occurrence, which others may have removed since.
  func dot(of transaction: Int) -> Stamp {
    guard let number = changes.number(of: transaction),
      let time = changes.historyTime(of: transaction)
    else { return world.dot(stamps[transaction]) }
    let moment = UInt64(Self.milliseconds(time)) << 16
    return world.dot(Stamp(moment: moment, transaction: number, of: store, at: time))
  }
}

// MARK: - Portions

extension DrainMaterial {
  /// Goes through the touched objects that are wanted, by their places, with as many objects of the store in memory
  /// as a portion has.
  func forEachTouch(
    where isWanted: (Int, LocalChanges.Touch) throws -> Bool,
    withValues: (NSEntityDescription) -> Bool = { _ in true },
    _ work: (Int, LocalChanges.Touch, NSManagedObject) throws -> Void,
    afterPortion: () throws -> Void
  ) throws {
    for portion in changes.touches.indices.portions(of: world.objectsPerPortion) {
      let places = try portion.filter { try isWanted($0, changes.touches[$0]) }
      if places.isEmpty { continue }
      let objects = try objects(with: places.map { changes.touches[$0].id }, withValues)
      for place in places {
        let touch = changes.touches[place]
        // A later history reports an object that is not there.
        guard let object = objects[touch.id] else { continue }
        try work(place, touch, object)
      }
      try afterPortion()
      try reader.forgetObjects()
      if portion.endIndex < changes.touches.endIndex { try checkQuiet() }
    }
  }

  func objects(
    with ids: [NSManagedObjectID],
    _ withValues: (NSEntityDescription) -> Bool = { _ in true }
  ) throws -> [NSManagedObjectID: NSManagedObject] {
    var objects: [NSManagedObjectID: NSManagedObject] = [:]
    for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.predicate = NSPredicate(format: "self IN %@", ids)
      request.includesSubentities = false
      request.returnsObjectsAsFaults = !withValues(entity)
      request.includesPropertyValues = !request.returnsObjectsAsFaults
      for object in try reader.context.fetch(request) { objects[object.objectID] = object }
    }
    return objects
  }
}

extension NSManagedObject {
  /// The members of a to-many relationship, in their order if they have one.
  package func members(named name: String) -> [NSManagedObject] {
    switch value(forKey: name) {
    case let set as NSOrderedSet: set.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>:
      set.map { ($0.objectID.address, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    case let set as NSSet: set.allObjects as? [NSManagedObject] ?? []
    default: []
    }
  }
}
