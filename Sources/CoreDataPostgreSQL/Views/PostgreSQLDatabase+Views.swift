import CoreData
import CoreDataModel

extension PostgreSQLDatabase {
  /// Makes the views that the options of a store ask for, if they are missing or outdated.
  func keepViews(of place: StorePlace) throws {
    guard let given = place.options?[PostgreSQLStores.viewsOption], !place.isReadOnly else {
      return
    }
    guard let schema = given as? String else {
      throw PostgreSQLFailure(.noViewSchema("\(given)"), path: path).error()
    }
    _ = try makeViews(in: schema, ofAllZones: false, isForced: false)
  }

  /// Makes the views of the address's zone or of all zones, and returns their names.
  ///
  /// If not `isForced`, views that are there already stay.
  func makeViews(in schema: String, ofAllZones: Bool, isForced: Bool) throws -> [String] {
    try checkViewSchema(schema)
    let zone = ofAllZones ? nil : pool.address.zone
    return try changed { connection throws(PostgreSQLError) in
      if !isForced {
        let found = try PostgreSQLViews.found(in: schema, connection)
        let model = try Self.tablesModel(on: connection)?.schema
        if case .views(let views) = found, let model,
          views.isOf(zone, in: try PostgreSQLViews.currentSchema(connection)),
          views.areCurrent(in: schema, of: model)
        {
          return .views(views.views)
        }
      }
      return try locked(connection) { () throws(PostgreSQLError) in
        try replaceViews(in: schema, of: zone, connection)
      }
    }
  }

  /// Removes the views, and their schema if nothing else is in it; returns the names of the views.
  func removeViews(in schema: String) throws -> [String] {
    try checkViewSchema(schema)
    return try changed { connection throws(PostgreSQLError) in
      try locked(connection) { () throws(PostgreSQLError) in
        let store = try PostgreSQLViews.currentSchema(connection)
        guard case .views(let views) = try PostgreSQLViews.found(in: schema, connection),
          views.store == store
        else { return .obstacle(.noViews(in: schema)) }
        _ = try views.drop(in: schema, on: connection)
        try PostgreSQLViews.giveUp(schema, connection)
        return .views(views.views)
      }
    }
  }

  /// The statements that make the views.
  func viewStatements(in schema: String, ofAllZones: Bool) throws -> [String] {
    try checkViewSchema(schema)
    let zone = ofAllZones ? nil : pool.address.zone
    return try changed { connection throws(PostgreSQLError) in
      guard let model = try Self.tablesModel(on: connection)?.schema else {
        return .obstacle(Self.noModel)
      }
      let views = PostgreSQLViews(of: zone, in: try PostgreSQLViews.currentSchema(connection))
      return .views(views.statements(in: schema, of: model).map(\.statement))
    }
  }
}

// MARK: - Steps

extension PostgreSQLDatabase {
  private enum Outcome {
    case views([String])
    case obstacle(PostgreSQLFailure.Cause)
  }

  private static let noModel = PostgreSQLFailure.Cause.strangeDatabase(
    "has no store in it, or no model that can be read"
  )

  private func changed(
    _ body: (PostgreSQLConnection) throws(PostgreSQLError) -> Outcome
  ) throws -> [String] {
    let outcome = try translating { () throws(PostgreSQLError) in
      try pool.once { connection throws(PostgreSQLError) in try body(connection) }
    }
    switch outcome {
    case .views(let names): return names
    case .obstacle(let cause): throw PostgreSQLFailure(cause, path: path).error()
    }
  }

  private func replaceViews(
    in schema: String,
    of zone: String?,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Outcome {
    guard let model = try Self.tablesModel(on: connection)?.schema else {
      return .obstacle(Self.noModel)
    }
    let store = try PostgreSQLViews.currentSchema(connection)
    let views = PostgreSQLViews(of: zone, in: store)
    var grants: [PostgreSQLViews.Grant] = []
    switch try PostgreSQLViews.found(in: schema, connection) {
    case .strangers(let table):
      return .obstacle(.takenViewSchema(schema, by: "has a table or view \(table) already"))
    case .views(let others) where !others.isOf(zone, in: store):
      return .obstacle(.takenViewSchema(schema, by: "has the views of \(others.words)"))
    case .views(let old): grants = try old.drop(in: schema, on: connection)
    case .emptySchema: break
    case .nothing:
      try connection.run(plain: "CREATE SCHEMA \(ViewSpelling.quote(schema))")
    }
    return .views(try views.make(in: schema, of: model, grants: grants, on: connection))
  }

  private func checkViewSchema(_ schema: String) throws {
    let isName =
      (1...SQLName.longest).contains(schema.utf8.count) && !schema.utf8.contains(0)
      && !schema.hasPrefix("pg_")
    if !isName { throw PostgreSQLFailure(.noViewSchema(schema), path: path).error() }
  }
}
