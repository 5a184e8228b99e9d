import CoreDataPredicates
import Foundation

/// A row of a store in memory, as predicates and sort descriptors see objects.
final class StoredObject: NSObject, KeyValueReadable, ComparedByIdentity {
  let row: Row
  private let reading: MemoryReading

  init(_ row: Row, in reading: MemoryReading) {
    self.row = row
    self.reading = reading
    super.init()
  }

  var key: ObjectKey {
    ObjectKey(store: reading.store, root: row.layout.rootNumber, number: row.primaryKey)
  }

  var comparedIdentity: AnyHashable { key.inFirstStore }

  override var hash: Int { key.hashValue }

  override func isEqual(_ object: Any?) -> Bool { (object as? StoredObject)?.key == key }
}

// MARK: - Values

extension StoredObject {
  func keyValue(_ key: String) throws(EvaluationError) -> Any? {
    guard let slot = row.layout.slot(named: key) else { return try special(key) }
    switch row.layout.slots[slot].kind {
    case .toOne:
      return row.snapshot.flatMap { target(at: slot, in: $0) }
    case .toMany, .orderedToMany:
      let members = reading.members(of: row.primaryKey, in: row.layout, at: slot)
        .map { StoredObject($0, in: reading) }
      return row.layout.slots[slot].isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
    case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
      .transformable, .composite, .object:
      return row.snapshot.flatMap {
        SlotValue(unpacking: slot, of: $0, in: row.layout).boxed(at: slot, in: row.layout)
      }
    case .fetched:
      return nil
    }
  }

  private func special(_ key: String) throws(EvaluationError) -> Any? {
    switch key {
    case "self", "objectID": self
    case "entity": row.layout.description
    case _: throw EvaluationError("the entity \(row.layout.name) has no property \"\(key)\"")
    }
  }

  /// An object whose row is gone, as No Action leaves it, is one without values: a column has its key, too.
  private func target(at slot: Int, in snapshot: Snapshot) -> StoredObject? {
    guard let end = row.layout.slots[slot].end, let number = snapshot.optionalInteger(slot),
      let destination = row.layout.model[number: end.destination]
    else { return nil }
    let target =
      reading[destination.rootNumber, number]
      ?? Row(primaryKey: number, layout: destination, snapshot: nil)
    return StoredObject(target, in: reading)
  }
}

// MARK: - Order

extension StoredObject {
  /// Rows themselves are ordered by their keys, as a database orders them; only code is asked of objects.
  func compare(
    to other: StoredObject,
    by term: SortTerm
  ) throws(EvaluationError) -> ComparisonResult {
    if case .comparator = term.order { return try term.compare(self, to: other) }
    guard term.namesObject else { return try term.compare(self, to: other) }
    let (left, right) = (row.primaryKey, other.row.primaryKey)
    if left == right { return .orderedSame }
    return (left < right) == term.ascending ? .orderedAscending : .orderedDescending
  }
}
