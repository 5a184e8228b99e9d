package import CoreDataModel
import Foundation

/// An attribute's default: nothing, a value out of a schema, or an object given in code.
///
/// The attribute's type may be set after its default, so an object is read as a value of a type
/// only when someone asks.
enum AttributeDefault {
  case none
  case value(SchemaValue)
  case object(Any)

  /// The default as people see it.
  func object(for type: CoreDataModel.AttributeType) -> Any? {
    switch self {
    case .none: nil
    case .value(let value): value.object(for: type)
    case .object(let object):
      // An unfit object is shown as it is; the setter has said what is wrong with it.
      (try? SchemaValue.of(object, as: type))?.object(for: type) ?? object
    }
  }

  /// The default as a schema holds it; `nil` if the type does not have such values.
  func schemaValue(
    for type: CoreDataModel.AttributeType
  ) throws(UnfitDefault) -> SchemaValue? {
    switch self {
    case .none: nil
    case .value(let value): value
    case .object(let object): try SchemaValue.of(object, as: type)
    }
  }
}

/// A default that is not a value of the attribute's type.
struct UnfitDefault: Error {
  /// The value, as people write it.
  let value: String
  /// The values that the type takes, as a clause.
  let expectation: String
}

// MARK: - Values and objects

extension SchemaValue {
  /// The value as an object that an attribute of the type has.
  ///
  /// Nil only for an archived object whose class this program does not know.
  package func object(for type: CoreDataModel.AttributeType) -> Any? {
    switch self {
    case .integer(let value) where type == .boolean: NSNumber(value: value != 0)
    case .integer(let value) where type == .decimal: NSDecimalNumber(value: value)
    case .real(let value) where type == .decimal:
      NSDecimalNumber(decimal: Decimal(spelling: value) ?? .nan)
    case .boolean(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .real(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .text(let value): value
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .data(let value): value
    case .uuid(let value): value
    case .uri(let text): URL(string: text).map { $0 as Any } ?? text
    case .archived(let data):
      WholeArchive(data).flatMap { archive in
        // The archive may contain any class; the model is part of the program and as trusted.
        (try? PlainArchiveReader.object(of: archive, allowing: [NSObject.self]))
          ?? (try? NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(data))
      }
    }
  }

  fileprivate static func of(
    _ object: Any,
    as type: CoreDataModel.AttributeType
  ) throws(UnfitDefault) -> SchemaValue? {
    let value: SchemaValue? =
      switch type {
      case .undefined, .transformable, .objectID, .composite: nil
      case .boolean: number(object).map { .boolean($0.boolValue) }
      case .integer16: wholeNumber(object, Int16.self)
      case .integer32: wholeNumber(object, Int32.self)
      case .integer64: wholeNumber(object, Int64.self)
      case .double, .float: number(object).map { .real($0.doubleValue) }
      case .decimal: exactDecimal(object)
      case .string: (object as? String).map { .text($0) }
      case .date: (object as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
      case .binaryData: (object as? Data).map { .data($0) }
      case .uuid: (object as? UUID).map { .uuid($0) }
      case .uri: (object as? URL).map { .uri($0.absoluteString) }
      }
    guard value != nil || type.hasNoSchemaValues else {
      throw UnfitDefault(value: shown(object), expectation: type.expectation)
    }
    return value
  }

  private static func number(_ object: Any) -> NSNumber? {
    if let decimal = object as? Decimal { return NSDecimalNumber(decimal: decimal) }
    return object as? NSNumber
  }

  /// `NSNumber.decimalValue` goes through Double and rounds large whole numbers.
  private static func exactDecimal(_ object: Any) -> SchemaValue? {
    guard let number = number(object) else { return nil }
    if let exact = number as? NSDecimalNumber { return .decimal(exact.decimalValue) }
    return .decimal(Int64(exactly: number).map { Decimal($0) } ?? number.decimalValue)
  }

  private static func wholeNumber<Width: FixedWidthInteger>(
    _ object: Any,
    _ width: Width.Type
  ) -> SchemaValue? {
    guard let number = number(object), let whole = Int64(exactly: number) else { return nil }
    return Width(exactly: whole) == nil ? nil : .integer(whole)
  }

  private static func shown(_ object: Any) -> String {
    object is String ? "\"\(object)\"" : "\(object) (\(Swift.type(of: object)))"
  }
}

extension CoreDataModel.AttributeType {
  fileprivate var hasNoSchemaValues: Bool {
    switch self {
    case .undefined, .transformable, .objectID, .composite: true
    case .integer16, .integer32, .integer64, .decimal, .double, .float: false
    case .string, .boolean, .date, .binaryData, .uuid, .uri: false
    }
  }

  /// The requirement for a value, as a clause.
  fileprivate var expectation: String {
    switch self {
    case .integer16: "\(word) takes a whole number from \(Int16.min) to \(Int16.max)"
    case .integer32: "\(word) takes a whole number from \(Int32.min) to \(Int32.max)"
    case .integer64: "\(word) takes a whole number from \(Int64.min) to \(Int64.max)"
    case .decimal: "\(word) takes a Decimal, an NSDecimalNumber or another number"
    case .double, .float: "\(word) takes a number"
    case .string: "\(word) takes a String"
    case .boolean: "\(word) takes a Bool or a number"
    case .date: "\(word) takes a Date"
    case .binaryData: "\(word) takes Data"
    case .uuid: "\(word) takes a UUID"
    case .uri: "\(word) takes a URL"
    case .undefined, .transformable, .objectID, .composite: "\(word) takes any object"
    }
  }
}
