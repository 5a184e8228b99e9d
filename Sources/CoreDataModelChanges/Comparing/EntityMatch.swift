package import CoreDataModel

/// An entity of the destination and the entity of the source whose objects become its own.
package struct EntityMatch: Hashable, Sendable {
  /// Nil for an entity that is new.
  package let sourceName: String?
  package let destinationName: String
  /// The destination's own and inherited properties, in code-point order.
  package let properties: [PropertyMatch]
  /// The source's own and inherited properties that nothing was made of.
  package let removedProperties: [DeclaredProperty]
}

/// A property of a destination entity and the property whose values it takes over.
package struct PropertyMatch: Hashable, Sendable {
  /// Nil for a property that is new.
  package let source: DeclaredProperty?
  package let destination: DeclaredProperty
}

/// A property with the entity that declares it, which may be a superentity of the one at hand.
package struct DeclaredProperty: Hashable, Sendable {
  package let entityName: String
  package let property: PropertySchema

  package var name: String { property.name }
}

extension EntityMatch {
  package func property(named destinationName: String) -> PropertyMatch? {
    properties.first { $0.destination.name == destinationName }
  }
}

extension ModelSchema {
  /// An entity's own and inherited properties, in code-point order.
  package func declaredProperties(of entityName: String) -> [DeclaredProperty] {
    var met: Set<String> = []
    var properties: [DeclaredProperty] = []
    for entity in entityChain(of: entityName) {
      for property in entity.properties where met.insert(property.name).inserted {
        properties.append(DeclaredProperty(entityName: entity.name, property: property))
      }
    }
    return properties.sortedByCodePoints(\.name)
  }
}

extension PropertySchema {
  package var renamingIdentifier: String? {
    switch self {
    case .attribute(let attribute): attribute.renamingIdentifier
    case .relationship(let relationship): relationship.renamingIdentifier
    case .fetched(let property): property.renamingIdentifier
    }
  }

  package var isTransient: Bool {
    switch self {
    case .attribute(let attribute): attribute.isTransient
    case .relationship(let relationship): relationship.isTransient
    case .fetched: true
    }
  }

  package var kindWord: String {
    switch self {
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetched: "fetched property"
    }
  }
}
