/// Rows that have changed in the store since they were read.
package struct SaveConflicts: Error {
  package let conflicts: [RowConflict]

  package init(conflicts: [RowConflict]) {
    self.conflicts = conflicts
  }
}

/// One row that is not as a save expected it.
package struct RowConflict: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  /// The row as the store has it; nil when it is gone.
  package let stored: Snapshot?

  package init(primaryKey: Int64, layout: EntityLayout, stored: Snapshot?) {
    self.primaryKey = primaryKey
    self.layout = layout
    self.stored = stored
  }
}
