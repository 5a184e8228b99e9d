/// The results of a context through which a program goes, object by object, following the same relationship of each.
///
/// ```
/// for folder in folders { print(folder.notes.count) }
///
/// statement   1   2   3            4             5              6              7
/// folders     1   1   5 together   9 together    17 together    33 together    64 together …
/// ```
///
/// A program that stops in between has read at most twice as many objects as it wanted. Keys are kept here, and no
/// objects.
struct RelationshipWalks {
  /// The keys of the last result of each entity tree, in order.
  private var results: [Int32: [ObjectKey]] = [:]
  private var courses: [Place: Course] = [:]
  /// The to-one relationship that was followed last.
  var followed: (owner: ObjectKey, entity: Int32, slot: Int, target: ObjectKey)?

  private struct Place: Hashable {
    let root: Int32
    let slot: Int
  }

  /// How far the program has gone.
  private struct Course {
    /// The place in the result of the object whose relationship is expected to be followed next.
    var next = 0
    /// How often it was, or that of one soon behind it.
    var steps = 0
    /// The number of relationships to read ahead at most.
    var limit = mostObjects
  }

  /// The objects whose turn comes next, and for how many of them a relationship is to be read ahead.
  struct Portion {
    let keys: ArraySlice<ObjectKey>
    let count: Int
  }

  /// So many steps are a walk.
  private static let stepsToNotice = 3
  /// The program may skip some objects, and several may lead to one.
  private static let mostSkipped = 64
  /// More keys of a result than these are not kept, which are 800 kB, and not more results.
  private static let mostKeys = 50_000
  private static let mostResults = 4
  /// So many relationships are read ahead at most, with some so many members.
  private static let mostObjects = 63
  private static let mostMembers = 4_000
  /// So many objects are looked at for them.
  private static let mostLookedAt = 1_000

  /// Notes the objects of a fetch.
  mutating func note(_ result: [NSManagedObject]) {
    guard result.count > Self.stepsToNotice, let first = result.first else { return }
    let root = first.key.root
    if results.count == Self.mostResults, results[root] == nil { self = RelationshipWalks() }
    results[root] = result.prefix(Self.mostKeys).map(\.key)
    courses = courses.filter { $0.key.root != root }
  }

  /// Notes that a relationship of an object is about to be read, and returns what to read with it; `nil` while the
  /// program has not read that of enough objects of a result.
  mutating func step(_ key: ObjectKey, at slot: Int) -> Portion? {
    guard let keys = results[key.root] else { return nil }
    let place = Place(root: key.root, slot: slot)
    var course = courses[place] ?? Course()
    guard let found = index(of: key, in: keys, from: course.next) else { return nil }
    if found < course.next { course = Course() }
    course.steps += 1
    course.next = found + 1
    courses[place] = course
    let steps = course.steps - Self.stepsToNotice
    let ahead = keys[(found + 1)...].prefix(Self.mostLookedAt)
    let count = min(course.limit, steps < 0 ? 0 : 4 << min(steps, 4))
    return ahead.isEmpty || count == 0 ? nil : Portion(keys: ahead, count: count)
  }

  private func index(of key: ObjectKey, in keys: [ObjectKey], from next: Int) -> Int? {
    keys[next...].prefix(Self.mostSkipped).firstIndex(of: key)
      ?? keys.prefix(Self.mostSkipped).firstIndex(of: key)
  }

  /// Notes the place in the result up to which a relationship was read.
  mutating func went(to next: Int, after key: ObjectKey, at slot: Int) {
    courses[Place(root: key.root, slot: slot)]?.next = next
  }

  /// Reads fewer objects together from now on if they have many members, and each by itself if they have more than
  /// `most`.
  mutating func noteMembers(
    _ count: Int,
    of objects: Int,
    after key: ObjectKey,
    at slot: Int,
    most: Int
  ) {
    guard count > min(Self.mostMembers, most * objects) else { return }
    courses[Place(root: key.root, slot: slot)]?.limit =
      count > most * objects ? 0 : Self.mostMembers * objects / count
  }
}

// MARK: - Reading on

extension NSManagedObjectContext {
  /// The members of a to-many relationship as they are stored, read with those of the next objects of a result if the
  /// program goes through it; one statement.
  func storedMembersOnTheWay(of object: NSManagedObject, at slot: Int) -> [NSManagedObject] {
    let most = mostMembersTogether(of: object.key)
    if most == 0 { return storedMembers(of: object, at: slot) }
    let generation = rowGeneration ?? 0
    let owners = onTheWay(from: object.key, at: slot) { owner in
      owner.key.store == object.key.store && owner.layout === object.layout
        && !owner.hasReadAhead(slot, generation) ? owner : nil
    }
    guard !owners.isEmpty, let members = try? readAhead([object] + owners, at: slot) else {
      return storedMembers(of: object, at: slot)
    }
    meterFault(object.key, of: object.layout, at: slot)
    let count = members.reduce(0) { $0 + $1.count }
    walks.noteMembers(count, of: members.count, after: object.key, at: slot, most: most)
    return members[0]
  }

  /// The row of the object of a to-one relationship that was just followed, read with those of the next objects of a
  /// result if the program goes through it; one statement.
  ///
  /// The others are left in the cache.
  ///
  /// - Returns: `nil` if the program does not go through a result, or the row is missing.
  func rowOnTheWay(of object: NSManagedObject, in store: NSPersistentStore) -> Row? {
    let key = object.key
    guard let followed = walks.followed, followed.target == key, mostMembersTogether(of: key) > 0,
      let root = model[number: key.root], let cache = try? view(of: store)?.cache
    else { return nil }
    var seen: Set = [key]
    let targets: [Int64] = onTheWay(from: followed.owner, at: followed.slot) { owner in
      guard owner.layout.number == followed.entity, let row = owner.snapshot,
        row.partialSlots == nil,
        let (target, _) = owner.storedKey(at: followed.slot, in: row), target.store == key.store,
        target.root == key.root, seen.insert(target).inserted, cache[target] == nil
      else { return nil }
      return target.number
    }
    if targets.isEmpty { return nil }
    let rows = try? readRows([key.number] + targets, of: root, in: store)
    return rows?.first { $0.primaryKey == key.number }
  }

  private func mostMembersTogether(of key: ObjectKey) -> Int {
    persistentStoreCoordinator?.store(numbered: key.store)?.backend.mostMembersTogether ?? 0
  }

  /// The values of the next objects whose relationship is as it is stored, until there are enough; none if rows expire,
  /// as they would be read again.
  private func onTheWay<Value>(
    from key: ObjectKey,
    at slot: Int,
    _ value: (NSManagedObject) -> Value?
  ) -> [Value] {
    if freshness.expires || key.isTemporary { return [] }
    guard let portion = walks.step(key, at: slot) else { return [] }
    var values: [Value] = []
    var next = portion.keys.startIndex
    while next < portion.keys.endIndex, values.count < portion.count {
      let keys = portion.keys[next...].prefix(portion.count - values.count)
      for case let owner? in identityMap.objects(for: Array(keys))
      where (owner.life == .fault || owner.life == .clean) && !owner.isEmptied
        && owner.existingOverlay?.has(slot) != true
      {
        if let value = value(owner) { values.append(value) }
      }
      next = keys.endIndex
    }
    walks.went(to: next, after: key, at: slot)
    return values
  }
}
