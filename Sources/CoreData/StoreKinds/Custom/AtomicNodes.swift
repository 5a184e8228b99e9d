import Foundation

/// The nodes of an atomic store of one's own, behind the rows that contexts see.
///
/// ```
/// load    nodes ─▶ loose objects ─▶ rows in memory
/// save    objects ─▶ nodes ─▶ the author's save()
/// ```
final class AtomicNodes: RowKeeper, Sendable {
  /// The store holds the rows, and they hold this.
  private unowned let store: NSAtomicStore

  private init(_ store: NSAtomicStore) {
    self.store = store
  }

  /// The rows of a store that was loaded.
  static func rows(of store: NSAtomicStore, in model: ModelLayout) throws -> MemoryStore {
    let objects = try store.cacheNodes().map { try LooseObject($0, in: store) }
    let path = store.url?.path ?? store.type
    let rows = try FormatProblem.translating(path: path) {
      try RowAssembly.rows(of: objects, in: model)
    }
    return MemoryStore(model, number: store.number, rows: rows, keeper: AtomicNodes(store))
  }

  func transaction(keeping rows: MemoryTransaction) throws -> any SaveTransaction {
    NodeTransaction(rows, store)
  }

  /// The author's store writes where its URL says.
  func move(to url: URL) {}

  func close() {}
}

// MARK: - From nodes

extension LooseObject {
  /// Throws for values that the model's properties cannot have.
  fileprivate init(_ node: NSAtomicStoreCacheNode, in store: NSAtomicStore) throws {
    let layout = node.objectID.layout
    self.init(node.objectID.key.number, of: layout)
    for (slot, entry) in layout.slots.prefix(layout.propertyCount).enumerated()
    where entry.isPersistent {
      guard let value = SlotValue.unwrapped(node.value(forKey: entry.name)) else { continue }
      if entry.kind.isRelationship {
        let members = try Self.keys(value, of: entry, in: layout, store)
        if !members.isEmpty { links.append(Link(slot: slot, members: members)) }
      } else if let taken = layout.accepted(value, at: slot) {
        values[slot] = taken
      } else {
        throw Self.misfit(value, entry, layout, store)
      }
    }
  }

  /// The keys of the objects that a node's relationship leads to.
  private static func keys(
    _ value: Any,
    of entry: Slot,
    in layout: EntityLayout,
    _ store: NSAtomicStore
  ) throws -> [Int64] {
    let members: [Any] =
      switch value {
      case let set as NSSet: set.allObjects
      case let set as NSOrderedSet: set.array
      case let list as [Any]: list
      case let set as Set<NSAtomicStoreCacheNode>: Array(set)
      case let one: [one]
      }
    return try members.map { member in
      switch member {
      case let node as NSAtomicStoreCacheNode: return node.objectID.key.number
      case let id as NSManagedObjectID: return id.key.number
      case let other: throw misfit(other, entry, layout, store)
      }
    }
  }

  private static func misfit(
    _ value: Any,
    _ entry: Slot,
    _ layout: EntityLayout,
    _ store: NSAtomicStore
  ) -> NSError {
    let sentence = "a node has the \(type(of: value)) \(value) for \(layout.name).\(entry.name)"
    return WholeFileFailure(.unfitting(sentence), path: store.url?.path ?? store.type).error
  }
}

// MARK: - One save

/// A save in an atomic store of one's own.
///
/// The author's `save()` runs before anything is committed anywhere; when another store refuses
/// afterwards, the nodes are put back and saved once more.
final class NodeTransaction: ObjectTransaction {
  private let rows: MemoryTransaction
  private let store: NSAtomicStore
  private var added: [NSManagedObjectID] = []
  private var removed: Set<NSAtomicStoreCacheNode> = []
  /// The values of changed nodes as they were.
  private var changed: [(node: NSAtomicStoreCacheNode, before: NSMutableDictionary?)] = []
  private var isWritten = false

  init(_ rows: MemoryTransaction, _ store: NSAtomicStore) {
    self.rows = rows
    self.store = store
  }

  var isIrrevocable: Bool { false }

  func reserveKeys(root: Int32, count: Int) throws -> Int64 {
    stop("the keys of \(type(of: store)) are its author's to give, object by object")
  }

  func reserveKeys(for objects: [NSManagedObject]) throws -> [Int64] {
    try objects.map { object in
      let reference = store.newReferenceObject(for: object)
      let root = object.layout.rootNumber
      let number = store.references.number(for: reference, root: root)
      if rows.rows[root, number] != nil {
        let sentence =
          "\(type(of: store)).newReferenceObject(for:) gave \(reference), which another "
          + "\(object.layout.name) has already"
        throw WholeFileFailure(.unfitting(sentence), path: store.url?.path ?? store.type).error
      }
      return number
    }
  }

  func setMetadata(_ metadata: [String: Any]) throws {}

  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row] {
    try rows.rows(with: values, in: constraint)
  }

  func conflicts(with plan: SavePlan) throws -> [RowConflict] { try rows.conflicts(with: plan) }

  func perform(_ plan: SavePlan) throws -> SaveReceipt {
    try perform(ObjectPlan(plan))
  }

  func perform(_ plan: ObjectPlan) throws -> SaveReceipt {
    let receipt = try rows.perform(plan.rows)
    removeNodes(of: plan.deleted)
    addNodes(for: plan.inserted)
    for object in plan.changed {
      if let node = store.cacheNode(for: object.objectID) { update(node, from: object) }
    }
    try store.save()
    isWritten = true
    return receipt
  }

  func commit() throws {
    try rows.commit()
  }

  func rollback() {
    for id in added { store.removeNode(id) }
    store.addCacheNodes(removed)
    for (node, before) in changed.reversed() { node.propertyCache = before }
    (added, removed, changed) = ([], [], [])
    // The author's file may have got the changes before another store refused; if it cannot be written
    // now, the next save writes it.
    if isWritten { try? store.save() }
    isWritten = false
    rows.rollback()
  }
}

extension NodeTransaction {
  private func removeNodes(of objects: [NSManagedObject]) {
    removed = Set(objects.compactMap { store.cacheNode(for: $0.objectID) })
    if removed.isEmpty { return }
    store.willRemoveCacheNodes(removed)
    for node in removed { store.removeNode(node.objectID) }
  }

  /// New objects that lead to each other need each other's nodes, so that those with relationships are
  /// filled again when all nodes are there.
  private func addNodes(for objects: [NSManagedObject]) {
    for object in objects {
      store.addCacheNodes([store.newCacheNode(for: object)])
      added.append(object.objectID)
    }
    guard objects.count > 1 else { return }
    for object in objects where object.layout.slots.contains(where: { $0.kind.isRelationship }) {
      guard let node = store.cacheNode(for: object.objectID) else { continue }
      store.updateCacheNode(node, from: object)
    }
  }

  private func update(_ node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
    changed.append((node, node.propertyCache?.mutableCopy() as? NSMutableDictionary))
    store.updateCacheNode(node, from: object)
  }
}
