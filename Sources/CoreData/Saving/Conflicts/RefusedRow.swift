/// A row that is not as the save expected it.
struct RefusedRow {
  let key: ObjectKey
  /// The row as the store has it; nil when it is gone.
  let stored: Snapshot?
  /// The row as the coordinator remembered it before the save.
  let cached: CachedRow?

  init(_ conflict: RowConflict, in store: NSPersistentStore) {
    key = ObjectKey(
      store: store.number,
      root: conflict.layout.rootNumber,
      number: conflict.primaryKey
    )
    stored = conflict.stored
    cached = store.rowCache[key]
  }
}
