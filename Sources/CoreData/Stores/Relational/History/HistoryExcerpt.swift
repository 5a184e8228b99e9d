import CoreDataSQL

/// Transactions and changes that were read from one store's history, as values, which become objects on demand.
///
/// ```
/// transactions   7 "import"          8 "viewContext"
/// changes        insert Note/4       update Note/4, delete Note/1
/// ```
package final class HistoryExcerpt: Sendable {
  let store: StoreNumber
  /// The store's UUID.
  let identifier: String
  let history: StoreHistory
  private let rows: Rows
  /// Whether it has the changes of its transactions, too.
  let hasChanges: Bool

  package var transactions: [TransactionRow] { rows.transactions }
  /// The changes, those of a transaction together.
  package var changes: [ChangeRow] { rows.changes }
  /// The places of the changes in the order that was asked for.
  var changesInOrder: [Int] { rows.order ?? Array(changes.indices) }
  /// The values that deletions have left, by the place of the change.
  var tombstones: [Int: [SQLValue]] { rows.tombstones }

  /// The rows that a reader has found.
  struct Rows {
    fileprivate(set) var transactions: [TransactionRow] = []
    fileprivate(set) var changes: [ChangeRow] = []
    /// The places of the changes in the order that was asked for; `nil` if they are in that order.
    fileprivate var order: [Int]?
    /// The bits of all updates, one after the other.
    fileprivate var bits: [UInt8] = []
    fileprivate var tombstones: [Int: [SQLValue]] = [:]

    init() {}
  }

  /// A row of `ATRANSACTION`.
  package struct TransactionRow {
    package let number: Int64
    package let origin: HistoryOrigin
    package var time: Double { origin.time }
    /// Where its changes are among those of the excerpt.
    fileprivate(set) var changes = 0..<0
  }

  /// A row of `ACHANGE`.
  package struct ChangeRow {
    package let key: Int64
    let number: Int64
    package unowned(unsafe) let layout: EntityLayout
    package let kind: HistoryChange.Kind
    package fileprivate(set) var transaction: Int32
    fileprivate let firstBit: Int32
    fileprivate let bitCount: Int32
  }

  init(
    _ rows: Rows,
    _ history: StoreHistory,
    of store: StoreNumber,
    identifier: String,
    hasChanges: Bool
  ) {
    self.rows = rows
    self.history = history
    self.store = store
    self.identifier = identifier
    self.hasChanges = hasChanges
  }

  /// The slots that an update has changed; `nil` if the model cannot name them.
  package func slots(changedBy index: Int) -> SlotSet? {
    let change = changes[index]
    let first = Int(change.firstBit)
    if change.bitCount == 0 { return nil }
    return history.bits(of: change.layout).slots(
      in: rows.bits[first..<first + Int(change.bitCount)]
    )
  }

  func key(ofChange index: Int) -> ObjectKey {
    let change = changes[index]
    return ObjectKey(store: store, root: change.layout.rootNumber, number: change.number)
  }
}

// MARK: - Filling

extension HistoryExcerpt.Rows {
  /// Takes transactions in their order.
  mutating func take(_ rows: [HistoryExcerpt.TransactionRow]) { transactions = rows }

  /// Takes a change whose transaction is at a place among those taken.
  mutating func take(
    _ key: Int64,
    _ kind: HistoryChange.Kind,
    _ layout: EntityLayout,
    _ number: Int64,
    of transaction: Int32,
    bits changed: UnsafeRawBufferPointer,
    tombstone: [SQLValue]
  ) {
    if !tombstone.isEmpty { tombstones[changes.count] = tombstone }
    let change = HistoryExcerpt.ChangeRow(
      key: key,
      number: number,
      layout: layout,
      kind: kind,
      transaction: transaction,
      firstBit: Int32(bits.count),
      bitCount: Int32(changed.count)
    )
    bits.append(contentsOf: changed)
    changes.append(change)
  }

  /// Brings the changes of each transaction together, if the order that was asked for has mixed them.
  mutating func gather() {
    let came = changes
    let sorted = came.indices.sorted { (came[$0].transaction, $0) < (came[$1].transaction, $1) }
    var places = Array(repeating: 0, count: came.count)
    for (place, former) in sorted.enumerated() { places[former] = place }
    let kept = tombstones.map { (places[$0.key], $0.value) }
    tombstones = Dictionary(uniqueKeysWithValues: kept)
    changes = sorted.map { came[$0] }
    order = places
  }

  /// Finds each transaction's changes, which are consecutive.
  mutating func connect() {
    var start = 0
    for (index, change) in changes.enumerated() {
      let next = index + 1
      if next < changes.count, changes[next].transaction == change.transaction { continue }
      if change.transaction >= 0 { transactions[Int(change.transaction)].changes = start..<next }
      start = next
    }
  }
}
