package import CoreData
package import CoreDataModel
import Foundation

/// The migration of a PostgreSQL database, for callers that only migrate it.
package struct DatabaseMigration {
  private let migration: PostgreSQLMigration

  /// `schema` is the model to keep in the database, with classes that this program may not have.
  package init(
    of url: URL,
    to model: NSManagedObjectModel,
    storing schema: ModelSchema,
    options: [AnyHashable: Any]
  ) throws {
    let place = StorePlace(
      number: .next(),
      type: PostgreSQLStores.type,
      configuration: nil,
      url: url,
      options: options
    )
    migration = PostgreSQLMigration(
      place,
      at: try PostgreSQLAddress(url, options: options),
      through: try PostgreSQLKind.registered().door,
      to: model.layout,
      storing: schema
    )
  }

  /// Migrates all zones; `source` is the model that the tables were made for.
  package func perform(from source: ModelSchema) throws -> StoreMigration.Report {
    try migration.report(from: source)
  }

  /// Does the same, and takes all of it back; other programs wait until it ends.
  package func rehearse(from source: ModelSchema) throws -> StoreMigration.Report {
    try migration.report(from: source, isRehearsal: true)
  }
}
