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

  /// The key of a row and the number of its entity, of the table `t0`.
  package static let keys: [SQLFragment] = [
    .column("Z_PK", of: "t0"), .column("Z_ENT", of: "t0"),
  ]

  func compiler(for entity: EntityMap) -> PredicateCompiler {
    PredicateCompiler(entity, in: tables, dialect: dialect, schema: model.schema, keyOf: keyOf)
  }

  /// The rows that a plan asks for; without values only their keys.
  package func select(
    for plan: FetchPlan,
    columns: [SQLFragment],
    _ draft: inout StatementDraft
  ) throws(PredicateCompilationError) -> Select {
    let entity = map(plan.layout)
    var compiler = compiler(for: entity)
    compiler.textIndexes = textIndexes
    compiler.draft = draft
    var filters = [entityFilter(plan, entity)].compactMap { $0 }
    if let predicate = plan.predicate { filters.append(try compiler.condition(predicate)) }
    let order = try compiler.order(plan.sort)
    draft = compiler.draft
    var select = Select(columns, from: entity.tableName, as: "t0")
    if compiler.findsFew { select.hint = dialect.readingByKey }
    select.joins = compiler.joins
    select.filter = filters.isEmpty ? nil : filters.joined(separator: " AND ")
    select.order = order
    select.limit = plan.limit
    select.offset = plan.offset
    return select
  }

  /// The plan whose keys are counted instead of the rows of `plan`: without an order, and so without its joins.
  package func counting(_ plan: FetchPlan) -> FetchPlan {
    var unsorted = plan
    unsorted.sort = []
    return unsorted
  }

  /// Returns the statement that counts the rows of a plan, of which `select` gives the keys.
  package func count(_ plan: FetchPlan, of select: Select) -> SQLFragment {
    var select = select
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
