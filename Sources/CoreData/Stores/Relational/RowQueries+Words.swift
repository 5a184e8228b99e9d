import CoreDataPredicates
package import CoreDataSQL

/// The gain of queries from an index of words, apart from conditions.
///
/// ```
/// title CONTAINS[cdw] "a", by date, the first 60         90,000 of 100,000 notes
///
/// keys first    read 90,000 rows, sort them, give 60
/// frequent      along the index of dates, asking of each note whether it is found, until the 60th
/// ```
extension RowQueries {
  /// From how many rows on a question is better asked of each row.
  ///
  /// For some rows in an order that has an index, walking along it costs about as much for a rare word as looking up
  /// 2,000 rows. For all rows, the word must be in most of them: asking each row means reading them all, if only in
  /// an index.
  func abundance(_ plan: FetchPlan) -> Abundance {
    isWalked(plan, map(plan.layout)) ? .rows(Abundance.few) : .part(4, atLeast: Abundance.few)
  }

  /// Whether a plan wants some rows only, in an order that the table has an index for.
  ///
  /// Columns with the same value in all rows may precede it in the index: `trashed == nil`, by `(trashed, created)`.
  private func isWalked(_ plan: FetchPlan, _ entity: EntityMap) -> Bool {
    guard plan.limit != nil, let term = plan.sort.first, term.keyPath.count == 1,
      let column = entity.column(of: term.keyPath[0])
    else { return false }
    let fixed = compiler(for: entity).fixedColumns(of: plan.predicate?.conjuncts ?? [])
    return indexes(of: entity).contains { elements in
      elements.first == column || elements.first { !fixed.contains($0) } == column
    }
  }

  /// The columns of the indexes that have all rows of an entity's table.
  private func indexes(of entity: EntityMap) -> [[String]] {
    tables.tables.filter { $0.name == entity.tableName }.flatMap(\.indexes)
      .filter { $0.condition == nil }.map { $0.elements.map(\.column) }
  }

  /// The count of a predicate that is nothing but a question, which takes no look at the table.
  ///
  /// ```
  /// title CONTAINS[cdw] "a" AND trashed == nil
  ///
  /// what the index of words finds, without the rows that the index of `trashed` has
  /// ```
  package func wordCount(_ plan: FetchPlan) -> SQLFragment? {
    guard !textIndexes.isEmpty, plan.limit == nil, plan.offset == 0,
      let predicate = plan.predicate, case .inTables(let words) = dialect.indexedWords
    else { return nil }
    let entity = map(plan.layout)
    guard entityFilter(plan, entity) == nil, let index = textIndexes[entity.tableName]
    else { return nil }
    var compiler = compiler(for: entity)
    compiler.textIndexes = textIndexes
    let gathered = compiler.gathered(all: predicate.conjuncts)
    let empty = gathered.rest.compactMap(compiler.emptyColumn)
    let leading = Set(indexes(of: entity).compactMap(\.first))
    guard let question = gathered.question, empty.count == gathered.rest.count,
      leading.isSuperset(of: empty)
    else { return nil }
    return words.count(matching: question, in: index, withoutValuesIn: empty)
  }
}

/// How many rows are many.
package enum Abundance: Equatable {
  case rows(Int)
  /// A quarter of the table's rows, and so on.
  case part(Int, atLeast: Int)

  /// Up to so many rows are looked up by their keys, which takes a few milliseconds.
  static let few = 2000
}
