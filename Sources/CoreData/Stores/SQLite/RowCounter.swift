import CoreDataSQL
import CoreDataSQLite

/// How many rows there are: counted, or estimated where counting takes too long.
package enum RowCount: Hashable, Sendable {
  case exact(Int)
  case about(Int)

  package var number: Int {
    switch self {
    case .exact(let number), .about(let number): number
    }
  }

  package var isExact: Bool { if case .exact = self { true } else { false } }

  package static func + (left: Self, right: Self) -> Self {
    let sum = left.number + right.number
    return left.isExact && right.isExact ? .exact(sum) : .about(sum)
  }
}

/// The time that counting may take, over all tables together.
struct CountingTime {
  private let end: ContinuousClock.Instant

  init(_ limit: Duration) {
    end = .now + limit
  }

  /// The time left; a little at least, so that small tables are counted after a large one too.
  var rest: Duration { max(ContinuousClock.now.duration(to: end), .milliseconds(5)) }
}

/// Counts the rows of a table, those of each entity apart.
///
/// SQLite counts by going through the smallest index, which for a gigabyte of rows may take seconds
/// when the disk is asked. After the time is over the count is estimated: keys are given one after the other, and
/// some windows of keys show how many of them are still rows.
///
/// ```
/// keys     1 ────────────────────────────────── 3000000
/// windows  ▮     ▮     ▮     ▮     ▮     ▮     ▮         rows in them ÷ keys in them × all keys
/// ```
struct RowCounter {
  let table: String
  /// Whether the rows may be of several entities.
  let hasSubentities: Bool

  /// The rows of each entity.
  struct Counts {
    var rows: [Int: RowCount] = [:]
    var isExact = true

    subscript(number: Int) -> RowCount? { rows[number] }
    var nothing: RowCount { isExact ? .exact(0) : .about(0) }
    var sum: RowCount { rows.values.reduce(nothing, +) }
  }

  /// So many are counted in no time, whatever the clock says.
  private static let few = 10_000.0

  func counts(on connection: Connection, _ clock: CountingTime) throws(SQLiteError) -> Counts {
    let (first, last) = try keys(on: connection)
    let limit = Double(last) - Double(first) < Self.few ? .seconds(3_600) : clock.rest
    let counted = try connection.within(limit) { () throws(SQLiteError) in
      try numbers(on: connection, counting)
    }
    if let counted { return Counts(rows: counted.mapValues { .exact($0) }) }
    return Counts(rows: try estimate(on: connection).mapValues { .about($0) }, isExact: false)
  }

  /// Without subentities SQLite has a quicker way, which does not ask for each row's entity.
  private var counting: SQLFragment {
    hasSubentities
      ? "SELECT Z_ENT, COUNT(*) FROM \(name: table) GROUP BY Z_ENT"
      : "SELECT 0, COUNT(*) FROM \(name: table)"
  }

  private func numbers(
    on connection: Connection,
    _ query: SQLFragment
  ) throws(SQLiteError) -> [Int: Int] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var numbers: [Int: Int] = [:]
    while try statement.step() {
      numbers[Int(statement.integer(0)), default: 0] += Int(statement.integer(1))
    }
    return numbers
  }

  private func keys(on connection: Connection) throws(SQLiteError) -> (first: Int64, last: Int64) {
    let first = try connection.integer("SELECT MIN(Z_PK) FROM \(name: table)") ?? 0
    return (first, try connection.integer("SELECT MAX(Z_PK) FROM \(name: table)") ?? -1)
  }

  func estimate(on connection: Connection) throws(SQLiteError) -> [Int: Int] {
    let (first, last) = try keys(on: connection)
    let span = Double(last) - Double(first) + 1
    let (windows, width) = (64, Int64(100))
    var found: [Int: Int] = [:]
    for window in 0..<windows {
      let place = Double(first) + (span - Double(width)) * Double(window) / Double(windows - 1)
      // Keys may be at both ends of the range of integers.
      let start = Int64(exactly: place.rounded(.down)).map { min($0, .max - width) } ?? .max - width
      let range: SQLFragment = """
        WHERE Z_PK BETWEEN \(.integer(start)) AND \(.integer(start + width - 1))
        """
      let entity: SQLFragment = hasSubentities ? "Z_ENT" : "0"
      let query: SQLFragment = """
        SELECT \(entity), COUNT(*) FROM \(name: table) \(range) GROUP BY 1
        """
      found.merge(try numbers(on: connection, query), uniquingKeysWith: +)
    }
    let keys = Double(windows) * Double(width)
    return found.mapValues { Int(min(Double($0) / keys * span, 9e15).rounded()) }
  }
}
