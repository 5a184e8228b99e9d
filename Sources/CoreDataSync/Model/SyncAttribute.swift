import CoreData
import CoreDataSyncCore

/// An attribute and its values as cells keep them.
struct SyncAttribute {
  let name: String
  let property: PropertyID
  let description: NSAttributeDescription

  /// Nil for an attribute whose values cannot go to other devices: identities of objects.
  init?(_ attribute: NSAttributeDescription) throws {
    guard attribute.attributeType.goesToOthers else { return nil }
    name = attribute.name
    property = attribute.property
    description = attribute
  }

  /// The value that a new object has.
  var defaultValue: CellValue {
    get throws { try cellValue(of: description.defaultValue) }
  }
}

extension NSAttributeType {
  fileprivate var goesToOthers: Bool {
    switch self {
    case .undefinedAttributeType, .objectIDAttributeType: false
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .decimalAttributeType, .doubleAttributeType, .floatAttributeType, .stringAttributeType,
      .booleanAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType,
      .URIAttributeType, .transformableAttributeType, .compositeAttributeType:
      true
    }
  }
}

// MARK: - From the store

extension SyncAttribute {
  func cellValue(of value: Any?) throws -> CellValue {
    guard let value, !(value is NSNull) else { return .null }
    return try Self.cellValue(of: value, description) ?? .null
  }

  static func cellValue(
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
      return archived(value, attribute).map { .bytes(Array($0)) }
    case .compositeAttributeType:
      return try whole(of: value, attribute)
    case .undefinedAttributeType, .objectIDAttributeType:
      return nil
    }
  }

  private static func archived(_ value: Any, _ attribute: NSAttributeDescription) -> Data? {
    let transformer = transformer(of: attribute)
    let data =
      readsArchives(transformer)
      ? transformer?.reverseTransformedValue(value) : transformer?.transformedValue(value)
    return data as? Data
  }

  /// The transformer that a store uses: the default one where the model names none, or one that nobody has registered.
  private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
    let standard = NSValueTransformerName("NSSecureUnarchiveFromData")
    let name = attribute.valueTransformerName.map { NSValueTransformerName($0) }
    return ValueTransformer(forName: name ?? standard) ?? ValueTransformer(forName: standard)
  }

  /// Transformers that read archives work from data to object; all others from object to data.
  private static func readsArchives(_ transformer: ValueTransformer?) -> Bool {
    transformer is NSSecureUnarchiveFromDataTransformer
  }

  private static func whole(
    of value: Any,
    _ attribute: NSAttributeDescription
  ) throws -> CellValue? {
    guard let composite = attribute as? NSCompositeAttributeDescription,
      let values = value as? [String: Any]
    else { return nil }
    var parts: [PropertyID: CellValue] = [:]
    for element in composite.elements {
      guard let value = values[element.name], !(value is NSNull) else { continue }
      parts[element.property] = try cellValue(of: value, element)
    }
    return CellValue(whole: parts)
  }
}

// MARK: - To the store

extension SyncAttribute {
  /// The value to set, which may be none.
  ///
  /// Nil where a cell has a value of another kind.
  func storeValue(of value: CellValue) -> Any?? {
    if value == .null { return .some(nil) }
    guard let object = Self.object(of: value, description) else { return .none }
    return .some(.some(object))
  }

  /// The reason why a value from another device is held back, and the advice.
  func sentence(on value: CellValue, of entity: String) -> String {
    """
    Another device has sent \(value.kind), which \(entity).\(name) has no room for in this program's model. Bring all \
    devices to the same version of the program; until then the property stays as it is here.
    """
  }

  /// The attribute's object for a value; `nil` if the value is of another kind, as another device may have sent it.
  private static func object(of value: CellValue, _ attribute: NSAttributeDescription) -> Any? {
    let type = attribute.attributeType
    return switch value {
    case .null, .reference, .place, .entity: nil
    case .boolean(let flag): type == .booleanAttributeType ? NSNumber(value: flag) : nil
    case .integer(let number): integer(number, type)
    case .real(let number) where type == .floatAttributeType: NSNumber(value: Float(number))
    case .real(let number): type == .doubleAttributeType ? NSNumber(value: number) : nil
    case .decimal(let text): type == .decimalAttributeType ? NSDecimalNumber(string: text) : nil
    case .text(let text): type == .stringAttributeType ? text : nil
    case .date(let seconds):
      type == .dateAttributeType ? Date(timeIntervalSinceReferenceDate: seconds) : nil
    case .bytes(let bytes) where type == .transformableAttributeType:
      unarchived(Data(bytes), attribute)
    case .bytes(let bytes): type == .binaryDataAttributeType ? Data(bytes) : nil
    case .uuid(let id): type == .UUIDAttributeType ? id.uuid : nil
    case .address(let text): type == .URIAttributeType ? URL(string: text) : nil
    case .parts(let parts): dictionary(of: parts, attribute)
    }
  }

  private static func unarchived(_ data: Data, _ attribute: NSAttributeDescription) -> Any? {
    let transformer = transformer(of: attribute)
    return readsArchives(transformer)
      ? transformer?.transformedValue(data) : transformer?.reverseTransformedValue(data)
  }

  /// An integer that an attribute of a type has room for.
  private static func integer(_ number: Int64, _ type: NSAttributeType) -> NSNumber? {
    if type == .integer16AttributeType { return Int16(exactly: number).map { NSNumber(value: $0) } }
    if type == .integer32AttributeType { return Int32(exactly: number).map { NSNumber(value: $0) } }
    return type == .integer64AttributeType ? NSNumber(value: number) : nil
  }

  private static func dictionary(
    of parts: [CellValue.Part],
    _ attribute: NSAttributeDescription
  ) -> [String: Any]? {
    guard let composite = attribute as? NSCompositeAttributeDescription else { return nil }
    var values: [String: Any] = [:]
    for part in parts {
      let element = composite.elements.first { $0.property == part.property }
      guard let element, part.value != .null else { continue }
      guard let object = object(of: part.value, element) else { return nil }
      values[element.name] = object
    }
    return values
  }
}

extension CellValue {
  /// The name for people of a value of this kind.
  fileprivate var kind: String {
    switch self {
    case .null: "no value"
    case .boolean: "a yes or no"
    case .integer(let number): "the number \(number)"
    case .real, .decimal: "a number"
    case .text, .address: "a text"
    case .bytes: "bytes"
    case .date: "a date"
    case .uuid: "a UUID"
    case .parts: "a value of several parts"
    case .reference, .place, .entity: "something that is no attribute's value"
    }
  }
}
