import Foundation

/// Why the values of an object are replaced by stored ones.
enum ValueReplacement {
  /// The changes made here are taken back.
  case rollback
  /// Newer stored values come under the changes made here.
  case refresh(Snapshot?)
  /// All values are released; the next access brings the stored ones.
  case refault(Snapshot?)
}

// MARK: - Telling observers

extension NSManagedObject {
  /// Lets stored values replace those that are here; observers hear of what becomes different.
  ///
  /// An object that nobody observes pays for no comparison.
  func replacingValues(
    _ replacement: @autoclosure () -> ValueReplacement,
    _ replace: () -> Void
  ) {
    let slots = willReplaceValues(replacement())
    replace()
    didReplaceValues(at: slots)
  }

  /// Tells observers what will be replaced, and gives the slots.
  func willReplaceValues(_ replacement: @autoclosure () -> ValueReplacement) -> [Int] {
    guard watch.contains(.observed), !isFault else { return [] }
    let replacement = replacement()
    noteForTrackers(replacement)
    let slots = observedSlots.filter { replacement.changes($0, of: self) }
    if !slots.isEmpty, !replacement.isRollback { existingExtras?.takesStoredValues = true }
    for slot in slots { willChange(slot, .setting) }
    return slots
  }

  private func noteForTrackers(_ replacement: ValueReplacement) {
    guard existingExtras?.registrar != nil else { return }
    noteReplaced(SlotSet((0..<layout.propertyCount).filter { replacement.changes($0, of: self) }))
  }

  func didReplaceValues(at slots: [Int]) {
    for slot in slots { didChange(slot, .setting) }
    existingExtras?.takesStoredValues = false
  }

  /// Whether a refresh or a merge, and not the program, is changing the properties that observers hear of.
  package var isTakingStoredValues: Bool { existingExtras?.takesStoredValues == true }

  private var observedSlots: [Int] {
    (existingExtras?.observations.keys ?? []).compactMap(layout.slot(named:)).sorted()
  }
}

// MARK: - For other modules

extension NSManagedObject {
  /// An object that another module keeps with this one, made at the first request.
  package func companion<T: AnyObject>(_ make: () -> T) -> T {
    if let companion = existingExtras?.companion as? T { return companion }
    let made = make()
    extras.companion = made
    return made
  }
}

// MARK: - What becomes different

extension ValueReplacement {
  fileprivate var isRollback: Bool {
    if case .rollback = self { return true }
    return false
  }

  fileprivate func changes(_ slot: Int, of object: NSManagedObject) -> Bool {
    guard let overlay = object.existingOverlay else {
      return bringsAnother(slot, to: object)
    }
    let isChanged = overlay.changed.contains(slot)
    switch self {
    case .rollback: return isChanged
    case .refresh:
      return (!isChanged || isLoaded(slot, in: overlay)) && bringsAnother(slot, to: object)
    case .refault:
      let isLost = isChanged || overlay.has(slot) && !object.layout.slots[slot].isPersistent
      return isLost || bringsAnother(slot, to: object)
    }
  }

  /// Whether the newer row has another value; of members that were read it may have others.
  private func bringsAnother(_ slot: Int, to object: NSManagedObject) -> Bool {
    let layout = object.layout
    if !layout.slots[slot].isPersistent { return false }
    if layout.slots[slot].kind.isToMany {
      return object.existingOverlay.map { isLoaded(slot, in: $0) } ?? false
    }
    guard let newer, let stored = object.snapshot else { return false }
    if layout.slots[slot].kind == .toOne {
      return newer.optionalInteger(slot) != stored.optionalInteger(slot)
    }
    let value = { (snapshot: Snapshot) in
      SlotValue(unpacking: slot, of: snapshot, in: layout).boxed(at: slot, in: layout) as? NSObject
    }
    return value(newer) != value(stored)
  }

  private var newer: Snapshot? {
    switch self {
    case .rollback: nil
    case .refresh(let snapshot), .refault(let snapshot): snapshot
    }
  }

  private func isLoaded(_ slot: Int, in overlay: Overlay) -> Bool {
    guard overlay.has(slot), case .collection(let collection) = overlay[slot] else { return false }
    return !collection.isFault
  }
}
