/// The objects of an event or a save, each once, as live results look for theirs among them.
///
/// All results of a context share it: the objects are gathered once, and a value that many predicates
/// demand is read once of each object.
final class ChangedObjects {
  private let all: [NSManagedObject]
  /// The entities of the objects.
  private let layouts: [EntityLayout]
  /// The columns that were asked for so far, and the latest one: most predicates demand the same property.
  private var columns: [ValueColumn] = []
  private var latest: ValueColumn?
  private lazy var byAddress: [UInt: NSManagedObject] = Dictionary(
    all.map { (ObjectAddresses.address(of: $0), $0) }
  ) { first, _ in first }

  init(_ changes: ContextChanges) {
    var all = Array(changes.inserted)
    all += changes.updated
    all += changes.deleted
    // Only these can be among the others too.
    for object in changes.refreshed
    where !changes.inserted.contains(object) && !changes.updated.contains(object)
      && !changes.deleted.contains(object)
    {
      all.append(object)
    }
    var layouts: [EntityLayout] = []
    for object in all where !layouts.contains(where: { $0 === object.layout }) {
      layouts.append(object.layout)
    }
    self.all = all
    self.layouts = layouts
  }
}

// MARK: - Of an entity

extension ChangedObjects {
  /// Whether there are objects of an entity or of one below it.
  func includeAny(of layout: EntityLayout) -> Bool {
    layouts.contains { $0.isSameOrBelow(layout) }
  }

  /// The objects of an entity and those below it.
  func of(_ layout: EntityLayout) -> [NSManagedObject] {
    all.filter { $0.layout.isSameOrBelow(layout) }
  }
}

extension EntityLayout {
  /// Whether this entity is `other` or inherits from it, in the same model.
  fileprivate func isSameOrBelow(_ other: EntityLayout) -> Bool {
    model === other.model && isKind(of: other)
  }
}

// MARK: - Among results

extension ChangedObjects {
  /// Whether there are objects of some results.
  func includeAny(of members: ObjectAddresses) -> Bool {
    all.count <= members.count
      ? all.contains { members.contains($0) }
      : members.all.contains { byAddress[$0] != nil }
  }

  /// The objects of some results.
  func among(_ members: ObjectAddresses) -> [NSManagedObject] {
    all.count <= members.count
      ? all.filter { members.contains($0) } : members.all.compactMap { byAddress[$0] }
  }
}

// MARK: - With a value

extension ChangedObjects {
  /// Whether an object may have the value that is demanded; fires no fault, which may have any value.
  func mayInclude(_ demand: DemandedValue) -> Bool {
    column(demand.layout, demand.slot).mayInclude(demand)
  }

  /// Returns the values of an entity's objects in a slot, as fingerprints; `nil` if an object may have any value.
  ///
  /// Fires no fault.
  func fingerprints(_ layout: EntityLayout, _ slot: Int) -> Set<Int>? {
    column(layout, slot).fingerprints
  }

  /// The objects that may have the value that is demanded; fires faults.
  func having(_ demand: DemandedValue) -> [NSManagedObject] {
    column(demand.layout, demand.slot).having(demand)
  }

  private func column(_ layout: EntityLayout, _ slot: Int) -> ValueColumn {
    if let latest, latest.isColumn(layout, slot) { return latest }
    let column = columns.first { $0.isColumn(layout, slot) } ?? makeColumn(layout, slot)
    latest = column
    return column
  }

  private func makeColumn(_ layout: EntityLayout, _ slot: Int) -> ValueColumn {
    let column = ValueColumn(layout, slot, of(layout))
    columns.append(column)
    return column
  }
}

/// Objects by the value that each has in one slot.
private final class ValueColumn {
  private let layout: EntityLayout
  private let slot: Int
  private var byFingerprint: [Int: [NSManagedObject]] = [:]
  /// A fingerprint, the only one of most events: it is compared without a hash.
  private var first: Int?
  /// Objects whose value does not have a fingerprint.
  private var unsure: [NSManagedObject] = []
  /// Objects whose values nobody has read yet.
  private var faults: [NSManagedObject] = []

  init(_ layout: EntityLayout, _ slot: Int, _ objects: [NSManagedObject]) {
    self.layout = layout
    self.slot = slot
    for object in objects {
      if object.isFault { faults.append(object) } else { take(object) }
    }
  }

  func isColumn(_ layout: EntityLayout, _ slot: Int) -> Bool {
    self.slot == slot && self.layout === layout
  }

  /// `nil` if an object may have any value.
  var fingerprints: Set<Int>? {
    unsure.isEmpty && faults.isEmpty ? Set(byFingerprint.keys) : nil
  }

  func mayInclude(_ demand: DemandedValue) -> Bool {
    guard unsure.isEmpty, faults.isEmpty, let fingerprint = demand.fingerprint else { return true }
    if first == fingerprint { return true }
    return byFingerprint.count > 1 && byFingerprint[fingerprint] != nil
  }

  func having(_ demand: DemandedValue) -> [NSManagedObject] {
    readFaults()
    guard let fingerprint = demand.fingerprint else {
      return byFingerprint.values.flatMap { $0 } + unsure
    }
    return byFingerprint[fingerprint, default: []] + unsure
  }

  private func readFaults() {
    let unread = faults
    faults = []
    for object in unread { take(object) }
  }

  /// Reads the value as a predicate does.
  private func take(_ object: NSManagedObject) {
    guard object.canBeJudged else { return }
    let value = object.value(forKey: layout.slots[slot].name)
    if let fingerprint = DemandedValue.fingerprint(of: value) {
      first = first ?? fingerprint
      byFingerprint[fingerprint, default: []].append(object)
    } else {
      unsure.append(object)
    }
  }
}
