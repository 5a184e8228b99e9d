import CoreDataPredicates

/// What a store in memory refuses because no store keeps it, though an object would have an answer.
extension MemoryStore {
  func refuseUnstored(
    in predicate: CoreDataPredicates.PredicateTree,
    of layout: EntityLayout
  ) throws {
    _ = try predicate.mappingExpressions { side throws in
      try refuseUnstored(in: side, of: layout)
      return side
    }
  }

  func refuseUnstored(
    in expression: CoreDataPredicates.ExpressionTree,
    of layout: EntityLayout?
  ) throws {
    guard let layout else { return }
    if let names = expression.names, case .unstored = RecordPath(names, from: layout).end {
      throw StoreFailure(
        .untranslatable(
          part: expression.description,
          problem: "\(names.joined(separator: ".")) of \(layout.name) is not kept in the store",
          remedy: PredicateCompilationError.filterInMemory
        ),
        path: "memory"
      ).error()
    }
    // Inside a subquery the keys are those of its variable.
    if case .subquery(let collection, _, _) = expression {
      return try refuseUnstored(in: collection, of: layout)
    }
    _ = try expression.mappingParts { part throws in
      try refuseUnstored(in: part, of: layout)
      return part
    }
  }
}
