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
    guard let function = PredicateFunction(collectionOperator: names[last]), function != .average
    else { return nil }
    return .function(function == .count ? .sum : function, [self])
  }

  /// A function of this collection; `nil` if this is not a collection, and for averages, which cannot be computed
  /// from the rows' averages.
  private func total(_ function: PredicateFunction, _ layout: EntityLayout) -> Self? {
    guard let names else { return nil }
    let path = RecordPath(names, from: layout)
    // `sum:(books.@count)`, as it should be.
    guard let name = function.collectionOperator else { return nil }
    if path.isComputed { return .function(function, [self]) }
    guard path.isMany, function != .average else { return nil }
    return function == .count
      ? .function(.sum, [.path(.evaluatedObject, names + [name])])
      : .function(function, [.path(.evaluatedObject, names + [name, "self"])])
  }
}

extension RecordPath {
  fileprivate var isComputed: Bool { if case .computed = end { true } else { false } }
}
