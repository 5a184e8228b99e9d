public import CoreDataPredicates

// The classes under this module's name, for `CoreData.NSExpression` and `import class CoreData.NSExpression`.

public typealias NSExpression = CoreDataPredicates.NSExpression
public typealias NSComparisonPredicate = CoreDataPredicates.NSComparisonPredicate
public typealias NSCompoundPredicate = CoreDataPredicates.NSCompoundPredicate
