import CoreDataPredicates
import CoreDataSQL

/// What queries gain from an index of words, apart from conditions.
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
  /// Where some rows are wanted in an order that has an index, walking along it costs about as much for
  /// a rare word as looking 2,000 rows up. Where all are wanted, most of them must be found: whoever
  /// asks each row has to read them all, if only in an index.
  func abundance(_ plan: FetchPlan) -> Abundance {
    isWalked(plan, map(plan.layout)) ? .rows(Abundance.few) : .part(4, atLeast: Abundance.few)
  }

  /// Whether a plan wants some rows only, in an order that the table has an index for.
  private func isWalked(_ plan: FetchPlan, _ entity: EntityMap) -> Bool {
    guard plan.limit != nil, let term = plan.sort.first, term.keyPath.count == 1,
      let column = entity.column(of: term.keyPath[0]),
      let table = tables.tables.first(where: { $0.name == entity.tableName })
    else { return false }
    return table.indexes.contains { $0.condition == nil && $0.elements.first?.column == column }
  }

  /// The count of a predicate that is nothing but a question, which takes no look at the table.
  func wordCount(_ plan: FetchPlan) -> SQLFragment? {
    guard !textIndexes.isEmpty, plan.limit == nil, plan.offset == 0, let predicate = plan.predicate
    else { return nil }
    let entity = map(plan.layout)
    guard entityFilter(plan, entity) == nil, let index = textIndexes[entity.tableName],
      let question = compiler(for: entity).question(predicate, index)
    else { return nil }
    return dialect.count(matching: question, in: index)
  }
}

/// How many rows are many.
enum Abundance {
  case rows(Int)
  /// A quarter of the table's rows, and so on.
  case part(Int, atLeast: Int)

  /// Up to so many rows are looked up by their keys, which takes a few milliseconds.
  static let few = 2000
}
