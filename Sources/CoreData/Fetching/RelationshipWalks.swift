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
  static let stepsToNotice = 3
  /// The program may skip some objects, and several may lead to one.
  private static let mostSkipped = 64
  /// More keys of a result than these are not kept, which are 160 kB, and not more results.
  static let mostKeys = 10_000
  private static let mostResults = 4
  /// So many relationships are read ahead at most, with some so many members.
  private static let mostObjects = 63
  private static let mostMembers = 4_000
  /// So many objects are looked at for them.
  private static let mostLookedAt = 1_000

  /// Notes the keys of the objects of a fetch, in their order.
  ///
  /// They are copied into the same memory each time: keys that outlive the fetch they come with made the next large one slower
  /// by some hundredths.
  mutating func note(_ keys: some Collection<ObjectKey>) {
    guard let root = keys.first?.root else { return }
    if results.count == Self.mostResults, results[root] == nil { self = RelationshipWalks() }
    results[root, default: []].removeAll(keepingCapacity: true)
    results[root, default: []].append(contentsOf: keys.prefix(Self.mostKeys))
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
