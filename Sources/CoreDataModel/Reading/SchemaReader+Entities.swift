/// Entities and their contents other than attributes.
extension SchemaReader {
  mutating func entity(from element: XMLElementTree) -> EntitySchema {
    let name = element.attributes["name"] ?? ""
    var fields = ElementFields(element, entity: name)
    var entity = EntitySchema(name: name)
    note(element.line, entity: entity.name)
    if let className = fields.text("representedClassName") { entity.className = className }
    entity.isAbstract = fields.flag("isAbstract")
    entity.superentityName = fields.text("parentEntity")
    entity.versionHashModifier = fields.text("versionHashModifier")
    entity.renamingIdentifier = fields.renamingIdentifier(of: entity.name)
    entity.codeGeneration = fields.choice(
      "codeGenerationType",
      from: ["class": .classDefinition, "category": .categoryExtension, "none": .manual],
      otherwise: .manual
    )
    adopt(fields)
    for child in element.children { read(child, into: &entity) }
    entity.indexes = oldIndexes(of: element, in: entity) + entity.indexes
    return entity
  }

  private mutating func read(_ element: XMLElementTree, into entity: inout EntitySchema) {
    switch element.name {
    case "attribute":
      entity.attributes.append(attribute(from: element, in: entity.name))
    case "relationship":
      entity.relationships.append(relationship(from: element, in: entity.name))
    case "fetchedProperty":
      entity.fetchedProperties.append(fetchedProperty(from: element, in: entity.name))
    case "fetchIndex":
      entity.indexes.append(fetchIndex(from: element, in: entity.name))
    case "uniquenessConstraints":
      entity.uniquenessConstraints += element.children(named: "uniquenessConstraint").map {
        $0.children(named: "constraint").compactMap { $0.attributes["value"] }
      }
    case "userInfo":
      entity.userInfo = userInfo(from: element)
    case "compoundIndexes":
      return
    default:
      warnOfUnknown(element, entity: entity.name)
    }
  }

  func userInfo(from element: XMLElementTree?) -> [String: String] {
    let entries = (element?.children(named: "entry") ?? []).map {
      ($0.attributes["key"] ?? "", $0.attributes["value"] ?? "")
    }
    return Dictionary(entries) { _, last in last }
  }

  mutating func relationship(
    from element: XMLElementTree,
    in entity: String
  ) -> RelationshipSchema {
    var fields = ElementFields(element, entity: entity, property: element.attributes["name"] ?? "")
    var relationship = RelationshipSchema(
      name: fields.property ?? "",
      destinationName: fields.text("destinationEntity") ?? "",
      inverseName: fields.text("inverseName")
    )
    note(element.line, entity: entity, property: relationship.name)
    relationship.isOptional = fields.flag("optional")
    relationship.isTransient = fields.flag("transient")
    relationship.isOrdered = fields.flag("ordered")
    relationship.minCount = fields.integer("minCount") ?? 0
    relationship.maxCount = fields.integer("maxCount") ?? (fields.flag("toMany") ? 0 : 1)
    relationship.deleteRule = fields.choice(
      "deletionRule",
      from: ["No Action": .noAction, "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny],
      otherwise: .nullify
    )
    relationship.isIndexedBySpotlight = fields.flag("spotlightIndexingEnabled")
    relationship.isStoredInTruthFile = fields.flag("storedInTruthFile")
    relationship.versionHashModifier = fields.text("versionHashModifier")
    relationship.renamingIdentifier = fields.renamingIdentifier(of: relationship.name)
    relationship.userInfo = userInfo(from: element.children(named: "userInfo").first)
    adopt(fields)
    return relationship
  }

  mutating func adopt(_ fields: ElementFields) {
    for problem in fields.problems {
      report(
        problem.line,
        problem.message,
        severity: problem.severity,
        entity: fields.entity,
        property: fields.property
      )
    }
  }
}

// MARK: - Indexes

extension SchemaReader {
  private mutating func fetchIndex(
    from element: XMLElementTree,
    in entity: String
  ) -> FetchIndexSchema {
    var fields = ElementFields(element, entity: entity)
    var index = FetchIndexSchema(
      name: fields.text("name") ?? "",
      elements: [],
      partialPredicateFormat: fields.text("partialIndexPredicate")
    )
    adopt(fields)
    for child in element.children(named: "fetchIndexElement") {
      fields = ElementFields(child, entity: entity)
      let subject: FetchIndexSchema.Subject =
        if let expression = fields.text("expression") {
          .expression(expression)
        } else {
          .property(fields.text("property") ?? "")
        }
      index.elements.append(
        FetchIndexSchema.Element(
          subject,
          collation: fields.choice(
            "type",
            from: ["Binary": .binary, "RTree": .rTree],
            otherwise: .binary
          ),
          isAscending: fields.choice(
            "order",
            from: ["ascending": true, "descending": false],
            otherwise: true
          )
        )
      )
      adopt(fields)
    }
    return index
  }

