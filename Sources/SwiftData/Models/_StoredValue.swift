// swift-format-ignore-file: NoLeadingUnderscores
// Code that the macros make uses these names; others should not.

import CoreData
public import Foundation

/// A type whose values have a column of their own, or an optional of one.
///
/// The conforming types are those of the standard library and of Foundation that stores know; other types are encoded.
public protocol _StoredValue {
  /// Reads a property.
  static func _read(_ place: _PropertyPlace) -> Self
  /// Reads a property that may be `nil`.
  static func _readOptional(_ place: _PropertyPlace) -> Self?
  /// Sets a property.
  static func _write(_ value: Self, _ place: _PropertyPlace)
  /// Sets a property to `nil`.
  static func _erase(_ place: _PropertyPlace)
}

/// A property of one model.
public struct _PropertyPlace {
  let row: ModelRow
  let slot: ManagedSlot

  init(_ row: ModelRow, _ slot: ManagedSlot) {
    self.row = row
    self.slot = slot
  }
}

extension _StoredValue {
  public static func _read(_ place: _PropertyPlace) -> Self {
    if let value = _readOptional(place) { return value }
    return place.missing(Self.self)
  }

  public static func _erase(_ place: _PropertyPlace) { place.row.setRowValue(.null, place.slot) }
}

extension _PropertyPlace {
  /// A value for a property without one.
  @inline(never)
  fileprivate func missing<Value>(_ type: Value.Type) -> Value {
    if row.isRecording, let placeholder = Placeholder.value(of: type) { return placeholder }
    row.stopForMissing(slot.name, type)
  }
}

extension Optional: _StoredValue where Wrapped: _StoredValue {
  public static func _read(_ place: _PropertyPlace) -> Wrapped? { Wrapped._readOptional(place) }

  public static func _readOptional(_ place: _PropertyPlace) -> Wrapped?? {
    .some(Wrapped._readOptional(place))
  }

  public static func _write(_ value: Wrapped?, _ place: _PropertyPlace) {
    guard let value else {
      Wrapped._erase(place)
      return
    }
    Wrapped._write(value, place)
  }
}

// MARK: - Integers

/// An integer of any width, which a row has with 64 bits.
public protocol _StoredInteger: _StoredValue, FixedWidthInteger {}

extension _StoredInteger {
  public static func _readOptional(_ place: _PropertyPlace) -> Self? {
    guard case .integer(let value) = place.row.rowValue(place.slot) else { return nil }
    return Self(truncatingIfNeeded: value)
  }

  public static func _write(_ value: Self, _ place: _PropertyPlace) {
    place.row.setRowValue(.integer(Int64(truncatingIfNeeded: value)), place.slot)
  }
}

extension Int: _StoredInteger {}
extension Int64: _StoredInteger {}
extension Int32: _StoredInteger {}
extension Int16: _StoredInteger {}
extension Int8: _StoredInteger {}
extension UInt: _StoredInteger {}
extension UInt64: _StoredInteger {}
extension UInt32: _StoredInteger {}
extension UInt16: _StoredInteger {}
extension UInt8: _StoredInteger {}

extension Bool: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Bool? {
    guard case .integer(let value) = place.row.rowValue(place.slot) else { return nil }
    return value != 0
  }

  public static func _write(_ value: Bool, _ place: _PropertyPlace) {
    place.row.setRowValue(.integer(value ? 1 : 0), place.slot)
  }
}

// MARK: - Numbers with a fraction, and dates

extension Double: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Double? {
    guard case .real(let value) = place.row.rowValue(place.slot) else { return nil }
    return value
  }

  public static func _write(_ value: Double, _ place: _PropertyPlace) {
    place.row.setRowValue(.real(value), place.slot)
  }
}

extension Float: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Float? {
    guard case .real(let value) = place.row.rowValue(place.slot) else { return nil }
    return Float(value)
  }

  public static func _write(_ value: Float, _ place: _PropertyPlace) {
    place.row.setRowValue(.real(Double(value)), place.slot)
  }
}

extension Date: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Date? {
    guard case .real(let value) = place.row.rowValue(place.slot) else { return nil }
    return Date(timeIntervalSinceReferenceDate: value)
  }

  public static func _write(_ value: Date, _ place: _PropertyPlace) {
    place.row.setRowValue(.real(value.timeIntervalSinceReferenceDate), place.slot)
  }
}

extension Decimal: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Decimal? {
    guard case .object(let object) = place.row.rowValue(place.slot) else { return nil }
    return (object as? NSDecimalNumber)?.decimalValue
  }

  public static func _write(_ value: Decimal, _ place: _PropertyPlace) {
    place.row.setRowValue(.object(NSDecimalNumber(decimal: value)), place.slot)
  }
}

// MARK: - Texts and bytes

extension String: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> String? {
    guard case .text(let value) = place.row.rowValue(place.slot) else { return nil }
    return value
  }

  public static func _write(_ value: String, _ place: _PropertyPlace) {
    place.row.setRowValue(.text(value), place.slot)
  }
}

extension Data: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Data? {
    guard case .data(let value) = place.row.rowValue(place.slot) else { return nil }
    return value
  }

  public static func _write(_ value: Data, _ place: _PropertyPlace) {
    place.row.setRowValue(.data(value), place.slot)
  }
}

extension UUID: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> UUID? {
    guard case .uuid(let value) = place.row.rowValue(place.slot) else { return nil }
    return value
  }

  public static func _write(_ value: UUID, _ place: _PropertyPlace) {
    place.row.setRowValue(.uuid(value), place.slot)
  }
}

extension URL: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> URL? {
    guard case .url(let value) = place.row.rowValue(place.slot) else { return nil }
    return value
  }

  public static func _write(_ value: URL, _ place: _PropertyPlace) {
    place.row.setRowValue(.url(value), place.slot)
  }
}
