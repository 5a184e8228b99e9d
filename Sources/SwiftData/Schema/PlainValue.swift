import CoreData
import Foundation

/// A type whose values have a column of their own.
protocol PlainValue: Sendable {
  static var attributeType: NSAttributeType { get }
  /// The value as Core Data takes it.
  var boxed: Any { get }
  /// The value of what Core Data gives; `nil` if it is of another type.
  init?(boxed: Any)
}

extension PlainValue {
  var boxed: Any { self }

  init?(boxed: Any) {
    guard let value = boxed as? Self else { return nil }
    self = value
  }
}

extension PlainValue where Self: FixedWidthInteger {
  var boxed: Any { NSNumber(value: Int64(truncatingIfNeeded: self)) }

  init?(boxed: Any) {
    guard let number = boxed as? NSNumber else { return nil }
    self.init(truncatingIfNeeded: number.int64Value)
  }
}

extension Int: PlainValue {
  static var attributeType: NSAttributeType { .integer64AttributeType }
}
extension Int64: PlainValue {
  static var attributeType: NSAttributeType { .integer64AttributeType }
}
extension Int32: PlainValue {
  static var attributeType: NSAttributeType { .integer32AttributeType }
}
extension Int16: PlainValue {
  static var attributeType: NSAttributeType { .integer16AttributeType }
}
extension Int8: PlainValue {
  static var attributeType: NSAttributeType { .integer16AttributeType }
}
extension UInt8: PlainValue {
  static var attributeType: NSAttributeType { .integer16AttributeType }
}
extension UInt16: PlainValue {
  static var attributeType: NSAttributeType { .integer32AttributeType }
}
extension UInt32: PlainValue {
  static var attributeType: NSAttributeType { .integer64AttributeType }
}
extension UInt64: PlainValue {
  static var attributeType: NSAttributeType { .integer64AttributeType }
}
extension UInt: PlainValue {
  static var attributeType: NSAttributeType { .integer64AttributeType }
}

extension Bool: PlainValue {
  static var attributeType: NSAttributeType { .booleanAttributeType }
  var boxed: Any { NSNumber(value: self) }
  init?(boxed: Any) {
    guard let number = boxed as? NSNumber else { return nil }
    self = number.int64Value != 0
  }
}

extension Double: PlainValue {
  static var attributeType: NSAttributeType { .doubleAttributeType }
  var boxed: Any { NSNumber(value: self) }
  init?(boxed: Any) {
    guard let number = boxed as? NSNumber else { return nil }
    self = number.doubleValue
  }
}

extension Float: PlainValue {
  static var attributeType: NSAttributeType { .floatAttributeType }
  var boxed: Any { NSNumber(value: self) }
  init?(boxed: Any) {
    guard let number = boxed as? NSNumber else { return nil }
    self = number.floatValue
  }
}

extension Decimal: PlainValue {
  static var attributeType: NSAttributeType { .decimalAttributeType }
  var boxed: Any { NSDecimalNumber(decimal: self) }
  init?(boxed: Any) {
    switch boxed {
    case let decimal as NSDecimalNumber: self = decimal.decimalValue
    case let number as NSNumber: self = number.decimalValue
    case let decimal as Decimal: self = decimal
    case _: return nil
    }
  }
}

extension String: PlainValue {
  static var attributeType: NSAttributeType { .stringAttributeType }
}
extension Date: PlainValue {
  static var attributeType: NSAttributeType { .dateAttributeType }
}
extension Data: PlainValue {
  static var attributeType: NSAttributeType { .binaryDataAttributeType }
}
extension UUID: PlainValue {
  static var attributeType: NSAttributeType { .UUIDAttributeType }
}
extension URL: PlainValue {
  static var attributeType: NSAttributeType { .URIAttributeType }
}

/// The types whose values have a column of their own, by name.
enum PlainTypes {
  private static let all: [any PlainValue.Type] = [
    Int.self, Int64.self, Int32.self, Int16.self, Int8.self, UInt.self, UInt64.self, UInt32.self,
    UInt16.self, UInt8.self, Bool.self, Double.self, Float.self, Decimal.self, String.self,
    Date.self, Data.self, UUID.self, URL.self,
  ]

  static let byName = Dictionary(uniqueKeysWithValues: all.map { ("\($0)", $0) })
}
