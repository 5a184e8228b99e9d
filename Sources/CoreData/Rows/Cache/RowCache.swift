import Foundation
import Synchronization

/// The rows of one store that were read or written lately, shared by all contexts.
///
/// Objects hold their rows themselves; the cache is there for the next object, in another context or
/// after a refault. It has two generations: when the younger one is full the older is dropped, so
/// memory is bounded and nothing has to be counted. A row that is used again moves to the younger.
/// The rows of a large fetch, or of many new objects, are taken as they are, and found a place by their keys only when
/// somebody looks for one: most are dropped before that.
///
/// Readers and savers come in any order: a row never replaces a newer version of itself, nor the
/// note that it was deleted. Of one version the row stays that was written, or whose reading began, later: a place in
/// somebody's order changes without a new version. Keys are given once, so what is gone comes back only by a save that
/// inserts it again: when its deletion was undone, or a merge policy wants the row back. Rows that wait for
/// their places come later than those of a save, and give way to them.
///
/// Safety: both tables are behind the mutex; rows never change.
final class RowCache: Sendable {
  private let state = Mutex(Generations())
  /// Seconds that only go forward.
  private let clock: @Sendable () -> TimeInterval
  /// The bytes of a generation, unless somebody says otherwise.
  static let usualCapacity = 32 << 20

  /// The fewest rows that wait for their places; fewer get them at once.
  private static let batch = 256

  fileprivate struct Generations: ~Copyable {
    var young = Generation()
    var old = Generation()
    var epoch = 0
    /// Bytes in a generation.
    var capacity = RowCache.usualCapacity
  }

  fileprivate struct Generation: ~Copyable {
    var table = KeyTable<CachedRow>()
    /// Rows that were read and are not in the table yet, the oldest first.
    var waiting: [WaitingRows] = []
    var size = 0

    var isEmpty: Bool { table.isEmpty && waiting.isEmpty }
  }

  init(clock: @escaping @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }) {
    self.clock = clock
  }

  /// Makes an empty cache with as much room as another one has.
  convenience init(withRoomOf other: RowCache) {
    self.init(clock: other.clock)
    setCapacity(other.capacity)
  }

  /// Grows when all rows were forgotten; asked before rows are read, so that none comes in that is
  /// older than that.
  var epoch: Int { state.withLock { $0.epoch } }

  /// The time, for rows that come one by one but at once.
  var now: TimeInterval { clock() }

  /// How many seconds ago a row was read or written.
  func age(of row: CachedRow) -> TimeInterval { now - row.time }

  /// Whether there are neither rows nor notes of missing ones.
  var isEmpty: Bool {
    state.withLock { $0.young.isEmpty && $0.old.isEmpty }
  }

  subscript(key: ObjectKey) -> CachedRow? {
    state.withLock { state in
      state.settle()
      if let row = state.young.table[key] { return row }
      guard let row = state.old.table[key] else { return nil }
      state.keep(row, for: key)
      return row
    }
  }

  /// The snapshot of a row that was found again in its store, if its version is the known one; its age starts over.
  ///
  /// Rows that wait for their places are found only if they get them first.
  func found(
    _ key: ObjectKey,
    of layout: EntityLayout,
    version: Int64,
    at time: TimeInterval,
    settling settles: Bool
  ) -> Snapshot? {
    state.withLock { state in
      if settles { state.settle() }
      let young = state.young.table.change(key) {
        $0.foundAgain(of: layout, version: version, at: time)
      }
      if let young { return young }
      guard var row = state.old.table[key],
        let snapshot = row.foundAgain(of: layout, version: version, at: time)
      else { return nil }
      state.keep(row, for: key)
      return snapshot
    }
  }

  /// Takes a row that was read since a time, or just now, unless all were forgotten since the epoch.
  func set(
    _ row: Snapshot,
    of layout: EntityLayout,
    for key: ObjectKey,
    readIn epoch: Int? = nil,
    since start: TimeInterval? = nil
  ) {
    let row = CachedRow(layout, row, time: start ?? now)
    state.withLock { state in
      if epoch ?? state.epoch != state.epoch { return }
      state.keep(row, for: key)
    }
  }

  /// Takes rows that were read since a time, or just now, unless all were forgotten since the epoch.
  func set(
    _ rows: [Row],
    of store: StoreNumber,
    readIn epoch: Int? = nil,
    since start: TimeInterval? = nil
  ) {
    set(WaitingRows(rows: rows, store: store, time: start ?? now, areWritten: false), readIn: epoch)
  }

  /// Takes rows that a save has inserted under keys which no row ever had.
  func setNew(_ rows: [Row], of store: StoreNumber) {
    set(WaitingRows(rows: rows, store: store, time: now, areWritten: true))
  }

  private func set(_ rows: WaitingRows, readIn epoch: Int? = nil) {
    state.withLock { state in
      if epoch ?? state.epoch != state.epoch { return }
      if rows.rows.count < Self.batch {
        rows.each { key, row in state.keep(row, for: key) }
      } else {
        state.makeRoom()
        state.young.waiting.append(rows)
        state.young.size += rows.size
      }
    }
  }

  /// Takes a row that a save has updated.
  func setUpdated(
    _ row: Snapshot,
    of layout: EntityLayout,
    for key: ObjectKey,
    at time: TimeInterval
  ) {
    let row = CachedRow(layout, row, time: time, isWritten: true)
    state.withLock { $0.keep(row, for: key) }
  }

  /// Takes a row that a save has inserted, even if it was deleted before.
  ///
  /// Rows that wait are settled before: one of them may be an earlier row with the same key.
  func setInserted(
    _ row: Snapshot,
    of layout: EntityLayout,
    for key: ObjectKey,
    at time: TimeInterval
  ) {
    let row = CachedRow(layout, row, time: time, isWritten: true)
    state.withLock { state in
      state.settle()
      if state.old.table[key]?.isGone == true { state.old.table.remove(key) }
      if state.young.table[key]?.isGone == true { state.young.table.remove(key) }
      state.keep(row, for: key)
    }
  }

  /// Notes that the row was deleted.
  func setGone(_ layout: EntityLayout, for key: ObjectKey) {
    let note = CachedRow(layout, nil, time: now)
    state.withLock { $0.keep(note, for: key) }
  }

  func removeAll() {
    state.withLock { state in
      let (epoch, capacity) = (state.epoch + 1, state.capacity)
      state = Generations()
      (state.epoch, state.capacity) = (epoch, capacity)
    }
  }

  /// The bytes that a generation may have.
  var capacity: Int { state.withLock { $0.capacity } }

  /// Says how many bytes a generation may have from now on.
  func setCapacity(_ bytes: Int) {
    state.withLock { $0.capacity = bytes }
  }
}

