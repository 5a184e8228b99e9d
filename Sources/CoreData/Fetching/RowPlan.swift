/// Rows that are asked for by their keys.
package struct RowPlan: Sendable {
  /// An entity; its rows may be of any entity of the same tree.
  package unowned(unsafe) let layout: EntityLayout
  /// Who asks; authors of stores are told of it.
  package let asker: NSManagedObjectContext?

  package init(_ layout: EntityLayout, askedBy asker: NSManagedObjectContext? = nil) {
    self.layout = layout
    self.asker = asker
  }
}
