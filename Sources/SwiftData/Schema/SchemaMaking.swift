import CoreData
import Foundation

/// Makes the entities of classes, and joins the two ends of relationships.
///
/// ```
/// 1. inverse: \Tag.note                     both ends, and neither is a candidate any more
/// 2. Item.recipe: Recipe? ─ Recipe.item: Item?   neither with @Relationship, each the only candidate of the other
/// ```
struct SchemaMaking {
  private let types: ModelTypes
  private(set) var entities: [Schema.Entity] = []

  /// Makes the entities.
  ///
  /// The program stops for a property that cannot be stored, unless no store is to have the entities.
  init(_ types: ModelTypes, isForStores: Bool = true) {
    self.types = types
    entities = types.all.map { Self.entity(of: $0, isForStores) }
    entities.joinHierarchy()
    joinExplicitly()
    joinByInference()
  }

  private static func entity(of kind: ModelType, _ isForStores: Bool) -> Schema.Entity {
    var attributes: [Schema.Attribute] = []
    var relationships: [Schema.Relationship] = []
    for property in kind.properties.sorted(by: { $0.name < $1.name }) {
      switch property.content {
      case .attribute(let form):
        attributes.append(attribute(property, form))
      case .toOne(let target), .toMany(let target):
        relationships.append(
          Schema.Relationship(
            name: property.name,
            valueType: property.valueType,
            destination: ModelType.entityName(of: target),
            keypath: property.metadata.keypath,
            arguments: property.metadata.metadata as? Schema.Relationship
          )
        )
      case .refused(let reason):
        if isForStores { stop("\(kind.type).\(property.name) cannot be stored: \(reason)") }
        attributes.append(attribute(property, .unstored))
      }
    }
    return entity(of: kind, attributes, relationships)
  }

  private static func attribute(_ property: ModelProperty, _ form: ValueForm) -> Schema.Attribute {
    let arguments = property.metadata.metadata as? Schema.Attribute
    guard let elements = form.elements(of: property.name) else {
      return Schema.Attribute(
        name: property.name,
        valueType: property.valueType,
        form: form,
        defaultValue: property.metadata.defaultValue,
        arguments: arguments
      )
    }
    return Schema.CompositeAttribute(
      name: property.name,
      valueType: property.valueType,
      form: form,
      defaultValue: property.metadata.defaultValue,
      arguments: arguments,
      properties: elements.map(element)
    )
  }

  private static func element(_ name: String, _ form: ValueForm) -> Schema.Attribute {
    let type: Any.Type =
      switch form {
      case .plain(let type), .rawValues(let type): type
      case .cases: String.self
      case .structure(let shape): shape.type
      case .json(let type): type
      case .transformed(let type): type
      case .unstored: Any.self
      }
    guard let elements = form.elements(of: name) else {
      return Schema.Attribute(
        name: name,
        valueType: type,
        form: form,
        defaultValue: nil,
        arguments: nil
      )
    }
    return Schema.CompositeAttribute(
      name: name,
      valueType: type,
      form: form,
      defaultValue: nil,
      arguments: nil,
      properties: elements.map(element)
    )
  }

  private static func entity(
    of kind: ModelType,
    _ attributes: [Schema.Attribute],
    _ relationships: [Schema.Relationship]
  ) -> Schema.Entity {
    let declared = kind.type._schemaConstraints.filter { $0.type == kind.type }
    let unique =
      (attributes as [any SchemaProperty] + relationships).filter(\.isUnique).map { [$0.name] }
    let named = declared.map { constraint in
      constraint.properties.map { keyPath -> String in
        guard let name = kind.name(of: keyPath) else {
          stop("an index or a constraint of \(kind.type) names something that is not stored")
        }
        return name
      }
    }
    let groups = zip(declared, named)
    return Schema.Entity(
      name: kind.name,
      type: kind.type,
      attributes: attributes,
      relationships: relationships,
      uniquenessConstraints: unique + groups.filter { $0.0.index == nil }.map(\.1),
      indices: groups.filter { $0.0.index != nil }.map(\.1),
      indexKinds: groups.compactMap(\.0.index),
      superentityName: kind.parent?.name
    )
  }
}

// MARK: - Inverses

extension SchemaMaking {
  private func joinExplicitly() {
    for (kind, entity) in zip(types.all, entities) {
      for relationship in entity.ownRelationships {
        guard let keyPath = relationship.inverseKeyPath else { continue }
        let place = "\(kind.type).\(relationship.name)"
        guard let target = kind.property(named: relationship.name)?.destination,
          let name = name(of: keyPath, from: ModelType.of(target)),
          let inverse = self.relationship(name, of: ModelType.of(target))
        else {
          stop("the inverse of \(place) is not a relationship of \(relationship.destination)")
        }
        if let other = inverse.inverseName, other != relationship.name {
          stop(
            "\(relationship.destination).\(name) is the inverse of both \(place) and \(kind.type).\(other)"
          )
        }
        relationship.inverseName = name
        inverse.inverseName = relationship.name
      }
    }
  }

  private func name(of keyPath: AnyKeyPath, from kind: ModelType) -> String? {
    kind.lineage.lazy.compactMap { $0.name(of: keyPath) }.first
  }

  private func relationship(_ name: String, of kind: ModelType) -> Schema.Relationship? {
    for kind in kind.lineage {
      guard let place = types.all.firstIndex(where: { $0 === kind }) else { continue }
      if let found = entities[place].relationshipsByName[name] { return found }
    }
    return nil
  }

  private func joinByInference() {
    for (place, entity) in entities.enumerated() {
      for relationship in entity.ownRelationships where isCandidate(relationship) {
        let others = entities.filter { $0.name == relationship.destination && $0 !== entity }
        guard let target = others.first else { continue }
        let forward = entity.ownRelationships.filter {
          isCandidate($0) && $0.destination == target.name
        }
        let back = target.ownRelationships.filter {
          isCandidate($0) && $0.destination == entities[place].name
        }
        guard forward.count == 1, back.count == 1 else { continue }
        relationship.inverseName = back[0].name
        back[0].inverseName = relationship.name
      }
    }
  }

  /// Whether an end can be joined that nobody has joined.
  private func isCandidate(_ relationship: Schema.Relationship) -> Bool {
    if relationship.isExplicit || relationship.inverseName != nil { return false }
    return relationship.isOptional || !relationship.isToOneRelationship
  }
}

extension [Schema.Entity] {
  /// Leads each entity to that of its superclass.
  func joinHierarchy() {
    let byName = Dictionary(map { ($0.name, $0) }) { first, _ in first }
    for entity in self {
      guard let name = entity.superentityName else { continue }
      byName[name]?.become(superentityOf: entity)
    }
  }
}
