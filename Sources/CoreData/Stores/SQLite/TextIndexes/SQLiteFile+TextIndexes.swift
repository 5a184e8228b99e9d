import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// The indexes of words in a store's file: made, rebuilt, or removed, according to the option.
///
/// ```
/// option     index fits      does not fit, or is missing     model asks for none
/// (absent)   stays           stays                           stays
/// true       is used         is rebuilt                      is removed
/// false      is removed      is removed                      is removed
/// ```
///
/// A file that cannot be written is left as it is, and its index is used if it fits.
extension SQLiteFile {
  /// The indexes that may be asked.
  func textIndexes(
    in pool: Pool,
    _ tables: TableMap,
    for layout: ModelLayout,
    isLocked: Bool
  ) throws -> TextIndexes {
    guard let keepsWords = place.keepsTextIndexes else { return .none }
    let wanted = keepsWords ? TextIndex.all(in: tables, layout.schema) : []
    let plan = try pool.reading(self) { connection throws(SQLiteError) in
      TextIndexPlan(wanted, try TextIndexPlan.statements(on: connection))
    }
    if plan.isDone { return TextIndexes(wanted) }
    guard isWritable, !isLocked else { return TextIndexes(plan.fitting) }
    try pool.write { connection in
      try translating(connection) { connection throws(SQLiteError) in
        try connection.run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
          // Another program may have been quicker.
          let plan = TextIndexPlan(wanted, try TextIndexPlan.statements(on: connection))
          for statement in plan.work { try connection.run(SQLFragment(stringLiteral: statement)) }
          try connection.run("COMMIT")
        } catch {
          // The error that matters is the first; a rollback that fails has nothing to add.
          try? connection.run("ROLLBACK")
          throw error
        }
      }
    }
    return TextIndexes(wanted)
  }
}

extension Pool {
  fileprivate func reading<Result>(
    _ file: SQLiteFile,
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws -> Result {
    try read { try file.translating($0, body) }
  }
}

/// The changes that give a file the wanted indexes, and no others.
struct TextIndexPlan {
  /// The existing indexes that are the same as new ones would be.
  let fitting: [TextIndex]
  let work: [String]

  var isDone: Bool { work.isEmpty }

  /// `found` are the statements behind the tables and triggers of ours, by name.
  init(_ wanted: [TextIndex], _ found: [String: String]) {
    let fitting = wanted.filter { $0.statements.allSatisfy { found[$0.key] == $0.value } }
    self.fitting = fitting
    let kept = Set(fitting.flatMap(\.statements.keys))
    work =
      Self.dropping(found.filter { !kept.contains($0.key) })
      + wanted.filter { !fitting.contains($0) }
      .flatMap { [$0.creation, $0.filling] + $0.triggers.map(\.statement) }
  }

  /// The statements that remove what is there; triggers first, as they speak of tables.
  static func dropping(_ found: [String: String]) -> [String] {
    let isTrigger = { (statement: String) in statement.hasPrefix("CREATE TRIGGER") }
    let triggers = found.filter { isTrigger($0.value) }.keys.sorted()
    let tables = found.filter { !isTrigger($0.value) }.keys.sorted()
    return triggers.map { "DROP TRIGGER \(identifier($0))" }
      + tables.map { "DROP TABLE \(identifier($0))" }
  }

  /// The statements that have made the indexes in a file; FTS5's own tables go with them.
  static func statements(on connection: Connection) throws(SQLiteError) -> [String: String] {
    let statement = try connection.statement(
      """
      SELECT name, sql FROM sqlite_master WHERE name GLOB 'COREDATA_Z*_TEXT*' \
      AND (sql LIKE 'CREATE VIRTUAL%' OR type = 'trigger')
      """
    )
    defer { statement.reset() }
    var found: [String: String] = [:]
    while try statement.step() { found[statement.text(0)] = statement.text(1) }
    return found
  }
}
