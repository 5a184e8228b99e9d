public import Foundation

/// A conflict between an object's unsaved changes and changes that someone else made to its row.
///
/// | Changed or deleted by | `cachedSnapshot` | `persistedSnapshot` |
/// | --- | --- | --- |
/// | another context of this coordinator | what that context saved | `nil` |
/// | another coordinator or process | the last known values | the values in the store |
///
/// Snapshots contain attributes and to-one relationships by name, the latter as identities, and
/// `NSNull` for `nil`. They do not contain to-many relationships.
///
/// Safety: immutable; the object belongs to its context's queue.
public class NSMergeConflict: NSObject, @unchecked Sendable {
  /// The object that cannot be saved.
  public let sourceObject: NSManagedObject
  /// The values of the object in its context when the conflict was found.
  public let objectSnapshot: [String: Any]?
  /// The values in the coordinator's row cache, or `nil` if the coordinator knows that the row was
  /// deleted.
  public let cachedSnapshot: [String: Any]?
  /// The values in the store if they differ from the cached ones, otherwise `nil`.
  ///
  /// It is also `nil` if the row was deleted.
  public let persistedSnapshot: [String: Any]?
  /// The current version of the row, or 0 if it was deleted.
  public let newVersionNumber: Int
  /// The version of the row when the object was last fetched or saved.
  public let oldVersionNumber: Int
  /// The row as the save has found it; nil in a conflict that users make.
  let found: FoundRow?

  /// Creates a conflict to pass to ``NSMergePolicy/resolve(optimisticLockingConflicts:)``.
  ///
  /// A policy that resolves this conflict reads the row with one statement, unless `newvers` is 0.
  ///
  /// - Parameters:
  ///   - srcObject: The object that cannot be saved.
  ///   - newvers: The current version of the row, or 0 if it was deleted.
  ///   - oldvers: The version of the row when the object was last fetched or saved.
  ///   - cachesnap: The values in the coordinator's row cache.
  ///   - persnap: The values in the store.
  public init(
    source srcObject: NSManagedObject,
    newVersion newvers: Int,
    oldVersion oldvers: Int,
    cachedSnapshot cachesnap: [String: Any]?,
    persistedSnapshot persnap: [String: Any]?
  ) {
    sourceObject = srcObject
    objectSnapshot = srcObject.plainValues
    cachedSnapshot = cachesnap
    persistedSnapshot = persnap
    newVersionNumber = newvers
    oldVersionNumber = oldvers
    found = nil
    super.init()
  }

  init(_ object: NSManagedObject, _ row: RefusedRow) {
    let base = object.record.pointee.snapshot
    let values = { (snapshot: Snapshot?) in snapshot.map { object.plainValues(in: $0) } }
    sourceObject = object
    objectSnapshot = object.plainValues
    if let cached = row.cached, cached.snapshot?.version == row.stored?.version {
      cachedSnapshot = values(cached.snapshot)
      persistedSnapshot = nil
    } else {
      cachedSnapshot = values(row.cached?.snapshot ?? base)
      persistedSnapshot = values(row.stored)
    }
    newVersionNumber = row.stored.map { Int($0.version) } ?? 0
    oldVersionNumber = base.map { Int($0.version) } ?? 0
    found = FoundRow(snapshot: row.stored)
    super.init()
  }

  /// A row as a save has found it.
  struct FoundRow {
    /// Nil when the row is gone.
    let snapshot: Snapshot?
  }

  public override var description: String {
    """
    <\(type(of: self)): \(sourceObject.objectID) was read in version \(oldVersionNumber), \
    \(newVersionNumber == 0 ? "and is gone" : "and is now in version \(newVersionNumber)")>
    """
  }
}

extension NSMergeConflict {
  /// The row as it is in the store; nil when it is gone.
  func currentRow() throws -> Snapshot? {
    if let found { return found.snapshot }
    let key = sourceObject.record.pointee.key
    guard newVersionNumber != 0, let context = sourceObject.managedObjectContext,
      let store = context.persistentStoreCoordinator?.store(numbered: key.store)
    else { return nil }
    return try context.readPresentRow(for: key, of: sourceObject.layout, in: store)?.snapshot
  }
}

// MARK: - Values by name

extension NSManagedObject {
  /// Attributes and to-one relationships by name, the latter as identities; `NSNull` for nil.
  var plainValues: [String: Any] {
    var values: [String: Any] = [:]
    for slot in plainSlots {
      let value = boxedValue(at: slot)
      values[layout.slots[slot].name] = (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
    }
    return values
  }

  func plainValues(in snapshot: Snapshot) -> [String: Any] {
    var values: [String: Any] = [:]
    for slot in plainSlots {
      let value: Any? =
        layout.slots[slot].kind == .toOne
        ? storedTarget(at: slot, in: snapshot)?.objectID
        : box(SlotValue(unpacking: slot, of: snapshot, in: layout), at: slot)
      values[layout.slots[slot].name] = value ?? NSNull()
    }
    return values
  }

  /// The properties that have a value of their own in the row.
  var plainSlots: [Int] {
    (0..<layout.propertyCount).filter { slot in
      layout.slots[slot].isPersistent && !layout.slots[slot].kind.isToMany
    }
  }
}
