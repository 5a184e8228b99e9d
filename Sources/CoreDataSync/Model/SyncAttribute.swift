import CoreData
import CoreDataSyncCore

/// An attribute and its values as cells keep them.
struct SyncAttribute {
  let name: String
  let property: PropertyID
  private let description: NSAttributeDescription

  /// Nil for an attribute whose values cannot go to other devices: identities of objects.
  init?(_ attribute: NSAttributeDescription) throws {
    switch attribute.attributeType {
    case .objectIDAttributeType, .undefinedAttributeType: return nil
    default: break
    }
    name = attribute.name
    property = PropertyID(name: attribute.stableName)
    description = attribute
  }

  /// The value that a new object has.
  var defaultValue: CellValue {
    get throws { try cellValue(of: description.defaultValue) }
  }
}

// MARK: - From the store

extension SyncAttribute {
  func cellValue(of value: Any?) throws -> CellValue {
    guard let value, !(value is NSNull) else { return .null }
    return try Self.cellValue(of: value, description) ?? .null
  }

  private static func cellValue(
    of value: Any,
    _ attribute: NSAttributeDescription
  ) throws -> CellValue? {
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return (value as? NSNumber).map { .integer($0.int64Value) }
    case .booleanAttributeType:
      return (value as? NSNumber).map { .boolean($0.boolValue) }
    case .doubleAttributeType, .floatAttributeType:
      return (value as? NSNumber).map { .real($0.doubleValue) }
    case .decimalAttributeType:
      return (value as? NSDecimalNumber).map { .decimal($0.description(withLocale: nil)) }
    case .stringAttributeType:
      return (value as? String).map { .text($0) }
    case .dateAttributeType:
      return (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .binaryDataAttributeType:
      return (value as? Data).map { .bytes(Array($0)) }
    case .UUIDAttributeType:
      return (value as? UUID).map { .uuid(SyncID($0)) }
    case .URIAttributeType:
      return (value as? URL).map { .address($0.absoluteString) }
    case .transformableAttributeType:
      return try archived(value, attribute).map { .bytes(Array($0)) }
    case .compositeAttributeType:
      return try parts(of: value, attribute)
    default:
      return nil
    }
  }

  private static func archived(_ value: Any, _ attribute: NSAttributeDescription) throws -> Data? {
    if let transformer = transformer(of: attribute) {
      return transformer.transformedValue(value) as? Data
    }
    return try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
  }

  private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
    let name = attribute.valueTransformerName ?? "NSSecureUnarchiveFromData"
    return ValueTransformer(forName: NSValueTransformerName(name))
  }

  private static func parts(
    of value: Any,
    _ attribute: NSAttributeDescription
  ) throws -> CellValue? {
    guard let composite = attribute as? NSCompositeAttributeDescription,
      let values = value as? [String: Any]
    else { return nil }
    var parts: [CellValue.Part] = []
    for element in composite.elements.sorted(by: { $0.name < $1.name }) {
      guard let value = values[element.name], !(value is NSNull),
        let part = try cellValue(of: value, element)
      else { continue }
      parts.append(.init(PropertyID(name: element.stableName), part))
    }
    return .parts(parts)
  }
}

// MARK: - To the store

extension SyncAttribute {
  /// The value to set, which may be none.
  ///
  /// Nil where a cell has a value of another kind.
  func storeValue(of value: CellValue) -> Any?? {
    Self.storeValue(of: value, description)
  }

  private static func storeValue(
    of value: CellValue,
    _ attribute: NSAttributeDescription
  ) -> Any?? {
    if value == .null { return .some(nil) }
    switch (attribute.attributeType, value) {
    case (.integer16AttributeType, .integer(let number)):
      return Int16(exactly: number).map { NSNumber(value: $0) }
    case (.integer32AttributeType, .integer(let number)):
      return Int32(exactly: number).map { NSNumber(value: $0) }
    case (.integer64AttributeType, .integer(let number)): return NSNumber(value: number)
    case (.booleanAttributeType, .boolean(let flag)): return NSNumber(value: flag)
    case (.doubleAttributeType, .real(let number)): return NSNumber(value: number)
    case (.floatAttributeType, .real(let number)): return NSNumber(value: Float(number))
    case (.decimalAttributeType, .decimal(let text)): return NSDecimalNumber(string: text)
    case (.stringAttributeType, .text(let text)): return text
    case (.dateAttributeType, .date(let seconds)):
      return Date(timeIntervalSinceReferenceDate: seconds)
    case (.binaryDataAttributeType, .bytes(let bytes)): return Data(bytes)
    case (.UUIDAttributeType, .uuid(let id)): return id.uuid
    case (.URIAttributeType, .address(let text)): return URL(string: text).map { $0 as Any }
    case (.transformableAttributeType, .bytes(let bytes)):
      return transformer(of: attribute)?.reverseTransformedValue(Data(bytes)).map { $0 as Any }
    case (.compositeAttributeType, .parts(let parts)): return dictionary(of: parts, attribute)
    default: return nil
    }
  }

  private static func dictionary(
    of parts: [CellValue.Part],
    _ attribute: NSAttributeDescription
  ) -> Any?? {
    guard let composite = attribute as? NSCompositeAttributeDescription else { return nil }
    var values: [String: Any] = [:]
    for part in parts {
      guard
        let element = composite.elements.first(where: {
          PropertyID(name: $0.stableName) == part.property
        }), case .some(let value?) = storeValue(of: part.value, element)
      else { continue }
      values[element.name] = value
    }
    return values
  }
}
