import CoreData

/// How many rows there are for each value of a property, counted by the store.
///
/// ```
/// SELECT status, COUNT(*) … GROUP BY status      ["Draft": 12, "Review": 3]
/// ```
struct CountedGroups<Key: Hashable> {
  let counts: [Key: Int]

  init(
    of entity: String,
    by key: String,
    where predicate: NSPredicate,
    in context: NSManagedObjectContext
  ) throws {
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:",
      arguments: [NSExpression.expressionForEvaluatedObject()]
    )
    count.expressionResultType = .integer64AttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [key, count]
    request.propertiesToGroupBy = [key]
    request.predicate = predicate
    counts = try context.fetch(request).reduce(into: [:]) { counts, record in
      guard let key = record[key] as? Key, let count = record["count"] as? NSNumber else { return }
      counts[key] = count.intValue
    }
  }
}
