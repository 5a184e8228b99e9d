import CoreData
import CoreDataSQL

extension PostgreSQLViews {
  /// A right that a role has on a view.
  struct Grant {
    let view: String
    private let privilege: String
    /// The role, quoted; or `PUBLIC`.
    private let role: String
    private let isGrantable: Bool

    static func all(
      in schema: String,
      _ connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [Grant] {
      try connection.texts(
        """
        SELECT CAST(c.relname AS TEXT), a.privilege_type, \
        COALESCE(quote_ident(pg_get_userbyid(NULLIF(a.grantee, 0))), 'PUBLIC'), \
        CASE WHEN a.is_grantable THEN 'yes' ELSE '' END \
        FROM pg_catalog.pg_class c, aclexplode(c.relacl) a \
        WHERE c.relkind = 'v' AND a.grantee <> c.relowner \
        AND c.relnamespace = to_regnamespace(quote_ident(\(PostgreSQLViews.literal(schema))))
        """
      )
      .map { Grant(view: $0[0], privilege: $0[1], role: $0[2], isGrantable: $0[3] == "yes") }
    }

    func statement(in schema: String) -> String {
      "GRANT \(privilege) ON \(PostgreSQLViews.name(view, in: schema)) TO \(role)"
        + (isGrantable ? " WITH GRANT OPTION" : "")
    }
  }
}

extension PostgreSQLConnection {
  /// The rows of a query about the server's catalog, as texts.
  func texts(_ sql: String) throws(PostgreSQLError) -> [[String]] {
    let statement = try statement(SQLFragment(pieces: [.text(sql)]))
    defer { statement.reset() }
    var rows: [[String]] = []
    while try statement.step() {
      rows.append((0..<statement.columnCount).map(statement.text))
    }
    return rows
  }
}