// MARK: - Two generations

extension RowCache.Generations {
  /// Keeps a row, unless a newer one is there.
  fileprivate mutating func keep(_ row: CachedRow, for key: ObjectKey) {
    guard isNews(row, for: key) else { return }
    makeRoom()
    young.table.set(row, for: key) { $0.outlasts(row) }
    young.size += row.size
  }

  private func isNews(_ row: CachedRow, for key: ObjectKey) -> Bool {
    guard !old.table.isEmpty, let known = old.table[key] else { return true }
    return !known.outlasts(row)
  }

  /// Lets the younger generation become the older one when it is full.
  fileprivate mutating func makeRoom() {
    guard young.size > capacity else { return }
    swap(&old, &young)
    young = RowCache.Generation()
  }

  /// Gives all rows their places, if nothing came after them.
  fileprivate mutating func settle() {
    for rows in old.waiting {
      old.table.reserve(rows.rows.count)
      rows.each { key, row in
        if young.table.isEmpty || young.table[key] == nil {
          old.table.set(row, for: key) { $0.outlasts(row) }
        } else {
          young.table.set(row, for: key) { $0.outlasts(row) }
        }
      }
    }
    if !old.waiting.isEmpty { old.waiting = [] }
    for rows in young.waiting {
      young.table.reserve(rows.rows.count)
      rows.each { key, row in
        if isNews(row, for: key) { young.table.set(row, for: key) { $0.outlasts(row) } }
      }
    }
    if !young.waiting.isEmpty { young.waiting = [] }
  }
}

/// Rows that were read together, as they came.
private struct WaitingRows {
  let rows: [Row]
  let store: StoreNumber
  let time: TimeInterval
  let areWritten: Bool

  /// Bytes of the pages that they keep alive, and of their places in the cache.
  var size: Int {
    var size = rows.count * CachedRow.placeSize
    var last: SnapshotPage?
    for row in rows {
      guard let page = row.snapshot?.page, page !== last else { continue }
      size += page.capacity
      last = page
    }
    return size
  }

  func each(_ body: (ObjectKey, CachedRow) -> Void) {
    for row in rows {
      guard let snapshot = row.snapshot else { continue }
      let key = ObjectKey(store: store, root: row.layout.rootNumber, number: row.primaryKey)
      body(key, CachedRow(row.layout, snapshot, time: time, isWritten: areWritten))
    }
  }
}
