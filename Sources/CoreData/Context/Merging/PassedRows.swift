/// The names of some objects and rows of their present values, which a context passes to a child.
struct PassedRows: Sendable {
  var keys: [ObjectKey] = []
  var rows: [Row] = []
  /// How often the parent had told its children of changes before.
  var moment = 0

  mutating func append(_ row: Row?, named key: ObjectKey) {
    guard let row else { return }
    keys.append(key)
    rows.append(row)
  }
}

extension PassedRows {
  /// The rows of a store, each under its key there.
  init(_ rows: [Row], of store: NSPersistentStore) {
    keys = rows.map { row in
      ObjectKey(store: store.number, root: row.layout.rootNumber, number: row.primaryKey)
    }
    self.rows = rows
  }
}
