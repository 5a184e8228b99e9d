import CoreData
import RichText

/// A property as pages have it.
public struct PropertyContent: Encodable, Sendable, Equatable {
  public let name: String
  /// The name of a ``PropertyKind``.
  public let kind: String
  /// The value in one text; that of a value of kind `other` has lines.
  public let value: String
  /// The items of a list.
  @OrNull public var items: [String]?
  /// The note to which a link leads; null if it is not there.
  @OrNull public var note: String?

  init(_ property: Property) {
    let value = property.value
    name = property.name
    kind = value.kind.rawValue
    if case .other(let lines) = value { self.value = lines } else { self.value = value.plainText }
    if case .list(let items) = value { self.items = items }
    if case .link(let link) = value { note = link.note?.text }
  }
}

/// A name that properties have, and the kind that most of them are of.
public struct PropertyName: Encodable, Sendable, Equatable {
  public let name: String
  public let kind: String
  public let count: Int

  /// The names of the most properties, in the order of the names.
  static func all(in context: NSManagedObjectContext) throws -> [PropertyName] {
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(
      forFunction: "count:",
      arguments: [NSExpression.expressionForEvaluatedObject()]
    )
    count.expressionResultType = .integer64AttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: "Property")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [PropertyAttributes.name, PropertyAttributes.kind, count]
    request.propertiesToGroupBy = [PropertyAttributes.name, PropertyAttributes.kind]
    request.predicate = NSPredicate(format: "name_ != nil AND note != nil")
    let groups = try context.fetch(request).compactMap { record -> PropertyName? in
      guard let name = record[PropertyAttributes.name] as? String,
        let kind = record[PropertyAttributes.kind] as? String,
        let count = record["count"] as? NSNumber
      else { return nil }
      return PropertyName(name: name, kind: kind, count: count.intValue)
    }
    let named = Dictionary(grouping: groups) { $0.name.canonical }.values.compactMap { same in
      same.max { $0.count < $1.count }.map { most in
        PropertyName(
          name: most.name,
          kind: most.kind,
          count: same.reduce(0) { $0 + $1.count }
        )
      }
    }
    return named.sorted { ($1.count, $0.name) < ($0.count, $1.name) }.prefix(mostNames)
      .sorted { $0.name.localizedStandardCompare($1.name) == .orderedAscending }
  }

  private static let mostNames = 100
}
