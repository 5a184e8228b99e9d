package import CoreDataModel

/// The types of attributes, with the names and raw values of Apple's framework.
public enum NSAttributeType: UInt, Sendable, CaseIterable {
  /// No type; the attribute takes any value and must be transient.
  case undefinedAttributeType = 0
  /// A 16-bit signed integer, from −32,768 to 32,767.
  ///
  /// The type of the property is `Int16` or `NSNumber`, that of the SQLite column `INTEGER`.
  case integer16AttributeType = 100
  /// A 32-bit signed integer, from −2,147,483,648 to 2,147,483,647.
  ///
  /// The type of the property is `Int32` or `NSNumber`, that of the SQLite column `INTEGER`.
  case integer32AttributeType = 200
  /// A 64-bit signed integer.
  ///
  /// The type of the property is `Int64` or `NSNumber`, that of the SQLite column `INTEGER`.
  case integer64AttributeType = 300
  /// A decimal number with up to 38 digits.
  ///
  /// The type of the property is `NSDecimalNumber`, that of the SQLite column `DECIMAL`.
  case decimalAttributeType = 400
  /// A double-precision floating-point number.
  ///
  /// The type of the property is `Double` or `NSNumber`, that of the SQLite column `FLOAT`.
  case doubleAttributeType = 500
  /// A single-precision floating-point number.
  ///
  /// The type of the property is `Float` or `NSNumber`, that of the SQLite column `FLOAT`.
  case floatAttributeType = 600
  /// A string.
  ///
  /// The type of the property is `String`, that of the SQLite column `VARCHAR`.
  case stringAttributeType = 700
  /// A Boolean value.
  ///
  /// The type of the property is `Bool` or `NSNumber`, that of the SQLite column `INTEGER`, with 0
  /// for `false` and 1 for `true`.
  case booleanAttributeType = 800
  /// A date.
  ///
  /// The type of the property is `Date`, or `TimeInterval` for a scalar. The type of the SQLite
  /// column is `TIMESTAMP`, in seconds since 1 January 2001, 00:00 UTC.
  case dateAttributeType = 900
  /// Binary data.
  ///
  /// The type of the property is `Data`, that of the SQLite column `BLOB`. Large data can be kept
  /// in separate files; see ``NSAttributeDescription/allowsExternalBinaryDataStorage``.
  case binaryDataAttributeType = 1000
  /// A UUID.
  ///
  /// The type of the property is `UUID`, that of the SQLite column `BLOB`, with 16 bytes.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UUIDAttributeType = 1100
  /// A URL.
  ///
  /// The type of the property is `URL`, that of the SQLite column `VARCHAR`.
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case URIAttributeType = 1200
  /// An object that a value transformer converts to data.
  ///
  /// The type of the SQLite column is `BLOB`. See ``NSAttributeDescription/valueTransformerName``.
  case transformableAttributeType = 1800
  /// The identity of an object, in the results of fetch requests only.
  case objectIDAttributeType = 2000
  /// A value that consists of several elements; see ``NSCompositeAttributeDescription``.
  case compositeAttributeType = 2100
}

extension NSAttributeDescription {
  /// The types of attributes under short names, as in `attribute.type = .string`.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    public var rawValue: NSAttributeType

    public init(rawValue: NSAttributeType) {
      self.rawValue = rawValue
    }

    /// No type; the attribute takes any value and must be transient.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// A 16-bit signed integer, from −32,768 to 32,767.
    ///
    /// The type of the property is `Int16` or `NSNumber`, that of the SQLite column `INTEGER`.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// A 32-bit signed integer, from −2,147,483,648 to 2,147,483,647.
    ///
    /// The type of the property is `Int32` or `NSNumber`, that of the SQLite column `INTEGER`.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// A 64-bit signed integer.
    ///
    /// The type of the property is `Int64` or `NSNumber`, that of the SQLite column `INTEGER`.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// A decimal number with up to 38 digits.
    ///
    /// The type of the property is `NSDecimalNumber`, that of the SQLite column `DECIMAL`.
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// A double-precision floating-point number.
    ///
    /// The type of the property is `Double` or `NSNumber`, that of the SQLite column `FLOAT`.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// A single-precision floating-point number.
    ///
    /// The type of the property is `Float` or `NSNumber`, that of the SQLite column `FLOAT`.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// A string.
    ///
    /// The type of the property is `String`, that of the SQLite column `VARCHAR`.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// A Boolean value.
    ///
    /// The type of the property is `Bool` or `NSNumber`, that of the SQLite column `INTEGER`, with
    /// 0 for `false` and 1 for `true`.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// A date.
    ///
    /// The type of the property is `Date`, or `TimeInterval` for a scalar. The type of the SQLite
    /// column is `TIMESTAMP`, in seconds since 1 January 2001, 00:00 UTC.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// Binary data.
    ///
    /// The type of the property is `Data`, that of the SQLite column `BLOB`. Large data can be kept
    /// in separate files; see ``NSAttributeDescription/allowsExternalBinaryDataStorage``.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// A UUID.
    ///
    /// The type of the property is `UUID`, that of the SQLite column `BLOB`, with 16 bytes.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// A URL.
    ///
    /// The type of the property is `URL`, that of the SQLite column `VARCHAR`.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// An object that a value transformer converts to data.
    ///
    /// The type of the SQLite column is `BLOB`. See
    /// ``NSAttributeDescription/valueTransformerName``.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// The identity of an object, in the results of fetch requests only.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// A value that consists of several elements; see ``NSCompositeAttributeDescription``.
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
