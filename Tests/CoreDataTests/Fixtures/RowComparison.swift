import CoreDataSQLite
import Foundation

@testable import CoreData

/// Every row of a store as our objects say it, held against what plain SQL says.
struct RowComparison {
  /// How many properties were compared.
  private(set) var count = 0
  /// The lines of only one of the two.
  private(set) var differences: [String] = []

  init(_ copy: StoreCopy, _ connection: Connection) throws {
    let tables = TableMap(copy.schema, in: try FileTables(on: connection))
    let plain = PlainRows(connection: connection, tables: tables)
    let context = copy.context()
    try context.performAndWait {
      for layout in copy.coordinator.layout.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
        request.includesSubentities = false
        let ours = try context.fetch(request).flatMap { ObjectLines(object: $0).lines }
        let theirs = try plain.lines(of: layout)
        count += theirs.count
        differences += Set(ours).symmetricDifference(theirs).sorted()
        if ours.count != theirs.count { differences.append("\(ours.count) ≠ \(theirs.count)") }
      }
    }
  }
}
