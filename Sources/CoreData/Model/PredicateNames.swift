public import CoreDataPredicates

// Foundation on Linux has classes of these names that cannot be made. Here the names are ours, and
// `import class CoreData.NSExpression` makes them so in a file that imports Foundation too.

public typealias NSExpression = CoreDataPredicates.NSExpression
public typealias NSComparisonPredicate = CoreDataPredicates.NSComparisonPredicate
