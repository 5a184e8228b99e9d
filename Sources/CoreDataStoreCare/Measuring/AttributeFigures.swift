import CoreData
package import CoreDataModel
package import CoreDataSQL
import CoreDataSQLite
package import Foundation

/// The values of one attribute in figures: how many are missing, the least and the greatest, and how they are spread.
///
/// ```
/// stars   12,000 rows, 4 % nil, 6 different values, from 0 to 5, most often 3 (5,100 times)   ▁▂▇▅▂▁
/// ```
package struct AttributeFigures: Sendable {
  /// The rows that were looked at.
  package let rowCount: Int
  /// Whether these are the first rows of the table only, because all of them take too long.
  package let isSample: Bool
  package let nilCount: Int
  /// The number of different values; `nil` for values that are not compared, such as pictures.
  package let differentCount: Int?
  package let least: SQLValue?
  package let greatest: SQLValue?
  /// The values that occur most often, with their number of rows; empty if no value occurs twice.
  package let frequent: [(value: SQLValue, count: Int)]
  package let spread: Spread?

  /// The numbers of values in equal parts of a range.
  package struct Spread: Sendable {
    package let low: Double
    package let high: Double
    package let counts: [Int]
    package let unit: Unit
  }

  /// The quantity that a spread is of.
  package enum Unit: String, Sendable {
    case value
    /// The number of characters.
    case length
    /// The number of bytes in the row.
    case size
  }
}

/// Reads the figures of an entity's attributes from a store's file.
package struct FigureReader {
  private static let partCount = 24
  private static let frequentCount = 5
  /// The greatest length of a text that is compared.
  private static let comparedLength = 200
  /// The rows that a sample has.
  package static let sampleCount = 100_000

  private let connection: Connection
  private let entity: EntityMap
  /// The time that one statement may take before a sample is taken.
  private let time: Duration

  /// - Throws: An error of the framework's if the file cannot be read.
  package init?(
    storeAt url: URL,
    _ schema: ModelSchema,
    entity name: String,
    time: Duration
  ) throws {
    connection = try SQLSession(at: url, isWritable: false, patience: 2).connection
    let map = TableMap(schema, in: try FileTables(on: connection))
    guard let entity = map[name] else { return nil }
    self.entity = entity
    self.time = time
  }

  /// The figures of an attribute, or of an element of a composite one.
  ///
  /// - Parameters:
  ///   - path: The name, or the names of a composite attribute and of its element.
  ///   - type: The type of the values.
  /// - Returns: The figures; `nil` if the attribute is not stored.
  /// - Throws: An error of SQLite's if the rows cannot be read.
  package func figures(of path: [String], _ type: AttributeType) throws -> AttributeFigures? {
    guard let column = column(path) else { return nil }
    let all = try connection.within(time) { () throws(SQLiteError) in
      try figures(Source(entity, column, limit: nil), type)
    }
    return try all ?? figures(Source(entity, column, limit: Self.sampleCount), type)
  }

  private func column(_ path: [String]) -> String? {
    var mapping = path.first.flatMap { entity[$0] }
    for name in path.dropFirst() {
      guard case .composite(let elements)? = mapping else { return nil }
      mapping = elements[name]
    }
    if case .attribute(let column)? = mapping { return column }
    return nil
  }

  /// The values of a column in the rows of an entity and of those below it, under the name `v`.
  private struct Source {
    let fragment: SQLFragment
    let isSample: Bool

    init(_ entity: EntityMap, _ column: String, limit: Int?) {
      let (first, last) = (Int64(entity.numbers.lowerBound), Int64(entity.numbers.upperBound))
      var query: SQLFragment = """
        SELECT \(column: column) AS v FROM \(table: entity.tableName) \
        WHERE Z_ENT BETWEEN \(.integer(first)) AND \(.integer(last))
        """
      if let limit { query += " LIMIT \(.integer(Int64(limit)))" }
      fragment = "(\(query))"
      isSample = limit != nil
    }
  }
}

// MARK: - Statements

