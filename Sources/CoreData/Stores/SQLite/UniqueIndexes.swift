import CoreDataSQL
import CoreDataSQLite

/// The indexes of a file that keep values unique, byte by byte.
enum UniqueIndexes {
  /// The columns of each; an index of some rows only, or with another order of texts, does not count.
  static func columns(
    of table: String,
    on connection: Connection
  ) throws(SQLiteError) -> Set<Set<String>> {
    let query: SQLFragment = """
      SELECT l.name, i.name, i.coll FROM pragma_index_list(\(.text(table))) l \
      JOIN pragma_index_xinfo(l.name) i WHERE l."unique" AND NOT l.partial AND i."key"
      """
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var indexes: [String: Set<String>] = [:]
    var unusable: Set<String> = []
    while try statement.step() {
      let index = statement.text(0)
      indexes[index, default: []].insert(statement.text(1))
      if statement.text(2) != "BINARY" { unusable.insert(index) }
    }
    return Set(indexes.filter { !unusable.contains($0.key) }.values)
  }
}
