import CoreDataModel
import Foundation
import TestSupport

@testable import CoreData
@testable import CoreDataPostgreSQL

/// A database whose tables are made with one model, and that is opened with another.
struct PostgreSQLUpgrade {
  let place: URL

  init(at place: URL = PostgreSQLServer.shared.place()) {
    self.place = place
  }

  /// Makes the tables, and rows in them.
  init(_ old: ModelSchema, _ fill: (NSManagedObjectContext) throws -> Void) throws {
    self.init()
    try make(old, fill)
  }

  func make(
    _ model: ModelSchema,
    zone: String? = nil,
    options: [String: Any] = [:],
    _ fill: (NSManagedObjectContext) throws -> Void
  ) throws {
    try work(with: model, zone: zone, options: options) { context in
      try fill(context)
      try context.save()
    }
  }

  /// Opens a zone with a model and works in a context; the store is closed afterwards.
  @discardableResult
  func work<Result>(
    with model: ModelSchema,
    zone: String? = nil,
    options: [String: Any] = [:],
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    var options = options
    if let zone { options[NSPostgreSQLZoneOption] = zone }
    return try Upgrade.work(with: model, at: place, ofType: NSPostgreSQLStoreType, options, body)
  }

  /// Every object with its values, as the model has them; the tables are migrated to it first.
  func lines(_ model: ModelSchema, zone: String? = nil) throws -> [String] {
    try work(with: model, zone: zone, options: Upgrade.options) { try $0.lines(model) }
  }

  /// The tables, columns and indexes, whatever the indexes are called.
  func shape() throws -> [[String?]] {
    try PostgreSQLShell.rows(
      """
      SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped
      UNION ALL
      SELECT tablename || regexp_replace(indexdef, 'INDEX .* USING', 'INDEX')
      FROM pg_indexes WHERE schemaname = current_schema()
      ORDER BY 1
      """,
      at: place
    )
  }

  /// The shape of tables that were made for a model from the beginning.
  static func shape(of model: ModelSchema) throws -> [[String?]] {
    let fresh = PostgreSQLUpgrade()
    try fresh.work(with: model) { _ in }
    return try fresh.shape()
  }
}
