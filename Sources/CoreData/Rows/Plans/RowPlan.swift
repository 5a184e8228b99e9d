/// Rows that are asked for by their keys.
package struct RowPlan: Sendable {
  /// An entity; its rows may be of any entity of the same tree.
  package unowned(unsafe) let layout: EntityLayout

  package init(_ layout: EntityLayout) {
    self.layout = layout
  }
}
