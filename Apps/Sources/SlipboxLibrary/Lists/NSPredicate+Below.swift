import CoreData

extension NSPredicate {
  /// The same question about the object of a relationship: of a note becomes of a property's note.
  ///
  /// ```
  /// trashedDate_ == nil AND SELF IN …        note.trashedDate_ == nil AND note IN …
  /// ```
  func below(_ relationship: String) -> NSPredicate {
    switch self {
    case let compound as NSCompoundPredicate:
      let parts = compound.subpredicates.map { $0.below(relationship) }
      return NSCompoundPredicate(type: compound.compoundPredicateType, subpredicates: parts)
    case let comparison as NSComparisonPredicate:
      return NSComparisonPredicate(
        leftExpression: comparison.leftExpression.below(relationship),
        rightExpression: comparison.rightExpression.below(relationship),
        modifier: comparison.comparisonPredicateModifier,
        type: comparison.predicateOperatorType,
        options: comparison.options
      )
    default: return self
    }
  }
}

extension NSExpression {
  fileprivate func below(_ relationship: String) -> NSExpression {
    switch expressionType {
    case .evaluatedObject: NSExpression(forKeyPath: relationship)
    case .keyPath: NSExpression(forKeyPath: "\(relationship).\(keyPath)")
    case .subquery:
      // The variable in its predicate is not about the object itself.
      if let collection = collection as? NSExpression {
        NSExpression(
          forSubquery: collection.below(relationship),
          usingIteratorVariable: variable,
          predicate: predicate
        )
      } else {
        self
      }
    case .function where function == "valueForKeyPath:" && operand.expressionType == .subquery:
      // The only thing that searches ask of a subquery.
      NSExpression(format: "%@.@count", argumentArray: [operand.below(relationship)])
    default: self
    }
  }
}
