/// A new row, with the key that was reserved for it.
package struct RowInsert: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let snapshot: Snapshot
}

/// Values for a row that is there already.
package struct RowUpdate: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  /// All values of the row, the new ones among them.
  package let snapshot: Snapshot
  /// The slots whose values differ from the store's.
  package let changed: SlotSet
  /// The version the row must still have; nil when any will do, because only the row's place in
  /// somebody else's order changes.
  package let expectedVersion: Int64?
  /// The to-many relationships with other members; only if a store keeps a history.
  package var changedCollections = SlotSet()
}

/// A row to remove.
package struct RowDelete: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let expectedVersion: Int64
}

/// A row that is not written, and must have the version it was read with.
package struct RowExpectation: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let expectedVersion: Int64
}

/// A row that gives up a value until its update, because the update of another row takes it before.
package struct RowVacancy: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let slot: Int
  package let expectedVersion: Int64
}

/// A change of one pair of a many-to-many relationship, seen from the object that has it.
package struct PairChange: Sendable {
  package unowned(unsafe) let layout: EntityLayout
  package let slot: Int
  package let owner: Int64
  package let member: Int64
  package let action: Action

  package enum Action: Hashable, Sendable {
    case link
    case unlink
    /// Puts the member at a place among its owner's members.
    case place(Int64)
  }
}
