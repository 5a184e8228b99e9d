import Foundation

// MARK: - Derived values

extension NSManagedObjectContext {
  /// Gives objects that a save did not write the derived values that it has changed.
  ///
  /// ```
  /// folder.name = "Ideas"; save      every note's folderName is "Ideas", and no note is changed
  /// ```
  ///
  /// They are among the refreshed objects of the next notification.
  func adoptDerived(_ rows: [Row], of store: StoreNumber) {
    for row in rows {
      let key = ObjectKey(store: store, root: row.layout.rootNumber, number: row.primaryKey)
      guard let object = identityMap[key], let snapshot = row.snapshot, !object.isFault,
        let slots = object.adoptDerived(snapshot)
      else { continue }
      noteRefreshed(object, at: slots)
    }
  }
}

extension NSManagedObject {
  /// The slots that have another value now; nil for none.
  fileprivate func adoptDerived(_ snapshot: Snapshot) -> SlotSet? {
    guard let known = self.snapshot else { return nil }
    let changed = layout.derivedSlots.filter {
      !known.hasSameValue(as: snapshot, at: $0, in: layout)
    }
    if changed.isEmpty { return nil }
    let slots = SlotSet(changed)
    self.snapshot = known.replacing(slots, from: snapshot, in: layout)
    if let overlay = existingOverlay {
      for slot in slots where overlay.has(slot) { overlay.forget(slot) }
    }
    return slots
  }
}
