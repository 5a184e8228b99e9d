// MARK: - What a context asks of its stores

/// Every row that a context sees comes through one of these.
extension NSManagedObjectContext {
  /// The row of one object; one statement.
  func readRow(
    for key: ObjectKey,
    of layout: EntityLayout,
    in store: NSPersistentStore
  ) throws -> Row? {
    guard let view = try view(of: store) else { return nil }
    let epoch = view.cache.epoch
    guard let row = try view.rows.row(for: key.number, of: layout, askedBy: self) else {
      return nil
    }
    if let snapshot = row.snapshot {
      view.cache.set(snapshot, of: row.layout, for: key, readIn: epoch)
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
    guard let view = try view(of: store) else { return [] }
    let epoch = view.cache.epoch
    let rows = try view.rows.rows(numbers, of: layout, askedBy: self)
    view.cache.set(rows, of: store.number, readIn: epoch)
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
    return try view(of: store)?.rows.members(of: number, in: layout, at: slot, askedBy: self) ?? []
  }

  /// The members of many objects' to-many relationship, each with its owner; one statement.
  func readMembers(
    of numbers: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    of store: NSPersistentStore
  ) throws -> [MemberRow] {
    noteReadingOfRows()
    guard let view = try view(of: store) else { return [] }
    let epoch = view.cache.epoch
    let members = try view.rows.members(of: numbers, in: layout, at: slot, askedBy: self)
    view.cache.set(members.map(\.row), of: store.number, readIn: epoch)
    return members
  }
}
