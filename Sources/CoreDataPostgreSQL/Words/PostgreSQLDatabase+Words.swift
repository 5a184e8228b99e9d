import CoreData
import CoreDataModel
import CoreDataSQL
import Foundation

/// The functions and indexes of words that a database lacks: made when a store is opened.
///
/// ```
/// functions   those that are missing, as in a database of an older version, are made
///
/// indexes     option       fits         is missing, or does not fit     model asks for none
///             (absent)     stays        stays                           stays
///             true         is used      is rebuilt                      goes
///             false        goes         goes                            goes
/// ```
///
/// A user without the right to do that leaves the database as it is: searches find the same without an index, and the
/// error of a missing function names the remedy.
extension PostgreSQLDatabase {
  /// Makes what is missing, and gives the indexes of words that may be asked.
  func complete(
    for place: StorePlace,
    _ tables: TableMap,
    _ schema: ModelSchema
  ) throws -> TextIndexes {
    let keepsWords = place.keepsTextIndexes
    let wanted = keepsWords == true ? TextIndex.all(in: tables, schema) : []
    let found = try translating { () throws(PostgreSQLError) in
      try pool.read { connection throws(PostgreSQLError) in try ServerObjects(connection) }
    }
    let fitting = TextIndexes(wanted.filter(found.has))
    if place.isReadOnly { return fitting }
    if !found.lackedFunctions.isEmpty,
      try perform({ found in found.lackedFunctions.map(\.statement) }) != nil
    {
      return fitting
    }
    guard keepsWords != nil, !found.work(for: wanted).isEmpty else { return fitting }
    if let refusal = try perform({ found in found.work(for: wanted) }) {
      ProgramLog.say("\(path): its index of words stays as it is: \(refusal)")
      return fitting
    }
    return TextIndexes(wanted)
  }

  /// Runs statements, all of them or none, and gives the server's refusal of them.
  ///
  /// Of several programs that begin together one does it, and the others wait.
  private func perform(
    _ work: (ServerObjects) -> [String]
  ) throws -> PostgreSQLError? {
    do throws(PostgreSQLError) {
      try pool.once { connection throws(PostgreSQLError) in
        try locked(connection) { () throws(PostgreSQLError) in
          for statement in work(try ServerObjects(connection)) {
            try connection.run(plain: statement)
          }
        }
      }
      return nil
    } catch {
      guard error.leavesServerAsItIs else {
        throw PostgreSQLFailure(.server(error, .opening), path: path).error()
      }
      return error
    }
  }
}

extension PostgreSQLError {
  /// No right, a server that only reads, no time, no room, or a server of another make.
  fileprivate var leavesServerAsItIs: Bool {
    ["42501", "25006", "57014", "55P03", "0A000"].contains(state) || state.hasPrefix("53")
  }
}

/// The objects of ours in a database besides tables.
private struct ServerObjects {
  private var functions: Set<String> = []
  /// The indexes of words that are whole.
  private var indexes: Set<String> = []

  init(_ connection: PostgreSQLConnection) throws(PostgreSQLError) {
    let names = ServerFunction.all.map { SQLFragment.value(.text($0.name)) }
    let statement = try connection.statement(
      """
      SELECT 1, CAST(p.proname AS TEXT) FROM pg_catalog.pg_proc p \
      WHERE p.proname IN (\(names.joined(separator: ", "))) AND pg_function_is_visible(p.oid) \
      UNION ALL SELECT 2, CAST(c.relname AS TEXT) FROM pg_catalog.pg_class c \
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace \
      JOIN pg_catalog.pg_index x ON x.indexrelid = c.oid WHERE n.nspname = current_schema() \
      AND x.indisvalid AND starts_with(CAST(c.relname AS TEXT), \(.text(KeptWords.indexPrefix)))
      """ as SQLFragment
    )
    defer { statement.reset() }
    while try statement.step() {
      let name = statement.text(1)
      if statement.integer(0) == 1 { functions.insert(name) } else { indexes.insert(name) }
    }
  }

  var lackedFunctions: [ServerFunction] {
    ServerFunction.all.filter { !functions.contains($0.name) }
  }

  func has(_ index: TextIndex) -> Bool { indexes.contains(KeptWords.indexName(index)) }

  /// The statements that give a database the wanted indexes, and no others.
  func work(for wanted: [TextIndex]) -> [String] {
    let superfluous = indexes.subtracting(wanted.map(KeptWords.indexName)).sorted()
    return superfluous.map { "DROP INDEX \(SQLSpelling.postgreSQL.quote($0))" }
      + wanted.filter { !has($0) }.flatMap { index in
        // One that is not whole has the name, too.
        let name = SQLSpelling.postgreSQL.quote(KeptWords.indexName(index))
        return ["DROP INDEX IF EXISTS \(name)", KeptWords.creation(of: index)]
      }
  }
}
