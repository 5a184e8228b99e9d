public import CoreDataPredicates

// Foundation on Linux has classes of these names that cannot be made. Here the names are ours, and
// `import class CoreData.NSExpression` makes them so in a file that imports Foundation too.

/// The expressions of this package, under the name of Foundation's class.
public typealias NSExpression = CoreDataPredicates.NSExpression
/// The comparison predicates of this package, under the name of Foundation's class.
public typealias NSComparisonPredicate = CoreDataPredicates.NSComparisonPredicate
