package import CoreDataModel
package import CoreDataModelChanges
package import Foundation

/// Writes a schema as the XML of a `contents` file, as Xcode does.
///
///     <model type="com.apple.IDECoreDataModeler.DataModel" …>
///         <entity name="Note" representedClassName="Note" syncable="YES"> … </entity>
///         <elements> <element name="Note" positionX="-63" … /> </elements>
///     </model>
///
/// Things that the format cannot express are left out; `losses` names them. The places of entities in Xcode's
/// editor are those of the model's diagram.
package struct SchemaWriter {
  private let schema: ModelSchema
  let composites: CompositeNames

  package init(_ schema: ModelSchema) {
    self.schema = schema.canonical
    composites = CompositeNames(of: self.schema)
  }

  package var data: Data {
    let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    return Data((head + model.text()).utf8)
  }

  /// The schema that is read from the XML.
  package var schemaThatIsWritten: ModelSchema {
    var reader = SchemaReader()
    return reader.schema(from: data)
  }

  /// The losses of the format, as the changes that writing and reading make.
  package var losses: [ModelChange] {
    ModelComparison(from: schema, to: schemaThatIsWritten).changes
  }

  private var model: WrittenElement {
    var model = WrittenElement("model")
    model.set("type", "com.apple.IDECoreDataModeler.DataModel")
    model.set("documentVersion", "1.0")
    model.set("lastSavedToolsVersion", "22758")
    model.set("systemVersion", "23F79")
    model.set("minimumToolsVersion", "Automatic")
    model.set("sourceLanguage", "Swift")
    model.set(
      "userDefinedModelVersionIdentifier",
      schema.versionIdentifiers.sortedByCodePoints().first
    )
    model.children += schema.entities.map(entity)
    model.children += schema.fetchRequestTemplates.map(Self.fetchRequest)
    model.children += composites.all.map { name, elements in
      var composite = WrittenElement("composite", children: elements.map(attribute))
      composite.set("name", name)
      return composite
    }
    model.children += schema.configurations.sortedByCodePoints(\.key).map(Self.configuration)
    if !schema.entities.isEmpty { model.children.append(WrittenElement(DiagramLayout(schema))) }
    return model
  }

  private static func configuration(
    _ name: String,
    _ members: Set<String>
  ) -> WrittenElement {
    var configuration = WrittenElement("configuration")
    configuration.set("name", name)
    configuration.children = members.sortedByCodePoints().map { member in
      var element = WrittenElement("memberEntity")
      element.set("name", member)
      return element
    }
    return configuration
  }
}

// MARK: - Entities

extension SchemaWriter {
  private func entity(_ entity: EntitySchema) -> WrittenElement {
    var element = WrittenElement("entity")
    element.set("name", entity.name)
    let hasClass = !["", "NSManagedObject"].contains(entity.className)
    element.set("representedClassName", hasClass ? entity.className : nil)
    element.set("isAbstract", entity.isAbstract)
    element.set("parentEntity", entity.superentityName)
    element.set("versionHashModifier", entity.versionHashModifier)
    element.set("elementID", entity.renamingIdentifier)
    element.set("syncable", "YES")
    switch entity.codeGeneration {
    case .classDefinition, .categoryExtension:
      element.set("codeGenerationType", entity.codeGeneration.rawValue)
    case .manual: break
    }
    element.children += entity.attributes.map(attribute)
    element.children += entity.relationships.map { Self.relationship($0) }
    element.children += entity.fetchedProperties.map { Self.fetchedProperty($0) }
    element.children += entity.indexes.map { Self.fetchIndex($0) }
    if !entity.uniquenessConstraints.isEmpty {
      element.children.append(
        WrittenElement(
          "uniquenessConstraints",
          children: entity.uniquenessConstraints.map { names in
            WrittenElement("uniquenessConstraint", children: names.map(Self.constraint))
          }
        )
      )
    }
    element.children += Self.userInfo(entity.userInfo)
    return element
  }

  private static func constraint(_ name: String) -> WrittenElement {
    var element = WrittenElement("constraint")
    element.set("value", name)
    return element
  }

