package import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation

/// What a sidecar says of the state of its store, read without the engine.
package struct SidecarReport {
  package let pending: Int
  package let objects: Int
  package let cells: Int
  package let conflicts: Int
  package let quarantined: Int
  package let serverPosition: UInt64
  package let confirmed: Date?
  private let sidecar: Sidecar

  /// Opens the sidecar of a store; nil where the store was never kept in step.
  package init?(ofStoreAt path: String) throws {
    let file = SyncSession.sidecar(ofStoreAt: path)
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    sidecar = try Sidecar(path: file)
    pending = try sidecar.unsentCount
    objects = Int(
      try sidecar.connection.integer("SELECT COUNT(*) FROM object WHERE address IS NOT NULL") ?? 0
    )
    cells = Int(try sidecar.connection.integer("SELECT COUNT(*) FROM cell") ?? 0)
    conflicts = try sidecar.conflictCount
    let held = try sidecar.heldBack()
    quarantined = held.objects.count + held.properties.count
    serverPosition = try sidecar.cursor.position
    confirmed = try sidecar.confirmed
  }

  /// The values that lost, named by a model.
  package func lostValues(_ model: NSManagedObjectModel) throws -> [LostValue] {
    try LostValue.all(in: sidecar, try SyncModel(model)) { _ in nil }
  }
}
