import Foundation

// MARK: - Faults without a row

extension NSManagedObject {
  /// Gets the values of a fault; an error of the store stops the program, as a property cannot throw.
  ///
  /// Where the row is gone, the context says whether the object is to count as deleted.
  func fireFault(for slot: Int? = nil) {
    do {
      if try fulfilFault() { return }
    } catch {
      stop("the values of \(objectID) cannot be read: \(error)")
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

  /// Whether it was found that the object has no row.
  var isInaccessible: Bool {
    life == .deleted && trackerIndex < 0
  }

  /// Whether its values were taken away for that.
  var isEmptied: Bool { isInaccessible && stored?.version == 0 }

  /// The row is gone: the object counts as deleted, and its properties are nil.
  private func becomeInaccessible() {
    var writer = SnapshotWriter()
    writer.begin(slotCount: layout.slots.count, version: 0)
    snapshot = writer.finish()
    life = .deleted
  }
}
