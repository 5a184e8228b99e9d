import CoreDataPredicates
public import Foundation
import Synchronization

/// A conflict between objects whose values must be unique but are equal.
///
/// | Conflict | `databaseObject` | `conflictingObjects` |
/// | --- | --- | --- |
/// | A saved object has the values. | the saved object | the object to save |
/// | Two objects of this save have the values. | `nil` | both objects |
///
/// Its objects belong to a context: use them on the queue of that context.
public final class NSConstraintConflict: NSObject, Sendable {
  /// The names of the properties whose combined values must be unique.
  public let constraint: [String]
  /// The values of the conflicting objects when the conflict was found, by property name.
  public var constraintValues: [String: Any] { values.value.ofConstraint }
  /// The saved object that has the values, or `nil` if only unsaved objects have them.
  ///
  /// If the resolution has given the identity of the row to a new object, this property is that object afterwards.
  public internal(set) var databaseObject: NSManagedObject? {
    get { holder.withLock { $0 }.value }
    set {
      let holder = Handover(newValue)
      self.holder.withLock { $0 = holder }
    }
  }
  /// The values of the saved object in the store, by property name, or `nil` if only unsaved objects have the values.
  public var databaseSnapshot: [String: Any]? { values.value.ofRow }
  /// The objects to save with the values.
  public var conflictingObjects: [NSManagedObject] { objects.value }
  /// The original values of each conflicting object, which are empty for a new object.
  public var conflictingSnapshots: [[AnyHashable: Any]] { values.value.ofObjects }
  /// The row as the save has found it.
  let row: Snapshot?
  /// Whether the context did not have an object for the row before.
  let isDatabaseObjectNew: Bool
  private let objects: Handover<[NSManagedObject]>
  private let holder: Mutex<Handover<NSManagedObject?>>
  private let values: Immutable<Values>

  private struct Values {
    let ofConstraint: [String: Any]
    let ofRow: [String: Any]?
    let ofObjects: [[AnyHashable: Any]]
  }

  /// Creates a conflict to pass to ``NSMergePolicy/resolve(constraintConflicts:)``.
  ///
  /// - Parameters:
  ///   - contraint: The names of the properties whose combined values must be unique.
  ///   - databaseObject: The object that is saved with the values, or `nil`.
  ///   - databaseSnapshot: The saved values of that object, or `nil`.
  ///   - conflictingObjects: The objects to save with the values.
  ///   - conflictingSnapshots: The original values of each conflicting object, or `NSNull` for a
  ///     new object.
  public init(
    constraint contraint: [String],
    database databaseObject: NSManagedObject?,
    databaseSnapshot: [AnyHashable: Any]?,
    conflicting conflictingObjects: [NSManagedObject],
    conflictingSnapshots: [Any]
  ) {
    constraint = contraint
    objects = Handover(conflictingObjects)
    holder = Mutex(Handover(databaseObject))
    values = Immutable(
      Values(
        ofConstraint: Self.values(of: contraint, in: conflictingObjects.first),
        ofRow: databaseSnapshot?.reduce(into: [:]) { $0["\($1.key)"] = $1.value },
        ofObjects: conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
      )
    )
    row = nil
    isDatabaseObjectNew = false
    super.init()
  }

  /// Creates a conflict that names no constraint and no objects.
  ///
  /// Programs and tests create one as an element of an error's conflict list.
  public override convenience init() {
    self.init(
      constraint: [],
      database: nil,
      databaseSnapshot: nil,
      conflicting: [],
      conflictingSnapshots: []
    )
  }

  init(
    _ violation: ConstraintViolation,
    in store: NSPersistentStore,
    _ context: NSManagedObjectContext
  ) {
    constraint = violation.constraint.names
    objects = Handover(violation.objects)
    row = violation.holder?.snapshot
    let key = violation.holder.map {
      ObjectKey(store: store.number, root: $0.layout.rootNumber, number: $0.primaryKey)
    }
    isDatabaseObjectNew = key.map { context.identityMap[$0] == nil } ?? false
    let holder = violation.holder.flatMap { context.objects(for: [$0], in: store).first }
    self.holder = Mutex(Handover(holder))
    values = Immutable(
      Values(
        ofConstraint: Self.values(of: constraint, in: violation.objects.first),
        ofRow: row.flatMap { row in holder?.plainValues(in: row) },
        ofObjects: violation.objects.map { $0.willBeInserted ? [:] : $0.committedPlainValues }
      )
    )
    super.init()
  }

  private static func values(of names: [String], in object: NSManagedObject?) -> [String: Any] {
    var values: [String: Any] = [:]
    for name in names {
      let value = object?.value(forKey: name)
      values[name] = (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
    }
    return values
  }

  public override var description: String {
    let holder = databaseObject.map { "\($0.objectID) has them" } ?? "nobody is saved with them"
    return """
      <\(type(of: self)): \(constraint.joined(separator: ", ")) must be unique; \
      \(constraintValues); \(conflictingObjects.map { "\($0.objectID)" }); \(holder)>
      """
  }
}

extension NSConstraintConflict {
  /// Whether an object still wants the values; another resolution may have changed it.
  func concerns(_ object: NSManagedObject) -> Bool {
    guard object.willBeInserted || object.willBeUpdated else { return false }
    return constraint.allSatisfy { name in
      let value = object.value(forKey: name)
      let plain = (value as? NSManagedObject)?.objectID ?? value ?? NSNull()
      return plain as? AnyHashable == constraintValues[name] as? AnyHashable
    }
  }
}

extension NSManagedObject {
  fileprivate var committedPlainValues: [AnyHashable: Any] {
    guard let snapshot = self.snapshot else { return [:] }
    return plainValues(in: snapshot)
  }
}
