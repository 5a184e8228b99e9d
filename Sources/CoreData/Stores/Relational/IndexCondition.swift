import CoreDataModel
import CoreDataPredicates

/// The predicate of a partial index as a condition in SQL.
///
///     stars > 3 AND text != nil        (ZSTARS > 3 AND ZTEXT IS NOT NULL)
///                                      ("ZSTARS" > 3 AND "ZTEXT" IS NOT NULL)     with names in quotes
///
/// Only what a partial index can be of: own columns compared with constants, and `AND`, `OR`,
/// `NOT` of such comparisons.
struct IndexCondition {
  private let entity: EntityMap
  private let quote: (String) -> String

  /// `nil` if the predicate asks for more, or cannot be parsed.
  static func sql(
    _ format: String,
    for entity: EntityMap,
    quote: @escaping (String) -> String = { $0 }
  ) -> String? {
    // A text that is not a predicate cannot be a condition either.
    (try? PredicateFormat.predicate(format))
      .flatMap { IndexCondition(entity: entity, quote: quote).sql($0) }
  }

  private func sql(_ predicate: PredicateTree) -> String? {
    switch predicate {
    case .comparison(let comparison): sql(comparison)
    case .and(let terms): joined(terms, by: " AND ").map { "(\($0))" }
    case .or(let terms): joined(terms, by: " OR ").map { "(\($0))" }
    case .not(let term): sql(term).map { "NOT (\($0))" }
    case .constant, .block: nil
    }
  }

  private func joined(_ terms: [PredicateTree], by word: String) -> String? {
    let conditions = terms.compactMap(sql)
    return conditions.count == terms.count ? conditions.joined(separator: word) : nil
  }

  private func sql(_ comparison: Comparison) -> String? {
    guard
      let names = comparison.left.names,
      names.count == 1,
      case .constant(let constant) = comparison.right,
      comparison.modifier == .direct,
      comparison.options.isEmpty,
      let column = entity.column(of: names[0]).map(quote)
    else { return nil }
    if constant.isNil { return isNull(column, comparison.op) }
    guard let sign = comparison.op.sqlSign, let literal = SchemaValue(constant)?.literal else {
      return nil
    }
    return "\(column) \(sign) \(literal)"
  }

  private func isNull(_ column: String, _ op: Comparison.Operator) -> String? {
    switch op {
    case .equalTo: "\(column) IS NULL"
    case .notEqualTo: "\(column) IS NOT NULL"
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .matches, .like,
      .beginsWith, .endsWith, .in, .contains, .between:
      nil
    }
  }
}

extension Comparison.Operator {
  /// The operator of SQL; nil for those that do not compare two numbers or two texts by order.
  fileprivate var sqlSign: String? {
    switch self {
    case .equalTo: "="
    case .notEqualTo: "<>"
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .matches, .like, .beginsWith, .endsWith, .in, .contains, .between: nil
    }
  }
}

extension SchemaValue {
  /// The value as it is in a column, spelled in SQL.
  fileprivate var literal: String? {
    switch self {
    case .boolean(let isTrue): isTrue ? "1" : "0"
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)" : nil
    case .text(let text): "'\(text.replacing("'", with: "''"))'"
    case .decimal, .date, .data, .uuid, .uri, .archived: nil
    }
  }
}
