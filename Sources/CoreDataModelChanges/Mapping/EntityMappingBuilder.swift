import CoreDataModel
import CoreDataPredicates
import Foundation

/// Makes of Xcode's objects what its compiler makes of them, with the expressions that it fills in.
struct EntityMappingBuilder {
  let objects: MappingObjects
  let source: NamesOfModel

  func mapping(of object: MappingObjects.Object) throws(ArchiveError) -> EntityMappingSchema {
    let (from, to) = (object.text("sourcename"), object.text("destinationname"))
    guard let name = object.text("name") ?? Self.name(from: from, to: to) else {
      throw ArchiveError("the entity mapping \(object.identity) has neither source nor destination")
    }
    var mapping = EntityMappingSchema(name: name, kind: kind(of: object, from: from, to: to))
    mapping.sourceName = from
    mapping.destinationName = to
    mapping.policyClassName = object.text("migrationpolicyclassname")
    mapping.sourceExpression = try object.expression("sourceexpressiondata")
    if mapping.sourceExpression == nil {
      mapping.sourceExpression = from.map(ExpressionTree.allObjects)
    }
    for attribute in try objects.related(to: object, by: "attributemappings") {
      mapping.attributeMappings.append(try self.attribute(attribute, of: from))
    }
    for relationship in try objects.related(to: object, by: "relationshipmappings") {
      mapping.relationshipMappings.append(try self.relationship(relationship, of: from))
    }
    mapping.attributeMappings = mapping.attributeMappings.sortedByCodePoints(\.name)
    mapping.relationshipMappings = mapping.relationshipMappings.sortedByCodePoints(\.name)
    return mapping
  }

  /// `MoodToMood`; the one name if there is only one.
  private static func name(from: String?, to: String?) -> String? {
    if let from, let to { return "\(from)To\(to)" }
    return to ?? from
  }

  private func kind(
    of object: MappingObjects.Object,
    from: String?,
    to: String?
  ) -> EntityMappingSchema.Kind {
    if object.text("migrationpolicyclassname") != nil { return .custom }
    switch object.text("mappingtypename") {
    case "Add": return .add
    case "Remove": return .remove
    case "Copy": return .copy
    case "Transform": return .transform
    case "Custom": return .custom
    default: break
    }
    if from == nil { return .add }
    return to == nil ? .remove : .transform
  }

  /// The value that is asked for, or the source's attribute of the same name, when it has one.
  private func attribute(
    _ object: MappingObjects.Object,
    of entityName: String?
  ) throws(ArchiveError) -> PropertyMappingSchema {
    var mapping = PropertyMappingSchema(name: object.text("name") ?? "")
    mapping.valueExpression = try object.expression("valueexpressiondata")
    if mapping.valueExpression == nil, let entityName,
      source.hasAttribute(mapping.name, in: entityName)
    {
      mapping.valueExpression = .ofSource(mapping.name)
    }
    return mapping
  }

  /// The given expression, or the objects made of those of the source's relationship of the same
  /// name.
  private func relationship(
    _ object: MappingObjects.Object,
    of entityName: String?
  ) throws(ArchiveError) -> PropertyMappingSchema {
    var mapping = PropertyMappingSchema(name: object.text("name") ?? "")
    let given = try object.expression("valueexpressiondata")
    mapping.valueExpression = if let given { given } else { try chosen(object) }
    if mapping.valueExpression == nil, let entityName,
      source.hasRelationship(mapping.name, in: entityName)
    {
      mapping.valueExpression = .destinationInstances(ofRelationship: mapping.name)
    }
    return mapping
  }

  /// The objects that a chosen mapping has made of those at a chosen key path.
  private func chosen(_ object: MappingObjects.Object) throws(ArchiveError) -> ExpressionTree? {
    guard let mapping = object.text("sourcemappingname"), let path = object.text("sourcekeypath")
    else { return nil }
    do throws(PredicateFormatError) {
      return .destinationInstances(
        "destinationInstancesForEntityMappingNamed:sourceInstances:",
        mapping,
        for: try PredicateFormat.expression(path)
      )
    } catch {
      throw ArchiveError(
        "the key path \"\(path)\" of \(object.identity) cannot be parsed: \(error)"
      )
    }
  }
}
