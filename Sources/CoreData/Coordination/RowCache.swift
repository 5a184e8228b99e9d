import Synchronization

/// The rows of one store that were read or written lately, shared by all contexts.
///
/// Objects hold their rows themselves; the cache is there for the next object, in another context or
/// after a refault. It has two generations: when the younger one is full the older is dropped, so
/// memory is bounded and nothing has to be counted. A row that is used again moves to the younger.
///
/// Readers and savers come in any order: a row never replaces a newer version of itself, nor the
/// note that it was deleted. Keys are given once; only a merge policy can bring a row back.
///
/// Safety: both tables are behind the mutex; rows never change.
final class RowCache: Sendable {
  private let state = Mutex(State())
  /// Bytes in a generation.
  private static let capacity = 32 << 20

  private struct State: ~Copyable {
    var young = KeyTable<CachedRow>()
    var old = KeyTable<CachedRow>()
    var youngSize = 0
  }

  subscript(key: ObjectKey) -> CachedRow? {
    state.withLock { state in
      if let row = state.young[key] { return row }
      guard let row = state.old[key] else { return nil }
      Self.keep(row, for: key, in: &state)
      return row
    }
  }

  func set(_ row: Snapshot, of layout: EntityLayout, for key: ObjectKey) {
    state.withLock { Self.keep(CachedRow(layout, row), for: key, in: &$0) }
  }

  func set(_ rows: [Row], of store: StoreNumber) {
    state.withLock { state in
      state.young.reserve(rows.count)
      for row in rows {
        guard let snapshot = row.snapshot else { continue }
        let key = ObjectKey(store: store, root: row.layout.rootNumber, number: row.number)
        Self.keep(CachedRow(row.layout, snapshot), for: key, in: &state)
      }
    }
  }

  /// Notes that the row was deleted.
  func setGone(_ layout: EntityLayout, for key: ObjectKey) {
    state.withLock { Self.keep(CachedRow(layout, nil), for: key, in: &$0) }
  }

  /// Notes that a row is there again which was deleted.
  func setBack(_ row: Snapshot, of layout: EntityLayout, for key: ObjectKey) {
    state.withLock { state in
      state.old.remove(key)
      state.young.remove(key)
      Self.keep(CachedRow(layout, row), for: key, in: &state)
    }
  }

  func removeAll() {
    state.withLock { $0 = State() }
  }

  private static func keep(_ row: CachedRow, for key: ObjectKey, in state: inout State) {
    if !state.old.isEmpty, let known = state.old[key], known.isNewer(than: row) { return }
    if state.youngSize > capacity {
      swap(&state.old, &state.young)
      state.young = KeyTable()
      state.youngSize = 0
    }
    state.young.set(row, for: key) { $0.isNewer(than: row) }
    state.youngSize += row.size
  }
}

/// A row as it was last seen, or the note that it is gone.
///
/// Safety: the layout never changes.
struct CachedRow: @unchecked Sendable {
  unowned(unsafe) let layout: EntityLayout
  /// Nil when the row was deleted.
  let snapshot: Snapshot?

  init(_ layout: EntityLayout, _ snapshot: Snapshot?) {
    self.layout = layout
    self.snapshot = snapshot
  }

  fileprivate func isNewer(than other: CachedRow) -> Bool {
    guard let snapshot else { return other.snapshot != nil }
    return other.snapshot.map { snapshot.version > $0.version } ?? false
  }

  fileprivate var size: Int { (snapshot?.size ?? 0) + 64 }
}
