import Foundation

extension Schema {
  /// A description of one class of models.
  ///
  /// Safety: never changed after its schema was created.
  public final class Entity: @unchecked Sendable {
    /// The name of the entity.
    public let name: String
    /// The attributes that the class itself declares, ordered by name.
    public let attributes: [Attribute]
    /// The relationships that the class itself declares, ordered by name.
    public internal(set) var relationships: [Relationship]
    /// The groups of properties whose values are unique together.
    public let uniquenessConstraints: [[String]]
    /// The groups of properties that have an index.
    public let indices: [[String]]
    /// The kind of each index.
    let indexKinds: [IndexKind]
    /// The name of the entity of the superclass.
    public let superentityName: String?
    /// The name that the entity had in the last version.
    let originalName: String?

    /// Creates an entity.
    init(
      name: String,
      attributes: [Attribute],
      relationships: [Relationship],
      uniquenessConstraints: [[String]] = [],
      indices: [[String]] = [],
      indexKinds: [IndexKind] = [],
      superentityName: String? = nil,
      originalName: String? = nil
    ) {
      self.name = name
      self.attributes = attributes
      self.relationships = relationships
      self.uniquenessConstraints = uniquenessConstraints
      self.indices = indices
      self.indexKinds = indexKinds
      self.superentityName = superentityName
      self.originalName = originalName
    }
  }
}

extension Schema.Entity {
  /// The attributes and relationships that the class itself declares.
  public var properties: [any SchemaProperty] { attributes + relationships }

  /// The properties that are stored: all but ephemeral attributes.
  public var storedProperties: [any SchemaProperty] { properties.filter { !$0.isTransient } }

  /// The attributes by name.
  public var attributesByName: [String: Schema.Attribute] {
    Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The relationships by name.
  public var relationshipsByName: [String: Schema.Relationship] {
    Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The stored properties by name.
  public var storedPropertiesByName: [String: any SchemaProperty] {
    Dictionary(storedProperties.map { ($0.name, $0) }) { first, _ in first }
  }
}

extension Schema.Entity: Hashable {
  public static func == (one: Schema.Entity, other: Schema.Entity) -> Bool {
    one.name == other.name && one.attributes == other.attributes
      && one.relationships == other.relationships
      && one.uniquenessConstraints == other.uniquenessConstraints && one.indices == other.indices
      && one.superentityName == other.superentityName
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(attributes)
    hasher.combine(relationships)
  }
}
