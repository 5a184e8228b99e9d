import CoreDataPredicates
import CoreDataSQL

/// What queries gain from an index of words, apart from conditions.
///
/// ```
/// title CONTAINS[cdw] "a", by date, the first 60         90,000 of 100,000 notes
///
/// keys first    read 90,000 rows, sort them, give 60
/// walking       along the index of dates, and stop at the 60th note that is among the keys
/// ```
extension RowQueries {
  /// From how many rows on a question is frequent.
  ///
  /// Each of them costs a look at the table; walking costs about as much for a rare word.
  static let frequentCount = 2000

  /// Whether a plan wants some rows only, in an order that the table has an index for.
  func isWalked(_ plan: FetchPlan, _ entity: EntityMap) -> Bool {
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
      let question = PredicateCompiler(entity, in: tables, schema: model.schema, keyOf: keyOf)
        .question(predicate, index)
    else { return nil }
    return index.count(matching: question)
  }
}
