import Foundation

/// Properties and fetch requests as archived objects.
extension ModelArchiver {
  /// A property, or a subentity's copy of it.
  mutating func archived(
    _ property: PropertySchema,
    of entity: EntitySchema,
    isOwn: Bool
  ) throws(ArchiveError) -> PropertyListValue {
    switch property {
    case .attribute(let attribute):
      return try archived(attribute, of: entity)
    case .relationship(let relationship):
      let own = RelationshipPlace(entity: entity.name, name: relationship.name)
      let place = isOwn ? relationships[own] : nil
      return archived(relationship, of: entity, at: place)
    case .fetched(let property):
      return try archived(property, of: entity)
    }
  }

  private mutating func archived(
    _ attribute: AttributeSchema,
    of entity: EntitySchema
  ) throws(ArchiveError) -> PropertyListValue {
    var traits = PropertyTraits()
    traits.isOptional = attribute.isOptional
    traits.isTransient = attribute.isTransient
    traits.isReadOnly = attribute.derivationExpression != nil
    traits.isIndexedBySpotlight = attribute.isIndexedBySpotlight
    traits.hasValidation = !attribute.validations.isEmpty
    traits.userInfo = attribute.userInfo
    traits.modifier = attribute.versionHashModifier
    traits.renaming = attribute.renamingIdentifier
    var fields = common(attribute.name, traits, of: entity)
    if attribute.type == .composite, !attribute.userInfo.isEmpty {
      fields["NSUserInfo"] = builder.userInfo(ofComposite: attribute.userInfo)
    }
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? AttributeFlag.external : 0)
      | (attribute.preservesValueInHistoryOnDeletion ? AttributeFlag.preserved : 0)
    fields["NSAttributeType"] = .integer(Int64(attribute.type.rawValue))
    fields["NSAttributeValueClassName"] = builder.text(
      attribute.type.valueClassName ?? attribute.customClassName
    )
    fields["NSDefaultValue"] =
      attribute.defaultValue.map { builder.archived($0) } ?? ArchiveBuilder.null
    fields["NSValueTransformerName"] = builder.text(attribute.valueTransformerName)
    fields["NSFlagsKey"] = .integer(Int64(flags))
    if attribute.allowsCloudEncryption { fields["NSAllowsCloudEncryption"] = .boolean(true) }
    if attribute.isStoredInTruthFile { fields["NSIsStoredInTruth"] = .boolean(true) }
    try addRules(of: attribute, in: entity, to: &fields)
    return builder.object(try addSpecial(attribute, of: entity, to: &fields), fields)
  }

  private mutating func addRules(
    of attribute: AttributeSchema,
    in entity: EntitySchema,
    to fields: inout [String: PropertyListValue]
  ) throws(ArchiveError) {
    guard !attribute.validations.isEmpty else { return }
    let place = "\(entity.name).\(attribute.name)"
    var predicates: [PropertyListValue] = []
    var warnings: [PropertyListValue] = []
    for rule in attribute.validations {
      predicates.append(try archivedPredicate(rule.predicateFormat, place))
      switch rule.warning {
      case .code(let code): warnings.append(builder.value(.integer(Int64(code))))
      case .message(let message): warnings.append(builder.text(message))
      }
    }
    fields["NSValidationPredicates"] = builder.array(predicates)
    fields["NSValidationWarnings"] = builder.array(warnings)
  }

  /// Adds what derived and composite attributes have besides; gives the class's name.
  private mutating func addSpecial(
    _ attribute: AttributeSchema,
    of entity: EntitySchema,
    to fields: inout [String: PropertyListValue]
  ) throws(ArchiveError) -> String {
    if let derivation = attribute.derivationExpression {
      let place = "\(entity.name).\(attribute.name)"
      fields["NSDerivationExpression"] = try archivedExpression(derivation, place)
      fields["NSFilteringPredicate"] = try archivedPredicate(
        attribute.derivationFilterFormat,
        place
      )
      return "NSDerivedAttributeDescription"
    }
    guard attribute.type == .composite else { return "NSAttributeDescription" }
    var elements: [PropertyListValue] = []
    for element in attribute.elements { elements.append(try archived(element, of: entity)) }
    let key = attribute.hasFormerComposites ? ArchiveKey.formerElements : ArchiveKey.elements
    fields[key] = builder.array(elements)
    return "NSCompositeAttributeDescription"
  }

  private mutating func archived(
    _ relationship: RelationshipSchema,
    of entity: EntitySchema,
    at place: PropertyListValue?
  ) -> PropertyListValue {
    var traits = PropertyTraits()
    traits.isOptional = relationship.isOptional
    traits.isTransient = relationship.isTransient
    traits.isIndexedBySpotlight = relationship.isIndexedBySpotlight
    traits.isOrdered = relationship.isOrdered
    traits.userInfo = relationship.userInfo
    traits.modifier = relationship.versionHashModifier
    traits.renaming = relationship.renamingIdentifier
    var fields = common(relationship.name, traits, of: entity)
    let destination = relationship.destinationName
    fields["NSDestinationEntity"] = entities[destination] ?? ArchiveBuilder.null
    fields["_NSDestinationEntityName"] = builder.text(destination)
    fields["NSInverseRelationship"] = inverse(of: relationship)
    fields["_NSInverseRelationshipName"] = builder.text(relationship.inverseName)
    fields["NSMinCount"] = .integer(Int64(relationship.minCount))
    fields["NSMaxCount"] = .integer(Int64(relationship.maxCount))
    fields["NSDeleteRule"] = .integer(Int64(relationship.deleteRule.rawValue))
    if relationship.isOrdered { fields["NSIsOrdered"] = .boolean(true) }
    if relationship.isStoredInTruthFile { fields["NSIsStoredInTruth"] = .boolean(true) }
    return builder.object("NSRelationshipDescription", fields, at: place)
  }

  /// The inverse's object, which a superentity of the destination may declare.
  private func inverse(of relationship: RelationshipSchema) -> PropertyListValue {
    guard let name = relationship.inverseName else { return ArchiveBuilder.null }
    let places = schema.entityChain(of: relationship.destinationName).lazy.map {
      RelationshipPlace(entity: $0.name, name: name)
    }
    return places.compactMap { relationships[$0] }.first ?? ArchiveBuilder.null
  }

  private mutating func archived(
    _ property: FetchedPropertySchema,
    of entity: EntitySchema
  ) throws(ArchiveError) -> PropertyListValue {
    var traits = PropertyTraits()
    traits.isOptional = property.isOptional
    traits.isTransient = true
    traits.isReadOnly = true
    traits.userInfo = property.userInfo
    traits.modifier = property.versionHashModifier
    traits.renaming = property.renamingIdentifier
    var fields = common(property.name, traits, of: entity)
    fields["NSFetchRequest"] = try archived(property.request)
    fields["_NSFetchRequestEntityName"] = builder.text(property.request.entityName)
    return builder.object("NSFetchedPropertyDescription", fields)
  }
}

