import CoreDataPredicates
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
/// Its object belongs to a context: use it on the queue of that context.
public final class NSMergeConflict: NSObject, Sendable {
  /// The object that cannot be saved.
  public var sourceObject: NSManagedObject { source.value }
  /// The values of the object in its context when the conflict was found.
  public var objectSnapshot: [String: Any]? { snapshots.value.object }
  /// The values in the coordinator's row cache, or `nil` if the coordinator knows that the row was
  /// deleted.
  public var cachedSnapshot: [String: Any]? { snapshots.value.cached }
  /// The values in the store if they differ from the cached ones, otherwise `nil`.
  ///
  /// It is also `nil` if the row was deleted.
  public var persistedSnapshot: [String: Any]? { snapshots.value.persisted }
  /// The current version of the row, or 0 if it was deleted.
  public let newVersionNumber: Int
  /// The version of the row when the object was last fetched or saved.
  public let oldVersionNumber: Int
  /// The row as the save has found it; nil in a conflict that users make.
  let found: FoundRow?
  private let source: Handover<NSManagedObject>
  private let snapshots: Immutable<Snapshots>

  private struct Snapshots {
    let object: [String: Any]?
    let cached: [String: Any]?
    let persisted: [String: Any]?
  }

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
    source = Handover(srcObject)
    snapshots = Immutable(
      Snapshots(object: srcObject.plainValues, cached: cachesnap, persisted: persnap)
    )
    newVersionNumber = newvers
    oldVersionNumber = oldvers
    found = nil
    super.init()
  }

  init(_ object: NSManagedObject, _ row: RefusedRow) {
    let base = object.snapshot
    let values = { (snapshot: Snapshot?) in snapshot.map { object.plainValues(in: $0) } }
    source = Handover(object)
    let isKnown = row.cached.map { $0.snapshot?.version == row.stored?.version } ?? false
    snapshots = Immutable(
      Snapshots(
        object: object.plainValues,
        cached: values(isKnown ? row.cached?.snapshot : row.cached?.snapshot ?? base),
        persisted: isKnown ? nil : values(row.stored)
      )
    )
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
    let key = sourceObject.key
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
