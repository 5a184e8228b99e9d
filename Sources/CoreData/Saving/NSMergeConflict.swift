public import Foundation

/// An object whose row has changed in the store since it was read.
///
/// An array of these stands in the error of a refused save, under
/// `NSPersistentStoreSaveConflictsErrorKey`.
///
/// Safety: immutable; the object belongs to its context's queue.
public final class NSMergeConflict: NSObject, @unchecked Sendable {
  public let sourceObject: NSManagedObject
  /// The object's values in its context; to-one relationships as identities.
  public let objectSnapshot: [String: Any]?
  /// The values that the save started from.
  public let cachedSnapshot: [String: Any]?
  /// The values in the store; nil when the row is gone.
  public let persistedSnapshot: [String: Any]?
  /// The version in the store; 0 when the row is gone.
  public let newVersionNumber: Int
  /// The version that the save expected.
  public let oldVersionNumber: Int

  init?(_ conflict: RowConflict, among changes: ChangeSet) {
    let object = (changes.updated + changes.deleted).first {
      let key = $0.record.pointee.key
      return key.number == conflict.number && key.root == conflict.layout.rootNumber
    }
    guard let object else { return nil }
    sourceObject = object
    objectSnapshot = object.plainValues
    cachedSnapshot = object.record.pointee.snapshot.map { object.plainValues(in: $0) }
    persistedSnapshot = conflict.stored.map { object.plainValues(in: $0) }
    newVersionNumber = conflict.stored.map { Int($0.version) } ?? 0
    oldVersionNumber = object.record.pointee.snapshot.map { Int($0.version) } ?? 0
    super.init()
  }
}

extension NSManagedObject {
  /// Attributes and to-one relationships by name, the latter as identities; `NSNull` for nil.
  fileprivate var plainValues: [String: Any] {
    var values: [String: Any] = [:]
    for slot in plainSlots {
      let value = boxedValue(at: slot)
      values[layout.slots[slot].name] = (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
    }
    return values
  }

  fileprivate func plainValues(in snapshot: Snapshot) -> [String: Any] {
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

  private var plainSlots: [Int] {
    (0..<layout.propertyCount).filter { slot in
      layout.slots[slot].isPersistent && !layout.slots[slot].kind.isToMany
    }
  }
}
