import CoreData
package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// A trigger that the model does not explain and that a save sets off, with its effects.
///
/// ```
/// CREATE TRIGGER tidy AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZLOG; END
///
/// tidy on ZNOTE: deletes rows of ZLOG
/// ```
package struct StrangeTrigger: Hashable, Sendable {
  package let name: String
  package let table: String
  /// Its effects, as in "deletes rows of ZLOG"; empty if it only reads, or stops the save.
  package let effects: [String]
}

extension StrangeTrigger {
  /// The strange triggers that run when objects of some entities are updated, and those that these set off.
  ///
  /// SQLite tells it when it compiles the statements of such a save. None of them runs.
  package static func setOff(
    byUpdating entities: Set<String>,
    of model: ModelSchema,
    inStoreAt url: URL,
    patience: TimeInterval
  ) throws -> [StrangeTrigger] {
    let session = try SQLSession(at: url, isWritable: false, patience: patience)
    let connection = try session.connection
    // The effects of an index of words or of places are reported too.
    connection.trustSchema()
    let tables = TableMap(model, existingTables: try StoreTables.names(on: connection))
    let strange = try StrangeCode(on: connection, tables, model).triggers
    if strange.isEmpty { return [] }
    let updated = Set(entities.compactMap { tables[$0]?.tableName })
    let effects = try effects(ofUpdating: updated.sorted(), on: connection)
    let causes = Dictionary(grouping: effects) { $0.cause ?? "" }
    let found = strange.compactMap { trigger in
      causes[trigger.name].map {
        StrangeTrigger(name: trigger.name, table: trigger.table, effects: words(for: $0))
      }
    }
    // Those that the save sets off itself come first.
    return found.filter { updated.contains($0.table) }
      + found.filter { !updated.contains($0.table) }
  }

  private static func effects(
    ofUpdating tables: [String],
    on connection: Connection
  ) throws(SQLiteError) -> Set<Connection.Effect> {
    var statements: [SQLFragment] = []
    for table in tables + ["Z_PRIMARYKEY"] {
      let columns = try FileSchema.columns(of: table, on: connection)
      if !columns.isEmpty { statements.append(StrangeCode.update(of: columns, in: table)) }
    }
    for table in ["ATRANSACTION", "ACHANGE", "ATRANSACTIONSTRING"]
    where try !FileSchema.columns(of: table, on: connection).isEmpty {
      statements.append("INSERT INTO \(name: table) DEFAULT VALUES")
    }
    return try connection.effects(of: statements)
  }

  private static func words(for effects: [Connection.Effect]) -> [String] {
    let words = effects.compactMap { effect -> String? in
      switch effect.kind {
      case .insert: "adds rows to \(effect.subject)"
      case .update: "updates rows of \(effect.subject)"
      case .delete: "deletes rows of \(effect.subject)"
      case .read, .select, .call, .other: nil
      }
    }
    return Set(words).sorted()
  }
}
