import CoreDataModel
import CoreDataSQL

/// The conditions for committing a migration, in all databases.
extension MigrationPlan {
  /// How many rows of each entity there should be afterwards, by its new number.
  package func expectedCounts<Failure: Error>(
    _ rows: (_ table: String) throws(Failure) -> [Int: Int]
  ) throws(Failure) -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for table in Set(sourceTables.values) {
      for (number, count) in try rows(table) {
        guard sourceTables[number] == table, let new = movedNumbers[number] else { continue }
        counts[new, default: 0] += count
      }
    }
    return counts
  }

  /// Throws if a table or column is missing.
  package func check(_ shape: FileShape) throws(MigrationFailure) {
    do throws(MigrationFailure) {
      try shape.check(against: destinationTables)
    } catch {
      if case .otherTables(let lacks) = error.cause {
        throw MigrationFailure(.unexpected("\(lacks.joined(separator: ", ")) would be missing"))
      }
      throw error
    }
  }

  /// Throws if there are more or fewer rows of an entity than there should be.
  package func check(
    _ expected: [Int: Int],
    _ rows: (_ table: String) throws -> [Int: Int]
  ) throws {
    var found: [Int: Int] = [:]
    for table in destinationTables.tables { found.merge(try rows(table.name)) { $0 + $1 } }
    for entity in destinationTables.entities {
      let (count, wanted) = (found[entity.number] ?? 0, expected[entity.number] ?? 0)
      guard count != wanted else { continue }
      throw MigrationFailure(
        .unexpected("there would be \(count) rows of \(entity.name) instead of \(wanted)")
      )
    }
  }
}

/// Looks for rows that violate a new index of unique values, and names their values.
package struct UniqueIndexCheck {
  private let index: TableIndex

  package init(_ index: TableIndex) {
    self.index = index
  }

  /// Throws the first five values that several rows have.
  package func perform<Connection: SQLConnection>(on connection: Connection) throws {
    let columns = index.elements.map { SQLFragment.column($0.column) }
    let list = columns.joined(separator: ", ")
    let isThere = columns.map { "\($0) IS NOT NULL" as SQLFragment }.joined(separator: " AND ")
    let statement = try connection.statement(
      """
      SELECT \(list), COUNT(*) FROM \(table: index.table) WHERE \(isThere) \
      GROUP BY \(list) HAVING COUNT(*) > 1 LIMIT 5
      """ as SQLFragment
    )
    defer { statement.reset() }
    var values: [String] = []
    while try statement.step() {
      let parts = columns.indices.map { place in
        "\(index.elements[place].column) \(statement.value(Int32(place)))"
      }
      values.append(
        "\(parts.joined(separator: ", ")) in \(statement.integer(Int32(columns.count))) rows"
      )
    }
    guard values.isEmpty else {
      throw MigrationFailure(.duplicates(index: index.name, values: values))
    }
  }
}
