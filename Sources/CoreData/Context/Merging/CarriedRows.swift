import Synchronization

/// The rows that come to a child with the changes to merge, as its parent had them when it announced them.
///
/// So a merge asks nobody: the thread of the parent's queue may be waiting for the child's.
struct CarriedRows: Sendable {
  /// How often the parent had told its children, this time included.
  let moment: Int
  /// The child's ``NSManagedObjectContext/rowGeneration`` when the rows were gathered.
  let generation: Int
  var rows: [ObjectKey: Row] = [:]
  /// The members of to-many relationships that the parent had read, by owner and slot.
  var members: [ObjectKey: [Int: PassedRows]] = [:]
}

/// The rows that are on their way to a child.
struct RowsUnderway {
  /// The rows of the merge that goes on.
  var merging: CarriedRows?
  /// The rows that came with the last merge.
  private var carried: CarriedRows?
  /// Rows that came by another way, and later than some of those that are carried.
  private var later: [ObjectKey: (moment: Int, row: Row)] = [:]

  mutating func note(_ passed: PassedRows, named name: (ObjectKey) -> ObjectKey) {
    for (key, row) in zip(passed.keys, passed.rows) where row.snapshot != nil {
      later[name(key)] = (passed.moment, row)
    }
  }

  /// The carried rows, or those that came later.
  func latest(_ carried: CarriedRows, named name: (ObjectKey) -> ObjectKey) -> CarriedRows {
    var latest = CarriedRows(moment: carried.moment, generation: carried.generation)
    for (key, row) in carried.rows {
      let key = name(key)
      let other = later[key].flatMap { $0.moment >= carried.moment ? $0.row : nil }
      latest.rows[key] = other ?? row
    }
    for (key, members) in carried.members { latest.members[name(key)] = members }
    return latest
  }

  mutating func forgetLater() { later = [:] }

  /// Ends a merge.
  mutating func forgetMerging() {
    carried = merging
    merging = nil
  }

  /// Whether nothing has happened in the parent since the row of an object was carried here.
  func isCurrent(_ key: ObjectKey, at generation: Int?) -> Bool {
    carried?.generation == generation && carried?.rows[key] != nil
  }

  /// The members of a relationship as they came with the merge that goes on, or with the last one if
  /// nothing has happened in the parent since.
  func members(of key: ObjectKey, at slot: Int, _ generation: Int?) -> PassedRows? {
    if let merging { return merging.members[key]?[slot] }
    return carried?.generation == generation ? carried?.members[key]?[slot] : nil
  }
}

// MARK: - The parent

extension NSManagedObjectContext {
  /// Informs the children that follow, and passes the rows of the changes on to them.
  func tellChildren(
    _ changes: @autoclosure () -> MergedChanges,
    except child: NSManagedObjectContext? = nil
  ) {
    children.audience.tell(carryingRows(changes()), except: child)
  }

  private func carryingRows(_ changes: MergedChanges) -> MergedChanges {
    let moment = children.timesTold.add(1, ordering: .relaxed).newValue
    let generation = (rowGeneration ?? 0) + children.eventCount.load(ordering: .acquiring)
    var carried = CarriedRows(moment: moment, generation: generation)
    var writer = SnapshotWriter()
    for name in changes.inserted + changes.updated {
      let key = currentName(name.key)
      carried.rows[key] = presentRow(named: key, into: &writer) ?? changes.carried?.rows[name.key]
      carried.members[key] = presentMembers(of: key) ?? changes.carried?.members[name.key]
    }
    var changes = changes
    changes.carried = carried
    return changes
  }

  /// The members of an object's relationships as far as they were read here.
  private func presentMembers(of key: ObjectKey) -> [Int: PassedRows]? {
    guard let object = identityMap[key], !object.isFault,
      let overlay = object.existingOverlay
    else { return nil }
    var members: [Int: PassedRows] = [:]
    for slot in overlay.present {
      guard case .collection(let collection) = overlay[slot], !collection.isFault else { continue }
      // Values that cannot be packed are left out: the child asks for them, and gets the error.
      members[slot] = try? passed(collection.members)
    }
    return members
  }

  /// The row of an object as it is here now, as far as that is known without asking anybody.
  private func presentRow(named key: ObjectKey, into writer: inout SnapshotWriter) -> Row? {
    if let object = identityMap[key], !object.isFault {
      // Values that cannot be packed are left out: the child asks for them, and gets the error.
      return try? row(of: object, into: &writer)
    }
    guard parent == nil, let store = persistentStoreCoordinator?.store(numbered: key.store),
      // A view that is gone knows no rows.
      let cached = try? view(of: store)?.cache[key], let snapshot = cached.snapshot
    else { return nil }
    return Row(primaryKey: key.number, layout: cached.layout, snapshot: snapshot)
  }
}

// MARK: - The child

extension NSManagedObjectContext {
  /// Merges with the rows that came along.
  func merging(_ carried: CarriedRows?, _ body: () -> Void) {
    if let carried {
      merges.rows.merging = merges.rows.latest(carried, named: currentName)
      freshness.noteCarriedRows(of: carried.generation)
    }
    body()
    merges.rows.forgetMerging()
  }

  /// Notes rows that the parent has passed after it had announced changes that are not merged yet.
  func noteRows(_ passed: PassedRows) {
    if hasMergesUnderway { merges.rows.note(passed, named: currentName) }
  }

  var hasMergesUnderway: Bool { following.underway.load(ordering: .acquiring) > 0 }

  func carriedRow(named key: ObjectKey) -> Row? { merges.rows.merging?.rows[key] }
}
