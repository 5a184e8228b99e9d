// MARK: - Values that were set without notice

/// Primitive access changes a value without notice. The object is not saved for it, but if it is saved for something
/// else, the value goes along:
///
/// ```swift
/// override func willSave() {
///   super.willSave()
///   setPrimitiveValue(Date(), forKey: "modified")
/// }
/// ```
extension NSManagedObject {
  /// Notes that primitive access has set a slot; not while the object awakes from a fetch.
  func noteQuietValue(at slot: Int) {
    // A fetch finds an unsaved object by this value too.
    if trackerIndex >= 0 { managedObjectContext?.tracker.noteValues(of: self) }
    if watch.contains(.awakening) || !layout.slots[slot].isPersistent { return }
    overlay.quiet.insert(slot)
  }

  /// Counts what primitive access has set among the changes of an object that is saved.
  func countQuietValues() {
    guard life == .updated, let overlay = existingOverlay, !overlay.quiet.isEmpty else { return }
    for slot in overlay.quiet where overlay.has(slot) && !overlay.changed.contains(slot) {
      if differsFromStored(at: slot) { overlay.changed.insert(slot) }
    }
    overlay.quiet = SlotSet()
  }
}