extension FigureReader {
  private func figures(
    _ source: Source,
    _ type: AttributeType
  ) throws(SQLiteError) -> AttributeFigures {
    let kind = Kind(type)
    let different: SQLFragment =
      kind.isCompared ? "count(DISTINCT \(kind.compared))" : "NULL"
    let (low, high): (SQLFragment, SQLFragment) =
      kind.isOrdered ? ("min(\(kind.compared))", "max(\(kind.compared))") : ("NULL", "NULL")
    let summary = try row(
      "SELECT count(*), count(v), \(different), \(low), \(high) FROM \(source.fragment)"
    )
    let (rowCount, valueCount) = (summary[0].asCount, summary[1].asCount)
    let differentCount = kind.isCompared ? summary[2].asCount : nil
    let isRepeated = differentCount.map { $0 < valueCount } ?? false
    return AttributeFigures(
      rowCount: rowCount,
      isSample: source.isSample,
      nilCount: rowCount - valueCount,
      differentCount: differentCount,
      least: summary[3].ifAny,
      greatest: summary[4].ifAny,
      frequent: isRepeated ? try frequent(source, kind) : [],
      spread: try spread(source, kind)
    )
  }

  private func frequent(
    _ source: Source,
    _ kind: Kind
  ) throws(SQLiteError) -> [(value: SQLValue, count: Int)] {
    let statement = try connection.statement(
      """
      SELECT \(kind.compared) AS w, count(*) AS c FROM \(source.fragment) WHERE v IS NOT NULL \
      GROUP BY w ORDER BY c DESC, w LIMIT \(.integer(Int64(Self.frequentCount)))
      """ as SQLFragment
    )
    defer { statement.reset() }
    var values: [(value: SQLValue, count: Int)] = []
    while try statement.step() {
      values.append((statement.value(0), Int(statement.integer(1))))
    }
    return values
  }

  private func spread(
    _ source: Source,
    _ kind: Kind
  ) throws(SQLiteError) -> AttributeFigures.Spread? {
    guard let (measure, unit) = kind.measured else { return nil }
    let numbers: SQLFragment = "typeof(\(measure)) IN ('integer', 'real')"
    let bounds = try row(
      "SELECT min(\(measure)), max(\(measure)) FROM \(source.fragment) WHERE \(numbers)"
    )
    guard let low = bounds[0].real, let high = bounds[1].real, low < high, (high - low).isFinite
    else { return nil }
    let parts = Self.partCount
    let statement = try connection.statement(
      """
      SELECT CAST((\(measure) - \(.real(low))) * \(.real(Double(parts))) / \(.real(high - low)) \
      AS INTEGER) AS part, count(*) FROM \(source.fragment) WHERE \(numbers) GROUP BY part
      """ as SQLFragment
    )
    defer { statement.reset() }
    var counts = Array(repeating: 0, count: parts)
    while try statement.step() {
      let part = Int(max(0, min(Int64(parts - 1), statement.integer(0))))
      counts[part] += Int(statement.integer(1))
    }
    return AttributeFigures.Spread(low: low, high: high, counts: counts, unit: unit)
  }

  private func row(_ query: SQLFragment) throws(SQLiteError) -> [SQLValue] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    let columns = 0..<statement.columnCount
    guard try statement.step() else { return columns.map { _ in .null } }
    return columns.map { statement.value($0) }
  }

  /// The comparisons that make sense for a type.
  private struct Kind {
    let isCompared: Bool
    let isOrdered: Bool
    let compared: SQLFragment
    let measured: (measure: SQLFragment, unit: AttributeFigures.Unit)?

    init(_ type: AttributeType) {
      switch type {
      case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
        (isCompared, isOrdered, compared, measured) = (true, true, "v", ("v", .value))
      case .boolean:
        (isCompared, isOrdered, compared, measured) = (true, false, "v", nil)
      case .string, .uri:
        (isCompared, isOrdered) = (true, true)
        compared = "substr(v, 1, \(.integer(Int64(FigureReader.comparedLength))))"
        measured = ("length(v)", .length)
      case .uuid, .objectID:
        (isCompared, isOrdered, compared, measured) = (true, false, "v", nil)
      case .binaryData, .transformable, .undefined, .composite:
        (isCompared, isOrdered, compared) = (false, false, "v")
        measured = ("length(CAST(v AS BLOB))", .size)
      }
    }
  }
}

extension SQLValue {
  fileprivate var asCount: Int {
    if case .integer(let value) = self { Int(value) } else { 0 }
  }

  fileprivate var real: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value.isFinite ? value : nil
    case .null, .text, .blob: nil
    }
  }

  fileprivate var ifAny: SQLValue? {
    if case .null = self { nil } else { self }
  }
}