// MARK: - Fetch requests

extension ModelArchiver {
  mutating func archived(_ request: FetchRequestSchema) throws(ArchiveError) -> PropertyListValue {
    var flags: FetchRequestFlags = .includesPendingChanges
    if request.includesSubentities { flags.insert(.includesSubentities) }
    if request.includesPropertyValues { flags.insert(.includesPropertyValues) }
    if request.returnsObjectsAsFaults { flags.insert(.returnsObjectsAsFaults) }
    if request.returnsDistinctResults { flags.insert(.returnsDistinctResults) }
    let paths = request.relationshipKeyPathsForPrefetching
    return builder.object(
      "NSFetchRequest",
      [
        "NSEntity": entities[request.entityName] ?? ArchiveBuilder.null,
        "NSPredicate": try archivedPredicate(
          request.predicateFormat,
          "the fetch request \(request.name)"
        ),
        "NSSortDescriptors": archived(request.sortDescriptors),
        "NSFetchLimit": .integer(Int64(request.fetchLimit)),
        "NSFetchOffset": .integer(Int64(request.fetchOffset)),
        "NSBatchSize": .integer(Int64(request.fetchBatchSize)),
        "NSResultType": .integer(Int64(request.resultType)),
        "NSValuesToFetch": ArchiveBuilder.null,
        "NSValuesToGroupBy": ArchiveBuilder.null,
        "NSHavingPredicate": ArchiveBuilder.null,
        "NSRelationshipKeyPathsForPrefetching": paths.isEmpty
          ? ArchiveBuilder.null : builder.texts(paths),
        "NSHasFetchRequestFlags": .boolean(true),
        "NSFetchRequestFlags": .integer(Int64(flags.rawValue)),
        "NSAllocationType": .integer(0),
      ]
    )
  }

  private mutating func archived(_ sorts: [FetchRequestSchema.Sort]) -> PropertyListValue {
    guard !sorts.isEmpty else { return ArchiveBuilder.null }
    return builder.array(
      sorts.map { sort in
        builder.object(
          "NSSortDescriptor",
          [
            "NSKey": builder.text(sort.key),
            "NSAscending": .boolean(sort.isAscending),
            "NSSelector": builder.text(sort.selector),
            "NSReverseNullOrder": .boolean(false),
          ]
        )
      }
    )
  }
}

// MARK: - Common fields

/// The traits that all properties have in common, except their name.
private struct PropertyTraits {
  var isOptional = false
  var isTransient = false
  var isReadOnly = false
  var isIndexedBySpotlight = false
  var isOrdered = false
  var hasValidation = false
  var userInfo: [String: String] = [:]
  var modifier: String?
  var renaming: String?

  /// The value of `_P`, a cache of the above that Apple's archives keep.
  var cache: Int64 {
    var bits: Int64 = 0xf1
    if isOptional { bits |= 0x2 }
    if isReadOnly { bits |= 0x4 }
    if isTransient { bits |= 0x8 }
    if isIndexedBySpotlight { bits |= 0x100 }
    if isOrdered { bits |= 0x400 }
    if hasValidation { bits &= ~0x30 }
    if !userInfo.isEmpty { bits &= ~0x40 }
    if modifier != nil { bits &= ~0x80 }
    return bits
  }
}

extension ModelArchiver {
  private mutating func common(
    _ name: String,
    _ traits: PropertyTraits,
    of entity: EntitySchema
  ) -> [String: PropertyListValue] {
    var fields: [String: PropertyListValue] = [
      "NSPropertyName": builder.text(name),
      "NSEntity": entities[entity.name] ?? ArchiveBuilder.null,
      "NSRenamingIdentifier": builder.text(traits.renaming ?? name),
      "_P": .integer(traits.cache),
    ]
    if traits.isOptional { fields["NSIsOptional"] = .boolean(true) }
    if traits.isTransient { fields["NSIsTransient"] = .boolean(true) }
    if traits.isReadOnly { fields["NSIsReadOnly"] = .boolean(true) }
    if traits.isIndexedBySpotlight { fields["NSIndexedBySpotlight"] = .boolean(true) }
    if let modifier = traits.modifier { fields["NSVersionHashModifier"] = builder.text(modifier) }
    if !traits.userInfo.isEmpty { fields["NSUserInfo"] = builder.userInfo(traits.userInfo) }
    return fields
  }
}

extension AttributeType {
  /// The class of an attribute's values; `nil` if the model names it.
  package var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binaryData: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}
