/// The changes that one store will make to its rows, complete before the first statement runs.
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

  package init(
    expectations: [RowExpectation] = [],
    deletes: [RowDelete] = [],
    vacancies: [RowVacancy] = [],
    updates: [RowUpdate] = [],
    inserts: [RowInsert] = [],
    pairs: [PairChange] = []
  ) {
    self.expectations = expectations
    self.deletes = deletes
    self.vacancies = vacancies
    self.updates = updates
    self.inserts = inserts
    self.pairs = pairs
  }
}

extension SavePlan: CustomStringConvertible {
  /// The plan as a picture, a line for each row.
  package var description: String {
    let lines =
      expectations.map { "expect \($0.layout.name)/\($0.primaryKey)" }
      + deletes.map { "delete \($0.layout.name)/\($0.primaryKey)" }
      + vacancies.map { row in
        "vacate \(row.layout.name)/\(row.primaryKey) \(row.layout.describe(slot: row.slot))"
      }
      + updates.map { update in
        let names = update.changed.map { update.layout.describe(slot: $0) }
        return
          "update \(update.layout.name)/\(update.primaryKey) set \(names.joined(separator: ", "))"
      }
      + inserts.map { "insert \($0.layout.name)/\($0.primaryKey)" }
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

extension SavePlan {
  /// The last state of each of the rows that the plan does not write itself.
  package func leavingOut(_ rows: [Row]) -> [Row] {
    if rows.isEmpty { return [] }
    var own: [Int32: Set<Int64>] = [:]
    for row in inserts { own[row.layout.rootNumber, default: []].insert(row.primaryKey) }
    for row in updates { own[row.layout.rootNumber, default: []].insert(row.primaryKey) }
    var others: [Row] = []
    for row in rows.reversed()
    where own[row.layout.rootNumber, default: []].insert(row.primaryKey).inserted {
      others.append(row)
    }
    return others.reversed()
  }
}
