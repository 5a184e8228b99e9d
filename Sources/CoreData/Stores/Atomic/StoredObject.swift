import CoreDataPredicates
import Foundation

/// A row of a store in memory, as predicates and sort descriptors see objects.
final class StoredObject: NSObject, KeyValueReadable, ComparedByIdentity {
  let row: Row
  private let store: StoreNumber
  private let rows: MemoryRows

  init(_ row: Row, in store: StoreNumber, _ rows: MemoryRows) {
    self.row = row
    self.store = store
    self.rows = rows
    super.init()
  }

  var key: ObjectKey {
    ObjectKey(store: store, root: row.layout.rootNumber, number: row.number)
  }

  var comparedIdentity: AnyHashable { key }

  override var hash: Int { key.hashValue }

  override func isEqual(_ object: Any?) -> Bool { (object as? StoredObject)?.key == key }
}

// MARK: - Values

extension StoredObject {
  func keyValue(_ key: String) -> Any? {
    guard let slot = row.layout.slot(named: key), let snapshot = row.snapshot else {
      return special(key)
    }
    switch row.layout.slots[slot].kind {
    case .toOne:
      return target(at: slot, in: snapshot)
    case .toMany, .orderedToMany:
      let members = Self.members(of: row.number, in: row.layout, at: slot, rows)
        .map { StoredObject($0, in: store, rows) }
      return row.layout.slots[slot].isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .composite, .object:
      return SlotValue(unpacking: slot, of: snapshot, in: row.layout).boxed(
        at: slot,
        in: row.layout
      )
    case .fetched:
      return nil
    }
  }

  private func special(_ key: String) -> Any? {
    switch key {
    case "self", "objectID": self
    case "entity": row.layout.description
    case _:
      stop("\(row.layout.name) has no property \(key), which a predicate or an order asks for")
    }
  }

  private func target(at slot: Int, in snapshot: Snapshot) -> StoredObject? {
    guard let end = row.layout.slots[slot].end, let number = snapshot.optionalInteger(slot),
      let destination = row.layout.model[number: end.destination],
      let target = rows[destination.rootNumber, number]
    else { return nil }
    return StoredObject(target, in: store, rows)
  }

  /// The rows that a to-many relationship leads to, in its order.
  static func members(
    of number: Int64,
    in layout: EntityLayout,
    at slot: Int,
    _ rows: MemoryRows
  ) -> [Row] {
    guard let end = layout.slots[slot].end,
      let destination = layout.model[number: end.destination]
    else { return [] }
    if let inverse = end.inverse, destination.slots[inverse].kind != .toOne {
      return rows.members(of: number, in: layout, at: slot)
        .compactMap { rows[destination.rootNumber, $0] }
    }
    let declarer = layout.declarer(of: slot)
    let found = rows.all(root: destination.rootNumber)
      .compactMap { row -> (place: Int64, row: Row)? in
        let key = end.inverse ?? row.layout.hiddenSlot(.foreignKey(entity: declarer, slot: slot))
        guard let key, key < row.layout.slots.count, row.layout.isKind(of: destination),
          let snapshot = row.snapshot, snapshot.optionalInteger(key) == number
        else { return nil }
        let order =
          row.layout.slots[key].end?.orderSlot ?? row.layout.hiddenSlot(.foreignOrder(of: key))
        return (order.flatMap { snapshot.optionalInteger($0) } ?? 0, row)
      }
    return found.sorted { ($0.place, $0.row.number) < ($1.place, $1.row.number) }.map(\.row)
  }
}
