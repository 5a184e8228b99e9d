package import CoreDataModel
import CoreDataPredicates
package import Foundation

extension MappingSchema {
  /// Reads a compiled mapping model, the contents of a `.cdm` file: a keyed archive.
  ///
  ///     NSMappingModel
  ///     └── NSEntityMappings ─ NSEntityMapping "MoodToMood"
  ///                            └── NSAttributeMappings ─ NSPropertyMapping "title" …
  package init(compiled data: Data) throws(ArchiveError) {
    let root = try KeyedArchive(data).root
    guard root.className == "NSMappingModel" else {
      throw ArchiveError(
        "the archive holds \(root.className ?? "a plain value"), not a mapping model"
      )
    }
    var mappings: [EntityMappingSchema] = []
    for node in root["NSEntityMappings"].elements {
      mappings.append(try EntityMappingSchema(archived: node))
    }
    try root.archive.requireWhole()
    self.init(entityMappings: mappings)
  }
}

extension EntityMappingSchema {
  fileprivate init(archived node: ArchivedNode) throws(ArchiveError) {
    let name = node["NSMappingName"].text ?? ""
    let number = node["NSMappingType"].integer ?? 0
    guard node.className == "NSEntityMapping",
      let kind = UInt(exactly: number).flatMap(Kind.init(rawValue:))
    else { throw ArchiveError("the entity mapping \"\(name)\" has the unknown type \(number)") }
    self.init(name: name, kind: kind)
    sourceName = node["NSSourceEntityName"].text
    sourceHash = node["NSSourceEntityVersionHash"].data
    destinationName = node["NSDestinationEntityName"].text
    destinationHash = node["NSDestinationEntityVersionHash"].data
    sourceExpression = try node["NSSourceExpression"].expression
    attributeMappings = try Self.properties(node["NSAttributeMappings"])
    relationshipMappings = try Self.properties(node["NSRelationshipMappings"])
    policyClassName = node["NSEntityMigrationPolicyClassName"].text
    userInfo = node["NSUserInfo"].texts
  }

  private static func properties(
    _ node: ArchivedNode
  ) throws(ArchiveError) -> [PropertyMappingSchema] {
    var mappings: [PropertyMappingSchema] = []
    for element in node.elements {
      var mapping = PropertyMappingSchema(name: element["NSDestinationPropertyName"].text ?? "")
      mapping.valueExpression = try element["NSValueExpression"].expression
      mapping.userInfo = element["NSUserInfo"].texts
      mappings.append(mapping)
    }
    return mappings
  }
}

extension ArchivedNode {
  fileprivate var expression: ExpressionTree? {
    get throws(ArchiveError) { isNull ? nil : try ExpressionTree(archived: self) }
  }
}
