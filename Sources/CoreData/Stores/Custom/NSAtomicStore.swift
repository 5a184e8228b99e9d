import Foundation
import Synchronization

/// A store of one's own whose file is read whole and written whole.
///
/// ```swift
/// final class JSONStore: NSAtomicStore {
///   override var type: String { "JSON" }
///   override func load() throws { addCacheNodes(try read(url)) }
///   override func save() throws { try write(cacheNodes(), to: url) }
///   override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }
/// }
/// NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, type: .init(rawValue: "JSON"))
/// ```
///
/// The framework answers fetches, faults and relationships from what was loaded; the author's part is
/// to read and to write. Methods are called by one thread at a time.
///
/// Safety: nodes are behind a mutex and are changed within a save, of which there is one at a time.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  let references = ReferenceTable()
  private let nodes = Mutex(Nodes())

  /// Safety: behind the mutex, without which nobody reaches it.
  private struct Nodes: @unchecked Sendable {
    var byKey: [ObjectKey: NSAtomicStoreCacheNode] = [:]
  }

  // MARK: Reading and writing the file

  /// Reads the file and adds a node for each object; to be overridden.
  ///
  /// The store is refused with whatever is thrown here.
  open func load() throws {
    stop("\(Swift.type(of: self)) must override load()")
  }

  /// Writes the nodes, and the metadata, into the file; to be overridden.
  ///
  /// What is thrown here is thrown by the context's save, and nodes and objects are as they were.
  open func save() throws {
    stop("\(Swift.type(of: self)) must override save()")
  }

  // MARK: Nodes

  /// A node for a new object, which has its permanent identity already.
  ///
  /// Unless overridden the node is a plain one, filled by ``updateCacheNode(_:from:)``.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    updateCacheNode(node, from: managedObject)
    return node
  }

  /// Takes the values of an object over into its node.
  ///
  /// Unless overridden every stored property is, relationships as nodes.
  open func updateCacheNode(
    _ node: NSAtomicStoreCacheNode,
    from managedObject: NSManagedObject
  ) {
    for (slot, entry) in managedObject.layout.slots.prefix(managedObject.layout.propertyCount)
      .enumerated() where entry.isPersistent
    {
      node.setValue(nodeValue(of: managedObject, at: slot), forKey: entry.name)
    }
  }

  private func nodeValue(of object: NSManagedObject, at slot: Int) -> Any? {
    let node = { (value: Any) in
      (value as? NSManagedObject).flatMap { self.cacheNode(for: $0.objectID) }
    }
    switch object.boxedValue(at: slot) {
    case let target as NSManagedObject: return node(target)
    case let set as NSOrderedSet: return NSOrderedSet(array: set.array.compactMap(node))
    case let set as NSSet where object.layout.slots[slot].kind.isToMany:
      return NSSet(array: set.allObjects.compactMap(node))
    case let value: return value
    }
  }

  /// Called before nodes of deleted objects leave the store.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// All nodes.
  public func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
    Set(nodes.withLock { Carried(Array($0.byKey.values)) }.nodes)
  }

  /// Makes nodes known; to be called by ``load()``.
  public func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    let new = Carried(Array(cacheNodes))
    nodes.withLock { nodes in
      for node in new.nodes { nodes.byKey[node.objectID.key] = node }
    }
  }

  /// The node of an object; nil when there is none.
  public func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    nodes.withLock { Carried([$0.byKey[objectID.key]].compactMap { $0 }) }.nodes.first
  }

  func removeNode(_ objectID: NSManagedObjectID) {
    nodes.withLock { $0.byKey[objectID.key] = nil }
  }

  // MARK: Identities

  /// The identity for what the author calls an object: a number, a text, a UUID.
  public func objectID(
    for entity: NSEntityDescription,
    withReferenceObject data: Any
  ) -> NSManagedObjectID {
    references.objectID(for: entity, reference: data, in: self)
  }

  /// What the author calls an object.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any {
    references.reference(of: objectID, in: self)
  }

  /// A name for a new object, that no other of its entity tree has; to be overridden.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    stop("\(Swift.type(of: self)) must override newReferenceObject(for:)")
  }

  /// Carries nodes over the mutex's border.
  ///
  /// Safety: nodes are changed within a save only.
  private struct Carried: @unchecked Sendable {
    let nodes: [NSAtomicStoreCacheNode]

    init(_ nodes: [NSAtomicStoreCacheNode]) {
      self.nodes = nodes
    }
  }
}

extension ReferenceTable {
  func objectID(
    for entity: NSEntityDescription,
    reference: Any,
    in store: NSPersistentStore
  ) -> NSManagedObjectID {
    let layout = store.persistentStoreCoordinator?.layout[entity.name ?? ""] ?? entity.layout
    let number = number(for: reference, root: layout.rootNumber)
    let key = ObjectKey(store: store.number, root: layout.rootNumber, number: number)
    return NSManagedObjectID(key: key, layout: layout)
  }

  func reference(of objectID: NSManagedObjectID, in store: NSPersistentStore) -> Any {
    require(
      objectID.key.store == store.number,
      "\(objectID) is of another store; its own store knows its reference object"
    )
    return reference(for: objectID.key.number, root: objectID.key.root)
  }
}
