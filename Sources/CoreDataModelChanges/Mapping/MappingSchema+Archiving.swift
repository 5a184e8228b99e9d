package import CoreDataModel
import CoreDataPredicates
package import Foundation

extension MappingSchema {
  /// The contents of a `.cdm` file, as Xcode's compiler writes it: a keyed archive.
  package func compiled() throws(ArchiveError) -> Data {
    var archiver = MappingArchiver()
    return try archiver.data(of: self)
  }
}

/// Writes entity mappings in Apple's classes and keys.
private struct MappingArchiver {
  private var builder = ArchiveBuilder()

  mutating func data(of schema: MappingSchema) throws(ArchiveError) -> Data {
    var mappings: [(key: String, value: PropertyListValue)] = []
    for mapping in schema.entityMappings {
      mappings.append((mapping.name, try archived(mapping)))
    }
    let list = builder.array(mappings.map(\.value))
    let names = builder.dictionary(mappings, class: "NSDictionary")
    let root = builder.object(
      "NSMappingModel",
      ["NSEntityMappings": list, "NSEntityMappingsByName": names]
    )
    return builder.data(root: root)
  }

  private mutating func archived(
    _ mapping: EntityMappingSchema
  ) throws(ArchiveError) -> PropertyListValue {
    builder.object(
      "NSEntityMapping",
      [
        "NSMappingName": builder.text(mapping.name),
        "NSMappingType": .integer(Int64(mapping.kind.rawValue)),
        "NSSourceEntityName": builder.text(mapping.sourceName),
        "NSSourceEntityVersionHash": data(mapping.sourceHash),
        "NSDestinationEntityName": builder.text(mapping.destinationName),
        "NSDestinationEntityVersionHash": data(mapping.destinationHash),
        "NSSourceExpression": try expression(mapping.sourceExpression),
        "NSAttributeMappings": try archived(mapping.attributeMappings),
        "NSRelationshipMappings": try archived(mapping.relationshipMappings),
        "NSEntityMigrationPolicyClassName": builder.text(mapping.policyClassName),
        "NSUserInfo": texts(mapping.userInfo),
      ]
    )
  }

  private mutating func archived(
    _ mappings: [PropertyMappingSchema]
  ) throws(ArchiveError) -> PropertyListValue {
    var elements: [PropertyListValue] = []
    for mapping in mappings {
      elements.append(
        builder.object(
          "NSPropertyMapping",
          [
            "NSDestinationPropertyName": builder.text(mapping.name),
            "NSValueExpression": try expression(mapping.valueExpression),
            "NSPropertyTransforms": ArchiveBuilder.null,
            "NSUserInfo": texts(mapping.userInfo),
          ]
        )
      )
    }
    return builder.array(elements)
  }

  private mutating func expression(
    _ tree: ExpressionTree?
  ) throws(ArchiveError) -> PropertyListValue {
    guard let tree else { return ArchiveBuilder.null }
    return try builder.expression(tree)
  }

  private mutating func data(_ data: Data?) -> PropertyListValue {
    data.map { builder.value(.data($0)) } ?? ArchiveBuilder.null
  }

  private mutating func texts(_ texts: [String: String]) -> PropertyListValue {
    if texts.isEmpty { return ArchiveBuilder.null }
    let entries = texts.sortedByCodePoints(\.key).map {
      (key: $0.key, value: builder.text($0.value))
    }
    return builder.dictionary(entries, class: "NSDictionary")
  }
}
