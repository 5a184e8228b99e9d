/// Counts the rows that a batch changes, and keeps the facts about them that are wanted.
///
/// ```
/// one row after the other ─▶ count
///                         ─▶ rows       for a result that names them
///                         ─▶ history    in runs, if the store keeps one
/// ```
package struct BatchLedger {
  /// Gets the changes in runs, in their order; rows that will be deleted are still there.
  package typealias History = ([HistoryChange]) throws -> Void

  package private(set) var count = 0
  package private(set) var rows: [BatchRow] = []
  private let namesRows: Bool
  private let history: History?
  private var pending: [HistoryChange] = []
  private static let run = 1024

  package init(namesRows: Bool, history: History?) {
    self.namesRows = namesRows
    self.history = history
  }

  /// Whether the single rows matter, and not only how many there are.
  var needsRows: Bool { namesRows || history != nil }
  var keepsHistory: Bool { history != nil }

  /// Takes a row that the request is about.
  package mutating func add(_ change: HistoryChange) throws {
    count += 1
    if namesRows { rows.append(BatchRow(primaryKey: change.primaryKey, layout: change.layout)) }
    try addToHistory(change)
  }

  /// Takes rows that nobody wants to know one by one.
  mutating func add(count: Int) { self.count += count }

  /// Takes a row that changes along with others.
  mutating func addToHistory(_ change: HistoryChange) throws {
    if history == nil { return }
    pending.append(change)
    if pending.count == Self.run { try tellHistory() }
  }

  /// Hands over what is pending.
  package mutating func tellHistory() throws {
    if pending.isEmpty { return }
    try history?(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

/// A row by its primary key and entity.
package struct BatchRow {
  let primaryKey: Int64
  unowned(unsafe) let layout: EntityLayout
}
