import CoreDataPredicates
import Foundation

/// Attributes, with their defaults and their rules of validation.
extension SchemaReader {
  mutating func attribute(
    from element: XMLElementTree,
    in entity: String,
    within composites: [String] = []
  ) -> AttributeSchema {
    let name = element.attributes["name"] ?? ""
    var fields = ElementFields(element, entity: entity, property: name)
    var attribute = AttributeSchema(name: name, type: .undefined)
    if composites.isEmpty { note(element.line, entity: entity, property: name) }
    if let type = type(from: element, in: entity) { attribute.type = type }
    attribute.isOptional = fields.flag("optional")
    attribute.isTransient = fields.flag("transient")
    attribute.usesScalarValueType = fields.flag("usesScalarValueType")
    attribute.customClassName = fields.text("customClassName")
    attribute.valueTransformerName = fields.text("valueTransformerName")
    attribute.allowsExternalBinaryDataStorage = fields.flag("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = fields.flag("preserveAfterDeletion")
    attribute.allowsCloudEncryption = fields.flag("allowsCloudEncryption")
    attribute.isIndexedBySpotlight = fields.flag("spotlightIndexingEnabled")
    attribute.isStoredInTruthFile = fields.flag("storedInTruthFile")
    _ = fields.flag("indexed")
    if fields.flag("derived") {
      attribute.derivationExpression = fields.text("derivationExpression")
      if attribute.derivationExpression == nil {
        fields.report("the attribute is derived, but from nothing; write a derivation expression")
      }
    }
    attribute.versionHashModifier = fields.text("versionHashModifier")
    attribute.renamingIdentifier = fields.renamingIdentifier(of: name)
    attribute.userInfo = userInfo(from: element.children(named: "userInfo").first)
    attribute.defaultValue = fields.defaultValue(of: attribute.type)
    attribute.validations = fields.validations(of: attribute.type)
    adopt(fields)
    if attribute.type == .composite {
      attribute.elements = elements(of: element, in: entity, within: composites)
    }
    return attribute
  }

  private mutating func type(from element: XMLElementTree, in entity: String) -> AttributeType? {
    guard let word = element.attributes["attributeType"] else { return .undefined }
    if let type = Self.types[word] { return type }
    reportUnreadable(
      element.line,
      """
      unknown attribute type "\(word)"; write one of: \
      \(AttributeType.allCases.map(\.word).joined(separator: ", "))
      """,
      entity: entity,
      property: element.attributes["name"] ?? ""
    )
    return nil
  }

  private static let types: [String: AttributeType] = {
    var types: [String: AttributeType] = [:]
    for type in AttributeType.allCases { types[type.word] = type }
    return types
  }()

  /// The attributes of the composite that an attribute names.
  private mutating func elements(
    of element: XMLElementTree,
    in entity: String,
    within composites: [String]
  ) -> [AttributeSchema] {
    let name = element.attributes["composite"] ?? ""
    let property = element.attributes["name"] ?? ""
    guard let composite = self.composites[name] else {
      reportUnreadable(
        element.line,
        "the composite \"\(name)\" does not exist; choose another or add it",
        entity: entity,
        property: property
      )
      return []
    }
    guard !composites.contains(name) else {
      reportUnreadable(
        element.line,
        """
        the composite contains itself: \((composites + [name]).joined(separator: " → ")); remove \
        one of the elements
        """,
        entity: entity,
        property: property
      )
      return []
    }
    return composite.children(named: "attribute").map {
      attribute(from: $0, in: entity, within: composites + [name])
    }
  }
}

// MARK: - Defaults

extension ElementFields {
  fileprivate mutating func defaultValue(of type: AttributeType) -> SchemaValue? {
    if type == .date { return dispensableNumber("defaultDateTimeInterval").map(SchemaValue.date) }
    // An empty text is a default of its own; no other type has an empty value.
    if type == .string, isEmpty("defaultValueString") { return .text("") }
    guard let text = text("defaultValueString") else { return nil }
    guard type.hasDefaultText else { return nil }
    let read = DefaultText(text, as: type)
    if let remark = read.remark {
      report(
        "the default value \"\(text)\" does not fit the type \(type.word), and \(remark); change one"
          + " of them",
        severity: .warning
      )
    }
    return read.value
  }
}

extension AttributeType {
  /// Whether an XML file can spell a default.
  ///
  /// Xcode leaves the text behind when the type is changed to one without a textual form, and its
  /// compiler passes over it.
  fileprivate var hasDefaultText: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .uuid,
      .uri:
      true
    case .undefined, .date, .binaryData, .transformable, .objectID, .composite: false
    }
  }
}

// MARK: - Validation

/// The codes by which Core Data tells what a value is not.
private enum ValidationCode {
  static let numberTooLarge = 1610
  static let numberTooSmall = 1620
  static let dateTooLate = 1630
  static let dateTooSoon = 1640
  static let stringTooLong = 1660
  static let stringTooShort = 1670
  static let stringPattern = 1680
}

extension ElementFields {
  /// The predicates that bounds and patterns of an attribute become.
  fileprivate mutating func validations(of type: AttributeType) -> [ValidationSchema] {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      [
        bound("minValueString", ">=", ValidationCode.numberTooSmall),
        bound("maxValueString", "<=", ValidationCode.numberTooLarge),
      ].compactMap(\.self)
    case .date:
      [
        moment("minDateTimeInterval", ">=", ValidationCode.dateTooSoon),
        moment("maxDateTimeInterval", "<=", ValidationCode.dateTooLate),
      ].compactMap(\.self)
    case .string:
      [
        length("minValueString", ">=", ValidationCode.stringTooShort),
        length("maxValueString", "<=", ValidationCode.stringTooLong),
        pattern(),
      ].compactMap(\.self)
    case .undefined, .boolean, .binaryData, .uuid, .uri, .transformable, .objectID, .composite:
      []
    }
  }

  private mutating func bound(
    _ name: String,
    _ symbol: String,
    _ code: Int
  ) -> ValidationSchema? {
    guard let number = dispensableNumber(name), let text = text(name) else { return nil }
    // A text that Swift reads as a number, such as +5, need not be a number to the format language.
    let literal = (try? PredicateFormat.expression(text)) == nil ? "\(Constant(number))" : text
    return ValidationSchema(predicateFormat: "SELF \(symbol) \(literal)", warning: .code(code))
  }

  private mutating func moment(
    _ name: String,
    _ symbol: String,
    _ code: Int
  ) -> ValidationSchema? {
    guard let seconds = dispensableNumber(name) else { return nil }
    let date = Constant(Date(timeIntervalSinceReferenceDate: seconds))
    return ValidationSchema(predicateFormat: "SELF \(symbol) \(date)", warning: .code(code))
  }

  private mutating func length(
    _ name: String,
    _ symbol: String,
    _ code: Int
  ) -> ValidationSchema? {
    guard let count = dispensableInteger(name) else { return nil }
    return ValidationSchema(predicateFormat: "length \(symbol) \(count)", warning: .code(code))
  }

  private func pattern() -> ValidationSchema? {
    guard let pattern = text("regularExpressionString") else { return nil }
    return ValidationSchema(
      predicateFormat: "SELF MATCHES \(Constant(pattern))",
      warning: .code(ValidationCode.stringPattern)
    )
  }
}
