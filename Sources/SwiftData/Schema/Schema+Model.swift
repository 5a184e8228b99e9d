import CoreData
import Foundation

// MARK: - The model of a schema

extension Schema {
  /// Creates Core Data's model of the schema, whose version hashes are those of Apple's framework.
  func makeManagedObjectModel() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    var described: [String: NSEntityDescription] = [:]
    for entity in entities { described[entity.name] = entity.description() }
    for kind in types.all { described[kind.name]?.rowKind = kind }
    for entity in entities {
      guard let parent = entity.superentityName, let child = described[entity.name] else {
        continue
      }
      described[parent]?.subentities.append(child)
    }
    let all = entities.compactMap { described[$0.name] }
    model.entities = all
    for entity in entities { entity.link(in: described) }
    model.setEntities(all, forConfigurationName: "default")
    model.versionIdentifiers = [version.description]
    return model
  }
}

extension Schema.Entity {
  fileprivate func description() -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.archivesClass = false
    entity.renamingIdentifier = originalName ?? name
    entity.properties =
      ownAttributes.map { $0.description(isElement: false) }
      + ownRelationships.map { $0.description() }
    entity.uniquenessConstraints = uniquenessConstraints
    entity.indexes = zip(indices, indexKinds).map { names, kind in
      Self.index(names, kind, entity)
    }
    return entity
  }

  private static func index(
    _ names: [String],
    _ kind: IndexKind,
    _ entity: NSEntityDescription
  ) -> NSFetchIndexDescription {
    let (word, type): (String, NSFetchIndexElementType) =
      switch kind {
      case .binary: ("Binary", .binary)
      case .rTree: ("RTree", .rTree)
      }
    let elements = names.map { name in
      guard let property = entity.propertiesByName[name] else {
        stop("an index of \(entity.name ?? "") names \(name), which is not one of its properties")
      }
      return NSFetchIndexElementDescription(property: property, collationType: type)
    }
    return NSFetchIndexDescription(
      name: "SwiftDataIndexOn\(word)" + names.joined(),
      elements: elements
    )
  }

  /// Leads the relationships to the descriptions of their entities.
  fileprivate func link(in described: [String: NSEntityDescription]) {
    for relationship in ownRelationships {
      guard let own = described[name]?.relationshipsByName[relationship.name] else { continue }
      let target = described[relationship.destination]
      own.destinationEntity = target
      own.inverseRelationship = relationship.inverseName.flatMap {
        target?.relationshipsByName[$0]
      }
    }
  }
}

extension Schema.Attribute {
  fileprivate func description(isElement: Bool) -> NSAttributeDescription {
    let attribute = made(isElement: isElement)
    attribute.name = name
    attribute.renamingIdentifier = originalName
    attribute.isOptional = isElement || isOptional
    attribute.versionHashModifier = hashModifier
    attribute.isTransient = isTransient || attribute.attributeType == .undefinedAttributeType
    attribute.allowsExternalBinaryDataStorage = options.contains(.externalStorage)
    attribute.isIndexedBySpotlight = options.contains(.spotlight)
    attribute.preservesValueInHistoryOnDeletion = options.contains(.preserveValueOnDeletion)
    attribute.allowsCloudEncryption = options.contains(.allowsCloudEncryption)
    return attribute
  }

  private func made(isElement: Bool) -> NSAttributeDescription {
    guard let storage else { stop("the attribute \(name) has no type") }
    if let composite = self as? Schema.CompositeAttribute {
      let attribute = NSCompositeAttributeDescription()
      attribute.elements = composite.properties.map { $0.description(isElement: true) }
      attribute.userInfo = storage.userInfo
      return attribute
    }
    let attribute = NSAttributeDescription()
    switch storage {
    case .plain(let type):
      attribute.attributeType = type.attributeType
      attribute.defaultValue = defaultValue.flatMap {
        ValueForm.plain(type).boxed(optional: $0, name: name)
      }
    case .json(let className):
      guard !isElement else {
        attribute.attributeType = .binaryDataAttributeType
        break
      }
      attribute.attributeType = .transformableAttributeType
      attribute.valueTransformerName = "NSSecureUnarchiveFromData"
      attribute.attributeValueClassName = className
    case .transformed(let className):
      attribute.attributeType = .transformableAttributeType
      attribute.valueTransformerName = transformerName
      attribute.attributeValueClassName = className
    case .unstored:
      attribute.attributeType = .undefinedAttributeType
    case .rawValues, .cases, .structure:
      stop("\(name) is composite")
    }
    return attribute
  }
}

extension AttributeStorage {
  /// The entries of Apple's models for enumerations.
  fileprivate var userInfo: [AnyHashable: Any]? {
    switch self {
    case .rawValues: ["EnumType": "1"]
    case .cases(let names): ["EnumType": "1", "enum": names.joined(separator: ",")]
    case .plain, .structure, .json, .transformed, .unstored: nil
    }
  }
}

extension Schema.Relationship {
  fileprivate func description() -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.renamingIdentifier = originalName
    relationship.isOptional = isOptional
    relationship.minCount = minimumModelCount ?? 0
    relationship.maxCount = isToOneRelationship ? 1 : maximumModelCount ?? 0
    relationship.versionHashModifier = hashModifier
    relationship.deleteRule =
      switch deleteRule {
      case .noAction: .noActionDeleteRule
      case .nullify: .nullifyDeleteRule
      case .cascade: .cascadeDeleteRule
      case .deny: .denyDeleteRule
      }
    return relationship
  }
}
