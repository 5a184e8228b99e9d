/// A row that a batch request changes, as a store's history wants to know of it.
struct BatchChange: Equatable {
  let number: Int64
  /// The number of the row's own entity: its `Z_ENT`.
  let entity: Int32
  let kind: Kind

  enum Kind: Equatable {
    case insertion
    /// The slots that were written.
    case update(SlotSet)
    case deletion
  }
}

/// Counts the rows that a batch changes, and keeps what somebody wants to know of them.
///
/// ```
/// one row after the other ─▶ count
///                         ─▶ rows       for a result that names them
///                         ─▶ history    in runs, where the store keeps one
/// ```
struct BatchLedger {
  /// Gets the changes in runs, in their order; rows that will be deleted are still there.
  typealias History = ([BatchChange]) throws -> Void

  private(set) var count = 0
  private(set) var rows: [BatchRow] = []
  private let namesRows: Bool
  private let history: History?
  private var pending: [BatchChange] = []
  private static let run = 1024

  init(namesRows: Bool, history: History?) {
    self.namesRows = namesRows
    self.history = history
  }

  /// Whether the single rows matter, and not only how many there are.
  var needsRows: Bool { namesRows || history != nil }
  var keepsHistory: Bool { history != nil }

  /// Takes a row that the request is about.
  mutating func add(_ number: Int64, _ layout: EntityLayout, _ kind: BatchChange.Kind) throws {
    count += 1
    if namesRows { rows.append(BatchRow(number: number, layout: layout)) }
    try addToHistory(number, layout.number, kind)
  }

  /// Takes rows that nobody wants to know one by one.
  mutating func add(count: Int) { self.count += count }

  /// Takes a row that changes along with others.
  mutating func addToHistory(
    _ number: Int64,
    _ entity: Int32,
    _ kind: BatchChange.Kind
  ) throws {
    if history == nil { return }
    pending.append(BatchChange(number: number, entity: entity, kind: kind))
    if pending.count == Self.run { try tellHistory() }
  }

  /// Hands over what is pending.
  mutating func tellHistory() throws {
    if pending.isEmpty { return }
    try history?(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
