import CoreDataPredicates
import CoreDataSQL

/// Finds the indexes that a planner must not choose.
///
/// ```
/// folder == %@ AND createdAt > %@
/// ```
///
/// With an index on each column, the planner knows nothing of how many rows a range has, and may
/// walk through half of the table. An equality is the better guess: beside one that has an index,
/// ranges of other columns are hidden from the planner, unless one index serves both.
extension PredicateCompiler {
  mutating func shading(
    _ terms: [CoreDataPredicates.PredicateTree],
    _ body: (inout PredicateCompiler) throws(PredicateCompilationError) -> Condition
  ) throws(PredicateCompilationError) -> Condition {
    let outer = shadedColumns
    defer { shadedColumns = outer }
    shadedColumns.formUnion(columnsToShade(terms).map { .column($0, of: root.alias) })
    return try body(&self)
  }

  /// The column of a range, without its index if a better one is at hand.
  func shaded(_ column: SQLFragment) -> SQLFragment {
    shadedColumns.contains(column) ? dialect.withoutIndex(column) : column
  }

  private func columnsToShade(_ terms: [CoreDataPredicates.PredicateTree]) -> [String] {
    let ranges = columns(of: terms, with: \.isRange)
    let equalities = columns(of: terms, with: \.isEquality)
    guard !ranges.isEmpty, !equalities.isEmpty else { return [] }
    let indexes = tables.tables.filter { $0.name == entity.tableName }.flatMap(\.indexes)
      .map { $0.elements.map(\.column) }
    let serving = indexes.filter { $0.first.map(equalities.contains) ?? false }
    guard !serving.isEmpty else { return [] }
    return ranges.filter { range in
      indexes.contains { $0.first == range }
        && !serving.contains { $0.contains(range) }
    }
  }

  /// The entity's own columns that are compared with a constant that is not nil.
  private func columns(
    of terms: [CoreDataPredicates.PredicateTree],
    with test: (Comparison) -> Bool
  ) -> [String] {
    terms.compactMap { term in
      compared(term).flatMap { test($0.comparison) && !$0.isNil ? $0.column : nil }
    }
  }

  /// The comparison of one of the entity's own columns with a constant; nil for others.
  private func compared(
    _ term: CoreDataPredicates.PredicateTree
  ) -> (column: String, comparison: Comparison, isNil: Bool)? {
    guard case .comparison(let comparison) = term, comparison.modifier == .direct,
      comparison.right.isConstant, comparison.options.isEmpty,
      let names = comparison.left.names, names.count == 1
    else { return nil }
    var isNil = false
    if case .constant(let constant) = comparison.right { isNil = constant.isNil }
    switch entity[names[0]] {
    case .attribute(let column)?, .toOne(let column, _, _)?: return (column, comparison, isNil)
    case .composite?, .toManyInverse?, .toManyForeignKey?, .join?, PropertyMapping.none?, nil:
      return nil
    }
  }
}

// MARK: - One value, or none

extension PredicateCompiler {
  /// The columns that have one value, or none, in all rows that the terms admit together.
  func fixedColumns(of terms: [CoreDataPredicates.PredicateTree]) -> Set<String> {
    Set(
      terms.compactMap { term in
        compared(term).flatMap { $0.comparison.isEquality ? $0.column : nil }
      }
    )
  }

  /// The column of an attribute that a term requires to be nil, if that is all the term requires.
  func emptyColumn(of term: CoreDataPredicates.PredicateTree) -> String? {
    guard let (column, comparison, isNil) = compared(term), isNil, comparison.isEquality,
      let name = comparison.left.names?.first, case .attribute? = entity[name]
    else { return nil }
    return column
  }
}

extension Comparison {
  fileprivate var isEquality: Bool { op == .equalTo }

  fileprivate var isRange: Bool {
    switch op {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between: true
    case .equalTo, .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains: false
    }
  }
}
