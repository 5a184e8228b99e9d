package import CoreDataModel

/// The types of attributes; names and raw values are Apple's.
public enum NSAttributeType: UInt, Sendable, CaseIterable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUIDAttributeType = 1100
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100
}

extension NSAttributeDescription {
  /// The types of attributes, under short names: `attribute.type = .string`.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public var rawValue: NSAttributeType

    public init(rawValue: NSAttributeType) {
      self.rawValue = rawValue
    }

    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    public static let float = AttributeType(rawValue: .floatAttributeType)
    public static let string = AttributeType(rawValue: .stringAttributeType)
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    public static let date = AttributeType(rawValue: .dateAttributeType)
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }
}

// MARK: - Schema

extension NSAttributeType {
  package init(_ type: CoreDataModel.AttributeType) {
    switch type {
    case .undefined: self = .undefinedAttributeType
    case .integer16: self = .integer16AttributeType
    case .integer32: self = .integer32AttributeType
    case .integer64: self = .integer64AttributeType
    case .decimal: self = .decimalAttributeType
    case .double: self = .doubleAttributeType
    case .float: self = .floatAttributeType
    case .string: self = .stringAttributeType
    case .boolean: self = .booleanAttributeType
    case .date: self = .dateAttributeType
    case .binaryData: self = .binaryDataAttributeType
    case .uuid: self = .UUIDAttributeType
    case .uri: self = .URIAttributeType
    case .transformable: self = .transformableAttributeType
    case .objectID: self = .objectIDAttributeType
    case .composite: self = .compositeAttributeType
    }
  }

  package var schemaType: CoreDataModel.AttributeType {
    switch self {
    case .undefinedAttributeType: .undefined
    case .integer16AttributeType: .integer16
    case .integer32AttributeType: .integer32
    case .integer64AttributeType: .integer64
    case .decimalAttributeType: .decimal
    case .doubleAttributeType: .double
    case .floatAttributeType: .float
    case .stringAttributeType: .string
    case .booleanAttributeType: .boolean
    case .dateAttributeType: .date
    case .binaryDataAttributeType: .binaryData
    case .UUIDAttributeType: .uuid
    case .URIAttributeType: .uri
    case .transformableAttributeType: .transformable
    case .objectIDAttributeType: .objectID
    case .compositeAttributeType: .composite
    }
  }
}
