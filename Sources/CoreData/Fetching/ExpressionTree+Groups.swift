import CoreDataPredicates

/// Collections of the rows of a group, as one value for the group.
///
/// ```
/// fetch name and count:(books), group by name
///
/// count:(books)          sum:(books.@count)            of all authors of that name
/// max:(books.price)      max:(books.price.@max.self)
/// books.@count           sum:(books.@count)
/// ```
///
/// Each row has a value of its collection, and the group has one of these.
extension CoreDataPredicates.ExpressionTree {
  func ofGroup(_ grouped: Set<Self>, _ layout: EntityLayout) -> Self {
    if grouped.contains(self) { return self }
    if let value = valueOfGroup(layout) { return value }
    return mappingParts { $0.ofGroup(grouped, layout) }
  }

  private func valueOfGroup(_ layout: EntityLayout) -> Self? {
    if case .function(let function, let arguments) = self, arguments.count == 1 {
      return arguments[0].total(function, layout)
    }
    guard let names, let last = names.lastIndex(where: { $0.hasPrefix("@") }),
      RecordPath(names, from: layout).isComputed
    else { return nil }
    switch names[last] {
    case "@count", "@sum": return .function(.sum, [self])
    case "@min": return .function(.min, [self])
    case "@max": return .function(.max, [self])
    case _: return nil
    }
  }

  /// A function of this collection; `nil` if this is not a collection, and for averages, which cannot be computed
  /// from the rows' averages.
  private func total(_ function: PredicateFunction, _ layout: EntityLayout) -> Self? {
    guard let names else { return nil }
    let path = RecordPath(names, from: layout)
    // `sum:(books.@count)`, as it should be.
    if path.isComputed { return self.isTotal(function) ? .function(function, [self]) : nil }
    guard path.isMany else { return nil }
    func ofRow(_ operation: String...) -> Self { .path(.evaluatedObject, names + operation) }
    switch function {
    case .count: return .function(.sum, [ofRow("@count")])
    case .sum: return .function(.sum, [ofRow("@sum", "self")])
    case .min: return .function(.min, [ofRow("@min", "self")])
    case .max: return .function(.max, [ofRow("@max", "self")])
    case .average, .median, .mode, .standardDeviation, .add, .subtract, .multiply, .divide,
      .modulus, .power, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .squareRoot,
      .logarithm, .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate,
      .onesComplement, .randomBelow, .uppercase, .lowercase, .canonical, .length, .noIndex,
      .random, .now:
      return nil
    }
  }

  private func isTotal(_ function: PredicateFunction) -> Bool {
    switch function {
    case .count, .sum, .min, .max, .average: true
    case .median, .mode, .standardDeviation, .add, .subtract, .multiply, .divide, .modulus, .power,
      .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .squareRoot, .logarithm,
      .naturalLogarithm, .exponential, .floor, .ceiling, .absolute, .truncate, .onesComplement,
      .randomBelow, .uppercase, .lowercase, .canonical, .length, .noIndex, .random, .now:
      false
    }
  }
}

extension RecordPath {
  fileprivate var isComputed: Bool { if case .computed = end { true } else { false } }
}
