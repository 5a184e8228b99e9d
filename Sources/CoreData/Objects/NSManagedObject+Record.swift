/// The parts of an object's record, by the object's own names; ``ObjectRecord`` says where it lies.
extension NSManagedObject {
  /// The record, which is right behind the object's head: it needs no memory of its own, and no check for other
  /// owners.
  ///
  /// Safety: ``ModelLayout`` has checked that it is there; it lives as long as the object.
  @inlinable
  @inline(__always)
  final var record: UnsafeMutablePointer<ObjectRecord> {
    (Unmanaged.passUnretained(self).toOpaque() + ObjectRecord.place)
      .assumingMemoryBound(to: ObjectRecord.self)
  }

  var key: ObjectKey {
    get { record.pointee.key }
    set { record.pointee.key = newValue }
  }

  var life: ObjectLife {
    get { record.pointee.life }
    set { record.pointee.life = newValue }
  }

  /// The values as they are stored; in a fault, those that wait for the first access.
  var snapshot: Snapshot? {
    get { record.pointee.snapshot }
    set {
      record.pointee.snapshot = newValue
      forgetValuesInTracker()
    }
  }

  /// Whether rows have the value of a slot, which is true of all slots in most entities.
  @inline(__always)
  final func isStored(_ slot: Int) -> Bool {
    if slot < 64 { return layout.firstTransientSlots & (1 &<< UInt64(slot)) == 0 }
    return isStoredFarBehind(slot)
  }

  @inline(never)
  private final func isStoredFarBehind(_ slot: Int) -> Bool { layout.isStored(slot) }

  /// Whether the object has a row with all values, be it one that waits.
  var hasWholeRow: Bool { record.pointee.hasWholeRow }

  /// The bytes of the stored values, for immediate reading.
  var stored: SnapshotBytes? { record.pointee.stored }

  /// The batch with which the values will come.
  var batch: FetchBatch? {
    get { record.pointee.batch }
    set { record.pointee.batch = newValue }
  }

  /// The values that were set or unpacked here; `nil` if there are none.
  var existingOverlay: Overlay? {
    get { record.pointee.overlay }
    set {
      record.pointee.overlay = newValue
      forgetValuesInTracker()
    }
  }

  /// An unsaved object has other values without an event that reports them; see ``UnsavedValues``.
  private func forgetValuesInTracker() {
    if trackerIndex >= 0 { managedObjectContext?.tracker.forgetValues() }
  }

  /// Values that few objects have; `nil` if this one has none of them.
  var existingExtras: ObjectExtras? {
    get { record.pointee.extras }
    set { record.pointee.extras = newValue }
  }

  /// Reasons for a property access to take the long way.
  var watch: ObjectRecord.Watch {
    get { record.pointee.watch }
    set { record.pointee.watch = newValue }
  }

  /// Whether the change tracker knows already that the object has changed in the current event.
  var isNotedInEvent: Bool {
    get { record.pointee.isNotedInEvent }
    set { record.pointee.isNotedInEvent = newValue }
  }

  /// The object's state in the save whose end its context is announcing; `nil` at all other times.
  var lifeInSave: ObjectLife? {
    get { record.pointee.lifeInSave }
    set { record.pointee.lifeInSave = newValue }
  }

  /// The object's place in the change tracker's list; -1 if it is in none.
  var trackerIndex: Int32 {
    get { record.pointee.trackerIndex }
    set { record.pointee.trackerIndex = newValue }
  }

  /// The register of the object's context.
  var identityMap: IdentityMap? {
    get { record.pointee.identityMap }
    set { record.pointee.identityMap = newValue }
  }

  /// The identity that was made of the key, once somebody has asked for it.
  var existingID: NSManagedObjectID? {
    get { record.pointee.id }
    set { record.pointee.id = newValue }
  }

  /// Becomes a fault of a context, whose row may be there already.
  func wait(
    in map: IdentityMap,
    as key: ObjectKey,
    with row: Snapshot?,
    _ watch: ObjectRecord.Watch
  ) {
    record.pointee.key = key
    record.pointee.life = .fault
    record.pointee.snapshot = row
    record.pointee.identityMap = map
    record.pointee.watch.formUnion(watch)
  }
}
