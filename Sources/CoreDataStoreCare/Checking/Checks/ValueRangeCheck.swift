import CoreData
import CoreDataModel
import CoreDataSQL

/// Values that the attribute's type does not have: dates beyond the calendar, integers too long,
/// UUIDs too short, decimals that are not numbers.
struct ValueRangeCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.values.compactMap { value in
      switch value.attribute.type {
      case .date: fault(value, .range, outside: Self.dates, "a date outside the years 1 to 9999")
      case .integer16:
        fault(value, .range, outside: -32_768...32_767, "a number that is no Integer 16")
      case .integer32:
        fault(
          value,
          .range,
          outside: -2_147_483_648...2_147_483_647,
          "a number that is no Integer 32"
        )
      case .boolean: fault(value, .range, outside: 0...1, "a number that is neither 0 nor 1")
      case .uuid:
        fault(
          value,
          .uuid,
          "typeof(\(own(value.column))) = 'blob' AND length(\(own(value.column))) <> 16",
          "a UUID that has not 16 bytes",
          .error
        )
      case .decimal:
        fault(
          value,
          .range,
          CheckFunctions.isNoDecimal(own(value.column)),
          "a text that is not a decimal number",
          .error
        )
      case .integer64, .double, .float, .string, .binaryData, .uri, .transformable,
        .undefined, .objectID, .composite:
        nil
      }
    }
  }

  /// Seconds since 2001 from the beginning of the year 1 to the end of 9999; milliseconds, or
  /// seconds since 1970 in the wrong unit, are beyond.
  private static let dates = -63_114_076_800...252_423_993_599

  private func fault(
    _ value: CheckedValue,
    _ check: CheckName,
    outside range: ClosedRange<Int>,
    _ words: String
  ) -> RowFault {
    let (low, high) = (Int64(range.lowerBound), Int64(range.upperBound))
    let column = own(value.column)
    return fault(
      value,
      check,
      """
      typeof(\(column)) IN ('integer', 'real') \
      AND \(column) NOT BETWEEN \(.integer(low)) AND \(.integer(high))
      """,
      words
    )
  }

  private func fault(
    _ value: CheckedValue,
    _ check: CheckName,
    _ condition: SQLFragment,
    _ words: String,
    _ severity: Finding.Severity = .warning
  ) -> RowFault {
    RowFault(
      severity,
      check,
      value.place,
      where: "\(value.entity.has("t0")) AND \(condition)"
    ) { "\($0.rows("has", "have")) \(words)" }
  }
}
