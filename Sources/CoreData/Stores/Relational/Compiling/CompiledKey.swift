/// The key that a constant object, identity or entity has in one store.
///
/// ```
/// folder == %@        the folder of row 7    .row(root: 1, number: 7)
///                     a folder never saved   .elsewhere
/// entity == %@        Drawing                .entity(5...5)
/// ```
package enum CompiledKey: Hashable, Sendable {
  /// A row of the table that the entity numbered `root` and all below it share.
  case row(root: Int, number: Int64)
  /// An object of another store, or one that was never saved: it equals no row.
  case elsewhere
  /// The entities whose rows are meant; the number of one entity, twice, means it alone.
  case entity(ClosedRange<Int>)
}
