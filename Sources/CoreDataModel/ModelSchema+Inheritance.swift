/// Inheritance between entities.
extension ModelSchema {
  /// An entity followed by its superentities, up to the root: `[LuxuryCar, Car]`.
  ///
  /// Ends early at a superentity that the model lacks or that was met before, so that it is safe to
  /// ask a model that has not been checked.
  package func entityChain(of entityName: String) -> [EntitySchema] {
    var chain: [EntitySchema] = []
    var next: String? = entityName
    while let name = next, let entity = entity(named: name),
      !chain.contains(where: { $0.name == name })
    {
      chain.append(entity)
      next = entity.superentityName
    }
    return chain
  }

  /// The entities that directly inherit from one, in code-point order.
  package func subentities(of entityName: String) -> [EntitySchema] {
    entities.filter { $0.superentityName == entityName }.sortedByCodePoints(\.name)
  }

  /// The entities as a store numbers them from 1: each tree from the top down.
  package var entityNamesByNumber: [String] {
    let children = Dictionary(grouping: entities, by: \.superentityName)
    var names: [String] = []
    func add(below parent: String?) {
      for name in (children[parent] ?? []).map(\.name).sorted(by: { $0.precedesAsEntity($1) }) {
        names.append(name)
        add(below: name)
      }
    }
    add(below: nil)
    return names
  }

  /// The entity at the top of an entity's inheritance tree, whose table holds the rows of all.
  package func rootEntity(of entityName: String) -> EntitySchema? {
    entityChain(of: entityName).last
  }

  /// Whether an entity is another one or inherits from it.
  package func isEntity(_ entityName: String, kindOf otherName: String) -> Bool {
    entityChain(of: entityName).contains { $0.name == otherName }
  }

  /// An own or inherited property of an entity.
  package func property(_ name: String, of entityName: String) -> PropertySchema? {
    for entity in entityChain(of: entityName) {
      if let property = entity.property(named: name) { return property }
    }
    return nil
  }
}

/// One property of any kind.
package enum PropertySchema: Hashable, Sendable {
  case attribute(AttributeSchema)
  case relationship(RelationshipSchema)
  case fetched(FetchedPropertySchema)

  package var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    case .fetched(let property): property.name
    }
  }
}

extension EntitySchema {
  /// The entity's own properties: attributes, then relationships, then fetched properties.
  package var properties: [PropertySchema] {
    attributes.map(PropertySchema.attribute)
      + relationships.map(PropertySchema.relationship)
      + fetchedProperties.map(PropertySchema.fetched)
  }

  package var propertyNames: [String] {
    attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
  }

  package func property(named name: String) -> PropertySchema? {
    if let attribute = attributes.first(named: name, \.name) {
      return .attribute(attribute)
    }
    if let relationship = relationships.first(named: name, \.name) {
      return .relationship(relationship)
    }
    return fetchedProperties.first(named: name, \.name).map(PropertySchema.fetched)
  }
}
