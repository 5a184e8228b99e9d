import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// The views of a store, in a schema of their own, for programs that know SQL.
///
/// ```
/// public."ZNOTE" (all zones) ──▶ views.note (the rows of one zone, or all with a column "zone")
/// ```
///
/// The schema's comment says whose views they are, and which: so a migration finds them, makes them again, and leaves
/// those of others alone.
struct PostgreSQLViews: Hashable, Sendable, Codable {
  /// The schema of the store's tables.
  let store: String
  /// The zone that is shown, or `nil` for all zones.
  let zone: String?
  /// The names of the views.
  private(set) var views: [String] = []
  /// A mark of the statements that made them.
  private(set) var digest = ""

  init(of zone: String?, in store: String) {
    self.store = store
    self.zone = zone
  }
}

// MARK: - The schema's comment

extension PostgreSQLViews {
  private static let mark = "coredata-views "

  /// The views that a comment names, or `nil` if it is not one of these.
  init?(comment: String?) {
    guard let comment, comment.hasPrefix(Self.mark) else { return nil }
    let text = Data(comment.dropFirst(Self.mark.count).utf8)
    guard let found = try? JSONDecoder().decode(Self.self, from: text) else { return nil }
    self = found
  }

  private func comment() -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and an array of texts can always be encoded.
    guard let text = try? encoder.encode(self) else { return Self.mark }
    return Self.mark + String(decoding: text, as: UTF8.self)
  }

  /// The views of the tables in the current schema, by the schema that they are in.
  static func all(
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String: PostgreSQLViews] {
    let store = try currentSchema(connection)
    var found: [String: PostgreSQLViews] = [:]
    for (schema, comment) in try comments(nil, connection) {
      guard let views = PostgreSQLViews(comment: comment), views.store == store else { continue }
      found[schema] = views
    }
    return found
  }

  static func currentSchema(_ connection: PostgreSQLConnection) throws(PostgreSQLError) -> String {
    try connection.texts("SELECT CAST(current_schema() AS TEXT)").first?.first ?? ""
  }

  /// The comments of schemas, of all that have one of this kind or of a single one.
  private static func comments(
    _ schema: String?,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [(schema: String, comment: String)] {
    let comment = "COALESCE(obj_description(oid, 'pg_namespace'), '')"
    let condition =
      schema.map { "nspname = \(literal($0))" } ?? "\(comment) LIKE \(literal(mark + "%"))"
    return try connection.texts(
      "SELECT CAST(nspname AS TEXT), \(comment) FROM pg_catalog.pg_namespace WHERE \(condition)"
    )
    .map { ($0[0], $0[1]) }
  }

  static func found(
    in schema: String,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> Finding {
    guard let comment = try comments(schema, connection).first?.comment else { return .nothing }
    if let views = PostgreSQLViews(comment: comment) { return .views(views) }
    let relations = try connection.texts(
      """
      SELECT CAST(relname AS TEXT) FROM pg_catalog.pg_class \
      WHERE relnamespace = to_regnamespace(quote_ident(\(literal(schema)))) \
      AND relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1 LIMIT 1
      """
    )
    return relations.first.map { .strangers($0[0]) } ?? .emptySchema
  }

  /// The state of the schema that is to have the views.
  enum Finding {
    case nothing, emptySchema
    case views(PostgreSQLViews)
    /// Tables or views that others have made, of which one is named.
    case strangers(String)
  }
}

// MARK: - Statements

extension PostgreSQLViews {
  /// The statements that make the views of a model in a schema, by the views' names.
  func statements(
    in schema: String,
    of model: ModelSchema
  ) -> [(name: String, statement: String)] {
    let spelling = Self.spelling(in: schema, from: store, zone)
    return ViewPlan(model, TableMap(model), isZoned: zone == nil).views
      .map { ($0.name, $0.statement(spelling)) }
  }

  private static func spelling(
    in schema: String,
    from store: String,
    _ zone: String?
  ) -> ViewSpelling {
    ViewSpelling(
      heading: { "CREATE VIEW \(name($0, in: schema))" },
      table: { name($0, in: store) },
      condition: zone.map { "z_zone = \(literal($0))" },
      zoneColumn: zone == nil ? "z_zone" : nil,
      value: { column, type in
        switch type {
        case .boolean: "\(column) <> 0"
        // Times that PostgreSQL does not have are null, so that the other rows can be read.
        case .date:
          """
          CASE WHEN \(column) BETWEEN -211845110400 AND 9223339708799 \
          THEN to_timestamp(\(column) + 978307200) END
          """
        case .uuid:
          "CASE WHEN octet_length(\(column)) = 16 THEN CAST(encode(\(column), 'hex') AS UUID) END"
        default: column
        }
      }
    )
  }

  static func name(_ name: String, in schema: String) -> String {
    "\(ViewSpelling.quote(schema)).\(ViewSpelling.quote(name))"
  }

  /// A text as SQL spells it, whatever `standard_conforming_strings` says.
  static func literal(_ text: String) -> String {
    let quoted = ViewSpelling.literal(text)
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return quoted }
    return " E" + quoted.replacing("\\", with: "\\\\")
  }
}

