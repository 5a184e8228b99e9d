import Foundation

/// Everything that is in one store, for a new file that is written whole.
///
/// ```
/// keys of all rows ─▶ numbers of all objects
/// rows, some at a time ─▶ objects with these numbers ─▶ the file
/// ```
///
/// The source is read at one moment if it can hold one. The result is the same as ``StoreTransfer`` saves in
/// such a store, but neither rows nor objects are ever in memory all at once: it keeps a key for each
/// object, and its entity. Costs a statement for the keys of each tree of entities, and for each thousand rows one for them
/// and one for each of their to-many relationships; rows that have more than 16 MB together come in smaller parts.
package final class StoreExport {
  let model: ModelLayout
  private let source: NSPersistentStore
  /// The source's backend, at one moment if it can hold one.
  private let backend: any StreamingStore
  /// Hears how many of how many objects are written; false ends the work.
  private let progress: (_ done: Int, _ all: Int) -> Bool
  /// The keys that were left out, for they lead to objects that are not there: how many of which
  /// relationship.
  private(set) var danglingKeys: [String: Int] = [:]

  /// How many rows are in memory at once: fewer where those before were large.
  private static let batch = 1_000
  /// How many bytes they may have together, if they are as large as those before them.
  private static let batchBytes = 16 << 20
  /// Where Apple's framework begins to count what all entities share.
  private static let firstSharedKey: Int64 = 102

  /// Somebody wanted no more.
  package struct Cancellation: Error {}

  /// Nil for a source that cannot hand over its rows in parts.
  init?(
    of source: NSPersistentStore,
    in model: ModelLayout,
    _ progress: @escaping (_ done: Int, _ all: Int) -> Bool
  ) throws {
    let pinned = try (source.backend as? any PinnableStore)?.pinned(
      from: .primary,
      for: "a copy of the store"
    )
    guard let backend = (pinned ?? source.backend) as? any StreamingStore else { return nil }
    self.backend = backend
    self.source = source
    self.model = model
    self.progress = progress
  }

  var configuration: String? { source.namedConfiguration }

  /// The file that the objects come from.
  var original: URL? { source.url }

  /// The contents of the new file; `new` is the metadata that it would have if it were empty.
  func contents(_ new: [String: Any], sharesKeys: Bool) throws -> StoreContents {
    let numbering = try numbering(sharesKeys: sharesKeys)
    var metadata = source.givenMetadata.merging(new) { _, new in new }
    // An identity of one store, kept elsewhere, finds the same object in the other.
    if numbering.keepsKeys { metadata[NSStoreUUIDKey] = source.identifier }
    return StoreContents(metadata: metadata, lastKeys: numbering.lastKeys) { body in
      try self.forEachObject(numbering, body)
    }
  }
}

// MARK: - Numbers

extension StoreExport {
  /// The objects of one tree of entities, and the numbers that they get.
  private final class Tree {
    let root: EntityLayout
    /// In their order.
    let keys: [Int64]
    /// The entity of each; empty if there is only one entity.
    let entities: [Int32]
    /// The number of the first, from which the others count up; `nil` if the keys are the numbers.
    let first: Int64?

    init(_ root: EntityLayout, _ rows: [Row], first: Int64?) {
      self.root = root
      self.first = first
      keys = rows.map(\.primaryKey)
      entities = root.numbers.count == 1 ? [] : rows.map(\.layout.number)
    }

    /// The place of a key among all; `nil` if the object does not exist.
    func place(of key: Int64) -> Int? {
      guard let lowest = keys.first, key >= lowest else { return nil }
      // Most stores do not have gaps.
      let (distance, overflow) = key.subtractingReportingOverflow(lowest)
      if !overflow, distance < keys.count, keys[Int(distance)] == key { return Int(distance) }
      var range = 0..<keys.count
      while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        if keys[middle] == key { return middle }
        range = keys[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }

    func number(at place: Int) -> Int64 { first.map { $0 + Int64(place) } ?? keys[place] }

    func entity(at place: Int) -> Int32 { entities.isEmpty ? root.number : entities[place] }
  }

  /// The new keys of all objects.
  private struct Numbering {
    var trees: [Tree] = []
    /// The last number that was given in each tree, or in all under 0.
    var lastKeys: [Int32: Int64] = [:]
    /// Whether every object has the number that it had.
    var keepsKeys = true

    subscript(root: Int32) -> Tree? { trees.first { $0.root.number == root } }

    var count: Int { trees.reduce(0) { $0 + $1.keys.count } }
  }

  /// Objects keep their keys if the file counts from 1 in each tree of entities; the numbers go on from the source's,
  /// so that none means another object than before.
  private func numbering(sharesKeys: Bool) throws -> Numbering {
    var numbering = Numbering()
    var next = Self.firstSharedKey
    for root in model.entities where root.number == root.rootNumber {
      let rows = try keys(of: root)
      var first: Int64?
      if sharesKeys {
        first = next
        next += Int64(rows.count)
      } else {
        let counted = try (backend as? any CountedStore)?.lastKey(of: root) ?? 0
        var last = max(rows.last?.primaryKey ?? 0, counted)
        if rows.first.map({ $0.primaryKey < 1 }) ?? false || last >= 1 << 62 {
          first = 1
          last = Int64(rows.count)
          numbering.keepsKeys = false
        }
        if last > 0 { numbering.lastKeys[root.number] = last }
      }
      numbering.trees.append(Tree(root, rows, first: first))
    }
    if sharesKeys {
      numbering.lastKeys = [0: next - 1]
      numbering.keepsKeys = false
    }
    return numbering
  }

