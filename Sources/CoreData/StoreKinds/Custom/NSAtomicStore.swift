import Foundation
import Synchronization

/// A base class for custom stores that read and write their files as a whole.
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
/// The framework executes fetches and fulfills faults from the loaded nodes; a subclass only reads
/// and writes. Its methods are called by one thread at a time.
///
/// Safety: nodes are behind a mutex and are changed within a save, of which there is one at a time.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
  let references = ReferenceTable()
  /// The nodes are changed within a save, of which there is one at a time.
  private let nodes = Mutex<[ObjectKey: Handover<NSAtomicStoreCacheNode>]>([:])

  // MARK: Reading and writing the file

  /// Reads the file and adds a node for each object.
  ///
  /// Subclasses must override this method.
  ///
  /// - Throws: An error if the file cannot be read; the store is then not added to its coordinator.
  open func load() throws {
    stop("\(Swift.type(of: self)) must override load()")
  }

  /// Writes the nodes and the metadata to the file.
  ///
  /// Subclasses must override this method.
  ///
  /// - Throws: An error if the file cannot be written. The context's save throws it, and nodes and
  ///   objects are as they were before.
  open func save() throws {
    stop("\(Swift.type(of: self)) must override save()")
  }

  // MARK: Nodes

  /// Creates the node of a newly inserted object, which already has its permanent identity.
  ///
  /// The default implementation creates an `NSAtomicStoreCacheNode` and fills it with
  /// ``updateCacheNode(_:from:)``.
  ///
  /// - Parameter managedObject: The inserted object.
  /// - Returns: The new node.
  open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
    let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
    updateCacheNode(node, from: managedObject)
    return node
  }

  /// Copies the values of an object to its node.
  ///
  /// The default implementation copies every stored property; relationships are copied as nodes.
  ///
  /// - Parameters:
  ///   - node: The node to update.
  ///   - managedObject: The changed object.
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

  /// Called before the nodes of deleted objects are removed from the store.
  ///
  /// - Parameter cacheNodes: The nodes to remove.
  open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

  /// Returns all nodes of the store.
  ///
  /// Call this method in ``save()``, to write the nodes.
  ///
  /// - Returns: The nodes.
  public func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
    Set(nodes.withLock { Array($0.values) }.map(\.value))
  }

  /// Adds nodes to the store.
  ///
  /// Call this method in ``load()``.
  ///
  /// - Parameter cacheNodes: The nodes to add.
  public func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    let new = cacheNodes.map { (key: $0.objectID.key, node: Handover($0)) }
    nodes.withLock { nodes in
      for (key, node) in new { nodes[key] = node }
    }
  }

  /// Returns the node of an object.
  ///
  /// - Parameter objectID: The identity of the object.
  /// - Returns: The node, or `nil` if the store does not have one.
  public func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
    nodes.withLock { $0[objectID.key] }?.value
  }

  func removeNode(_ objectID: NSManagedObjectID) {
    nodes.withLock { $0[objectID.key] = nil }
  }

  // MARK: Identities

  /// Returns the identity of the object that a reference object denotes.
  ///
  /// - Parameters:
  ///   - entity: The entity of the object.
  ///   - data: Your own key of the object: a number, a string or a UUID.
  /// - Returns: The identity.
  public func objectID(
    for entity: NSEntityDescription,
    withReferenceObject data: Any
  ) -> NSManagedObjectID {
    references.objectID(for: entity, reference: data, in: self)
  }

  /// Returns the reference object of an identity.
  ///
  /// If the identity was made from a URI, and this store has not made it before, only the text of the key is
  /// known: a UUID is returned as a `String`, and a text that consists of digits as an `NSNumber`.
  ///
  /// - Parameter objectID: The identity of an object of this store. Another one stops the program.
  /// - Returns: Your own key of the object.
  public func referenceObject(for objectID: NSManagedObjectID) -> Any {
    references.reference(of: objectID, in: self)
  }

  /// Returns a new reference object for an inserted object.
  ///
  /// Subclasses must override this method.
  ///
  /// - Parameter managedObject: The inserted object.
  /// - Returns: A number, a string or a UUID that no other object of the same root entity has.
  open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    stop("\(Swift.type(of: self)) must override newReferenceObject(for:)")
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
