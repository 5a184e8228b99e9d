import Foundation

extension Schema {
  /// A description of one class of models.
  ///
  /// Safety: never changed after its schema was created.
  public final class Entity: @unchecked Sendable {
    /// The name of the entity.
    public let name: String
    /// The class; `nil` for an entity that was read from a file, if the program does not have the class.
    let type: (any PersistentModel.Type)?
    /// The attributes that the class itself declares, ordered by name.
    let ownAttributes: [Attribute]
    /// The relationships that the class itself declares, ordered by name.
    let ownRelationships: [Relationship]
    /// The groups of properties whose values are unique together.
    public let uniquenessConstraints: [[String]]
    /// The groups of properties that have an index.
    public let indices: [[String]]
    /// The kind of each index.
    let indexKinds: [IndexKind]
    /// The name of the entity of the superclass.
    public let superentityName: String?
    /// The entity of the superclass.
    public internal(set) var superentity: Entity?
    /// The entities of the subclasses; they belong to the schema.
    private var below: [WeakEntity] = []
    /// The name that the entity had in the last version.
    let originalName: String?

    private struct WeakEntity {
      weak let entity: Entity?
    }

    /// Creates an entity.
    init(
      name: String,
      type: (any PersistentModel.Type)? = nil,
      attributes: [Attribute],
      relationships: [Relationship],
      uniquenessConstraints: [[String]] = [],
      indices: [[String]] = [],
      indexKinds: [IndexKind] = [],
      superentityName: String? = nil,
      originalName: String? = nil
    ) {
      self.name = name
      self.type = type
      ownAttributes = attributes
      ownRelationships = relationships
      self.uniquenessConstraints = uniquenessConstraints
      self.indices = indices
      self.indexKinds = indexKinds
      self.superentityName = superentityName
      self.originalName = originalName
    }

    /// Reads an entity that ``encode(to:)`` has written.
    ///
    /// - Parameter decoder: The file.
    /// - Throws: `DecodingError` if the file describes no entity.
    public convenience init(from decoder: any Decoder) throws {
      self.init(try CodedEntity(from: decoder))
    }

    /// Writes the entity with its properties, and the name of its superentity.
    ///
    /// - Parameter encoder: The file.
    /// - Throws: The error of a default value that cannot be encoded.
    public func encode(to encoder: any Encoder) throws {
      try CodedEntity(self).encode(to: encoder)
    }

    /// The entities of the subclasses that are directly below the class.
    public var subentities: Set<Entity> { Set(below.compactMap(\.entity)) }

    func become(superentityOf entity: Entity) {
      entity.superentity = self
      below.append(WeakEntity(entity: entity))
    }
  }
}

extension Schema.Entity {
  /// The attributes that the class itself declares.
  public var attributes: Set<Schema.Attribute> { Set(ownAttributes) }

  /// The relationships that the class itself declares.
  public var relationships: Set<Schema.Relationship> { Set(ownRelationships) }

  /// The attributes and relationships that the class itself declares, each ordered by name.
  public var properties: [any SchemaProperty] { ownAttributes + ownRelationships }

  /// The properties that the superclasses declare, the root's first.
  public var inheritedProperties: [any SchemaProperty] {
    superentity.map { $0.inheritedProperties + $0.properties } ?? []
  }

  /// The properties that the superclasses declare, by name.
  public var inheritedPropertiesByName: [String: any SchemaProperty] {
    Dictionary(inheritedProperties.map { ($0.name, $0) }) { _, last in last }
  }

  /// The properties that are stored: all but ephemeral attributes.
  public var storedProperties: [any SchemaProperty] { properties.filter { !$0.isTransient } }

  /// The attributes by name.
  public var attributesByName: [String: Schema.Attribute] {
    Dictionary(ownAttributes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The relationships by name.
  public var relationshipsByName: [String: Schema.Relationship] {
    Dictionary(ownRelationships.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The stored properties by name.
  public var storedPropertiesByName: [String: any SchemaProperty] {
    Dictionary(storedProperties.map { ($0.name, $0) }) { first, _ in first }
  }
}

extension Schema.Entity: Codable {}

extension Schema.Entity: Hashable {
  public static func == (one: Schema.Entity, other: Schema.Entity) -> Bool {
    one.name == other.name && one.ownAttributes == other.ownAttributes
      && one.ownRelationships == other.ownRelationships
      && one.uniquenessConstraints == other.uniquenessConstraints && one.indices == other.indices
      && one.superentityName == other.superentityName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(ownAttributes)
    hasher.combine(ownRelationships)
  }
}

extension Schema.Entity: CustomDebugStringConvertible {
  /// The name of the entity and its properties.
  public var debugDescription: String {
    let parent = superentityName.map { ": \($0)" } ?? ""
    return "Entity \(name)\(parent) (" + properties.map(\.name).joined(separator: ", ") + ")"
  }
}