// MARK: - Making

extension PostgreSQLViews {
  /// Whether these are the views of a zone, or of all zones, of a store.
  func isOf(_ zone: String?, in store: String) -> Bool { self.zone == zone && self.store == store }

  /// The store, for messages.
  var words: String {
    "\(zone.map { "the zone “\($0)”" } ?? "all zones") of the schema \(store)"
  }

  /// Makes the views, in the transaction that changes or locks the tables, and returns their names; the schema must
  /// exist.
  ///
  /// Roles that had rights on a view of the same name get them again.
  func make(
    in schema: String,
    of model: ModelSchema,
    grants: [Grant],
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [String] {
    let made = statements(in: schema, of: model)
    var kept = self
    kept.views = made.map(\.name)
    kept.digest = Self.digest(of: made)
    let names = Set(kept.views)
    let rights = grants.filter { names.contains($0.view) }.map { $0.statement(in: schema) }
    let comment =
      "COMMENT ON SCHEMA \(ViewSpelling.quote(schema)) IS \(Self.literal(kept.comment()))"
    let statements = made.map(\.statement) + rights + [comment]
    try connection.run(plain: statements.joined(separator: ";\n"))
    return kept.views
  }

  /// Whether these are the views that would be made.
  func areCurrent(in schema: String, of model: ModelSchema) -> Bool {
    digest == Self.digest(of: statements(in: schema, of: model))
  }

  private static func digest(of statements: [(name: String, statement: String)]) -> String {
    PostgreSQLSchema.hash(statements.map(\.statement).joined(separator: ";\n"))
  }

  /// Removes the views, and nothing else in their schema; returns the rights that others had.
  func drop(
    in schema: String,
    on connection: PostgreSQLConnection
  ) throws(PostgreSQLError) -> [Grant] {
    if views.isEmpty { return [] }
    let grants = try Grant.all(in: schema, connection)
    let list = commas(views.map { Self.name($0, in: schema) })
    try connection.run(plain: "DROP VIEW IF EXISTS \(list)")
    return grants.filter { views.contains($0.view) }
  }

  /// Removes the comment of a schema whose views are gone, and the schema if nothing else is in it.
  static func giveUp(
    _ schema: String,
    _ connection: PostgreSQLConnection
  ) throws(PostgreSQLError) {
    let name = ViewSpelling.quote(schema)
    try connection.run(plain: "COMMENT ON SCHEMA \(name) IS NULL")
    let others = try connection.texts(
      """
      SELECT '1' FROM pg_catalog.pg_depend WHERE refclassid = CAST('pg_namespace' AS regclass) \
      AND deptype = 'n' AND refobjid = to_regnamespace(quote_ident(\(literal(schema)))) LIMIT 1
      """
    )
    if others.isEmpty { try connection.run(plain: "DROP SCHEMA \(name)") }
  }
}
