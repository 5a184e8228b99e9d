import CoreDataModel

/// The predicate of a partial index as a condition in SQL.
///
///     stars > 3 AND text != nil        (ZSTARS > 3 AND ZTEXT IS NOT NULL)
///
/// Only what a partial index can be of: own columns compared with constants, and `AND`, `OR`,
/// `NOT` of such comparisons.
struct IndexCondition {
  private let entity: EntityMap

  /// Nil when the predicate asks for more.
  static func sql(_ format: String, for entity: EntityMap) -> String? {
    CommonFormats().predicate(format).flatMap { IndexCondition(entity: entity).sql($0) }
  }

  private func sql(_ predicate: CoreDataModel.PredicateTree) -> String? {
    switch predicate {
    case .comparison(let comparison): sql(comparison)
    case .compound(let compound, let parts): sql(compound, parts.map(sql))
    case .value: nil
    }
  }

  private func sql(
    _ compound: CoreDataModel.PredicateTree.Compound,
    _ conditions: [String?]
  ) -> String? {
    let parts = conditions.compactMap(\.self)
    guard parts.count == conditions.count else { return nil }
    return switch compound {
    case .not: "NOT (\(parts.joined()))"
    case .and: "(\(parts.joined(separator: " AND ")))"
    case .or: "(\(parts.joined(separator: " OR ")))"
    }
  }

  private func sql(_ comparison: CoreDataModel.PredicateTree.Comparison) -> String? {
    guard
      case .keyPath(let name, of: .evaluatedObject) = comparison.left,
      case .constant(let constant) = comparison.right,
      comparison.modifier == .direct,
      comparison.options.isEmpty,
      let column = entity.column(of: name)
    else { return nil }
    guard let constant else { return isNull(column, comparison.comparator) }
    guard let sign = comparison.comparator.sign, let literal = constant.literal else { return nil }
    return "\(column) \(sign) \(literal)"
  }

  private func isNull(
    _ column: String,
    _ comparator: CoreDataModel.PredicateTree.Comparator
  ) -> String? {
    switch comparator {
    case .equal: "\(column) IS NULL"
    case .notEqual: "\(column) IS NOT NULL"
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .matches, .like,
      .beginsWith, .endsWith, .isIn, .contains, .between:
      nil
    }
  }
}

extension CoreDataModel.PredicateTree.Comparator {
  fileprivate var sign: String? {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .lessThan: "<"
    case .lessThanOrEqual: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqual: ">="
    case .matches, .like, .beginsWith, .endsWith, .isIn, .contains, .between: nil
    }
  }
}

extension SchemaValue {
  /// The value as it stands in a column, spelled in SQL.
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
