/// The table of FTS5 that is an index of words, and the triggers that fill it.
///
/// Prefixes of one, two and three letters have lists of their own, because people who type a word begin with them.
/// Places of words within a text are kept, for phrases.
extension TextIndex {
  package var name: String { "COREDATA_\(table)_TEXT" }

  /// The prefix of the names, including those of the tables that FTS5 makes for itself.
  package static let namePrefix = "COREDATA_Z"

  /// Whether a table or a trigger is one of an index, or one that FTS5 made for it.
  package static func isName(_ name: String) -> Bool {
    name.hasPrefix(namePrefix) && name.contains("_TEXT")
  }

  var creation: String {
    let arguments =
      columns.map(identifier) + [
        "content = '\(quoted(table))'", "content_rowid = 'Z_PK'", "columnsize = 0",
        "tokenize = 'unicode61 remove_diacritics 2'", "detail = 'full'", "prefix = '1 2 3'",
      ]
    return "CREATE VIRTUAL TABLE \(identifier(name)) USING fts5(\(commas(arguments)))"
  }

  /// Reads every text of the table.
  var filling: String {
    "INSERT INTO \(identifier(name)) (\(identifier(name))) VALUES ('rebuild')"
  }

  package var triggers: [Trigger] {
    let changed = (["Z_PK"] + columns).map(identifier)
    return [
      Trigger(name: "\(name)_INSERT", event: .insert, table: table, body: [insertion]),
      Trigger(
        name: "\(name)_UPDATE",
        event: .update(of: ["Z_PK"] + columns),
        table: table,
        condition: changed.map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR "),
        body: [deletion, insertion]
      ),
      Trigger(name: "\(name)_DELETE", event: .delete, table: table, body: [deletion]),
    ]
  }

  /// The statements that a file with this very index has for it, by name.
  var statements: [String: String] {
    triggers.reduce(into: [name: creation]) { $0[$1.name] = $1.statement }
  }

  private var insertion: String {
    "INSERT INTO \(identifier(name)) (\(commas(["rowid"] + columns.map(identifier))))"
      + " VALUES (\(commas((["Z_PK"] + columns).map { "NEW.\(identifier($0))" })))"
  }

  /// The index does not keep texts of its own, so each deletion must name the words that go.
  private var deletion: String {
    let places = [identifier(name), "rowid"] + columns.map(identifier)
    let values = ["'delete'"] + (["Z_PK"] + columns).map { "OLD.\(identifier($0))" }
    return "INSERT INTO \(identifier(name)) (\(commas(places))) VALUES (\(commas(values)))"
  }

  private func quoted(_ name: String) -> String {
    name.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
  }
}
