import CoreDataSQLite

extension FileTables {
  init(on connection: Connection) throws(SQLiteError) {
    let names = try StoreTables.names(on: connection)
    var columns: [String: [String]] = [:]
    for name in names where Self.mayHoldPairs(name) {
      columns[name] = try FileSchema.columns(of: name, on: connection)
    }
    self.init(names: names, columns: columns)
  }
}
