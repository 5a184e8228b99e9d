/// The rows that a to-many relationship leads to, asked for by their owners' keys.
package struct MemberPlan: Sendable {
  /// The entity that has the relationship.
  package unowned(unsafe) let layout: EntityLayout
  package let slot: Int

  package init(_ layout: EntityLayout, at slot: Int) {
    self.layout = layout
    self.slot = slot
  }
}

/// A member of a to-many relationship, and the key of the object that has it.
package struct MemberRow: Sendable {
  package let owner: Int64
  package let row: Row
}
