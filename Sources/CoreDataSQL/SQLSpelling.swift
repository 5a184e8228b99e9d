/// How one kind of database spells names and places for values.
package struct SQLSpelling: Sendable {
  /// A name, quoted so that every name is legal and none is a keyword.
  package var quote: @Sendable (String) -> String
  /// The n-th place for a value, counted from 1.
  package var placeholder: @Sendable (Int) -> String
  /// What stands behind `LIMIT` where there is none.
  package var unlimited: SQLValue

  package init(
    quote: @escaping @Sendable (String) -> String,
    placeholder: @escaping @Sendable (Int) -> String,
    unlimited: SQLValue
  ) {
    self.quote = quote
    self.placeholder = placeholder
    self.unlimited = unlimited
  }

  package static let sqlite = SQLSpelling(
    quote: doubleQuoted,
    placeholder: { "?\($0)" },
    unlimited: .integer(-1)
  )
  package static let postgreSQL = SQLSpelling(
    quote: doubleQuoted,
    placeholder: { "$\($0)" },
    unlimited: .null
  )

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
