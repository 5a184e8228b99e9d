import CoreDataModel
import CoreDataPredicates
package import CoreDataSQL

/// The queries that a relational store answers, as SQL values.
///
/// Every query for rows selects the same columns in the same order, which is that of a decoder.
package struct RowQueries: Sendable {
  let tables: TableMap
  package let dialect: any SQLDialect
  let model: ModelLayout
  let keyOf: @Sendable (Any) -> CompiledKey?
  /// The indexes of words that the file has.
  var textIndexes = TextIndexes.none

  func compiler(for entity: EntityMap) -> PredicateCompiler {
    PredicateCompiler(entity, in: tables, dialect: dialect, schema: model.schema, keyOf: keyOf)
  }

  /// The rows that a plan asks for; without values only their keys.
  package func select(
    for plan: FetchPlan,
    columns: [String],
    canonical: CanonicalColumns,
    questions: AskedQuestions = AskedQuestions()
  ) throws -> Select {
    let entity = map(plan.layout)
    var compiler = compiler(for: entity)
    compiler.canonical = canonical
    compiler.textIndexes = textIndexes
    compiler.questions = questions
    var filters = [entityFilter(plan, entity)].compactMap { $0 }
    if let predicate = plan.predicate { filters.append(try compiler.condition(predicate)) }
    let order = try compiler.order(plan.sort)
    var select = Select(
      columns.map { .column($0, of: "t0") },
      from: entity.tableName,
      as: "t0"
    )
    if compiler.findsFew { select.hint = dialect.readingByKey }
    select.joins = compiler.joins
    select.filter = filters.isEmpty ? nil : filters.joined(separator: " AND ")
    select.order = order
    select.limit = plan.limit
    select.offset = plan.offset
    return select
  }

  /// How many rows a plan asks for.
  package func count(
    _ plan: FetchPlan,
    by makeSelect: (FetchPlan, [String]) throws -> Select
  ) throws -> SQLFragment {
    if let count = wordCount(plan) { return count }
    var unsorted = plan
    unsorted.sort = []
    var select = try makeSelect(unsorted, ["Z_PK"])
    select.order = []
    guard plan.limit != nil || plan.offset > 0 else {
      select.columns = ["COUNT(*)"]
      return select.fragment
    }
    return "SELECT COUNT(*) FROM (\(select.fragment)) \(name: "found")"
  }

  func row(of layout: EntityLayout, columns: [String]) -> SQLFragment {
    var select = Select(
      columns.map { .column($0, of: "t0") },
      from: map(layout).tableName,
      as: "t0"
    )
    select.filter = "\(column: "Z_PK", of: "t0") = \(.parameter)"
    return select.fragment
  }

  package func map(_ layout: EntityLayout) -> EntityMap {
    guard let map = tables[number: Int(layout.number)] else {
      stop("the entity \(layout.name) has no table")
    }
    return map
  }

  /// Keeps rows of other entities of the tree out.
  func entityFilter(_ plan: FetchPlan, _ entity: EntityMap) -> SQLFragment? {
    let wanted = plan.entityNumbers
    guard let root = tables[number: entity.rootNumber], root.hasSubentities else { return nil }
    if wanted.count == root.numbers.count { return nil }
    let column = SQLFragment.column("Z_ENT", of: "t0")
    if wanted.count == 1 { return "\(column) = \(.integer(Int64(wanted.lowerBound)))" }
    let (low, high) = (Int64(wanted.lowerBound), Int64(wanted.upperBound))
    return "\(column) BETWEEN \(.integer(low)) AND \(.integer(high))"
  }
}
