import Foundation
import Synchronization

/// The place of a context among its relatives.
struct ContextKinship {
  /// Kept alive by its children.
  var parent: NSManagedObjectContext?
  /// The coordinator, unless there is a parent.
  var coordinator: NSPersistentStoreCoordinator? {
    didSet { (model, rowChanges) = (coordinator?.layout, coordinator?.changes) }
  }
  /// The coordinator's model, which every new object asks for.
  private(set) var model: ModelLayout?
  /// The coordinator's count, which every fault asks for.
  private(set) var rowChanges: RowChangeCount?
  /// The names that a child shares with its relatives; `nil` for a root.
  var family: ContextFamily?
  /// How many of the family's renamings this context has followed.
  var renamingsSeen = 0
}

// MARK: - Parent and coordinator

extension NSManagedObjectContext {
  /// The context from which this context reads and to which it saves, instead of a coordinator.
  ///
  /// ```swift
  /// let draft = NSManagedObjectContext(.privateQueue)
  /// draft.parent = container.viewContext
  /// ```
  ///
  /// A child sees the unsaved changes of its parent, and saving a child turns its changes into
  /// unsaved changes of the parent. A child keeps its parent alive.
  ///
  /// Set the property once, before you use the context; this is possible on any thread. The program
  /// stops if the context already has a coordinator, objects or another parent, or if it would
  /// become its own ancestor.
  public var parent: NSManagedObjectContext? {
    get { kinship.parent }
    set {
      if newValue === kinship.parent { return }
      guard let newValue else {
        stop("the context \(name ?? "") keeps its parent as long as it lives; make a new context")
      }
      adopt(newValue)
    }
  }

  private func adopt(_ parent: NSManagedObjectContext) {
    require(
      kinship.parent == nil && kinship.coordinator == nil && identityMap.objects.isEmpty,
      """
      the context \(name ?? "") has a coordinator, a parent or objects already; set the parent of a \
      new context, before anything else
      """
    )
    require(
      !parent.lineage.contains { $0 === self },
      "the context \(name ?? "") cannot be its own ancestor; choose a parent that does not descend from it"
    )
    let family = parent.familyOfChildren
    kinship = ContextKinship(
      parent: parent,
      family: family,
      renamingsSeen: family.renamingCount
    )
    followParent()
  }

  /// This context, its parent, and so on to the root.
  var lineage: [NSManagedObjectContext] {
    [self] + (kinship.parent?.lineage ?? [])
  }

  private var familyOfChildren: ContextFamily {
    kinship.family ?? children.family.withLock { $0.found() }
  }

  /// The names that relatives know, if there are relatives.
  var family: ContextFamily? {
    kinship.family ?? children.family.withLock { $0.living }
  }

  func setCoordinator(_ coordinator: NSPersistentStoreCoordinator?) {
    require(
      kinship.parent == nil,
      """
      the context \(name ?? "") has a parent and uses its coordinator; set a coordinator only on a \
      context without a parent
      """
    )
    if coordinator === kinship.coordinator { return }
    audienceToJoin?.remove(self)
    kinship.coordinator = coordinator
    coordinator?.contexts.add(identityMap.address)
    identityMap.currentRows.follow(coordinator?.changes)
    followParent()
  }

  /// Grows whenever values may have changed where this context reads.
  var rowGeneration: Int? {
    guard let parent = kinship.parent else { return kinship.rowChanges?.current }
    return (parent.rowGeneration ?? 0) + parent.children.eventCount.load(ordering: .acquiring)
  }
}

// MARK: - Names

extension NSManagedObjectContext {
  /// Gives objects the permanent names that relatives have found for them.
  ///
  /// Before a child asks its parent, and before a parent answers, so that both speak of the same
  /// objects by the same names.
  func followRenamings() {
    guard let family = kinship.family, family.renamingCount > kinship.renamingsSeen else { return }
    let renamings = family.renamings(since: kinship.renamingsSeen)
    kinship.renamingsSeen += renamings.count
    for renaming in renamings {
      guard let object = identityMap[renaming.former] else { continue }
      identityMap.unregister(object, key: renaming.former)
      object.key = renaming.key
      object.existingID = nil
      identityMap.register(object, key: renaming.key)
    }
  }

  /// The object that relatives know by that name too; nil when this context does not have it.
  func relative(named key: ObjectKey) -> NSManagedObject? {
    guard key.isTemporary || kinship.family != nil, let family else { return nil }
    followRenamings()
    return identityMap[family.current(key)]
  }

  func currentName(_ key: ObjectKey) -> ObjectKey {
    key.isTemporary ? family?.current(key) ?? key : key
  }

  /// How a row that passes between contexts names the object of a to-one relationship.
  ///
  /// ```
  ///  42   the object 42 of the owner's store
  /// -7    the object with the temporary number 7
  /// ```
  ///
  /// An object that a number alone cannot name has, or gets, a temporary number too: an object of another store, or
  /// any stored object if the owner is not in a store yet.
  func passedNumber(of target: NSManagedObject, from owner: NSManagedObject) -> Int64? {
    let key = target.key
    if key.isTemporary { return -key.number }
    if key.store == owner.key.store { return key.number }
    return family.map { -$0.temporaryNumber(of: key) }
  }
}
