/// How one kind of database spells names and places for values.
package struct SQLSpelling: Sendable {
  /// A name, quoted so that every name is legal and none is a keyword.
  package var quote: @Sendable (String) -> String
  /// The n-th place for a value, counted from 1.
  package var placeholder: @Sendable (Int) -> String
  /// The value after `LIMIT` if there is no limit.
  package var unlimited: SQLValue
  /// A table that is read, and its alias; both quoted.
  package var table: @Sendable (_ name: String, _ alias: String?) -> String
  /// The beginning of the condition of a statement that writes, with the alias of its table if it has several.
  package var ownRows: @Sendable (_ alias: String?) -> String

  package init(
    quote: @escaping @Sendable (String) -> String,
    placeholder: @escaping @Sendable (Int) -> String,
    unlimited: SQLValue,
    ownRows: @escaping @Sendable (_ alias: String?) -> String = { _ in "" },
    table: @escaping @Sendable (_ name: String, _ alias: String?) -> String = wholeTable
  ) {
    self.quote = quote
    self.placeholder = placeholder
    self.unlimited = unlimited
    self.ownRows = ownRows
    self.table = table
  }

  package static let sqlite = SQLSpelling(
    quote: doubleQuoted,
    placeholder: { "?\($0)" },
    unlimited: .integer(-1)
  )
  /// PostgreSQL, with the rows of one zone in tables of many: `$1` is the zone in every statement.
  ///
  /// The planner takes such a subselect for the table itself.
  package static let postgreSQL = SQLSpelling(
    quote: doubleQuoted,
    placeholder: { "$\($0 + 1)" },
    unlimited: .null,
    ownRows: { alias in (alias.map { doubleQuoted($0) + "." } ?? "") + "z_zone = $1 AND " },
    table: { name, alias in
      "(SELECT * FROM \(doubleQuoted(name)) WHERE z_zone = $1) \(doubleQuoted(alias ?? name))"
    }
  )

  package static let wholeTable: @Sendable (_ name: String, _ alias: String?) -> String = {
    name,
    alias in
    alias.map { "\(doubleQuoted(name)) \(doubleQuoted($0))" } ?? doubleQuoted(name)
  }

  private static let doubleQuoted: @Sendable (String) -> String = { name in
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
    return "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}

/// A statement as a database takes it.
package struct RenderedSQL: Hashable, Sendable {
  package var sql: String
  /// The values of the places; `nil` where a value is bound for each run.
  package var bindings: [SQLValue?]
}

extension SQLFragment {
  /// The same as one text, so that what comes in many statements is put together once; values stay apart.
  package func spelled(for spelling: SQLSpelling) -> SQLFragment {
    let rendered = rendered(for: spelling)
    return rendered.bindings.isEmpty ? SQLFragment(pieces: [.text(rendered.sql)]) : self
  }

  package func rendered(for spelling: SQLSpelling) -> RenderedSQL {
    var rendered = RenderedSQL(sql: "", bindings: [])
    rendered.sql.reserveCapacity(pieces.count * 16)
    for piece in pieces {
      switch piece {
      case .text(let text):
        rendered.sql += text
      case .name(let name):
        rendered.sql += spelling.quote(name)
      case .table(let name, let alias):
        rendered.sql += spelling.table(name, alias)
      case .ownRows(let alias):
        rendered.sql += spelling.ownRows(alias)
      case .value(let value):
        rendered.bindings.append(value)
        rendered.sql += spelling.placeholder(rendered.bindings.count)
      case .unlimited:
        rendered.bindings.append(spelling.unlimited)
        rendered.sql += spelling.placeholder(rendered.bindings.count)
      case .parameter:
        rendered.bindings.append(nil)
        rendered.sql += spelling.placeholder(rendered.bindings.count)
      }
    }
    return rendered
  }
}
