import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite

/// The part of a store that a program can read: objects, values, keys that lead somewhere, and whole pairs.
///
/// ```
/// ZNOTE         8 objects
/// Note.title    8 values
/// Note.folder   7 keys whose folder is there
/// Note.tags    11 pairs of which both ends are there
/// ```
///
/// A repair is kept only if no number has become smaller, except for the things that it announces to take away.
struct ReadableContents {
  private let counts: [Part: Int]

  fileprivate enum Part: Hashable {
    case objects(table: String)
    case values(Finding.Place)
    case keys(Finding.Place)
    case pairs(Finding.Place)
  }

  init(of store: CheckedStore) throws(SQLiteError) {
    var counts: [Part: Int] = [:]
    for table in store.checkedTables {
      let parts = Self.parts(of: table)
      for start in stride(from: 0, to: parts.count, by: Self.width) {
        let some = Array(parts[start..<min(start + Self.width, parts.count)])
        let numbers = try Self.counts(some.map(\.condition), in: table.name, of: store)
        counts.merge(zip(some.map(\.part), numbers)) { $1 }
      }
    }
    for join in store.checkedJoins {
      let ends = [(join.table.masterColumn, join.master), (join.table.otherColumn, join.other)]
        .map { Self.leads(own($0.0), to: $0.1) }
      counts[.pairs(join.place)] = try store.count(
        """
        SELECT COUNT(*) FROM (SELECT DISTINCT \(join.pair) FROM \(name: join.table.name) \
        AS \(name: "t0") WHERE \(ends.joined(separator: " AND ")))
        """
      )
    }
    self.counts = counts
  }

  /// As many as SQLite gives columns to a query with room to spare.
  private static let width = 400
}

// MARK: - Counting

extension ReadableContents {
  private static func parts(of table: CheckedTable) -> [(part: Part, condition: SQLFragment)] {
    let objects = (Part.objects(table: table.name), table.root.has("t0"))
    // Derived values are computed again, and may be nothing then.
    let values = table.values.filter { $0.attribute.derivationExpression == nil }
      .map { value -> (Part, SQLFragment) in
        (.values(value.place), "\(value.entity.has("t0")) AND \(own(value.column)) IS NOT NULL")
      }
    let keys = table.links.map { link -> (Part, SQLFragment) in
      (.keys(link.place), "\(link.isSet) AND \(leads(own(link.column), to: link.destination))")
    }
    return [objects] + values + keys
  }

  private static func leads(_ key: SQLFragment, to entity: EntityMap) -> SQLFragment {
    """
    EXISTS (SELECT 1 FROM \(name: entity.tableName) AS \(name: "d") \
    WHERE \(.column("Z_PK", of: "d")) = \(key) AND \(entity.has("d")))
    """
  }

  private static func counts(
    _ conditions: [SQLFragment],
    in table: String,
    of store: CheckedStore
  ) throws(SQLiteError) -> [Int] {
    let columns = conditions.map { "COUNT(*) FILTER (WHERE \($0))" as SQLFragment }
    let statement = try store.connection.statement(
      "SELECT \(columns.joined(separator: ", ")) FROM \(name: table) AS \(name: "t0")"
    )
    defer { statement.reset() }
    guard try statement.step() else { return [] }
    return (0..<Int32(conditions.count)).map { Int(statement.integer($0)) }
  }
}

// MARK: - Before and after

extension ReadableContents {
  /// Sentences about values that can no longer be read; empty if the repair has kept everything.
  ///
  /// Keys may be taken out if the two ends of a relationship disagreed. If objects were deleted, their values and
  /// relationships are gone with them, so only the number of objects is compared.
  func losses(in after: ReadableContents, by work: RepairWork) -> [String] {
    let deleted = work.deletedRows.values.reduce(0, +)
    var allowed: [Part: Int] = [:]
    for finding in work.performed.flatMap(\.findings) where finding.check == .inverse {
      allowed[.keys(finding.place), default: 0] += finding.count
    }
    return counts.compactMap { part, count in
      // A value that is not counted afterwards was in a table that is gone.
      let loss = count - after.counts[part, default: 0]
      switch part {
      case .objects: return loss > deleted ? part.words(loss) : nil
      case .values, .keys, .pairs:
        return deleted == 0 && loss > allowed[part, default: 0] ? part.words(loss) : nil
      }
    }
    .sorted()
  }
}

extension ReadableContents.Part {
  fileprivate func words(_ count: Int) -> String {
    switch self {
    case .objects(let table): "\(count.of("object", "objects")) of \(table)"
    case .values(let place): "\(count.of("value", "values")) of \(place)"
    case .keys(let place): "\(count.of("key", "keys")) of \(place)"
    case .pairs(let place): "\(count.of("pair", "pairs")) of \(place)"
    }
  }
}
