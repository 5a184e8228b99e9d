import Foundation

// MARK: - Derived values

extension NSManagedObjectContext {
  /// Gives objects that a save did not write the derived values that it has changed.
  ///
  /// ```
  /// folder.name = "Ideas"; save      every note's folderName is "Ideas", and no note is changed
  /// ```
  ///
  /// They stand among the refreshed objects of the next notification.
  func adoptDerived(_ rows: [Row], of store: StoreNumber) {
    for row in rows {
      let key = ObjectKey(store: store, root: row.layout.rootNumber, number: row.number)
      guard let object = identityMap[key], let snapshot = row.snapshot, !object.isFault,
        object.adoptDerived(snapshot)
      else { continue }
      object.tellTrackersOfNewValues()
      tracker.event.refreshed.append(object)
      scheduleEventEnd()
    }
  }
}

extension NSManagedObject {
  /// Whether there was something to adopt.
  fileprivate func adoptDerived(_ snapshot: Snapshot) -> Bool {
    guard let known = record.pointee.snapshot else { return false }
    let changed = layout.derivedSlots.filter {
      !known.hasSameValue(as: snapshot, at: $0, in: layout)
    }
    if changed.isEmpty { return false }
    let slots = SlotSet(changed)
    record.pointee.snapshot = known.replacing(slots, from: snapshot, in: layout)
    if let overlay = record.pointee.overlay {
      for slot in slots where overlay.has(slot) { overlay.forget(slot) }
    }
    return true
  }
}
