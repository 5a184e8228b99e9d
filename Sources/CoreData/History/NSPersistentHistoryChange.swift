public import Foundation

/// What became of one object in a transaction.
///
/// ```swift
/// switch change.changeType {
/// case .insert: show(change.changedObjectID)
/// case .update: refresh(change.changedObjectID, change.updatedProperties)
/// case .delete: forget(change.tombstone?["uuid"])
/// }
/// ```
///
/// May be used on any thread.
///
/// Safety: immutable.
public final class NSPersistentHistoryChange: NSObject, NSCopying, @unchecked Sendable {
  private let excerpt: HistoryExcerpt
  private let index: Int

  init(_ excerpt: HistoryExcerpt, at index: Int) {
    self.excerpt = excerpt
    self.index = index
    super.init()
  }

  private var row: HistoryExcerpt.ChangeRow { excerpt.changes[index] }

  // MARK: Identity

  /// Whether the other is the same change of the same store.
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
  /// Counts the store's changes, from 1.
  public var changeID: Int64 { row.key }

  public var changeType: NSPersistentHistoryChangeType {
    switch row.kind {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    }
  }

  /// The object, which may be gone meanwhile.
  public var changedObjectID: NSManagedObjectID { excerpt.id(ofChange: index) }

  /// The properties that an update has changed, to-many relationships among them; nil for other kinds
  /// of changes, and where the change was made with a model of other properties.
  ///
  /// The descriptions are those of the coordinator's model.
  public var updatedProperties: Set<NSPropertyDescription>? {
    guard row.kind == .update, let slots = excerpt.slots(changedBy: index) else { return nil }
    let names = Set(slots.compactMap { row.layout.property(at: $0) })
    let properties = row.layout.description.propertiesByName
    return Set(names.compactMap { properties[$0] })
  }

  /// The last values of a deleted object's attributes with `preservesValueInHistoryOnDeletion`, by name;
  /// nil where there are none.
  ///
  /// What was nil is missing.
  public var tombstone: [AnyHashable: Any]? {
    guard let values = excerpt.tombstones[index] else { return nil }
    var found: [AnyHashable: Any] = [:]
    for (preserved, value) in zip(excerpt.history.tombstone(of: row.layout), values) {
      let slot = row.layout.slots[preserved.slot]
      guard let attribute = slot.attribute else { continue }
      let form = RecordForm.attribute(row.layout, slot: preserved.slot)
      if case .value(let value) = form.value(of: value, kind: ValueKind(attribute)) {
        found[slot.name] = value
      }
    }
    return found
  }

  /// The transaction that it is part of.
  public var transaction: NSPersistentHistoryTransaction? {
    NSPersistentHistoryTransaction(excerpt, at: Int(row.transaction))
  }
}

// MARK: - As an entity

extension NSPersistentHistoryChange {
  /// The entity that requests for changes are about.
  ///
  /// Its properties, such as `changeType`, `changedObjectID` and `changedEntity`, can stand in
  /// predicates.
  public class var entityDescription: NSEntityDescription? { HistoryModel.change }

  /// The same entity whatever the context.
  public class func entityDescription(
    with context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    HistoryModel.change
  }

  /// A request for changes, to be given a predicate and put into a
  /// ``NSPersistentHistoryChangeRequest``.
  public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    HistoryModel.request(for: HistoryModel.change)
  }
}

/// The kinds of changes; raw values are Apple's.
public enum NSPersistentHistoryChangeType: Int, Sendable {
  case insert = 0
  case update = 1
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
