import Foundation

/// The rows of a store in memory while one request reads them.
///
/// A predicate over many objects asks each for its members. The first lookup sorts them out once, so that the next
/// look costs nothing:
///
/// ```
/// notes of folder 1   every note, by the folder it has      1: 4, 9   2: 7   …
/// notes of folder 2   7
/// ```
///
/// Safety: not Sendable; made for one request, which one thread runs.
final class MemoryReading {
  let store: StoreNumber
  private let rows: MemoryRows
  private var members: [Relationship: [Int64: [Row]]] = [:]

  private struct Relationship: Hashable {
    let entity: Int32
    let slot: Int
  }

  init(_ rows: MemoryRows, of store: StoreNumber) {
    self.rows = rows
    self.store = store
  }

  subscript(root: Int32, number: Int64) -> Row? { rows[root, number] }

  /// The rows that a to-many relationship leads to, in its order.
  func members(of number: Int64, in layout: EntityLayout, at slot: Int) -> [Row] {
    let relationship = Relationship(entity: layout.declarer(of: slot), slot: slot)
    let known = members[relationship] ?? sorted(layout, slot)
    members[relationship] = known
    return known[number] ?? []
  }
}

// MARK: - Sorting out

extension MemoryReading {
  /// For each object that has the relationship, its members.
  private func sorted(_ layout: EntityLayout, _ slot: Int) -> [Int64: [Row]] {
    guard let end = layout.slots[slot].end,
      let destination = layout.model[number: end.destination]
    else { return [:] }
    if let inverse = end.inverse, destination.slots[inverse].kind != .toOne {
      return rows.pairs(of: layout, at: slot).mapValues { numbers in
        numbers.compactMap { rows[destination.rootNumber, $0] }
      }
    }
    return membersWithKeys(of: layout, slot, destination, inverse: end.inverse)
  }

  /// The members keep their owner's key.
  private func membersWithKeys(
    of layout: EntityLayout,
    _ slot: Int,
    _ destination: EntityLayout,
    inverse: Int?
  ) -> [Int64: [Row]] {
    let declarer = layout.declarer(of: slot)
    var found: [Int64: [(place: Int64, row: Row)]] = [:]
    for row in rows.all(root: destination.rootNumber) where row.layout.isKind(of: destination) {
      let key = inverse ?? row.layout.hiddenSlot(.foreignKey(entity: declarer, slot: slot))
      guard let key, key < row.layout.slots.count, let snapshot = row.snapshot,
        let owner = snapshot.optionalInteger(key)
      else { continue }
      let order =
        row.layout.slots[key].end?.orderSlot ?? row.layout.hiddenSlot(.foreignOrder(of: key))
      let place = order.flatMap { snapshot.optionalInteger($0) } ?? 0
      found[owner, default: []].append((place, row))
    }
    return found.mapValues { members in
      members.sorted { ($0.place, $0.row.primaryKey) < ($1.place, $1.row.primaryKey) }.map(\.row)
    }
  }
}
