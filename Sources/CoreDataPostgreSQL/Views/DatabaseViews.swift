package import Foundation

/// The views of a database's store, for callers that only make or remove them.
package struct DatabaseViews {
  private let database: PostgreSQLDatabase
  private let schema: String

  /// `schema` is the one for the views.
  package init(in schema: String, at url: URL, options: [AnyHashable: Any]?) throws {
    database = try PostgreSQLKind.registered().database(at: url, options)
    self.schema = schema
  }

  /// Makes the views, or makes them again, and returns their names.
  package func make(ofAllZones: Bool) throws -> [String] {
    try database.makeViews(in: schema, ofAllZones: ofAllZones, isForced: true)
  }

  /// Removes the views, and their schema if nothing else is in it; returns the names of the views.
  package func remove() throws -> [String] { try database.removeViews(in: schema) }

  /// The statements that make the views; none is run.
  package func statements(ofAllZones: Bool) throws -> [String] {
    try database.viewStatements(in: schema, ofAllZones: ofAllZones)
  }
}
