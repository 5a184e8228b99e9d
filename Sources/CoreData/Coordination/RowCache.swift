import Synchronization

/// The rows of one store that were read or written lately, shared by all contexts.
///
/// Objects hold their rows themselves; the cache is there for the next object, in another context or
/// after a refault. It has two generations: when the younger one is full the older is dropped, so
/// memory is bounded and nothing has to be counted. A row that is used again moves to the younger.
///
/// Safety: both tables are behind the mutex; rows never change.
final class RowCache: Sendable {
  private let state = Mutex(State())
  /// Bytes in a generation.
  private static let capacity = 32 << 20

  private struct State {
    var young = KeyTable<Snapshot>()
    var old = KeyTable<Snapshot>()
    var youngSize = 0
  }

  subscript(key: ObjectKey) -> Snapshot? {
    state.withLock { state in
      if let row = state.young[key] { return row }
      guard let row = state.old[key] else { return nil }
      Self.keep(row, for: key, in: &state)
      return row
    }
  }

  func set(_ row: Snapshot, for key: ObjectKey) {
    state.withLock { Self.keep(row, for: key, in: &$0) }
  }

  func set(_ rows: [Row], of store: StoreNumber) {
    state.withLock { state in
      state.young.reserve(rows.count)
      for row in rows {
        guard let snapshot = row.snapshot else { continue }
        let key = ObjectKey(store: store, root: row.layout.rootNumber, number: row.number)
        Self.keep(snapshot, for: key, in: &state)
      }
    }
  }

  func remove(_ key: ObjectKey) {
    state.withLock { state in
      state.young.remove(key)
      state.old.remove(key)
    }
  }

  func removeAll() {
    state.withLock { $0 = State() }
  }

  private static func keep(_ row: Snapshot, for key: ObjectKey, in state: inout State) {
    if state.youngSize > capacity {
      state.old = state.young
      state.young = KeyTable()
      state.youngSize = 0
    }
    state.young.set(row, for: key)
    state.youngSize += row.size
  }
}
