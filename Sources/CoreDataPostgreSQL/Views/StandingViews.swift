import CoreData
import CoreDataModel

/// The views of a store that is migrated: removed before its tables change, and made again afterwards.
///
/// The server does not change a column that a view shows.
struct StandingViews {
  private let connection: PostgreSQLConnection
  private var removed: [(schema: String, views: PostgreSQLViews, grants: [PostgreSQLViews.Grant])]

  /// Removes the views, in the transaction of the migration.
  init(removedThrough connection: PostgreSQLConnection) throws(PostgreSQLError) {
    self.connection = connection
    removed = []
    let found = try PostgreSQLViews.all(on: connection).sorted { $0.key < $1.key }
    if found.isEmpty { return }
    // Somebody may read them for long, and others wait behind this transaction.
    try connection.run(plain: "SET LOCAL lock_timeout = '20s'")
    for (schema, views) in found {
      removed.append((schema, views, try views.drop(in: schema, on: connection)))
    }
    try connection.run(plain: "SET LOCAL lock_timeout = 0")
  }

  /// Makes them again, of the new model.
  func make(of model: ModelSchema) throws(PostgreSQLError) {
    for (schema, views, grants) in removed {
      _ = try views.make(in: schema, of: model, grants: grants, on: connection)
    }
  }
}
