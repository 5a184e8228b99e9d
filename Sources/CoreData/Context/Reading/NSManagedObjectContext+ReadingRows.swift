// MARK: - What a context asks of its stores by keys

extension NSManagedObjectContext {
  /// Notes, before rows are read, how new they can be at least.
  func noteReadingOfRows() {
    freshness.noteReading(at: rowGeneration)
  }

  /// The row of one object; one statement.
  func readRow(
    for key: ObjectKey,
    of layout: EntityLayout,
    in store: NSPersistentStore
  ) throws -> Row? {
    try view(of: store)?.row(key.number, for: RowPlan(layout))
  }

  /// The row of one object as its store has it at present, whatever moment the context is pinned to; one
  /// statement.
  func readPresentRow(
    for key: ObjectKey,
    of layout: EntityLayout,
    in store: NSPersistentStore
  ) throws -> Row? {
    try StoreView(store).asked(by: self).row(key.number, for: RowPlan(layout))
  }

  /// The rows with those keys, of an entity or below it; one statement.
  func readRows(
    _ primaryKeys: [Int64],
    of layout: EntityLayout,
    in store: NSPersistentStore
  ) throws -> [Row] {
    noteReadingOfRows()
    return try view(of: store)?.rows(primaryKeys, for: RowPlan(layout)) ?? []
  }

  /// The members of one object's to-many relationship; one statement.
  func readMembers(
    of owner: Int64,
    in layout: EntityLayout,
    at slot: Int,
    of store: NSPersistentStore
  ) throws -> [Row] {
    noteReadingOfRows()
    let plan = MemberPlan(layout, at: slot)
    return try view(of: store)?.members(of: owner, for: plan) ?? []
  }

  /// The members of many objects' to-many relationship, each with its owner; one statement.
  func readMembers(
    of owners: [Int64],
    in layout: EntityLayout,
    at slot: Int,
    of store: NSPersistentStore
  ) throws -> [MemberRow] {
    noteReadingOfRows()
    let plan = MemberPlan(layout, at: slot)
    return try view(of: store)?.members(of: owners, for: plan) ?? []
  }
}
