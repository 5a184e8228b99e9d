/// The store of cells, and of the references between objects.
package protocol CellSource: AnyObject {
  /// All cells of an object; `nil` if none is known.
  func cells(of object: SyncID) throws -> ObjectCells?
  /// The objects with a cell that names this one, also a dead one.
  func referrers(of object: SyncID) throws -> Set<SyncID>
  /// The objects that claim these values, whether they are seen or not.
  func holders(of claim: UniqueClaim) throws -> Set<SyncID>
}

/// No cells at all.
package final class NoCells: CellSource {
  package init() {}
  package func cells(of object: SyncID) -> ObjectCells? { nil }
  package func referrers(of object: SyncID) -> Set<SyncID> { [] }
  package func holders(of claim: UniqueClaim) -> Set<SyncID> { [] }
}