  /// The indexes that older models name with `indexed` and `compoundIndexes`, as Xcode's compiler
  /// writes them.
  private func oldIndexes(
    of element: XMLElementTree,
    in entity: EntitySchema
  ) -> [FetchIndexSchema] {
    let single = element.children(named: "attribute")
      .filter { $0.attributes["indexed"] == "YES" }
      .compactMap { $0.attributes["name"] }
      .sortedByCodePoints()
      .map { FetchIndexSchema(name: $0, elements: [.init(.property($0))]) }
    let compound = element.children(named: "compoundIndexes")
      .flatMap { $0.children(named: "compoundIndex") }
      .enumerated()
      .map { position, index in
        FetchIndexSchema(
          name: position == 0 ? "compoundIndex" : "compoundIndex\(position)",
          elements: index.children(named: "index").compactMap { $0.attributes["value"] }
            .map { .init(.property($0)) }
        )
      }
    return single + compound
  }
}

// MARK: - Fetch requests

extension SchemaReader {
  mutating func fetchedProperty(
    from element: XMLElementTree,
    in entity: String
  ) -> FetchedPropertySchema {
    var fields = ElementFields(element, entity: entity, property: element.attributes["name"] ?? "")
    let name = fields.property ?? ""
    note(element.line, entity: entity, property: name)
    var request = FetchRequestSchema(name: name, entityName: "")
    if let child = element.children(named: "fetchRequest").first {
      request = fetchRequest(from: child, in: entity, property: name)
      // Xcode gives every such request the same name, and compiled models keep none.
      request.name = name
    }
    var property = FetchedPropertySchema(name: name, request: request)
    property.isOptional = fields.flag("optional")
    property.versionHashModifier = fields.text("versionHashModifier")
    property.renamingIdentifier = fields.renamingIdentifier(of: name)
    property.userInfo = userInfo(from: element.children(named: "userInfo").first)
    adopt(fields)
    return property
  }

  mutating func fetchRequest(
    from element: XMLElementTree,
    in entity: String? = nil,
    property: String? = nil
  ) -> FetchRequestSchema {
    var fields = ElementFields(element, entity: entity, property: property)
    var request = FetchRequestSchema(
      name: fields.text("name") ?? "",
      entityName: fields.text("entity") ?? "",
      predicateFormat: fields.text("predicateString")
    )
    request.fetchLimit = fields.integer("fetchLimit") ?? 0
    request.fetchBatchSize = fields.integer("fetchBatchSize") ?? 0
    request.includesSubentities = fields.flag("includeSubentities", otherwise: true)
    request.includesPropertyValues = fields.flag("includePropertyValues", otherwise: true)
    request.returnsObjectsAsFaults = fields.flag("returnObjectsAsFaults", otherwise: true)
    request.returnsDistinctResults = fields.flag("returnDistinctResults")
    request.resultType = fields.integer("resultType") ?? 0
    adopt(fields)
    return request
  }
}
