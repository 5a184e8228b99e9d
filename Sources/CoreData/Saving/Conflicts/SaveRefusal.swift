/// Everything that stood against a save, in all of its stores; nothing was written.
struct SaveRefusal {
  private(set) var rows: [RefusedRow] = []
  private(set) var duplicates: [(store: NSPersistentStore, violation: ConstraintViolation)] = []

  var isEmpty: Bool { rows.isEmpty && duplicates.isEmpty }

  mutating func add(_ conflicts: [RowConflict], in store: NSPersistentStore) {
    rows += conflicts.map { RefusedRow($0, in: store) }
  }

  mutating func add(_ violations: [ConstraintViolation], in store: NSPersistentStore) {
    duplicates += violations.map { (store, $0) }
  }

  /// The conflicts as users of a context know them.
  func conflicts(in context: NSManagedObjectContext) -> [NSObject] {
    let merges = rows.compactMap { row in
      context.identityMap[row.key].map { NSMergeConflict($0, row) }
    }
    return merges + duplicates.map { NSConstraintConflict($0.violation, in: $0.store, context) }
  }

  /// The same text for a refusal for the same reasons.
  var reasons: Set<String> {
    let versions = rows.map { "\($0.key) \($0.stored?.version ?? -1)" }
    return Set(versions + duplicates.map(\.violation.reason))
  }
}
