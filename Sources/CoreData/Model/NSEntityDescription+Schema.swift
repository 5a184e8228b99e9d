import CoreDataModel
import Foundation

/// An entity as its schema says it, and back.
extension NSEntityDescription {
  convenience init(_ schema: EntitySchema) {
    self.init()
    name = schema.name
    managedObjectClassName = schema.className
    archivesClass = schema.archivesClass.value
    isAbstract = schema.isAbstract
    superentityName = schema.superentityName
    properties =
      schema.attributes.map(NSAttributeDescription.make)
      + schema.relationships.map(NSRelationshipDescription.init)
      + schema.fetchedProperties.map(NSFetchedPropertyDescription.init)
    indexes = schema.indexes.map(NSFetchIndexDescription.init)
    uniquenessConstraints = schema.uniquenessConstraints
    userInfo = schema.userInfo
    versionHashModifier = schema.versionHashModifier
    ownRenamingIdentifier = schema.renamingIdentifier
    codeGeneration = schema.codeGeneration
  }

  var schema: EntitySchema {
    var schema = EntitySchema(
      name: name ?? "",
      className: managedObjectClassName ?? "NSManagedObject"
    )
    schema.archivesClass.value = archivesClass
    schema.isAbstract = isAbstract
    schema.superentityName = currentSuperentityName
    schema.attributes = ownProperties.compactMap { ($0 as? NSAttributeDescription)?.makeSchema() }
    schema.relationships = ownProperties.compactMap { ($0 as? NSRelationshipDescription)?.schema }
    schema.fetchedProperties = ownProperties.compactMap {
      ($0 as? NSFetchedPropertyDescription)?.schema
    }
    schema.indexes = indexes.map(\.schema) + indexesOfProperties
    schema.uniquenessConstraints = constraintNames
    schema.userInfo = userInfo?.textEntries ?? [:]
    schema.versionHashModifier = versionHashModifier
    schema.renamingIdentifier = ownRenamingIdentifier
    schema.codeGeneration = codeGeneration
    return schema
  }

  /// The indexes that attributes ask for by themselves, and the entity does not list.
  private var indexesOfProperties: [FetchIndexSchema] {
    ownProperties
      .filter { property in
        property.wantsIndex && property is NSAttributeDescription && !property.isTransient
          && !indexes.contains { $0.isOnly(of: property.name) }
      }
      .map { FetchIndexSchema(name: $0.name, elements: [.init(.property($0.name))]) }
  }
}
