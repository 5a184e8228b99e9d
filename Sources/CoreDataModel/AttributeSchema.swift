package import Foundation

/// An attribute as the model declares it.
package struct AttributeSchema: Hashable, Sendable {
  package var name: String
  package var type: AttributeType
  package var isOptional = true
  package var isTransient = false
  package var defaultValue: SchemaValue?
  package var validations: [ValidationSchema] = []
  /// Whether generated classes use a number type instead of `NSNumber`.
  package var usesScalarValueType = false
  /// The class of a transformable attribute's values.
  package var customClassName: String?
  package var valueTransformerName: String?
  package var allowsExternalBinaryDataStorage = false
  package var preservesValueInHistoryOnDeletion = false
  package var allowsCloudEncryption = false
  package var isIndexedBySpotlight = false
  package var isStoredInTruthFile = false
  /// The expression a derived attribute is computed by, as the model file spells it.
  package var derivationExpression: String?
  /// Which related objects a derivation takes into account.
  package var derivationFilterFormat: String?
  /// The elements of a composite attribute.
  ///
  /// The order is that of the declaration, which decides the order and the names of columns.
  package var elements: [AttributeSchema] = []
  /// Whether a composite attribute is from a file that this package wrote before it knew Apple's rules.
  ///
  /// Its hash and its columns follow the former rules, so that such a file can be read with its own model, and migrated.
  package var hasFormerComposites = false
  package var userInfo: [String: String] = [:]
  package var versionHashModifier: String?
  package var renamingIdentifier: String?

  package init(name: String, type: AttributeType) {
    self.name = name
    self.type = type
  }
}

/// The types of attributes; raw values are those of `NSAttributeType`.
package enum AttributeType: UInt, Hashable, Sendable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binaryData = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100

  /// The word that Xcode's model files use.
  package var word: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binaryData: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }
}

/// A value that can be in a model file, as an attribute's default.
package enum SchemaValue: Hashable, Sendable {
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Decimal)
  case text(String)
  /// Seconds since 1 January 2001, UTC.
  case date(Double)
  case data(Data)
  case uuid(UUID)
  /// The absolute string of a URL.
  case uri(String)
  /// Any other object, as a keyed archive whose root it is: a transformable's default.
  case archived(Data)
}

/// A predicate over one value, and the error if it fails.
package struct ValidationSchema: Hashable, Sendable {
  /// The predicate's format, with the value as `SELF`: `length <= 3`, `SELF >= 1`.
  package var predicateFormat: String
  package var warning: Warning

  package init(predicateFormat: String, warning: Warning) {
    self.predicateFormat = predicateFormat
    self.warning = warning
  }

  package enum Warning: Hashable, Sendable {
    /// One of Core Data's validation codes, such as 1620 for a number that is too small.
    case code(Int)
    case message(String)
  }
}
