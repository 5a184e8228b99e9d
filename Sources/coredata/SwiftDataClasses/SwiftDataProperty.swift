import CoreDataModel
import CoreDataModelCompiler

/// A stored property of a class of SwiftData.
struct SwiftDataProperty {
  /// The name, with backticks where Swift needs them.
  let name: String
  /// The name in the model.
  let modelName: String
  let type: String
  /// The macro with its arguments; empty without any.
  let macro: String
  let initialValue: String?
  /// Whether the initializer takes its value.
  let isParameter: Bool
  /// The type that the class declares for it.
  var composite: SwiftDataComposite?

  /// The lines of the declaration.
  var lines: [String] {
    let value = initialValue.map { " = \($0)" } ?? ""
    let declaration = "var \(name): \(type)\(value)"
    if macro.isEmpty { return [declaration] }
    let line = "\(macro) \(declaration)"
    return line.count <= 96 ? [line] : [macro, declaration]
  }
}

// MARK: - Attributes

extension SwiftDataProperty {
  init(
    _ attribute: AttributeSchema,
    isUnique: Bool,
    isFrozen: Bool,
    composite: SwiftDataComposite?,
    _ types: SwiftDataTypes
  ) {
    self.composite = composite
    name = SwiftName(attribute.name).spelling
    modelName = attribute.name
    let optional = attribute.isOptional ? "?" : ""
    type = (composite?.name ?? types.spelling(of: attribute)) + optional
    initialValue = SwiftDataDefault(attribute, isFrozen: isFrozen, types).text
    isParameter = !attribute.isOptional
    var arguments = Self.options(of: attribute, isUnique: isUnique)
    arguments += Self.labels(attribute.renamingIdentifier, attribute.name)
    arguments += Self.modifier(attribute.versionHashModifier)
    let list = arguments.joined(separator: ", ")
    macro = list.isEmpty ? "" : "\(types.macro("Attribute"))(\(list))"
  }

  private static func options(of attribute: AttributeSchema, isUnique: Bool) -> [String] {
    var options: [String] = []
    if isUnique { options.append(".unique") }
    if attribute.allowsExternalBinaryDataStorage { options.append(".externalStorage") }
    if attribute.isTransient { options.append(".ephemeral") }
    if attribute.preservesValueInHistoryOnDeletion { options.append(".preserveValueOnDeletion") }
    if attribute.allowsCloudEncryption { options.append(".allowsCloudEncryption") }
    if attribute.isIndexedBySpotlight { options.append(".spotlight") }
    if attribute.type == .transformable, !TransformableType(attribute).isJSON {
      let transformer = attribute.valueTransformerName ?? ""
      let name = transformer.isEmpty ? "NSSecureUnarchiveFromData" : transformer
      options.append(".transformable(by: \(SwiftDataDefault.literal(name)))")
    }
    return options
  }

  private static func labels(_ former: String?, _ name: String) -> [String] {
    guard let former, !former.isEmpty, former != name else { return [] }
    return ["originalName: \(SwiftDataDefault.literal(former))"]
  }

  private static func modifier(_ modifier: String?) -> [String] {
    guard let modifier, !modifier.isEmpty else { return [] }
    return ["hashModifier: \(SwiftDataDefault.literal(modifier))"]
  }
}

// MARK: - Relationships

extension SwiftDataProperty {
  init(
    _ relationship: RelationshipSchema,
    of entity: EntitySchema,
    isUnique: Bool,
    in schema: ModelSchema,
    _ types: SwiftDataTypes
  ) {
    name = SwiftName(relationship.name).spelling
    modelName = relationship.name
    let target = SwiftName(relationship.destinationName).spelling
    let optional = relationship.isOptional ? "?" : ""
    type = (relationship.isToMany ? "[\(target)]" : target) + optional
    initialValue = relationship.isToMany && !relationship.isOptional ? "[]" : nil
    isParameter = !relationship.isToMany && !relationship.isOptional
    let end = RelationshipEnd(relationship, of: entity.name, in: schema)
    var arguments: [String] = []
    if isUnique { arguments.append(".unique") }
    if relationship.deleteRule != .nullify {
      arguments.append("deleteRule: .\(Self.word(relationship.deleteRule))")
    }
    if relationship.minCount != 0 {
      arguments.append("minimumModelCount: \(relationship.minCount)")
    }
    if relationship.isToMany, relationship.maxCount != 0 {
      arguments.append("maximumModelCount: \(relationship.maxCount)")
    }
    arguments += Self.labels(relationship.renamingIdentifier, relationship.name)
    if let inverse = end.namedInverse { arguments.append("inverse: \(inverse)") }
    arguments += Self.modifier(relationship.versionHashModifier)
    let list = arguments.joined(separator: ", ")
    let macro = types.macro("Relationship")
    self.macro = list.isEmpty ? (end.hasToBeMarked ? macro : "") : "\(macro)(\(list))"
  }

  private static func word(_ rule: RelationshipSchema.DeleteRule) -> String {
    switch rule {
    case .noAction: "noAction"
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    }
  }
}

/// One end of a relationship, as seen by the end that names the other.
private struct RelationshipEnd {
  private let relationship: RelationshipSchema
  private let entity: String
  private let schema: ModelSchema

  init(_ relationship: RelationshipSchema, of entity: String, in schema: ModelSchema) {
    self.relationship = relationship
    self.entity = entity
    self.schema = schema
  }

  /// The key path of the inverse, if this is the end that names it: the compiler accepts it on one end only.
  var namedInverse: String? {
    guard let name = relationship.inverseName,
      let owner = schema.entityChain(of: relationship.destinationName).first(where: {
        $0.relationships.contains { $0.name == name }
      }), let back = owner.relationships.first(where: { $0.name == name })
    else { return nil }
    let own = weight(relationship, entity)
    let other = weight(back, owner.name)
    guard (own.number, other.text) > (other.number, own.text) else { return nil }
    return "\\\(SwiftName(owner.name).spelling).\(SwiftName(name).spelling)"
  }

  /// Whether SwiftData would otherwise take another relationship for the inverse.
  var hasToBeMarked: Bool {
    guard relationship.inverseName == nil, relationship.destinationName != entity else {
      return false
    }
    let target = schema.entity(named: relationship.destinationName)
    return target?.relationships.contains { $0.destinationName == entity } == true
  }

  /// An end with a delete rule names the other, then one to many, then the first by name.
  private func weight(
    _ relationship: RelationshipSchema,
    _ entity: String
  ) -> (number: Int, text: String) {
    let number =
      (relationship.deleteRule != .nullify ? 2 : 0) + (relationship.isToMany ? 1 : 0)
    return (number, "\(entity).\(relationship.name)")
  }
}