  static func userInfo(_ entries: [String: String]) -> [WrittenElement] {
    guard !entries.isEmpty else { return [] }
    let children = entries.sortedByCodePoints(\.key).map { key, value in
      var entry = WrittenElement("entry")
      entry.set("key", key)
      entry.set("value", value)
      return entry
    }
    return [WrittenElement("userInfo", children: children)]
  }

  private static func relationship(_ relationship: RelationshipSchema) -> WrittenElement {
    var element = WrittenElement("relationship")
    element.set("name", relationship.name)
    element.set("optional", relationship.isOptional)
    element.set("transient", relationship.isTransient)
    element.set("toMany", relationship.isToMany)
    element.set("minCount", relationship.minCount == 0 ? nil : "\(relationship.minCount)")
    element.set("maxCount", relationship.maxCount == 0 ? nil : "\(relationship.maxCount)")
    element.set("deletionRule", relationship.deleteRule.word)
    element.set("ordered", relationship.isOrdered)
    element.set("destinationEntity", relationship.destinationName)
    element.set("inverseName", relationship.inverseName)
    element.set(
      "inverseEntity",
      relationship.inverseName == nil ? nil : relationship.destinationName
    )
    element.set("spotlightIndexingEnabled", relationship.isIndexedBySpotlight)
    element.set("storedInTruthFile", relationship.isStoredInTruthFile)
    element.set("versionHashModifier", relationship.versionHashModifier)
    element.set("elementID", relationship.renamingIdentifier)
    element.children = userInfo(relationship.userInfo)
    return element
  }

  private static func fetchIndex(_ index: FetchIndexSchema) -> WrittenElement {
    var element = WrittenElement("fetchIndex")
    element.set("name", index.name)
    element.set("partialIndexPredicate", index.partialPredicateFormat)
    element.children = index.elements.map { part in
      var child = WrittenElement("fetchIndexElement")
      switch part.subject {
      case .property(let name): child.set("property", name)
      case .expression(let format): child.set("expression", format)
      }
      child.set("type", part.collation == .rTree ? "RTree" : "Binary")
      child.set("order", part.isAscending ? "ascending" : "descending")
      return child
    }
    return element
  }
}

// MARK: - Fetch requests

extension SchemaWriter {
  private static func fetchedProperty(_ property: FetchedPropertySchema) -> WrittenElement {
    var element = WrittenElement("fetchedProperty")
    element.set("name", property.name)
    element.set("optional", property.isOptional)
    element.set("versionHashModifier", property.versionHashModifier)
    element.set("elementID", property.renamingIdentifier)
    var request = property.request
    request.name = "fetchedPropertyFetchRequest"
    element.children = [fetchRequest(request)] + userInfo(property.userInfo)
    return element
  }

  private static func fetchRequest(_ request: FetchRequestSchema) -> WrittenElement {
    var element = WrittenElement("fetchRequest")
    element.set("name", request.name)
    element.set("entity", request.entityName)
    element.set("predicateString", request.predicateFormat)
    element.set("fetchLimit", request.fetchLimit == 0 ? nil : "\(request.fetchLimit)")
    element.set("fetchBatchSize", request.fetchBatchSize == 0 ? nil : "\(request.fetchBatchSize)")
    element.set("resultType", request.resultType == 0 ? nil : "\(request.resultType)")
    element.set("includeSubentities", request.includesSubentities ? nil : "NO")
    element.set("includePropertyValues", request.includesPropertyValues ? nil : "NO")
    element.set("returnObjectsAsFaults", request.returnsObjectsAsFaults ? nil : "NO")
    element.set("returnDistinctResults", request.returnsDistinctResults)
    return element
  }
}

// MARK: - Places in the editor

extension WrittenElement {
  fileprivate init(_ layout: DiagramLayout) {
    self.init("elements")
    children = layout.boxes.map { box in
      var element = WrittenElement("element")
      element.set("name", box.name)
      element.set("positionX", "\(Int(box.frame.x.rounded()))")
      element.set("positionY", "\(Int(box.frame.y.rounded()))")
      element.set("width", "\(Int(box.frame.width.rounded()))")
      // The height that Xcode gives to a box of so many rows.
      element.set("height", "\(29 + 15 * max(1, box.content.rows.count))")
      return element
    }
  }
}
