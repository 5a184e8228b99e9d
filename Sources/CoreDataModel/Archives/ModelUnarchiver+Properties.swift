import CoreDataPredicates
import Foundation

/// Attributes, relationships, fetched properties and requests, out of their archived objects.
extension AttributeSchema {
  init(archived node: ArchivedNode) throws(ArchiveError) {
    var composites: Set<Int> = []
    self = try AttributeSchema(archived: node, within: &composites)
  }

  private init(
    archived node: ArchivedNode,
    within composites: inout Set<Int>
  ) throws(ArchiveError) {
    let name = node["NSPropertyName"].text ?? ""
    let number = node["NSAttributeType"].integer ?? 0
    guard let type = UInt(exactly: number).flatMap(AttributeType.init) else {
      throw ArchiveError("the attribute \"\(name)\" has the unknown type \(number)")
    }
    self.init(name: name, type: type)
    let flags = node["NSFlagsKey"].integer ?? 0
    isOptional = node["NSIsOptional"].isTrue
    isTransient = node["NSIsTransient"].isTrue
    defaultValue = SchemaValue(archived: node["NSDefaultValue"])?.converted(to: type)
    validations = try ValidationSchema.list(archived: node)
    if type == .transformable { customClassName = node["NSAttributeValueClassName"].text }
    valueTransformerName = node["NSValueTransformerName"].text
    allowsExternalBinaryDataStorage = flags & AttributeFlag.external != 0
    preservesValueInHistoryOnDeletion = flags & AttributeFlag.preserved != 0
    allowsCloudEncryption = node["NSAllowsCloudEncryption"].isTrue
    isIndexedBySpotlight = node["NSIndexedBySpotlight"].isTrue
    isStoredInTruthFile = node["NSIsStoredInTruth"].isTrue
    let derivation = node["NSDerivationExpression"]
    derivationExpression = derivation.isNull ? nil : try ExpressionTree(archived: derivation).format
    derivationFilterFormat = try node["NSFilteringPredicate"].predicateFormat
    let key = ArchiveKey.elements
    hasFormerComposites = node[key].isNull && !node[ArchiveKey.formerElements].isNull
    elements = try Self.elements(
      archived: node,
      under: hasFormerComposites ? ArchiveKey.formerElements : key,
      within: &composites
    )
    userInfo = node["NSUserInfo"].texts
    if type == .composite, userInfo[EnumerationKey.mark] != nil {
      let cases = node["NSUserInfo"].entries.first { $0.key == EnumerationKey.cases }?.value
      let names = cases?.elements.compactMap(\.text) ?? []
      if !names.isEmpty { userInfo[EnumerationKey.cases] = names.joined(separator: ",") }
    }
    versionHashModifier = node["NSVersionHashModifier"].text
    renamingIdentifier = node["NSRenamingIdentifier"].renaming(name)
  }

  /// The parts of a composite.
  private static func elements(
    archived node: ArchivedNode,
    under key: String,
    within composites: inout Set<Int>
  ) throws(ArchiveError) -> [AttributeSchema] {
    var elements: [AttributeSchema] = []
    for element in node[key].elements {
      guard let number = element.number, composites.insert(number).inserted,
        composites.count < 1000
      else {
        throw ArchiveError("the composite \"\(node["NSPropertyName"].text ?? "")\" contains itself")
      }
      elements.append(try AttributeSchema(archived: element, within: &composites))
    }
    return elements
  }
}

/// The keys of the user info in which SwiftData notes that a composite attribute is an enumeration.
enum EnumerationKey {
  static let mark = "EnumType"
  /// The names of the cases of an enumeration without raw values.
  static let cases = "enum"
}

/// The keys of the elements of composite attributes.
enum ArchiveKey {
  static let elements = "NSCompositeElements"
  /// The key in files that this package wrote before it had seen one of Apple's.
  static let formerElements = "NSElements"
}

/// The bits of `NSFlagsKey`.
enum AttributeFlag {
  static let external = 4
  static let preserved = 16
}

extension ValidationSchema {
  fileprivate static func list(
    archived node: ArchivedNode
  ) throws(ArchiveError) -> [ValidationSchema] {
    let warnings = node["NSValidationWarnings"].elements
    var rules: [ValidationSchema] = []
    for (index, predicate) in node["NSValidationPredicates"].elements.enumerated() {
      let format = try PredicateTree(archived: predicate).format
      rules.append(
        ValidationSchema(
          predicateFormat: format,
          warning: Warning(archived: index < warnings.count ? warnings[index] : nil)
        )
      )
    }
    return rules
  }
}

