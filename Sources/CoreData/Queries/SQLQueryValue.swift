public import Foundation

/// A type whose values can be interpolated into an ``SQLQuery``.
///
/// Values are bound as the store keeps attributes, so that they can be compared with columns: a `Date` as seconds
/// since 1 January 2001, a `UUID` as bytes, a `URL` as text, a `Decimal` as a number of about fifteen digits.
/// An enumeration with such a raw value needs no more than the conformance:
///
/// ```swift
/// enum Priority: Int, SQLQueryValue {
///   case low, high
/// }
/// ```
public protocol SQLQueryValue {
  /// The value as a statement binds it.
  var sqlValue: SQLQuery.Value { get }
}

extension SQLQueryValue where Self: FixedWidthInteger {
  /// The number.
  public var sqlValue: SQLQuery.Value { .integer(Int64(self)) }
}

extension SQLQueryValue where Self: RawRepresentable, RawValue: SQLQueryValue {
  /// The raw value.
  public var sqlValue: SQLQuery.Value { rawValue.sqlValue }
}

// Not UInt and UInt64: SQLite cannot store the greater half of their values.
extension Int: SQLQueryValue {}
extension Int8: SQLQueryValue {}
extension Int16: SQLQueryValue {}
extension Int32: SQLQueryValue {}
extension Int64: SQLQueryValue {}
extension UInt8: SQLQueryValue {}
extension UInt16: SQLQueryValue {}
extension UInt32: SQLQueryValue {}

extension Bool: SQLQueryValue {
  /// 1 or 0.
  public var sqlValue: SQLQuery.Value { .integer(self ? 1 : 0) }
}

extension Double: SQLQueryValue {
  /// The number, or `NULL` if the value is not a number.
  public var sqlValue: SQLQuery.Value { isNaN ? .null : .real(self) }
}

extension Float: SQLQueryValue {
  /// The number, or `NULL` if the value is not a number.
  public var sqlValue: SQLQuery.Value { Double(self).sqlValue }
}

extension Decimal: SQLQueryValue {
  /// The number as it is stored for a decimal attribute, or `NULL` if the value is not a number.
  public var sqlValue: SQLQuery.Value {
    if isNaN { return .null }
    return Int64(description).map(SQLQuery.Value.integer)
      ?? Double(description).map(SQLQuery.Value.real) ?? .null
  }
}

extension String: SQLQueryValue {
  /// The text.
  public var sqlValue: SQLQuery.Value { .text(self) }
}

extension Substring: SQLQueryValue {
  /// The text.
  public var sqlValue: SQLQuery.Value { .text(String(self)) }
}

extension Date: SQLQueryValue {
  /// The seconds since 1 January 2001.
  public var sqlValue: SQLQuery.Value { .real(timeIntervalSinceReferenceDate) }
}

extension Data: SQLQueryValue {
  /// The bytes.
  public var sqlValue: SQLQuery.Value { .data(self) }
}

extension UUID: SQLQueryValue {
  /// The sixteen bytes.
  public var sqlValue: SQLQuery.Value { .data(withUnsafeBytes(of: uuid) { Data($0) }) }
}

extension URL: SQLQueryValue {
  /// The text of the URL.
  public var sqlValue: SQLQuery.Value { .text(absoluteString) }
}

extension NSManagedObjectID: SQLQueryValue {
  /// The key of the object, which must be in the store that is asked.
  public var sqlValue: SQLQuery.Value { .object(self) }
}
