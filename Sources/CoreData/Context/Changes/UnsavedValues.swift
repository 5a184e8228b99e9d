/// The values that the objects of a list of unsaved ones have in one slot.
///
/// A fetch that demands a value asks only the objects that may have it: a program that looks for an object before it
/// makes one looks among all that it has made.
///
/// ```
/// title   "Soil"   ─▶ places 0, 7      were here once; the object may have left, or have another value now
///         "Shed"   ─▶ place  3
///         untold   ─▶ place  5         asked in any case: its row is not known, or may be found
/// ```
///
/// Filled when the second fetch demands a value of the slot. A place is noted when the list becomes longer and when
/// its object has changed; other replacements of values make the list forget them all.
struct UnsavedValues {
  private let layout: EntityLayout
  private let slot: Int
  /// By the places of the list.
  private var values: [Value] = []
  private var entries: [Entry] = []
  /// For each value its last entry.
  private var lastEntries: [Value: Int] = [:]

  private enum Value: Hashable {
    /// A fingerprint, which other values may share.
    case fingerprint(Int)
    case untold
    /// The object is not of the entity.
    case foreign
  }

  /// An entry leads to the one before it that has the same value.
  private struct Entry {
    let place: Int
    let previous: Int?
  }

  init(for demand: KeptDemand) {
    layout = demand.layout
    slot = demand.slot
  }

  func serves(_ demand: KeptDemand) -> Bool { layout === demand.layout && slot == demand.slot }

  /// How many objects of the entity have been here, at most.
  var count: Int { entries.count }

  // MARK: Noting

  /// Notes the objects of all places that are not known yet.
  mutating func follow(_ places: [NSManagedObject?]) {
    // Frequent changes leave many entries.
    if entries.count > 2 * values.count + 64 { (values, entries, lastEntries) = ([], [], [:]) }
    for place in values.count..<max(values.count, places.count) { note(places[place], at: place) }
  }

  /// Notes what value an object has now.
  mutating func note(_ object: NSManagedObject?, at place: Int) {
    guard place <= values.count else { return }
    let value = object.map(value) ?? .foreign
    if place == values.count {
      values.append(value)
    } else if values[place] == value {
      return
    } else {
      values[place] = value
    }
    if value == .foreign { return }
    entries.append(Entry(place: place, previous: lastEntries[value]))
    lastEntries[value] = entries.count - 1
  }

  /// Fires no fault, and counts as no reading of the property.
  private func value(of object: NSManagedObject) -> Value {
    guard layout.numbers.contains(object.layout.number), object.layout.belongs(to: layout.model)
    else { return .foreign }
    // A new object with a name of a row may be found by the store, although it is not to be.
    guard object.life == .updated || object.key.isTemporary,
      !MethodOverride.ofReadingByKey.isIn(type(of: object)),
      let fingerprint = object.heldValue(at: slot)?.fingerprint(asKind: layout.kinds[slot])
    else { return .untold }
    return .fingerprint(fingerprint)
  }

  // MARK: Asking

  /// The places whose objects may have the value, in their order; `nil` if there are many.
  func places(for demand: KeptDemand) -> [Int]? {
    var places: Set<Int> = []
    for value in [Value.fingerprint(demand.fingerprint), .untold] {
      var next = lastEntries[value]
      while let entry = next {
        places.insert(entries[entry].place)
        if places.count > values.count / 8 { return nil }
        next = entries[entry].previous
      }
    }
    return places.sorted()
  }
}

extension NSManagedObject {
  /// The value that an attribute holds, as far as it is known without asking anybody.
  fileprivate func heldValue(at slot: Int) -> SlotValue? {
    if let overlay = existingOverlay, overlay.has(slot) { return overlay[slot] }
    guard isStored(slot), let snapshot = self.snapshot else {
      return life == .inserted ? layout.defaults[slot] : nil
    }
    return hasWholeRow ? SlotValue(unpacking: slot, of: snapshot, in: layout) : nil
  }
}
