public import Foundation

/// A change of one object in a persistent history transaction.
///
/// ```swift
/// switch change.changeType {
/// case .insert: show(change.changedObjectID)
/// case .update: refresh(change.changedObjectID, change.updatedProperties)
/// case .delete: forget(change.tombstone?["uuid"])
/// }
/// ```
///
/// You can use a change on any thread.
public final class NSPersistentHistoryChange: NSObject, NSCopying, Sendable {
  private let excerpt: HistoryExcerpt
  private let index: Int
  /// That of its transaction where several stores were asked.
  private let token: NSPersistentHistoryToken?

  init(_ excerpt: HistoryExcerpt, at index: Int, token: NSPersistentHistoryToken? = nil) {
    self.excerpt = excerpt
    self.index = index
    self.token = token
    super.init()
  }

  private var row: HistoryExcerpt.ChangeRow { excerpt.changes[index] }

  // MARK: Identity

  /// Returns whether another object represents the same change in the same store.
  ///
  /// - Parameter object: The object to compare with.
  /// - Returns: `true` if both represent the same change.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPersistentHistoryChange else { return false }
    return other.row.key == row.key && other.excerpt.identifier == excerpt.identifier
  }

  public override var hash: Int { row.key.hashValue }

  public override var description: String {
    "<NSPersistentHistoryChange \(row.key): \(row.kind) \(changedObjectID)>"
  }

  public func copy(with zone: NSZone? = nil) -> Any { self }
}

// MARK: - What

extension NSPersistentHistoryChange {
  /// The number of the change.
  ///
  /// The changes of a store are numbered from 1.
  public var changeID: Int64 { row.key }

  /// The kind of the change: an insertion, an update or a deletion.
  public var changeType: NSPersistentHistoryChangeType {
    switch row.kind {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    }
  }

  /// The identity of the changed object, which may have been deleted since.
  public var changedObjectID: NSManagedObjectID { excerpt.id(ofChange: index) }

  /// The properties that an update has changed, including to-many relationships.
  ///
  /// The value is `nil` for insertions and deletions, and if the change was made with a model that
  /// has other properties. The descriptions are those of the coordinator's model.
  public var updatedProperties: Set<NSPropertyDescription>? {
    guard row.kind == .update, let slots = excerpt.slots(changedBy: index) else { return nil }
    let names = Set(slots.compactMap { row.layout.property(at: $0) })
    let properties = row.layout.description.propertiesByName
    return Set(names.compactMap { properties[$0] })
  }

  /// The last values of a deleted object's attributes that are preserved on deletion, by name.
  ///
  /// Attributes whose value was `nil` are left out. The value of this property is `nil` if no values were preserved;
  /// see ``NSAttributeDescription/preservesValueInHistoryOnDeletion``.
  public var tombstone: [AnyHashable: Any]? {
    guard let values = excerpt.tombstones[index] else { return nil }
    var found: [AnyHashable: Any] = [:]
    for (preserved, value) in zip(excerpt.history.tombstone(of: row.layout), values) {
      let slot = row.layout.slots[preserved.slot]
      guard let attribute = slot.attribute else { continue }
      let form = RecordForm.attribute(row.layout, slot: preserved.slot)
      found[slot.name] = form.value(of: value, kind: ValueKind(attribute)).inSwift
    }
    return found
  }

  /// The transaction that contains the change.
  public var transaction: NSPersistentHistoryTransaction? {
    NSPersistentHistoryTransaction(excerpt, at: Int(row.transaction), token: token)
  }
}

// MARK: - As an entity

extension NSPersistentHistoryChange {
  /// The entity for fetch requests of changes.
  ///
  /// You can use its properties, such as `changeType`, `changedObjectID` and `changedEntity`, in
  /// predicates.
  public class var entityDescription: NSEntityDescription? { HistoryModel.change }

  /// Returns the entity for fetch requests of changes.
  ///
  /// - Parameter context: A context. The result is the same for all contexts.
  /// - Returns: The entity.
  public class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    HistoryModel.change
  }

  /// A new fetch request for changes.
  ///
  /// Set its predicate and assign it to ``NSPersistentHistoryChangeRequest/fetchRequest``.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryModel.request(for: HistoryModel.change)
  }
}

/// The kinds of changes, with the raw values of Apple's framework.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  /// An object was inserted.
  case insert = 0
  /// An object was updated.
  case update = 1
  /// An object was deleted.
  case delete = 2
}

extension EntityLayout {
  /// The name of the property that a slot belongs to.
  fileprivate func property(at slot: Int) -> String? {
    switch slots[slot].hidden {
    case nil: slots[slot].name
    case .destinationEntity(let of), .order(let of), .element(let of, _): slots[of].name
    case .foreignKey, .foreignOrder: nil
    }
  }
}
