/// Rows that are asked for by their keys.
package struct RowPlan: Sendable {
  /// An entity; its rows may be of any entity of the same tree.
  package unowned(unsafe) let layout: EntityLayout
  /// The context that asks, which custom stores are given.
  package let asker: NSManagedObjectContext?

  package init(_ layout: EntityLayout, askedBy asker: NSManagedObjectContext? = nil) {
    self.layout = layout
    self.asker = asker
  }
}
