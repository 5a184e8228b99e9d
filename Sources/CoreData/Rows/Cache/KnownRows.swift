import Foundation
import Synchronization

/// The rows that a cache has, for a fetch that finds them again: a row of the same version has the same values, and need
/// not be unpacked from the statement's columns.
///
/// ```
/// Z_PK 7, Z_ENT 2, Z_OPT 3, …   ─▶  the cache has version 3   its snapshot, which the objects share
///                                   version 2, or none        the columns
/// ```
///
/// Every save counts a row's version up, but for a place in somebody's order, which is in the cache as soon as it is in the
/// file. Batch requests, and programs that write the file, make the cache forget its rows before the fetch. Derived
/// attributes change without a version; the rows of an entity that has any are unpacked. So is a row that was written and
/// not read since, because the file may have its decimal numbers in fewer digits.
final class KnownRows: Sendable {
  private let cache: RowCache
  private let store: StoreNumber
  private let time: TimeInterval
  private let reused = Atomic(0)

  /// So many rows of a fetch are unpacked or found as they come, before the cache's rows that wait get their places for it.
  private static let few = 256

  init(_ cache: RowCache, of store: StoreNumber) {
    self.cache = cache
    self.store = store
    time = cache.now
  }

  /// How many rows were known.
  var count: Int { reused.load(ordering: .relaxed) }

  /// The values of a row, if they are known; `place` is how many rows the fetch has found before.
  func snapshot(
    of layout: EntityLayout,
    _ number: Int64,
    version: Int64,
    at place: Int
  ) -> Snapshot? {
    guard layout.derivedSlots.isEmpty else { return nil }
    let key = ObjectKey(store: store, root: layout.rootNumber, number: number)
    let settles = place >= Self.few
    let snapshot = cache.found(key, of: layout, version: version, at: time, settling: settles)
    if snapshot != nil { reused.add(1, ordering: .relaxed) }
    return snapshot
  }
}
