package import CoreDataPredicates

/// A request for dictionaries as a store answers it: which values, of which rows, how put together.
///
/// ```
/// SELECT name, sum:(notes.views)        columns
/// WHERE  …  ORDER BY …                  rows: predicate, order and range
/// GROUP BY name HAVING count:(SELF) > 1 groups, having
/// ```
package struct RecordPlan: Sendable {
  /// Which rows the values are of.
  ///
  /// Order and range are those of the records.
  package var rows: FetchPlan
  package var columns: [RecordColumn]
  package var groups: [RecordColumn] = []
  /// Which groups; aggregates in it are of a group's rows.
  package var having: CoreDataPredicates.PredicateTree?
  /// Whether equal records count once.
  package var isDistinct = false

  /// Whether a record stands for several rows.
  package var aggregates: Bool {
    !groups.isEmpty || columns.contains { $0.expression.containsAggregateOfRows(in: rows.layout) }
  }
}

/// A value of each record: its name in the dictionary, and what it is computed from.
package struct RecordColumn: Sendable {
  package let name: String
  package let expression: CoreDataPredicates.ExpressionTree
  package let form: RecordForm
}

/// What a store found for one dictionary: a value for each column of the plan.
package struct Record: Sendable {
  package let values: [RecordValue]
}

/// One value of a record, such that it may go to another thread.
///
/// Safety: values are numbers, texts, dates and other things that nobody changes.
package enum RecordValue: @unchecked Sendable {
  /// There is none; the dictionary has no such key.
  case nothing
  case value(Any)
  /// The key of a row; the context makes an object's identity of it.
  case identity(number: Int64, EntityLayout)
  /// The name of a file beside the store that holds the bytes.
  case externalFile(String)
}

// MARK: - Aggregates

extension CoreDataPredicates.ExpressionTree {
  /// Whether it is one value for many rows, such as `sum:(views)`; `sum:(notes.views)` is one for each
  /// folder.
  package func isAggregateOfRows(in layout: EntityLayout) -> Bool {
    guard case .function(let function, let arguments) = self, arguments.count == 1 else {
      return false
    }
    switch function {
    case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation:
      return !arguments[0].isCollection(in: layout)
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift, .squareRoot, .logarithm, .naturalLogarithm,
      .exponential, .floor, .ceiling, .absolute, .truncate, .onesComplement, .randomBelow,
      .uppercase, .lowercase, .canonical, .length, .noIndex, .random, .now:
      return false
    }
  }

  package func containsAggregateOfRows(in layout: EntityLayout) -> Bool {
    if isAggregateOfRows(in: layout) { return true }
    var found = false
    _ = mappingParts { part in
      found = found || part.containsAggregateOfRows(in: layout)
      return part
    }
    return found
  }

  private func isCollection(in layout: EntityLayout) -> Bool {
    switch self {
    case .aggregate, .subquery, .set:
      return true
    case .keyPath(.evaluatedObject, let names):
      return RecordPath(names, from: layout).isMany
    case .keyPath(let base, let names):
      return base.isCollection(in: layout) && !names.contains { $0.hasPrefix("@") }
    case .constant(let constant):
      if case .collection = constant.kind { return true }
      return false
    case .function(.noIndex, let arguments):
      return arguments.first?.isCollection(in: layout) ?? false
    case .evaluatedObject, .variable, .variableKey, .function, .message, .index, .cast,
      .conditional, .assignment, .fetch, .anyKey, .block:
      return false
    }
  }
}
