import CoreData
import CoreDataModel
import CoreDataSQL

extension PostgreSQLDatabase {
  /// The history's tables, which are made if they are wanted and missing; `nil` if the zone does not have a history.
  func history(of place: StorePlace, for layout: ModelLayout) throws -> HistoryTables? {
    let known = try room()
    let wanted = layout.preservedCount
    guard place.flag(NSPersistentHistoryTrackingKey), !place.isReadOnly, (known ?? -1) < wanted
    else { return known.map(PostgreSQLHistory.tables) }
    try make(tombstoneCount: wanted, for: place.purpose)
    return PostgreSQLHistory.tables(tombstoneCount: try room() ?? wanted)
  }

  /// The number of a deleted object's values for which the zone's history has room; `nil` if the zone does not have
  /// one.
  private func room() throws -> Int? {
    try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) -> Int? in
        guard try tables(connection).contains(PostgreSQLHistory.marker),
          try connection.integer(PostgreSQLHistory.lastTransaction) != nil
        else { return nil }
        return Int(clamping: try connection.integer(Self.tombstones) ?? 0)
      }
    }
  }

  /// Whether the user may call the function that makes saves wait for the disk together.
  func mayFlush() throws -> Bool {
    try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) in
        let sql: SQLFragment = """
          SELECT CAST(has_function_privilege('pg_logical_emit_message(boolean, text, text)', 'EXECUTE') AS INTEGER)
          """
        return try connection.integer(sql) == 1
      }
    }
  }

  private static let tombstones: SQLFragment = """
    SELECT COUNT(*) FROM pg_catalog.pg_attribute a \
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid \
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
    WHERE n.nspname = current_schema() AND c.relname = 'ACHANGE' \
    AND starts_with(CAST(a.attname AS TEXT), 'ZTOMBSTONE') AND NOT a.attisdropped
    """

  /// Makes what is missing: tables, room for values of deleted objects, and the zone's numbers.
  private func make(tombstoneCount: Int, for purpose: StorePlace.Purpose) throws {
    try translating { () throws(PostgreSQLError) in
      try pool.once { connection throws(PostgreSQLError) in
        try locked(connection) { () throws(PostgreSQLError) in
          if try !tables(connection).contains(PostgreSQLHistory.marker) {
            try connection.run(plain: PostgreSQLHistory.statements.joined(separator: ";\n"))
          }
          if let widening = PostgreSQLHistory.widening(to: tombstoneCount) {
            try connection.run(plain: widening)
          }
          switch purpose {
          case .use:
            let beginning = PostgreSQLRequest(PostgreSQLHistory.beginning, zone: connection.zone)
            _ = try connection.run([beginning])
          // A pending zone gets its numbers as it is made.
          case .copy: break
          }
        }
      }
    }
  }
}
