import CoreData
import CoreDataSQL
import CoreDataSQLite

/// Copies one table's rows, around what cannot be read.
///
/// ```
/// keys 1…1000 copied at once    keys 1001…2000 fail ─▶ 1001…1500 copied, 1501…2000 fail ─▶ …
/// a single row that fails       is copied value by value
/// ```
struct TableSalvage {
  private let table: String
  private let old: DamagedDatabase
  private let new: Connection
  private let columns: [String]
  private let last: Int64?

  /// How many keys are tried at once.
  private static let stride: Int64 = 1000
  /// How far to look for rows beyond a place where a table cannot be read, when nothing says how
  /// far it goes; and no further than a file of that size has rows.
  private static let blindReach: Int64 = 1_000_000
  /// The fewest bytes that a row takes in a file.
  private static let leastRowBytes: Int64 = 8
  /// A table of which none of so many places can be read is given up.
  private static let probes: Int64 = 200

  /// `last` is a key that the table may have, whatever its pages say.
  init(
    _ table: String,
    from old: DamagedDatabase,
    to new: Connection,
    atLeast last: Int64?
  ) throws(SQLiteError) {
    self.table = table
    self.old = old
    self.new = new
    self.last = last
    columns = try FileSchema.columns(of: table, on: new)
      .filter(Set((old.columns[table] ?? []).map(\.name)).contains)
  }

  func copy() throws(SQLiteError) -> SalvagedTable {
    var result = SalvagedTable(name: table)
    guard !columns.isEmpty, let bounds, isReadableAnywhere(in: bounds) else {
      result.isReadable = false
      return result
    }
    var low = bounds.lowerBound
    var width = Self.stride
    while low <= bounds.upperBound {
      let (sum, overflow) = low.addingReportingOverflow(width - 1)
      let high = overflow ? bounds.upperBound : min(sum, bounds.upperBound)
      let before = result
      try copy(low...high, &result)
      if high == bounds.upperBound { break }
      low = high + 1
      // Keys may be far apart; if there are none, longer steps do no harm.
      width = result == before ? min(width, .max / 2) * 2 : Self.stride
    }
    return result
  }

  /// The keys between which rows may be; `nil` if none can be found in the table.
  private var bounds: ClosedRange<Int64>? {
    let first = end("ASC")
    let final = end("DESC")
    if first == .none, final == .none { return 1...max(last ?? 0, 1) }
    let low = first.key ?? min(1, final.key ?? 1)
    let (reached, overflow) = low.addingReportingOverflow(last == nil ? reach : 0)
    let high = final.key ?? max(last ?? 0, overflow ? .max : reached)
    return low...max(low, high, last ?? low)
  }

  private var reach: Int64 { min(Self.blindReach, max(1_000, old.size / Self.leastRowBytes)) }

  /// Whether any place of a long range can be reached at all: none can behind a root that is damaged,
  /// and to try them all would take minutes.
  private func isReadableAnywhere(in bounds: ClosedRange<Int64>) -> Bool {
    let length = Double(bounds.upperBound) - Double(bounds.lowerBound)
    if length < Double(Self.probes) { return true }
    return (0...Self.probes).contains { number in
      let key = Double(bounds.lowerBound) + length * Double(number) / Double(Self.probes)
      let probed = DamagedDatabase.orNothing { () throws(SQLiteError) -> Bool? in
        _ = try old.connection.integer(
          "SELECT 1 FROM \(name: table) WHERE rowid = \(.integer(Int64(exactly: key.rounded()) ?? 0))"
        )
        return true
      }
      return probed == true
    }
  }

  private enum End: Equatable {
    case key(Int64)
    case none
    case unreadable

    var key: Int64? { if case .key(let key) = self { key } else { nil } }
  }

  private func end(_ order: SQLFragment) -> End {
    do throws(SQLiteError) {
      let key = try old.connection.integer(
        "SELECT rowid FROM \(name: table) ORDER BY rowid \(order) LIMIT 1"
      )
      return key.map(End.key) ?? .none
    } catch {
      return .unreadable
    }
  }
}

// MARK: - Ranges

extension TableSalvage {
  /// So many ranges of a table are tried again in smaller parts; a table whose keys are spread over all
  /// numbers would be tried for ever.
  private static let patience = 1_000_000

