package import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation

/// A sidecar's account of the state of its store, read without the engine, and without changing anything.
package struct SidecarReport {
  package let pending: Int
  package let conflicts: Int
  package let quarantined: Int
  package let serverPosition: UInt64
  package let confirmed: Date?
  private let sidecar: Sidecar

  /// Reads the sidecar of a store; `nil` if the store was never kept in step.
  ///
  /// Throws a `SyncFailure` if it cannot be read this way.
  package init?(ofStoreAt path: String, _ reading: Sidecar.Reading = .fromOutside) throws {
    let file = SyncSession.sidecar(ofStoreAt: path)
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    sidecar = try Sidecar(reading: file, reading)
    pending = try sidecar.pendingCount
    conflicts = try sidecar.conflictCount
    quarantined = try sidecar.quarantineCount
    serverPosition = try sidecar.cursor.position
    confirmed = try sidecar.confirmed
    try sidecar.checkIsUnchanged()
  }

  /// How many objects and how many values are known; all of them are counted when it is asked.
  package func size() throws -> (objects: Int, cells: Int) {
    let connection = sidecar.connection
    let objects = try connection.integer("SELECT COUNT(*) FROM object WHERE address IS NOT NULL")
    let cells = try connection.integer("SELECT COUNT(*) FROM cell")
    try sidecar.checkIsUnchanged()
    return (Int(objects ?? 0), Int(cells ?? 0))
  }

  /// The values that lost, named by a model, with the objects of a store that they are of, where one is given.
  package func lostValues(
    _ model: NSManagedObjectModel,
    of door: StoreDoor? = nil
  ) throws -> [LostValue] {
    let model = try SyncModel(model)
    let values = try LostValue.all(in: sidecar, model) { try sidecar.objectID(of: $0, model, door) }
    try sidecar.checkIsUnchanged()
    return values
  }

  /// The values that the store refuses and those that the server lacks, named by a model, with the store's objects.
  package func refusedValues(
    _ model: NSManagedObjectModel,
    of door: StoreDoor
  ) throws -> [RefusedValue] {
    let model = try SyncModel(model)
    let held = try sidecar.heldReasons().map { held in
      (CellKey(held.object, held.property.map { .value($0) } ?? .life), held.reason)
    }
    return try (held + sidecar.asideReasons()).map { key, reason in
      RefusedValue(
        objectID: try sidecar.address(of: key.object).flatMap { door.objectID(at: $0) },
        propertyName: try model.names(of: key, sidecar).property,
        reason: reason
      )
    }
  }
}

// MARK: - Everything

/// A value as a sidecar has it, named by a model.
package struct KnownValue: Sendable {
  package let object: String
  package let entityName: String?
  /// `nil` for the object itself, and for properties that the model does not have.
  package let propertyName: String?
  package let text: String
  package let date: Date
  package let isConfirmed: Bool
  /// Whether it says that the object was deleted, or the member taken out.
  package let isGone: Bool
}

extension SidecarReport {
  /// Tells of each value that is known, the values of an object together.
  package func forEachValue(
    _ model: NSManagedObjectModel,
    _ tell: (KnownValue) throws -> Void
  ) throws {
    let model = try SyncModel(model)
    var named: (id: SyncID, entity: SyncEntity?)?
    try sidecar.forEachCell { keyed, isUnsent in
      let (key, cell) = (keyed.key, keyed.cell)
      if named?.id != key.object {
        named = (
          key.object, try sidecar.cells(of: key.object)?.entity.flatMap { model.entities[$0] }
        )
      }
      try tell(
        KnownValue(
          object: key.object.description,
          entityName: named?.entity?.description.name,
          propertyName: named?.entity?.propertyName(of: key.field),
          text: keyed.words,
          date: cell.stamp.date,
          isConfirmed: !isUnsent,
          isGone: keyed.isGone
        )
      )
    }
    try sidecar.checkIsUnchanged()
  }
}

extension KeyedCell {
  fileprivate var isGone: Bool {
    switch key.field {
    case .life: cell.epoch & 1 == 0
    case .member: cell.payload == CellValue.removed
    case .value, .place, .lost: false
    }
  }

  fileprivate var words: String {
    switch key.field {
    case .life: ""
    case .member(_, let target, _): target.description
    case .value, .lost: CellValue(payload: cell.payload)?.words ?? ""
    case .place(_, let target): "\(target) at \(CellValue(payload: cell.payload)?.words ?? "")"
    }
  }
}

extension SyncEntity {
  fileprivate func propertyName(of field: CellKey.Field) -> String? {
    switch field {
    case .life: nil
    case .value(let property), .lost(let property, _):
      attributes.first { $0.property == property }?.name
        ?? roles.first { $0.property == property && $0.kind == .reference }?.name
    case .member(let property, _, _):
      roles.first { $0.property == property && $0.kind == .members }?.name
    case .place(let places, _): roles.first { $0.places == places }?.name
    }
  }
}
