/// The change of one row, as a history notes it.
///
/// ```
/// insert Note/4
/// update Note/2: title, stars
/// delete Note/1
/// ```
///
/// Saves and batches report the rows that they write with these.
package struct HistoryChange: Sendable {
  package let kind: Kind
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  /// The slots that an update has changed, those of to-many relationships among them.
  package var slots: SlotSet

  /// Raw values are those of `ZCHANGETYPE`.
  package enum Kind: Int64, Sendable {
    case insert = 0
    case update = 1
    case delete = 2
  }

  package init(
    _ kind: Kind,
    _ layout: EntityLayout,
    _ primaryKey: Int64,
    changed slots: SlotSet = SlotSet()
  ) {
    self.kind = kind
    self.primaryKey = primaryKey
    self.layout = layout
    self.slots = slots
  }
}

extension SavePlan {
  /// The rows that go; asked before they do.
  package var deletedInHistory: some Collection<HistoryChange> {
    deletes.lazy.map { HistoryChange(.delete, $0.layout, $0.primaryKey) }
  }

  /// The rows that an object's own change has written.
  ///
  /// A row that only gets another place in an order of members, or another owner that it does not know of, does not
  /// have a property with another value; the owner's relationship has, and its row is here.
  package var updatedInHistory: some Collection<HistoryChange> {
    updates.lazy.filter { $0.expectedVersion != nil }
      .map { row in
        var slots = row.changed
        slots.formUnion(row.changedCollections)
        return HistoryChange(.update, row.layout, row.primaryKey, changed: slots)
      }
  }

  package var insertedInHistory: some Collection<HistoryChange> {
    inserts.lazy.map { HistoryChange(.insert, $0.layout, $0.primaryKey) }
  }
}
