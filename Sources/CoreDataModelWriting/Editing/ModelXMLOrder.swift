/// The order in which Xcode writes attributes and elements.
enum ModelXMLOrder {
  struct Names {
    let names: [String]

    func place(of name: String) -> Int { names.firstIndex(of: name) ?? names.count }
  }

  static let attributes = Names(names: [
    "name", "representedClassName", "isAbstract", "parentEntity", "optional", "transient",
    "attributeType", "composite", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
    "destinationEntity", "inverseName", "inverseEntity", "entity", "predicateString", "fetchLimit",
    "maxValueString", "minValueString", "maxDateTimeInterval", "minDateTimeInterval",
    "regularExpressionString", "defaultDateTimeInterval", "defaultValueString",
    "usesScalarValueType", "allowsExternalBinaryDataStorage", "valueTransformerName",
    "customClassName", "preserveAfterDeletion", "allowsCloudEncryption",
    "spotlightIndexingEnabled", "storedInTruthFile", "derived", "derivationExpression",
    "versionHashModifier", "elementID", "property", "expression", "partialIndexPredicate", "type",
    "order", "value", "key", "syncable", "codeGenerationType",
  ])

  private static let elements = Names(names: [
    "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
    "uniquenessConstraints", "userInfo", "entity", "fetchRequest", "composite", "configuration",
    "elements",
  ])

  /// The place of a new element among its siblings: by its kind, then by its name.
  static func place(
    of element: String,
    _ name: String,
    among siblings: [ModelXMLElement]
  ) -> Int {
    let kind = elements.place(of: element)
    let isNamed = ["attribute", "relationship", "fetchedProperty", "entity", "fetchIndex"]
      .contains(element)
    return siblings.firstIndex { sibling in
      let other = elements.place(of: sibling.name)
      return other > kind || isNamed && sibling.name == element && (sibling["name"] ?? "") > name
    } ?? siblings.count
  }
}