  /// The rows of a tree without their values, in the order of their keys.
  private func keys(of root: EntityLayout) throws -> [Row] {
    var plan = FetchPlan(root)
    plan.includesValues = false
    return try backend.rows(for: plan).sorted { $0.primaryKey < $1.primaryKey }
  }
}

// MARK: - Objects

extension StoreExport {
  /// The members that some owners have in one relationship.
  private typealias Members = [Int64: [Int64]]

  private func forEachObject(
    _ numbering: Numbering,
    _ body: (LooseObject) throws -> Void
  ) throws {
    let all = numbering.count
    var done = 0
    for tree in numbering.trees {
      var (start, size) = (0, 1)
      while start < tree.keys.count {
        guard progress(done, all) else { throw Cancellation() }
        let places = start..<min(start + size, tree.keys.count)
        let bytes = try forEachObject(places, of: tree, numbering, body)
        let fitting = Self.batchBytes / max(bytes / places.count, 1)
        size = max(1, min(fitting, size * 8, Self.batch))
        start = places.upperBound
        done += places.count
      }
    }
  }

  /// Returns how many bytes the rows have.
  ///
  /// Data in files of their own are in memory for one object at a time.
  private func forEachObject(
    _ places: Range<Int>,
    of tree: Tree,
    _ numbering: Numbering,
    _ body: (LooseObject) throws -> Void
  ) throws -> Int {
    let rows = try backend.rows(Array(tree.keys[places]), for: RowPlan(tree.root))
      .sorted { $0.primaryKey < $1.primaryKey }
    let members = try members(of: rows)
    for row in rows {
      let object = LooseObject(row, externalData: source.externalData) { number, layout, slot in
        members[RowSlot(layout, slot)]?[number] ?? []
      }
      if let object, let numbered = try numbered(object, tree, numbering) { try body(numbered) }
    }
    return rows.reduce(0) { $0 + ($1.snapshot?.size ?? 0) }
  }

  private struct RowSlot: Hashable {
    let entity: Int32
    let slot: Int

    init(_ layout: EntityLayout, _ slot: Int) {
      entity = layout.number
      self.slot = slot
    }
  }

  private func members(of rows: [Row]) throws -> [RowSlot: Members] {
    var found: [RowSlot: Members] = [:]
    for (_, rows) in Dictionary(grouping: rows, by: \.layout.number) {
      guard let layout = rows.first?.layout else { continue }
      let owners = rows.map(\.primaryKey)
      for slot in 0..<layout.propertyCount
      where layout.slots[slot].isPersistent && layout.kinds[slot].isToMany {
        var members: Members = [:]
        try backend.forEachMember(of: owners, for: MemberPlan(layout, at: slot)) { owner, member in
          members[owner, default: []].append(member.primaryKey)
        }
        found[RowSlot(layout, slot)] = members
      }
    }
    return found
  }

  /// The object with its new number, and with those of the objects that it leads to.
  private func numbered(
    _ object: LooseObject,
    _ tree: Tree,
    _ numbering: Numbering
  ) throws -> LooseObject? {
    guard let place = tree.place(of: object.number) else { return nil }
    var numbered = object
    numbered.number = tree.number(at: place)
    numbered.version = 1
    numbered.links = []
    for link in object.links {
      let members = try numbers(of: link, from: object, numbering)
      if !members.isEmpty {
        numbered.links.append(LooseObject.Link(slot: link.slot, members: members))
      }
    }
    return numbered
  }

  private func numbers(
    of link: LooseObject.Link,
    from object: LooseObject,
    _ numbering: Numbering
  ) throws -> [Int64] {
    let slot = object.layout.slots[link.slot]
    guard let end = slot.end, let destination = model[number: end.destination],
      let tree = numbering[destination.rootNumber]
    else { return [] }
    var numbers: [Int64] = []
    numbers.reserveCapacity(link.members.count)
    for member in link.members {
      guard let place = tree.place(of: member) else {
        danglingKeys["\(object.layout.name).\(slot.name)", default: 0] += 1
        continue
      }
      guard let entity = model[number: tree.entity(at: place)], entity.isKind(of: destination)
      else {
        let problem = RowAssembly.Problem.otherEntity(
          entity: object.layout.name,
          number: object.number,
          key: slot.name,
          target: model[number: tree.entity(at: place)]?.name ?? ""
        )
        throw WholeFileFailure(
          .uncopyable(problem.sentence),
          path: source.shownPath
        ).error
      }
      numbers.append(tree.number(at: place))
    }
    return numbers
  }
}
