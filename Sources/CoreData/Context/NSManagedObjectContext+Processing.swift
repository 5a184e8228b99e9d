import Foundation
import Synchronization

// MARK: - The end of an event

extension NSManagedObjectContext {
  /// Ends the current event: applies delete rules and tells observers what has changed.
  ///
  /// It happens by itself before each save and fetch, at the end of each ``perform(_:)`` block, and
  /// for the main queue at the end of the run loop's turn.
  public func processPendingChanges() {
    checkQueue()
    guard !isProcessing else { return }
    forgetDeparted()
    tellOfEvent()
  }

  /// The same where objects whose deletion was merged stay among the deleted.
  func tellOfEvent() {
    guard !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    isEventEndScheduled = false
    if propagatesDeletesAtEndOfEvent { propagateDeletes() }
    registerUndo()
    announceEvent()
  }

  /// Ends the event of a block that was performed, and what can be undone of it.
  func endEvent() {
    processPendingChanges()
    undoManager?.endEvent()
  }

  func scheduleEventEnd() {
    guard !isEventEndScheduled else { return }
    isEventEndScheduled = true
    // The blocks of a private queue end their event themselves.
    guard queue.isMain else { return }
    let map = identityMap
    queue.async { map.context?.processPendingChanges() }
  }

  func propagateDeletes() {
    while !pendingDeletions.isEmpty {
      let objects = pendingDeletions
      pendingDeletions = []
      for object in objects { DeletePropagation(object).perform() }
      OneWayRelationships(to: objects, in: self).forgetDeleted()
      for object in objects where object.record.pointee.snapshot == nil { forget(object) }
    }
  }

  /// Lets go of an object that was inserted and deleted without a save between.
  func forget(_ object: NSManagedObject) {
    identityMap.unregister(object, key: object.record.pointee.key)
    retained.remove(object)
    assignments[ObjectIdentifier(object)] = nil
    object.detach()
  }

  /// Posts `NSManagedObjectContextObjectsDidChange`, if there is something to tell.
  private func announceEvent() {
    guard !tracker.event.isEmpty else { return }
    let event = tracker.event
    tracker.event = ContextEvent()
    eventCount.add(1, ordering: .acquiringAndReleasing)
    let changed = event.changed
    for object in changed {
      object.record.pointee.isNotedInEvent = false
      object.record.pointee.overlay?.announceEvent()
    }
    defer { for object in changed { object.record.pointee.overlay?.forgetAnnounced() } }
    for object in event.refreshed where object.record.pointee.watch.contains(.observed) {
      object.tellTrackersOfReplacedValues()
    }
    announce(ContextChanges(event))
  }
}
