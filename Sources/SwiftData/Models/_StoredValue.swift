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

/// A property of one model, while the model keeps its row.
public struct _PropertyPlace {
  /// No reference is counted, as every read makes one of these.
  private let row: Unmanaged<ModelRow>
  private let slot: ManagedSlot

  init(_ row: ModelRow, _ slot: ManagedSlot) {
    self.row = .passUnretained(row)
    self.slot = slot
  }
}

extension _PropertyPlace {
  /// Keeps the model alive while the row has unsaved changes.
  @usableFromInline
  func keep(_ model: AnyObject) { row._withUnsafeGuaranteedRef { $0.keep(model) } }

  fileprivate var value: SlotValue { row._withUnsafeGuaranteedRef { $0.rowValue(slot) } }
  fileprivate var integer: Int64? { row._withUnsafeGuaranteedRef { $0.rowInteger(slot) } }
  fileprivate var real: Double? { row._withUnsafeGuaranteedRef { $0.rowReal(slot) } }
  fileprivate var text: String? { row._withUnsafeGuaranteedRef { $0.rowText(slot) } }

  fileprivate func set(_ value: SlotValue) {
    row._withUnsafeGuaranteedRef { $0.setRowValue(value, slot) }
  }
}

extension _StoredValue {
  public static func _read(_ place: _PropertyPlace) -> Self {
    if let value = _readOptional(place) { return value }
    return place.missing(Self.self)
  }

  public static func _erase(_ place: _PropertyPlace) { place.set(.null) }
}

extension _PropertyPlace {
  /// A value for a property without one.
  @inline(never)
  fileprivate func missing<Value>(_ type: Value.Type) -> Value {
    let row = row.takeUnretainedValue()
    if row.isRecording, let placeholder = Placeholder.value(of: type) { return placeholder }
    row.stopForMissing(slot.name, type)
  }
}

extension Optional: _StoredValue where Wrapped: _StoredValue {
  @inlinable
  public static func _read(_ place: _PropertyPlace) -> Wrapped? { Wrapped._readOptional(place) }

  @inlinable
  public static func _readOptional(_ place: _PropertyPlace) -> Wrapped?? {
    .some(Wrapped._readOptional(place))
  }

  @inlinable
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
    place.integer.map { Self(truncatingIfNeeded: $0) }
  }

  public static func _write(_ value: Self, _ place: _PropertyPlace) {
    place.set(.integer(Int64(truncatingIfNeeded: value)))
  }
}

extension Int: _StoredInteger {
  public static func _read(_ place: _PropertyPlace) -> Int {
    place.integer.map(Int.init) ?? place.missing(Int.self)
  }

  public static func _readOptional(_ place: _PropertyPlace) -> Int? {
    place.integer.map(Int.init)
  }

  public static func _write(_ value: Int, _ place: _PropertyPlace) {
    place.set(.integer(Int64(value)))
  }
}
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
  public static func _read(_ place: _PropertyPlace) -> Bool {
    _readOptional(place) ?? place.missing(Bool.self)
  }

  public static func _readOptional(_ place: _PropertyPlace) -> Bool? {
    place.integer.map { $0 != 0 }
  }

  public static func _write(_ value: Bool, _ place: _PropertyPlace) {
    place.set(.integer(value ? 1 : 0))
  }
}

// MARK: - Numbers with a fraction, and dates

extension Double: _StoredValue {
  public static func _read(_ place: _PropertyPlace) -> Double {
    _readOptional(place) ?? place.missing(Double.self)
  }

  public static func _readOptional(_ place: _PropertyPlace) -> Double? {
    place.real
  }

  public static func _write(_ value: Double, _ place: _PropertyPlace) {
    place.set(.real(value))
  }
}

extension Float: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Float? {
    place.real.map { Float($0) }
  }

  public static func _write(_ value: Float, _ place: _PropertyPlace) {
    place.set(.real(Double(value)))
  }
}

extension Date: _StoredValue {
  public static func _read(_ place: _PropertyPlace) -> Date {
    _readOptional(place) ?? place.missing(Date.self)
  }

  public static func _readOptional(_ place: _PropertyPlace) -> Date? {
    place.real.map { Date(timeIntervalSinceReferenceDate: $0) }
  }

  public static func _write(_ value: Date, _ place: _PropertyPlace) {
    place.set(.real(value.timeIntervalSinceReferenceDate))
  }
}

extension Decimal: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Decimal? {
    guard case .object(let object) = place.value else { return nil }
    return (object as? NSDecimalNumber)?.decimalValue
  }

  public static func _write(_ value: Decimal, _ place: _PropertyPlace) {
    place.set(.object(NSDecimalNumber(decimal: value)))
  }
}

// MARK: - Texts and bytes

extension String: _StoredValue {
  public static func _read(_ place: _PropertyPlace) -> String {
    _readOptional(place) ?? place.missing(String.self)
  }

  public static func _readOptional(_ place: _PropertyPlace) -> String? {
    place.text
  }

  public static func _write(_ value: String, _ place: _PropertyPlace) {
    place.set(.text(value))
  }
}

extension Data: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> Data? {
    guard case .data(let value) = place.value else { return nil }
    return value
  }

  public static func _write(_ value: Data, _ place: _PropertyPlace) {
    place.set(.data(value))
  }
}

extension UUID: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> UUID? {
    guard case .uuid(let value) = place.value else { return nil }
    return value
  }

  public static func _write(_ value: UUID, _ place: _PropertyPlace) {
    place.set(.uuid(value))
  }
}

extension URL: _StoredValue {
  public static func _readOptional(_ place: _PropertyPlace) -> URL? {
    guard case .url(let value) = place.value else { return nil }
    return value
  }

  public static func _write(_ value: URL, _ place: _PropertyPlace) {
    place.set(.url(value))
  }
}