extension ValidationSchema.Warning {
  /// Without a warning of its own a rule fails with Core Data's general validation error.
  fileprivate init(archived node: ArchivedNode?) {
    self =
      if let message = node?.text { .message(message) } else { .code(node?.integer ?? 1550) }
  }
}

extension RelationshipSchema {
  init(archived node: ArchivedNode) throws(ArchiveError) {
    let name = node["NSPropertyName"].text ?? ""
    let rule = node["NSDeleteRule"].integer ?? 1
    guard let deleteRule = UInt(exactly: rule).flatMap(DeleteRule.init) else {
      throw ArchiveError("the relationship \"\(name)\" has the unknown delete rule \(rule)")
    }
    self.init(
      name: name,
      destinationName: node["_NSDestinationEntityName"].text
        ?? node["NSDestinationEntity"]["NSEntityName"].text ?? "",
      inverseName: node["_NSInverseRelationshipName"].text
        ?? node["NSInverseRelationship"]["NSPropertyName"].text
    )
    self.deleteRule = deleteRule
    isOptional = node["NSIsOptional"].isTrue
    isTransient = node["NSIsTransient"].isTrue
    isOrdered = node["NSIsOrdered"].isTrue
    minCount = node["NSMinCount"].integer ?? 0
    maxCount = node["NSMaxCount"].integer ?? 0
    isIndexedBySpotlight = node["NSIndexedBySpotlight"].isTrue
    isStoredInTruthFile = node["NSIsStoredInTruth"].isTrue
    userInfo = node["NSUserInfo"].texts
    versionHashModifier = node["NSVersionHashModifier"].text
    renamingIdentifier = node["NSRenamingIdentifier"].renaming(name)
  }
}

extension FetchedPropertySchema {
  init(archived node: ArchivedNode) throws(ArchiveError) {
    let name = node["NSPropertyName"].text ?? ""
    var request = try FetchRequestSchema(archived: node["NSFetchRequest"], name: name)
    if request.entityName.isEmpty {
      request.entityName = node["_NSFetchRequestEntityName"].text ?? ""
    }
    self.init(name: name, request: request)
    isOptional = node["NSIsOptional"].isTrue
    userInfo = node["NSUserInfo"].texts
    versionHashModifier = node["NSVersionHashModifier"].text
    renamingIdentifier = node["NSRenamingIdentifier"].renaming(name)
  }
}

extension FetchRequestSchema {
  init(archived node: ArchivedNode, name: String) throws(ArchiveError) {
    self.init(
      name: name,
      entityName: node["NSEntity"]["NSEntityName"].text ?? "",
      predicateFormat: try node["NSPredicate"].predicateFormat
    )
    sortDescriptors = node["NSSortDescriptors"].elements.compactMap { sort in
      guard let key = sort["NSKey"].text else { return nil }
      return Sort(
        key: key,
        isAscending: sort["NSAscending"].isTrue,
        selector: sort["NSSelector"].text ?? "compare:"
      )
    }
    fetchLimit = node["NSFetchLimit"].integer ?? 0
    fetchOffset = node["NSFetchOffset"].integer ?? 0
    fetchBatchSize = node["NSBatchSize"].integer ?? 0
    resultType = node["NSResultType"].integer ?? 0
    relationshipKeyPathsForPrefetching =
      node["NSRelationshipKeyPathsForPrefetching"].elements.compactMap(\.text)
    let flags = FetchRequestFlags(
      rawValue: node["NSFetchRequestFlags"].integer ?? FetchRequestFlags.usual.rawValue
    )
    includesSubentities = flags.contains(.includesSubentities)
    includesPropertyValues = flags.contains(.includesPropertyValues)
    returnsObjectsAsFaults = flags.contains(.returnsObjectsAsFaults)
    returnsDistinctResults = flags.contains(.returnsDistinctResults)
  }
}

/// The bits of `NSFetchRequestFlags`.
///
/// Every archive found has 30: the four settings that are on by default, in the order in which
/// Apple's API declares them. That each bit is the one below was not seen.
struct FetchRequestFlags: OptionSet {
  let rawValue: Int

  static let returnsDistinctResults = FetchRequestFlags(rawValue: 1)
  static let includesSubentities = FetchRequestFlags(rawValue: 2)
  static let includesPropertyValues = FetchRequestFlags(rawValue: 4)
  static let returnsObjectsAsFaults = FetchRequestFlags(rawValue: 8)
  static let includesPendingChanges = FetchRequestFlags(rawValue: 16)

  static let usual: FetchRequestFlags = [
    .includesSubentities, .includesPropertyValues, .returnsObjectsAsFaults,
    .includesPendingChanges,
  ]
}
