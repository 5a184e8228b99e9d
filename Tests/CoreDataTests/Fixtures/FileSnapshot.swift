import CoreDataSQL
import CoreDataSQLite
import Foundation

@testable import CoreData

/// A store's file, every table row by row, as plain SQL sees it.
///
/// ```
/// ZNOTE/3: ZTITLE Z_OPT     columns of a row that are different now
/// +ZNOTE/4                  a row that is new
/// -Z_2TAGS/1                one that is gone
/// ```
struct FileSnapshot {
  /// The statements that made tables, indexes and triggers.
  let schema: [String]
  private let rows: [String: [String: String]]

  init(_ file: URL) throws {
    let connection = try Connection(path: file.path, mode: .readOnly)
    var schema: [String] = []
    var tables: [String] = []
    let master = try connection.statement(
      "SELECT type, name, sql FROM sqlite_master ORDER BY rowid"
    )
    while try master.step() {
      schema.append("\(master.text(1)): \(master.text(2))")
      if master.text(0) == "table" { tables.append(master.text(1)) }
    }
    master.reset()
    var rows: [String: [String: String]] = [:]
    for table in tables {
      let statement = try connection.statement("SELECT rowid, * FROM \"\(table)\"")
      while try statement.step() {
        rows["\(table)/\(statement.integer(0))"] = Dictionary(
          (1..<statement.columnCount).map {
            (statement.columnName($0), statement.value($0).description)
          }
        ) { first, _ in first }
      }
      statement.reset()
    }
    self.schema = schema
    self.rows = rows
  }

  /// The value of a column, as text.
  subscript(row: String, column: String) -> String? { rows[row]?[column] }

  /// The rows of a table.
  func rows(of table: String) -> [String] {
    rows.keys.filter { $0.hasPrefix(table + "/") }.sorted()
  }

  /// The rows of a table in which a column has a value.
  func rows(of table: String, where column: String, is value: String) -> [String] {
    rows(of: table).filter { rows[$0]?[column] == value }
  }

  func changes(since earlier: FileSnapshot) -> [String] {
    var changes: [String] = schema == earlier.schema ? [] : ["schema"]
    for (row, values) in rows {
      guard let before = earlier.rows[row] else {
        changes.append("+\(row)")
        continue
      }
      let columns = values.keys.filter { values[$0] != before[$0] }.sorted()
      if !columns.isEmpty { changes.append("\(row): \(columns.joined(separator: " "))") }
    }
    changes += earlier.rows.keys.filter { rows[$0] == nil }.map { "-\($0)" }
    return changes.sorted()
  }
}
