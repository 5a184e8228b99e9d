import Foundation
import Synchronization

/// The rows of one store that were read or written lately, shared by all contexts.
///
/// Objects hold their rows themselves; the cache is there for the next object, in another context or
/// after a refault. It has two generations: when the younger one is full the older is dropped, so
/// memory is bounded and nothing has to be counted. A row that is used again moves to the younger.
///
/// Readers and savers come in any order: a row never replaces a newer version of itself, nor the
/// note that it was deleted. Keys are given once, so what is gone comes back only by a save that
/// inserts it again: when its deletion was undone, or a merge policy wants the row back.
///
/// Safety: both tables are behind the mutex; rows never change.
final class RowCache: Sendable {
  private let state = Mutex(Generations())
  /// Seconds that only go forward.
  private let clock: @Sendable () -> TimeInterval
  /// Bytes in a generation.
  private static let capacity = 32 << 20

  private struct Generations: ~Copyable {
    var young = KeyTable<CachedRow>()
    var old = KeyTable<CachedRow>()
    var youngSize = 0
    var epoch = 0
  }

  init(clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }) {
    self.clock = clock
  }

  /// Grows when all rows were forgotten; asked before rows are read, so that none comes in that is
  /// older than that.
  var epoch: Int { state.withLock { $0.epoch } }

  /// The time, for rows that come one by one but at once.
  var now: TimeInterval { clock() }

  /// How many seconds ago a row was read or written.
  func age(of row: CachedRow) -> TimeInterval { now - row.time }

  subscript(key: ObjectKey) -> CachedRow? {
    state.withLock { state in
      if let row = state.young[key] { return row }
      guard let row = state.old[key] else { return nil }
      Self.keep(row, for: key, in: &state)
      return row
    }
  }

  func set(
    _ row: Snapshot,
    of layout: EntityLayout,
    for key: ObjectKey,
    at time: TimeInterval? = nil,
    readIn epoch: Int? = nil
  ) {
    let row = CachedRow(layout, row, time: time ?? now)
    state.withLock { state in
      if epoch ?? state.epoch == state.epoch { Self.keep(row, for: key, in: &state) }
    }
  }

  /// Takes rows that were read, unless all were forgotten since the epoch.
  func set(_ rows: [Row], of store: StoreNumber, readIn epoch: Int? = nil) {
    let now = now
    state.withLock { state in
      if epoch ?? state.epoch != state.epoch { return }
      state.young.reserve(rows.count)
      for row in rows {
        guard let snapshot = row.snapshot else { continue }
        let key = ObjectKey(store: store, root: row.layout.rootNumber, number: row.number)
        Self.keep(CachedRow(row.layout, snapshot, time: now), for: key, in: &state)
      }
    }
  }

  /// Takes a row that a save has inserted, also where it was deleted before.
  func setInserted(
    _ row: Snapshot,
    of layout: EntityLayout,
    for key: ObjectKey,
    at time: TimeInterval
  ) {
    let row = CachedRow(layout, row, time: time)
    state.withLock { state in
      if state.old[key]?.isGone == true { state.old.remove(key) }
      if state.young[key]?.isGone == true { state.young.remove(key) }
      Self.keep(row, for: key, in: &state)
    }
  }

  /// Notes that the row was deleted.
  func setGone(_ layout: EntityLayout, for key: ObjectKey) {
    let note = CachedRow(layout, nil, time: now)
    state.withLock { Self.keep(note, for: key, in: &$0) }
  }

  func removeAll() {
    state.withLock { state in
      let epoch = state.epoch + 1
      state = Generations()
      state.epoch = epoch
    }
  }

  private static func keep(_ row: CachedRow, for key: ObjectKey, in state: inout Generations) {
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
