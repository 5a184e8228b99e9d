import Foundation

// MARK: - Faults without a row

extension NSManagedObject {
  /// Gets the values of a fault.
  ///
  /// A property cannot throw. If the store cannot be read, the context keeps the error for its next save.
  /// If the row is gone, the context decides whether the object counts as deleted.
  func fireFault(for slot: Int? = nil) {
    do {
      if try fulfilFault() { return }
    } catch {
      becomeUnreadable(error)
      return
    }
    let property = slot.flatMap { entity.propertiesByName[layout.slots[$0].name] }
    let isHandled = managedObjectContext?.shouldHandleInaccessibleFault(
      self,
      for: objectID,
      triggeredByProperty: property
    )
    require(
      isHandled == true,
      """
      the values of \(objectID) cannot be read: the store has no such row any more, and the context \
      does not turn such objects into deleted ones (shouldDeleteInaccessibleFaults)
      """
    )
    becomeInaccessible()
  }

  /// Gets the values of a fault, unless the one that is read was fetched without the others.
  func fireFault(toRead slot: Int) {
    if hasWholeRow || snapshot?.partialSlots?.contains(slot) != true { fireFault(for: slot) }
  }

  /// Whether the object's row is known to be missing.
  var isInaccessible: Bool {
    life == .deleted && trackerIndex < 0
  }

  /// Whether its values were taken away for that.
  var isEmptied: Bool { isInaccessible && stored?.version == 0 }

  /// The row is gone: the object counts as deleted, and its properties are nil.
  private func becomeInaccessible() {
    snapshot = .empty(slotCount: layout.slots.count)
    life = .deleted
  }
}

extension Snapshot {
  /// Returns a snapshot in which every value is missing.
  static func empty(slotCount: Int) -> Snapshot {
    var writer = SnapshotWriter()
    writer.begin(slotCount: slotCount, version: 0)
    return writer.finish()
  }
}
