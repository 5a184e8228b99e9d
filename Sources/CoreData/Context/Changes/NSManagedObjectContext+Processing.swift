import Foundation
import Synchronization

/// How far the end of a context's current event is.
struct EventEnd {
  /// Whether the main queue has a block that ends the event.
  var isScheduled = false
  /// Whether changes are being processed, so that this is not begun again from within.
  var isUnderway = false
  /// How many events observers were informed of.
  var count = 0
  /// The number of the event that they hear of now; nil between two.
  var told: Int?
  /// Values before the event that observers hear of now; see ``ContextEvent/before``.
  var before: [ChangedPlace: ValueBefore] = [:]
}

// MARK: - The end of an event

extension NSManagedObjectContext {
  func processChanges() {
    checkQueue()
    guard !eventEnd.isUnderway else { return }
    forgetDeparted()
    tellOfEvent()
  }

  /// The same where objects whose deletion was merged stay among the deleted.
  func tellOfEvent() {
    guard !eventEnd.isUnderway else { return }
    eventEnd.isUnderway = true
    defer { eventEnd.isUnderway = false }
    readingToTheEnd {
      if propagatesDeletesAtEndOfEvent { propagateDeletes() }
      registerUndo()
      announceEvent()
    }
  }

  /// Ends the event of a block that was performed, and what can be undone of it.
  func endEvent() {
    processPendingChanges()
    undoManager?.endEvent()
  }

  /// Sees to it that the main queue ends the current event.
  ///
  /// One block waits at most, even if a save ended the event before: a program that never lets its main queue work
  /// would collect one for each save.
  func scheduleEventEnd() {
    // The blocks of a private queue end their event themselves.
    guard queue.isMain, !eventEnd.isScheduled else { return }
    eventEnd.isScheduled = true
    let map = identityMap
    queue.async {
      guard let context = map.context else { return }
      context.eventEnd.isScheduled = false
      context.processPendingChanges()
    }
  }

  func propagateDeletes() {
    while !pending.deletions.isEmpty {
      let objects = pending.takeDeletions()
      readAhead(toDelete: objects)
      for object in objects { DeletePropagation(object).perform() }
      OneWayRelationships(to: objects, in: self).forgetDeleted()
      for object in objects where object.snapshot == nil { forget(object) }
    }
  }

  /// Lets go of an object that was inserted and deleted without a save between.
  func forget(_ object: NSManagedObject) {
    identityMap.unregister(object, key: object.key)
    retained?.remove(object)
    pending.assign(object, to: nil)
    object.detach()
  }

  /// Posts `NSManagedObjectContextObjectsDidChange`, if there is something to report.
  private func announceEvent() {
    guard !tracker.event.isEmpty else { return }
    tracker.noteValuesOfEvent()
    let event = tracker.event
    tracker.event = ContextEvent()
    children.noteEvent()
    eventEnd.count += 1
    for object in event.changed {
      object.isNotedInEvent = false
      object.existingOverlay?.announce(event: eventEnd.count)
    }
    eventEnd.told = eventEnd.count
    eventEnd.before = event.before
    defer {
      eventEnd.told = nil
      eventEnd.before = [:]
    }
    for object in event.refreshed where object.watch.contains(.observed) {
      object.tellTrackersOfReplacedValues()
    }
    let changes = ContextChanges(event)
    pending.told = ToldChanges(event, as: changes)
    announce(changes)
  }
}
