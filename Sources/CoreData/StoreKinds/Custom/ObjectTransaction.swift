/// A transaction in a store that others have written: its author thinks in objects, not in rows.
protocol ObjectTransaction: SaveTransaction {
  /// Whether the performed plan stays, whatever happens to other stores.
  var isIrrevocable: Bool { get }
  /// Reserves keys for new objects, one for each.
  func reserveKeys(for objects: [NSManagedObject]) throws -> [Int64]
  /// Writes the plan, with the objects it speaks of; new ones have their permanent identities
  /// meanwhile.
  func perform(_ plan: ObjectPlan) throws -> SaveReceipt
}

extension SaveTransaction {
  /// Reserves keys for new objects, one for each.
  func reserveKeys(for objects: [NSManagedObject]) throws -> [Int64] {
    if let own = self as? any ObjectTransaction { return try own.reserveKeys(for: objects) }
    return try reserveKeys(roots: objects.map(\.layout.rootNumber))
  }
}
