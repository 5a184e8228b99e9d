import Foundation

/// A property of an object that an event has changed.
struct ChangedPlace: Hashable {
  let object: ObjectIdentifier
  let slot: Int
}

/// The value of a property before an event.
enum ValueBefore {
  case value(SlotValue)
  /// An unordered relationship, by its changes since.
  case members(MembersBefore)
}

/// Which members of a to-many relationship have come and gone in an event.
///
/// A class, so that taking note of one more copies none of those that are noted.
final class MembersBefore {
  private(set) var gained: Set<NSManagedObject> = []
  private(set) var lost: Set<NSManagedObject> = []

  init(_ gained: NSManagedObject?, _ lost: NSManagedObject?) { note(gained, lost) }

  func note(_ gained: NSManagedObject?, _ lost: NSManagedObject?) {
    if let gained, self.lost.remove(gained) == nil { self.gained.insert(gained) }
    if let lost, self.gained.remove(lost) == nil { self.lost.insert(lost) }
  }
}

// MARK: - Before an event

/// A property's value before the current event is in the row, or among the defaults of the model, unless it was
/// changed in an earlier event and not saved. Then the context keeps it until observers have heard of the event:
///
/// ```
/// saved            title "One"
/// first event      title "Two"      before: the row's "One"
/// second event     title "Three"    before: "Two", which is kept
/// ```
extension NSManagedObject {
  /// Keeps the value of a slot that is changed, but not saved, at its first change in an event; of an unordered
  /// relationship, its later changes too.
  @inline(never)
  func noteForEvent(
    _ slot: Int,
    of overlay: Overlay,
    _ gained: NSManagedObject?,
    _ lost: NSManagedObject?
  ) {
    if !overlay.isChangedInEvent(slot) {
      keepForEvent(slot, of: overlay, gained, lost)
    } else if layout.kinds[slot] == .toMany, overlay.keptInEvent.contains(slot),
      case .members(let members)? = managedObjectContext?.tracker.event.before[place(of: slot)]
    {
      members.note(gained, lost)
    }
  }

  private func keepForEvent(
    _ slot: Int,
    of overlay: Overlay,
    _ gained: NSManagedObject?,
    _ lost: NSManagedObject?
  ) {
    guard layout.slots[slot].isPersistent, let context = managedObjectContext else { return }
    let before: ValueBefore =
      switch value(at: slot) {
      case .collection(let collection) where collection.isOrdered:
        .value(.collection(collection.copy()))
      case .collection: .members(MembersBefore(gained, lost))
      case let value: .value(value)
      }
    context.tracker.event.before[place(of: slot)] = before
    overlay.keptInEvent.insert(slot)
  }

  /// The value of a slot before the event that goes on or, while observers hear of one that has changed the slot,
  /// before that one.
  func valueBeforeEvent(at slot: Int) -> Any? {
    guard let context = managedObjectContext, let overlay = existingOverlay else { return nil }
    let isTold = overlay.tells(of: slot, inEvent: context.eventEnd.told)
    let kept = isTold ? context.eventEnd.before : context.tracker.event.before
    switch kept[place(of: slot)] {
    case .value(let value)?:
      return box(value, at: slot)
    case .members(let members)?:
      let present = Set(loadedCollection(at: slot).members)
      return NSSet(array: Array(present.subtracting(members.gained).union(members.lost)))
    case nil:
      return snapshot == nil ? defaultValue(at: slot) : committedValue(at: slot)
    }
  }

  /// The value of a slot in a new object.
  private func defaultValue(at slot: Int) -> Any? {
    switch layout.kinds[slot] {
    case .toMany: NSSet()
    case .orderedToMany: NSOrderedSet()
    case .toOne, .fetched: nil
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .transformable,
      .externalData, .composite, .object:
      box(layout.defaults[slot], at: slot)
    }
  }

  private func place(of slot: Int) -> ChangedPlace {
    ChangedPlace(object: ObjectIdentifier(self), slot: slot)
  }
}
