/// A database that somebody asks in SQL: that of a file, or one on a server.
protocol AskedDatabase {
  /// As in “Notes.sqlite, read-only”.
  var name: String { get }
  var mayWrite: Bool { get }

  /// Takes the next statement that ends with a semicolon from a text; `nil` if none does.
  func takeStatement(from text: inout Substring) -> String?

  /// Runs one statement, and returns how many rows it has changed; throws a ``Refusal`` in the database's words.
  func run(_ sql: String, into results: SQLResults) throws -> Int

  /// Throws for a transaction that nobody has ended, which is taken back when the program ends.
  func requireCommitted() throws

  /// The names of tables and views.
  func tableNames() throws -> [String]

  /// The statements that made tables with all that belongs to them; of one table where a name is given.
  func definitions(of table: String?) throws -> [String]

  /// A statement that lists the entities with their numbers and last keys.
  func listOfEntities() throws -> String
}

extension AskedDatabase {
  var uncommitted: Refusal {
    Refusal("the last transaction was not kept because it has no COMMIT")
  }
}
