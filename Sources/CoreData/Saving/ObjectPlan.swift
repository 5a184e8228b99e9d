/// The rows of one store that a save will write, and the objects of these rows.
///
/// The rows go to the store without the objects, because they may go to another thread; the objects take over the
/// result. A row is added together with its object, so that only this type has to know that they are in the same
/// order.
struct ObjectPlan {
  private(set) var rows: SavePlan
  private(set) var inserted: [NSManagedObject]
  private(set) var updated: [NSManagedObject] = []
  private(set) var deleted: [NSManagedObject] = []
  /// The objects whose rows are not written, and must be as they were read.
  private(set) var expected: [NSManagedObject] = []

  init(_ rows: SavePlan = SavePlan(), inserted: [NSManagedObject] = []) {
    self.rows = rows
    self.inserted = inserted
  }

  /// The new objects, each with its row.
  var inserts: Zip2Sequence<[NSManagedObject], [RowInsert]> { zip(inserted, rows.inserts) }

  /// The objects whose rows are written, each with its row.
  var updates: Zip2Sequence<[NSManagedObject], [RowUpdate]> { zip(updated, rows.updates) }

  /// The objects that have changes of their own; of others only a place in somebody's order is written.
  var changed: [NSManagedObject] {
    updates.filter { $0.1.expectedVersion != nil }.map(\.0)
  }
}

// MARK: - Making one

extension ObjectPlan {
  /// Inserts objects, all at once, so that the list of them is not copied; a row for each, in their order.
  mutating func insert(_ objects: [NSManagedObject], _ rows: [RowInsert]) {
    precondition(objects.count == rows.count, "each new object has a row")
    inserted = .joined(inserted, objects, [])
    self.rows.inserts += rows
  }

  mutating func update(_ object: NSManagedObject, _ row: RowUpdate) {
    updated.append(object)
    rows.updates.append(row)
  }

  mutating func delete(_ object: NSManagedObject, _ row: RowDelete) {
    deleted.append(object)
    rows.deletes.append(row)
  }

  /// A row that is not written, and must be as it was read.
  mutating func expect(_ object: NSManagedObject, _ row: RowExpectation) {
    expected.append(object)
    rows.expectations.append(row)
  }

  mutating func relate(_ pairs: [PairChange]) {
    rows.pairs = pairs
  }

  mutating func vacate(_ vacancies: [RowVacancy]) {
    rows.vacancies = vacancies
  }
}
