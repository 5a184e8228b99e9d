import CoreDataSQL
package import CoreDataSQLite
import Foundation

/// The SQL functions that a store's triggers call.
///
/// Apple's framework writes triggers for derived attributes that call functions of its own; a
/// connection without them could not write to such a table.
package enum StoreFunctions {
  package static func define(on connection: Connection) {
    connection.define("NSCoreDataNow", argumentCount: 0, isDeterministic: false, for: .schema) {
      _ in
      .real(Date().timeIntervalSinceReferenceDate)
    }
    let reported = ReportedRows()
    connection.companion = reported
    for name in reports {
      connection.define(name, argumentCount: 5, isDeterministic: false, for: .schema) { arguments in
        if case .integer(let entity) = arguments[1], case .integer(let number) = arguments[2] {
          var property = ""
          if case .text(let name) = arguments[3] { property = name }
          reported.note(ReportedRow(entity: entity, primaryKey: number, property: property))
        }
        return .null
      }
    }
  }

  /// They inform the framework of a value that a trigger has changed.
  ///
  /// Their arguments are table, entity, key, property and value; the rows they name are read again
  /// when all is written.
  private static let reports = [
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]
}
