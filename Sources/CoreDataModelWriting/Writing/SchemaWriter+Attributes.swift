import CoreDataModel
import CoreDataPredicates
import Foundation

/// Attributes, with their defaults and their rules of validation.
extension SchemaWriter {
  func attribute(_ attribute: AttributeSchema) -> WrittenElement {
    var element = WrittenElement("attribute")
    element.set("name", attribute.name)
    element.set("optional", attribute.isOptional)
    element.set("transient", attribute.isTransient)
    element.set("attributeType", attribute.type == .undefined ? nil : attribute.type.word)
    if attribute.type == .composite {
      element.set("composite", compositeName(of: attribute))
    }
    for (name, value) in attribute.validations.compactMap({ $0.field(of: attribute.type) }) {
      element.set(name, value)
    }
    switch attribute.defaultValue {
    case .date(let seconds)?: element.set("defaultDateTimeInterval", seconds.shortest)
    case let value?: element.set("defaultValueString", value.textInModelFile)
    case nil: break
    }
    element.set(
      "usesScalarValueType",
      attribute.usesScalarValueType || attribute.isNumber
        ? (attribute.usesScalarValueType ? "YES" : "NO") : nil
    )
    element.set("allowsExternalBinaryDataStorage", attribute.allowsExternalBinaryDataStorage)
    element.set("valueTransformerName", attribute.valueTransformerName)
    element.set("customClassName", attribute.customClassName)
    element.set("preserveAfterDeletion", attribute.preservesValueInHistoryOnDeletion)
    element.set("allowsCloudEncryption", attribute.allowsCloudEncryption)
    element.set("spotlightIndexingEnabled", attribute.isIndexedBySpotlight)
    element.set("storedInTruthFile", attribute.isStoredInTruthFile)
    element.set("derived", attribute.derivationExpression != nil)
    element.set("derivationExpression", attribute.derivationExpression)
    element.set("versionHashModifier", attribute.versionHashModifier)
    element.set("elementID", attribute.renamingIdentifier)
    element.children = Self.userInfo(attribute.userInfo)
    return element
  }
}

extension AttributeSchema {
  /// Whether Xcode says that the attribute is not scalar.
  fileprivate var isNumber: Bool {
    switch type {
    case .integer16, .integer32, .integer64, .double, .float, .boolean, .date: !isTransient
    case .undefined, .decimal, .string, .binaryData, .uuid, .uri, .transformable, .objectID,
      .composite:
      false
    }
  }
}

// MARK: - Defaults

extension SchemaValue {
  /// The text of a default; `nil` if a model file cannot express it.
  fileprivate var textInModelFile: String? {
    switch self {
    case .boolean(let flag): flag ? "YES" : "NO"
    case .integer(let number): "\(number)"
    case .real(let number): number.shortest
    case .decimal(let number): "\(number)"
    case .text(let text): text
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): text
    case .date, .data, .archived: nil
    }
  }
}

extension Double {
  /// `3` instead of `3.0`, as Xcode writes numbers.
  fileprivate var shortest: String {
    Int64(exactly: self).map(String.init) ?? "\(self)"
  }
}

// MARK: - Validation

extension ValidationSchema {
  /// The field of an attribute that becomes this predicate; nil for rules that were made in code, and
  /// for texts that are not predicates.
  fileprivate func field(of type: AttributeType) -> (name: String, value: String)? {
    guard case .code(let code) = warning,
      case .comparison(let comparison)? = try? PredicateFormat.predicate(predicateFormat),
      case .constant(let constant) = comparison.right,
      let value = SchemaValue(constant)
    else { return nil }
    switch (code, value) {
    case (1610, .integer), (1610, .real), (1610, .decimal), (1660, .integer):
      return ("maxValueString", constant.numberText(in: predicateFormat))
    case (1620, .integer), (1620, .real), (1620, .decimal), (1670, .integer):
      return ("minValueString", constant.numberText(in: predicateFormat))
    case (1630, .date(let seconds)): return ("maxDateTimeInterval", seconds.shortest)
    case (1640, .date(let seconds)): return ("minDateTimeInterval", seconds.shortest)
    case (1680, .text(let pattern)): return ("regularExpressionString", pattern)
    case (_, _): return nil
    }
  }
}

extension Constant {
  /// The number as the format spells it, so that reading it gives the same format.
  fileprivate func numberText(in format: String) -> String {
    format.split(separator: " ").last.map(String.init) ?? "\(self)"
  }
}
