/// What one store shall do to its rows, complete before the first statement runs.
///
/// Deletions and vacancies come first, so that a unique value they free can be taken by what follows.
/// The order otherwise is the order of the changes. Nothing in a plan refers to an object.
package struct SavePlan: Sendable {
  /// Rows that are not written and must be as they were read.
  package var expectations: [RowExpectation] = []
  package var deletes: [RowDelete] = []
  /// Unique values that updates free for each other.
  package var vacancies: [RowVacancy] = []
  package var updates: [RowUpdate] = []
  package var inserts: [RowInsert] = []
  package var pairs: [PairChange] = []

  package var isEmpty: Bool {
    expectations.isEmpty && deletes.isEmpty && updates.isEmpty && inserts.isEmpty && pairs.isEmpty
  }
}

/// A new row, with the key that was reserved for it.
///
/// Safety: the layout never changes.
package struct RowInsert: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let snapshot: Snapshot
}

/// Values for a row that is there already.
///
/// Safety: the layout never changes.
package struct RowUpdate: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  /// All values of the row, the new ones among them.
  package let snapshot: Snapshot
  /// The slots whose values differ from the store's.
  package let changed: SlotSet
  /// The version the row must still have; nil when any will do, because only the row's place in
  /// somebody else's order changes.
  package let expectedVersion: Int64?
  /// The to-many relationships with other members; only where a store keeps a history.
  package var changedCollections = SlotSet()
}

/// A row to remove.
///
/// Safety: the layout never changes.
package struct RowDelete: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let expectedVersion: Int64
}

/// A row that is not written, and must have the version it was read with.
///
/// Safety: the layout never changes.
package struct RowExpectation: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let expectedVersion: Int64
}

/// A row that gives up a value until its update, because the update of another row takes it before.
///
/// Safety: the layout never changes.
package struct RowVacancy: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let slot: Int
}

/// A change of one pair of a many-to-many relationship, seen from the object that has it.
///
/// Safety: the layout never changes.
package struct PairChange: @unchecked Sendable {
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

extension SavePlan: CustomStringConvertible {
  /// The plan as a picture, a line for each row.
  package var description: String {
    let lines =
      expectations.map { "expect \($0.layout.name)/\($0.number)" }
      + deletes.map { "delete \($0.layout.name)/\($0.number)" }
      + vacancies.map { row in
        "vacate \(row.layout.name)/\(row.number) \(row.layout.describe(slot: row.slot))"
      }
      + updates.map { update in
        let names = update.changed.map { update.layout.describe(slot: $0) }
        return "update \(update.layout.name)/\(update.number) set \(names.joined(separator: ", "))"
      }
      + inserts.map { "insert \($0.layout.name)/\($0.number)" }
      + pairs.map { pair in
        let name = "\(pair.layout.name)/\(pair.owner) \(pair.layout.slots[pair.slot].name)"
        switch pair.action {
        case .link: return "link \(name) \(pair.member)"
        case .unlink: return "unlink \(name) \(pair.member)"
        case .place(let place): return "place \(name) \(pair.member) at \(place)"
        }
      }
    return lines.joined(separator: "\n")
  }
}

extension EntityLayout {
  /// A slot's name for people; a hidden slot is named after the one it belongs to.
  func describe(slot: Int) -> String {
    switch slots[slot].hidden {
    case nil: slots[slot].name
    case .destinationEntity(let of): "entity of \(slots[of].name)"
    case .order(let of): "order in \(slots[of].name)"
    case .foreignKey: "owner"
    case .foreignOrder: "order in owner"
    case .element: slots[slot].name
    }
  }
}

/// What a store has done: its rows as they are now, in the order of the plan.
package struct SaveReceipt: Sendable {
  package var inserted: [Snapshot]
  package var updated: [Snapshot]
  /// Rows that the plan does not speak of, whose derived attributes have other values now.
  package var derived: [Row] = []
  /// The number of the transaction in the store's history; nil where there is none.
  package var historyNumber: Int64?
}

extension SavePlan {
  /// The last state of each of the rows that the plan does not write itself.
  func leavingOut(_ rows: [Row]) -> [Row] {
    if rows.isEmpty { return [] }
    var own: [Int32: Set<Int64>] = [:]
    for row in inserts { own[row.layout.rootNumber, default: []].insert(row.number) }
    for row in updates { own[row.layout.rootNumber, default: []].insert(row.number) }
    var others: [Row] = []
    for row in rows.reversed()
    where own[row.layout.rootNumber, default: []].insert(row.number).inserted {
      others.append(row)
    }
    return others.reversed()
  }
}

/// Rows that have changed in the store since they were read.
package struct SaveConflicts: Error {
  package let conflicts: [RowConflict]
}

/// One row that is not as a save expected it.
///
/// Safety: the layout never changes.
package struct RowConflict: @unchecked Sendable {
  package let number: Int64
  package unowned(unsafe) let layout: EntityLayout
  /// The row as the store has it; nil when it is gone.
  package let stored: Snapshot?
}
