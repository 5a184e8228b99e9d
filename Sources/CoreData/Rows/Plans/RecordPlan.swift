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
  package var source: FetchPlan
  package var columns: [RecordColumn]
  package var groups: [RecordColumn] = []
  /// Which groups; aggregates in it are of a group's rows.
  package var having: CoreDataPredicates.PredicateTree?
  /// Whether equal records count once.
  package var isDistinct = false

  /// Whether a record represents several rows.
  package var aggregates: Bool {
    !groups.isEmpty || columns.contains { $0.expression.containsAggregateOfRows(in: source.layout) }
  }
}

// MARK: - Aggregates

extension CoreDataPredicates.ExpressionTree {
  /// Whether it is one value for many rows, such as `sum:(views)`; `sum:(notes.views)` is one for each
  /// folder.
  package func isAggregateOfRows(in layout: EntityLayout) -> Bool {
    guard case .function(let function, let arguments) = self, arguments.count == 1 else {
      return false
    }
    return function.isOfCollection && !arguments[0].isCollection(in: layout)
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
