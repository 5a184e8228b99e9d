/// An entity as a file has it.
struct CodedEntity: Codable {
  let name: String
  let originalName: String?
  let type: NamedType?
  let superentityName: String?
  let attributes: [CodedAttribute]
  let relationships: [CodedRelationship]
  let uniquenessConstraints: [[String]]
  let indices: [CodedIndex]

  struct CodedIndex: Codable {
    let kind: IndexKind
    let properties: [String]
  }

  init(_ entity: Schema.Entity) {
    name = entity.name
    originalName = entity.originalName
    type = entity.type.map { NamedType($0) }
    superentityName = entity.superentityName
    attributes = entity.ownAttributes.map(CodedAttribute.init)
    relationships = entity.ownRelationships.map(CodedRelationship.init)
    uniquenessConstraints = entity.uniquenessConstraints
    indices = zip(entity.indices, entity.indexKinds).map { CodedIndex(kind: $1, properties: $0) }
  }

  /// The program's class for the entity.
  var modelType: (any PersistentModel.Type)? {
    guard let found = type?.type as? any PersistentModel.Type,
      ModelType.entityName(of: found) == name
    else { return nil }
    return found
  }
}

extension Schema.Entity {
  convenience init(_ coded: CodedEntity) {
    let kind = coded.modelType.map(ModelType.of)
    self.init(
      name: coded.name,
      type: kind?.type,
      attributes: coded.attributes.map(\.attribute).sorted { $0.name < $1.name },
      relationships: coded.relationships.map { relationship in
        let property = kind?.property(named: relationship.name)
        let isSame = property.map { NamedType($0.valueType) == relationship.type } ?? false
        return Schema.Relationship(relationship, isSame ? property?.metadata : nil)
      }.sorted { $0.name < $1.name },
      uniquenessConstraints: coded.uniquenessConstraints,
      indices: coded.indices.map(\.properties),
      indexKinds: coded.indices.map(\.kind),
      superentityName: coded.superentityName,
      originalName: coded.originalName
    )
  }
}

/// An attribute as a file has it.
struct CodedAttribute {
  let name: String
  let originalName: String?
  let type: NamedType
  let isOptional: Bool
  let storage: AttributeStorage
  let options: [Schema.Attribute.Option]
  let hashModifier: String?
  let defaultValue: Any?
  /// The elements of a structure or an enumeration.
  let elements: [CodedAttribute]?

  init(_ attribute: Schema.Attribute) {
    name = attribute.name
    originalName = attribute.formerName
    type = attribute.type
    isOptional = attribute.isOptional
    storage = attribute.storage ?? .unstored
    options = attribute.options
    hashModifier = attribute.hashModifier
    defaultValue = attribute.defaultValue
    elements = (attribute as? Schema.CompositeAttribute)?.properties.map(CodedAttribute.init)
  }

  var attribute: Schema.Attribute {
    elements == nil ? Schema.Attribute(self) : Schema.CompositeAttribute(self)
  }
}

extension CodedAttribute: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, originalName, type, isOptional, storage, options, hashModifier, defaultValue,
      elements
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    originalName = try container.decodeIfPresent(String.self, forKey: .originalName)
    type = try container.decode(NamedType.self, forKey: .type)
    isOptional = try container.decode(Bool.self, forKey: .isOptional)
    storage = try container.decode(AttributeStorage.self, forKey: .storage)
    options = try container.decode([Schema.Attribute.Option].self, forKey: .options)
    hashModifier = try container.decodeIfPresent(String.self, forKey: .hashModifier)
    elements = try container.decodeIfPresent([CodedAttribute].self, forKey: .elements)
    guard (elements != nil) == storage.isComposite else {
      throw DecodingError.dataCorruptedError(
        forKey: .elements,
        in: container,
        debugDescription:
          "the attribute \(name) has elements, but is not composite, or the other way round"
      )
    }
    guard type.isKnown, let decodable = type.type as? any Decodable.Type,
      container.contains(.defaultValue)
    else {
      defaultValue = nil
      return
    }
    defaultValue = try container.decode(decodable, forKey: .defaultValue)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(originalName, forKey: .originalName)
    try container.encode(type, forKey: .type)
    try container.encode(isOptional, forKey: .isOptional)
    try container.encode(storage, forKey: .storage)
    try container.encode(options, forKey: .options)
    try container.encodeIfPresent(hashModifier, forKey: .hashModifier)
    try container.encodeIfPresent(elements, forKey: .elements)
    // A transformer's values are not encoded: they enter no model.
    guard let value = defaultValue as? any Encodable else { return }
    try container.encode(value, forKey: .defaultValue)
  }
}

/// A relationship as a file has it.
struct CodedRelationship: Codable {
  let name: String
  let originalName: String?
  let type: NamedType
  let isOptional: Bool
  let isToOne: Bool
  let isExplicit: Bool
  let destination: String
  let inverseName: String?
  let deleteRule: Schema.Relationship.DeleteRule
  let minimumModelCount: Int?
  let maximumModelCount: Int?
  let hashModifier: String?
  let options: [Schema.Relationship.Option]

  init(_ relationship: Schema.Relationship) {
    name = relationship.name
    originalName = relationship.formerName
    type = relationship.type
    isOptional = relationship.isOptional
    isToOne = relationship.isToOneRelationship
    isExplicit = relationship.isExplicit
    destination = relationship.destination
    inverseName = relationship.inverseName
    deleteRule = relationship.deleteRule
    minimumModelCount = relationship.minimumModelCount
    maximumModelCount = relationship.maximumModelCount
    hashModifier = relationship.hashModifier
    options = relationship.options
  }
}
