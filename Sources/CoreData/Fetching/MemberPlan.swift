/// The rows that a to-many relationship leads to, asked for by their owners' keys.
package struct MemberPlan: Sendable {
  /// The entity that has the relationship.
  package unowned(unsafe) let layout: EntityLayout
  package let slot: Int
  /// The context that asks, which custom stores are given.
  package let asker: NSManagedObjectContext?

  package init(
    _ layout: EntityLayout,
    at slot: Int,
    askedBy asker: NSManagedObjectContext? = nil
  ) {
    self.layout = layout
    self.slot = slot
    self.asker = asker
  }
}

/// A member of a to-many relationship, and the key of the object that has it.
package struct MemberRow: Sendable {
  package let owner: Int64
  package let row: Row
}
