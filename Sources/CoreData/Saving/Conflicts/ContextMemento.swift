/// A context as it was before a merge policy changed it, so that a save that fails after all has
/// changed nothing.
///
/// It is made only when a save has met a conflict, and costs a little for each object that the context
/// knows.
final class ContextMemento {
  private let context: NSManagedObjectContext
  private let tracker: ChangeTracker
  private let pending: PendingSave
  private let retained: Set<NSManagedObject>?
  private var objects: [Kept]

  fileprivate struct Kept {
    let object: NSManagedObject
    let life: ObjectLife
    let key: ObjectKey
    let id: NSManagedObjectID?
    let snapshot: Snapshot?
    let trackerIndex: Int32
    let isNotedInEvent: Bool
    let overlay: Overlay?
  }

  init(_ context: NSManagedObjectContext) {
    self.context = context
    tracker = context.tracker
    pending = context.pending
    retained = context.retained
    objects = context.identityMap.objects.map { Kept($0) }
  }

  deinit {
    for kept in objects { kept.overlay?.deallocate() }
  }

  /// Lets relatives know by which names new objects have been stored, or are found.
  func tellRelatives() {
    guard let family = context.family else { return }
    for kept in objects where kept.life == .inserted && kept.key.isTemporary {
      let key = kept.currentKey
      if !key.isTemporary, family.current(kept.key) == kept.key {
        family.note(kept.key, isNow: key)
      }
    }
  }

  /// Restores everything as it was; changed objects that have come into the context since leave it.
  func restore() {
    let known = Set(objects.map { ObjectIdentifier($0.object) })
    for object in context.identityMap.objects
    where object.hasChanges && !known.contains(ObjectIdentifier(object)) {
      context.forget(object)
    }
    for kept in objects { context.identityMap.unregister(kept.object, key: kept.currentKey) }
    for kept in objects { kept.restore(in: context.identityMap) }
    objects = []
    context.tracker = tracker
    context.tracker.forgetValues()
    context.pending = pending
    context.retained = retained
  }
}

extension ContextMemento.Kept {
  fileprivate init(_ object: NSManagedObject) {
    self.object = object
    life = object.life
    key = object.key
    id = object.existingID
    snapshot = object.snapshot
    trackerIndex = object.trackerIndex
    isNotedInEvent = object.isNotedInEvent
    overlay = object.existingOverlay?.copy()
  }

  fileprivate var currentKey: ObjectKey { object.key }

  fileprivate func restore(in map: IdentityMap) {
    object.life = life
    object.key = key
    object.existingID = id
    object.snapshot = snapshot
    object.trackerIndex = trackerIndex
    object.isNotedInEvent = isNotedInEvent
    object.existingOverlay?.deallocate()
    object.existingOverlay = overlay
    object.identityMap = map
    map.register(object, key: key)
  }
}
