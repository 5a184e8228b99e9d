import CoreDataSQL
package import CoreDataSQLite

extension FileTables {
  package init(on connection: Connection) throws(SQLiteError) {
    let names = try StoreTables.names(on: connection)
    var columns: [String: [String]] = [:]
    for name in names where Self.mayHoldPairs(name) {
      let statement = try connection.statement(
        "SELECT name FROM pragma_table_info(\(.text(name)))" as SQLFragment
      )
      defer { statement.reset() }
      while try statement.step() { columns[name, default: []].append(statement.text(0)) }
    }
    self.init(names: names, columns: columns)
  }
}
