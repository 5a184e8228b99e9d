package import CoreDataModel
import Foundation

/// A value in an object's slot, in the form in which objects use it.
///
/// A snapshot has the same values packed; this is what a property holds after it was set, or after
/// it was read when unpacking it again would cost more than keeping it.
package enum SlotValue {
  case null
  /// Integers of every width, and Booleans as 0 and 1.
  case integer(Int64)
  /// Floating-point numbers, and dates as seconds since 1 January 2001.
  case real(Double)
  case text(String)
  case data(Data)
  case uuid(UUID)
  case url(URL)
  /// A decimal number, a transformable's object, the object of a to-one relationship.
  case object(AnyObject)
  /// The objects of a to-many relationship.
  case collection(ToMany)

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension SlotValue {
  /// A default of the model.
  package init(_ value: SchemaValue) {
    switch value {
    case .boolean(let value): self = .integer(value ? 1 : 0)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .decimal(let value): self = .object(NSDecimalNumber(decimal: value))
    case .text(let value): self = .text(value)
    case .date(let seconds): self = .real(seconds)
    case .data(let value): self = .data(value)
    case .uuid(let value): self = .uuid(value)
    case .uri(let text): self = URL(string: text).map(SlotValue.url) ?? .null
    case .archived: self = .null
    }
  }
}

extension SlotValue {
  /// Returns whether two values of one slot have the same bytes in a row, or `nil` if only their objects can be
  /// compared.
  func isSameInFile(as other: SlotValue) -> Bool? {
    switch (self, other) {
    case (.null, .null): true
    case (.null, _), (_, .null): false
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one.bitPattern == other.bitPattern
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.data(let one), .data(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.url(let one), .url(let other)):
      one.absoluteString.utf8.elementsEqual(other.absoluteString.utf8)
    case (.object(let one), .object(let other)) where one === other: true
    case _: nil
    }
  }
}

extension SlotValue {
  /// The value inside any number of optionals; nil also for `NSNull`.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if value is NSNull { return nil }
    let mirror = value as? any OptionalValue
    return mirror.map { unwrapped($0.wrappedValue) } ?? value
  }
}

/// Lets an optional inside an `Any` be recognised.
private protocol OptionalValue {
  var wrappedValue: Any? { get }
}

extension Optional: OptionalValue {
  fileprivate var wrappedValue: Any? { map { $0 } }
}
