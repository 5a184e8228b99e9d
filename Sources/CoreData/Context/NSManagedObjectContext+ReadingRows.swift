// MARK: - What a context asks of its stores

/// Every row that a context sees comes through one of these.
extension NSManagedObjectContext {
  /// The row of one object; one statement.
  func readRow(
    for key: ObjectKey,
    of layout: EntityLayout,
    in store: NSPersistentStore
  ) throws -> Row? {
    let epoch = store.rowCache.epoch
    guard let row = try store.rows.row(for: key.number, of: layout, askedBy: self) else {
      return nil
    }
    if let snapshot = row.snapshot {
      store.rowCache.set(snapshot, of: row.layout, for: key, readIn: epoch)
    }
    return row
  }

  /// The rows with those keys, of an entity or below it; one statement.
  func readRows(
    _ numbers: [Int64],
    of layout: EntityLayout,
    in store: NSPersistentStore
  ) throws -> [Row] {
    noteReadingOfRows()
    let epoch = store.rowCache.epoch
    let rows = try store.rows.rows(numbers, of: layout, askedBy: self)
    store.rowCache.set(rows, of: store.number, readIn: epoch)
    return rows
  }

  /// The members of one object's to-many relationship; one statement.
  func readMembers(
    of number: Int64,
    in layout: EntityLayout,
    at slot: Int,
    of store: NSPersistentStore
  ) throws -> [Row] {
    noteReadingOfRows()
    return try store.rows.members(of: number, in: layout, at: slot, askedBy: self)
  }

  /// The members of many objects' to-many relationship, each with its owner; one statement.
  func readMembers(
    of numbers: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    of store: NSPersistentStore
  ) throws -> [MemberRow] {
    noteReadingOfRows()
    let epoch = store.rowCache.epoch
    let members = try store.rows.members(of: numbers, in: layout, at: slot, askedBy: self)
    store.rowCache.set(members.map(\.row), of: store.number, readIn: epoch)
    return members
  }
}
