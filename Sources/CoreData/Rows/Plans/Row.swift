/// An object as a store has it: its key, its entity and, unless only keys were asked for, its values.
package struct Row: Sendable {
  package let primaryKey: Int64
  package unowned(unsafe) let layout: EntityLayout
  package let snapshot: Snapshot?

  package init(primaryKey: Int64, layout: EntityLayout, snapshot: Snapshot?) {
    self.primaryKey = primaryKey
    self.layout = layout
    self.snapshot = snapshot
  }
}
