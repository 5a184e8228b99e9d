/// The result of a save in one store: its rows as they are now, in the order of the plan.
package struct SaveReceipt: Sendable {
  package var inserted: [Snapshot]
  package var updated: [Snapshot]
  /// Rows that the plan does not speak of, whose derived attributes have other values now.
  package var derived: [Row] = []
  /// The number of the transaction in the store's history; `nil` if the store does not have one.
  package var historyNumber: Int64?

  package init(
    inserted: [Snapshot],
    updated: [Snapshot],
    derived: [Row] = [],
    historyNumber: Int64? = nil
  ) {
    self.inserted = inserted
    self.updated = updated
    self.derived = derived
    self.historyNumber = historyNumber
  }
}
