public import CoreDataPredicates

// The classes under this module's name, for `CoreData.NSExpression` and `import class CoreData.NSExpression`.

/// The expressions of this package, under the name of Foundation's class.
public typealias NSExpression = CoreDataPredicates.NSExpression
/// The comparison predicates of this package, under the name of Foundation's class.
public typealias NSComparisonPredicate = CoreDataPredicates.NSComparisonPredicate
/// The compound predicates of this package, under the name of Foundation's class.
public typealias NSCompoundPredicate = CoreDataPredicates.NSCompoundPredicate
