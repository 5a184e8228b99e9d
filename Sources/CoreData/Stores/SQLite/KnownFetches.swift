import CoreDataPredicates
import CoreDataSQL
import Synchronization

/// The statements of fetches that came before and differ in their constants alone.
///
/// ```
/// stars > 3 AND title == "x"  ─▶  shape      stars > integer, title == text
///                                 constants  3, "x"
/// shape, known                ─▶  SELECT … WHERE "t0"."ZSTARS" > ?1 AND "t0"."ZTITLE" = ?2
/// ```
///
/// Putting a statement together takes longer than finding a row by its key. A shape has only what becomes the
/// same text for all constants of the same kinds: no condition, or properties compared with values that are not nil,
/// without options, joined by `AND`.
final class KnownFetches: Sendable {
  private let statements = Mutex<[FetchShape: KnownStatement]>([:])

  /// A program has far fewer.
  private static let limit = 500

  /// Returns the statement of a plan if one of the same shape came before.
  func statement(for plan: FetchPlan, _ shaped: ShapedFetch) -> RenderedSQL? {
    statements.withLock { $0[shaped.shape] }?
      .rendered(with: shaped.constants, limit: plan.limit, offset: plan.offset)
  }

  /// Keeps the statement for plans of the same shape.
  func keep(_ select: Select, _ shaped: ShapedFetch) {
    guard let known = KnownStatement(select, shaped.constants) else { return }
    statements.withLock { statements in
      if statements.count >= Self.limit { statements.removeAll() }
      statements[shaped.shape] = known
    }
  }
}

// MARK: - Shapes

/// Everything of a plan that its statement's text depends on.
struct FetchShape: Hashable {
  let entity: Int32
  let numbers: ClosedRange<Int32>
  var comparisons: [ComparedProperty] = []
  let sort: [SortTerm]
  let hasLimit: Bool
  let hasOffset: Bool
}

struct ComparedProperty: Hashable {
  let name: String
  let op: Comparison.Operator
  let kind: ValueKind
}

/// A fetch whose statement may be known.
struct ShapedFetch {
  private(set) var shape: FetchShape
  private(set) var constants: [SQLValue] = []

  /// `nil` for a plan without a shape.
  init?(_ plan: FetchPlan, _ keyOf: (Any) -> CompiledKey?) {
    guard plan.includesValues, plan.slots == nil else { return nil }
    shape = FetchShape(
      entity: plan.layout.number,
      numbers: plan.entityNumbers,
      sort: plan.sort,
      hasLimit: plan.limit != nil,
      hasOffset: plan.offset > 0
    )
    if let predicate = plan.predicate, !add(predicate, keyOf) { return nil }
  }

  private mutating func add(
    _ predicate: CoreDataPredicates.PredicateTree,
    _ keyOf: (Any) -> CompiledKey?
  ) -> Bool {
    switch predicate {
    case .comparison(let comparison): add(comparison, keyOf)
    case .and(let terms):
      // Another conjunction inside would have the same shape and be spelled with parentheses.
      terms.allSatisfy { term in
        guard case .comparison(let comparison) = term else { return false }
        return add(comparison, keyOf)
      }
    case .constant, .or, .not, .block: false
    }
  }

  private mutating func add(_ comparison: Comparison, _ keyOf: (Any) -> CompiledKey?) -> Bool {
    guard comparison.modifier == .direct, comparison.options.isEmpty, comparison.op.hasOneForm,
      case .constant(let constant) = comparison.right,
      let names = comparison.left.names, names.count == 1,
      case .value(let value, let kind)? = constant.compiled(keyOf)
    else { return false }
    let property = ComparedProperty(name: names[0], op: comparison.op, kind: kind)
    shape.comparisons.append(property)
    constants.append(value)
    return true
  }
}

extension Comparison.Operator {
  /// Whether the text does not depend on the constant, other than by its kind.
  fileprivate var hasOneForm: Bool {
    switch self {
    case .equalTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: true
    case .notEqualTo, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between: false
    }
  }
}

// MARK: - Statements

/// A statement whose values are those that are always the same, then the constants, then the limit and what is skipped.
private struct KnownStatement {
  /// With the values that are always the same.
  private var statement: RenderedSQL

  /// `nil` if it is uncertain which value of the statement is which constant.
  init?(_ select: Select, _ constants: [SQLValue]) {
    let parts = [select.columns, select.joins, select.order].joined()
    let values = select.filter?.rendered(for: .sqlite).bindings ?? []
    guard Set(constants).count == constants.count,
      parts.allSatisfy({ $0.rendered(for: .sqlite).bindings.isEmpty }),
      values.suffix(constants.count) == constants.map(Optional.some)[...]
    else { return nil }
    statement = select.fragment.rendered(for: .sqlite)
    statement.bindings = Array(values.dropLast(constants.count))
  }

  func rendered(with constants: [SQLValue], limit: Int?, offset: Int) -> RenderedSQL {
    var rendered = statement
    rendered.bindings += constants.map(Optional.some)
    if let limit {
      rendered.bindings.append(.integer(Int64(limit)))
    } else if offset > 0 {
      rendered.bindings.append(SQLSpelling.sqlite.unlimited)
    }
    if offset > 0 { rendered.bindings.append(.integer(Int64(offset))) }
    return rendered
  }
}
