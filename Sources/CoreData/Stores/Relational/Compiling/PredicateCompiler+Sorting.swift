import CoreDataPredicates
import CoreDataSQL

/// Sort orders.
///
/// ```
/// folder.name, title descending
/// ORDER BY "t1"."ZNAME", "t0"."ZTITLE" DESC, "t0"."Z_PK"
/// ```
///
/// Nil comes first, or last where the order descends. Rows that are equal so far come in the order
/// of their keys, so that every fetch has one order.
extension PredicateCompiler {
  mutating func order(
    _ terms: [SortTerm]
  ) throws(PredicateCompilationError) -> [SQLFragment] {
    var order: [SQLFragment] = []
    for term in terms {
      let column = try column(of: term)
      order.append(dialect.ordered(column, ascending: term.ascending))
      // Keys are unique: nothing behind one can matter.
      if column == root.key { return order }
    }
    return order + [root.key]
  }

  /// The order of results that are not single rows, such as groups.
  mutating func order(
    _ terms: [SortTerm],
    then rest: [SQLFragment]
  ) throws(PredicateCompilationError) -> [SQLFragment] {
    var order: [SQLFragment] = []
    for term in terms {
      let column = try column(of: term)
      order.append(dialect.ordered(column, ascending: term.ascending))
    }
    return order + rest.map { dialect.ordered($0, ascending: true) }
  }

  /// The order of rows that count once where these columns are equal, and whether they have to be grouped for it.
  ///
  /// Values that are not among the columns may differ between such rows: that of the first of them decides.
  mutating func order(
    _ terms: [SortTerm],
    ofDistinct columns: [SQLFragment],
    then rest: [SQLFragment]
  ) throws(PredicateCompilationError) -> (order: [SQLFragment], needsGroups: Bool) {
    var order: [SQLFragment] = []
    var needsGroups = false
    for term in terms {
      var value = try column(of: term)
      if !columns.contains(value), let first = dialect.first(value, by: root.key) {
        (value, needsGroups) = (first, true)
      }
      order.append(dialect.ordered(value, ascending: term.ascending))
    }
    return (order + rest.map { dialect.ordered($0, ascending: true) }, needsGroups)
  }

  private mutating func column(
    of term: SortTerm
  ) throws(PredicateCompilationError) -> SQLFragment {
    let part = CoreDataPredicates.ExpressionTree.path(.evaluatedObject, term.keyPath)
    switch try resolve(term.keyPath[...], from: .object(root), in: part) {
    case .object(let row) where row.key == root.key:
      return root.key
    case .value(let value):
      return try ordered(value, by: term, part)
    case .object:
      throw PredicateCompilationError(
        part,
        "objects have no order",
        remedy: "sort by one of their attributes, such as \(part).name"
      )
    case .many:
      throw PredicateCompilationError(
        part,
        "a to-many key path has several values",
        remedy: .sortOtherwise("sort by one value")
      )
    case .constant, .list:
      throw PredicateCompilationError(
        part,
        "a constant is no order",
        remedy: "sort by an attribute"
      )
    }
  }

  private func ordered(
    _ value: CompiledValue,
    by term: SortTerm,
    _ part: CoreDataPredicates.ExpressionTree
  ) throws(PredicateCompilationError) -> SQLFragment {
    let problem: String
    let remedy: Advice
    switch term.order {
    case .standard where value.kind.isOrdered || value.kind == .entity:
      return value.sql
    case .standard:
      problem = "\(value.kind.word) has no order"
      let other =
        if case .composite = value.kind { "one of its elements" } else { "another attribute" }
      remedy = .sortOtherwise("sort by \(other)")
    case .comparator:
      problem = "a comparator is code, which cannot run in the database"
      remedy = "sort by compare: or one of the selectors that compare texts, or after the fetch"
    case .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard:
      if value.kind == .text { return dialect.collated(value.sql, term.order) }
      problem = "a selector that compares texts cannot sort \(value.kind.word)"
      remedy = .sortOtherwise("sort by compare:")
    }
    throw PredicateCompilationError(part, problem, remedy: remedy)
  }
}
