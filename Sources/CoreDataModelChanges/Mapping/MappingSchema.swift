import CoreDataModel
package import CoreDataPredicates
package import Foundation

/// A mapping model as values: how the objects of one version become those of another.
///
///     MoodToMood  transform  Mood → Mood
///       for each FETCH(FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", …
///       title = $source.title
///       folder = FUNCTION($manager, "destinationInstancesForEntityMappingNamed:…", …
///
/// Read from Xcode's source, `.xcmappingmodel`, or from its compiler's output, `.cdm`.
package struct MappingSchema: Hashable, Sendable {
  /// In the order in which they are carried out.
  package var entityMappings: [EntityMappingSchema]

  package init(entityMappings: [EntityMappingSchema]) {
    self.entityMappings = entityMappings
  }
}

/// How the objects of one entity are made of those of another.
package struct EntityMappingSchema: Hashable, Sendable {
  package var name: String
  package var kind: Kind
  /// Nil when objects are only made.
  package var sourceName: String?
  package var sourceHash: Data?
  /// Nil when objects are only left out.
  package var destinationName: String?
  package var destinationHash: Data?
  /// The expression that gives the objects of the source, such as a `FETCH`.
  package var sourceExpression: ExpressionTree?
  package var attributeMappings: [PropertyMappingSchema] = []
  package var relationshipMappings: [PropertyMappingSchema] = []
  package var policyClassName: String?
  package var userInfo: [String: String] = [:]

  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// Raw values are those of `NSEntityMappingType`.
  package enum Kind: UInt, Hashable, Sendable, CaseIterable {
    case undefined = 0
    case custom = 1
    case add = 2
    case remove = 3
    case copy = 4
    case transform = 5
  }
}

/// The source of the value of a destination's property.
package struct PropertyMappingSchema: Hashable, Sendable {
  package var name: String
  /// Nil when the mapping leaves the property as it is made.
  package var valueExpression: ExpressionTree?
  package var userInfo: [String: String] = [:]

  package init(name: String, valueExpression: ExpressionTree? = nil) {
    self.name = name
    self.valueExpression = valueExpression
  }
}

// MARK: - Printing

extension MappingSchema: CustomStringConvertible {
  package var description: String {
    entityMappings.map(\.description).joined(separator: "\n\n")
  }
}

extension EntityMappingSchema: CustomStringConvertible {
  package var description: String {
    var lines = ["\(name): \(kind), \(sourceName ?? "nothing") → \(destinationName ?? "nothing")"]
    if let policyClassName { lines.append("  policy \(policyClassName)") }
    if let sourceExpression { lines.append("  source \(sourceExpression.format)") }
    for property in attributeMappings + relationshipMappings {
      lines.append("  \(property.name) = \(property.valueExpression?.format ?? "(as made)")")
    }
    lines += userInfo.sortedByCodePoints(\.key).map { "  info \($0.key) = \($0.value)" }
    return lines.joined(separator: "\n")
  }
}
