import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The SQL functions that a store's triggers call.
///
/// Apple's framework writes triggers for derived attributes that call functions of its own; a
/// connection without them could not write to such a table.
enum StoreFunctions {
  static func define(on connection: Connection) {
    connection.define("NSCoreDataNow", argumentCount: 0, isDeterministic: false) { _ in
      .real(Date().timeIntervalSinceReferenceDate)
    }
    for name in reports {
      connection.define(name, argumentCount: 5, isDeterministic: false) { _ in .null }
    }
  }

  /// They tell the framework of a value that a trigger has changed.
  ///
  /// We read the rows again instead.
  private static let reports = [
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataTriggerUpdateAffectedObjectValue",
  ]
}