  /// Rows before the place that cannot be read are copied when it is met; those after it are looked for in ever smaller
  /// parts.
  private func copy(
    _ keys: ClosedRange<Int64>,
    _ result: inout SalvagedTable
  ) throws(SQLiteError) {
    guard let failure = try copyUntilFailure(keys, &result) else { return }
    result.failedReads += 1
    guard result.failedReads < Self.patience else {
      return result.addLost(failure...keys.upperBound)
    }
    guard failure < keys.upperBound else {
      try copyValues(of: keys.upperBound, &result)
      return
    }
    // Keys may be at both ends of an integer's range.
    let half = Int64(UInt64(bitPattern: keys.upperBound &- failure) / 2)
    let middle = failure &+ half
    try copy(failure...middle, &result)
    try copy((middle + 1)...keys.upperBound, &result)
  }

  /// Gives the first key behind the last row that was read; nil when all were.
  private func copyUntilFailure(
    _ keys: ClosedRange<Int64>,
    _ result: inout SalvagedTable
  ) throws(SQLiteError) -> Int64? {
    let insert = try new.statement(insertion(of: columns))
    var next = keys.lowerBound
    do throws(SQLiteError) {
      let names = columns.map { SQLFragment.column($0) }.joined(separator: ", ")
      let rows = try old.connection.statement(
        """
        SELECT rowid, \(names) FROM \(name: table) \
        WHERE rowid BETWEEN \(.integer(keys.lowerBound)) AND \(.integer(keys.upperBound)) \
        ORDER BY rowid
        """
      )
      defer { rows.reset() }
      while try rows.step() {
        let key = rows.integer(0)
        // A damaged page may have rows that belong elsewhere.
        guard keys.contains(key), key >= next else { return next }
        let values = (1..<rows.columnCount).map { rows.value($0) }
        try Self.written { () throws(SQLiteError) in
          for (place, value) in values.enumerated() { insert.bind(value, at: Int32(place + 1)) }
          try insert.run()
        }
        result.copied += new.changeCount
        if key == keys.upperBound { return nil }
        next = key + 1
      }
      return nil
    } catch {
      guard error.isDamage else { throw error }
      return next
    }
  }

  /// A failure in the new store is not damage of the old one.
  private static func written(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    do throws(SQLiteError) {
      try body()
    } catch {
      guard error.isDamage else { throw error }
      throw SQLiteError(code: 1, message: "cannot write the new store: \(error.message)")
    }
  }

  private func insertion(of columns: [String]) -> SQLFragment {
    let names = columns.map { SQLFragment.column($0) }.joined(separator: ", ")
    let places = columns.map { _ in SQLFragment.parameter }.joined(separator: ", ")
    return "INSERT OR IGNORE INTO \(name: table) (\(names)) VALUES (\(places))"
  }

  /// A row whose large value is on a page that cannot be read still has its others.
  private func copyValues(of key: Int64, _ result: inout SalvagedTable) throws(SQLiteError) {
    var values: [(column: String, value: SQLValue)] = []
    for column in columns {
      if let value = value(of: column, key) { values.append((column, value)) }
    }
    guard values.contains(where: { $0.column == "Z_ENT" }) else {
      result.addLost(key)
      return
    }
    let insert = try new.statement(insertion(of: values.map(\.column)))
    for (place, pair) in values.enumerated() { insert.bind(pair.value, at: Int32(place + 1)) }
    try insert.run()
    result.partial += new.changeCount
  }

  private func value(of column: String, _ key: Int64) -> SQLValue? {
    DamagedDatabase.orNothing { () throws(SQLiteError) in
      let statement = try old.connection.statement(
        """
        SELECT \(column: column) FROM \(name: table) WHERE rowid = \(.integer(key))
        """
      )
      defer { statement.reset() }
      return try statement.step() ? statement.value(0) : nil
    }
  }
}

extension SalvagedTable {
  fileprivate mutating func addLost(_ key: Int64) { addLost(key...key) }

  fileprivate mutating func addLost(_ keys: ClosedRange<Int64>) {
    if let last = lost.last, last.upperBound == keys.lowerBound &- 1 {
      lost[lost.count - 1] = last.lowerBound...keys.upperBound
    } else {
      lost.append(keys)
    }
  }
}
