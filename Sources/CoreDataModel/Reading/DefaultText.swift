import CoreDataPredicates
import Foundation

/// A default value as Xcode's compiler reads it from a model file's text.
///
/// A type may have been changed after the default was typed, and Xcode says nothing about the rest of it: its compiler
/// takes the number at the beginning of a text, and 0 if there is none.
///
/// ```
/// Integer 16  "7"      7             Boolean  "YES"    true
/// Integer 16  "NO"     0             Boolean  "0.0"    false
/// Integer 16  "many"   0, told       Boolean  "maybe"  false, told
/// Integer 16  "40000"  32767, told   UUID     "7"      no default, told
/// ```
struct DefaultText {
  let value: SchemaValue?
  /// The remark about a text that is not a value of the type, as in "0 is taken, as Xcode does".
  let remark: String?

  private init(_ value: SchemaValue?, _ remark: String? = nil) {
    self.value = value
    self.remark = remark
  }

  private static let omitted = Self(nil, "the attribute has no default now")

  init(_ text: String, as type: AttributeType) {
    switch type {
    case .integer16: self = Self.integer(text, in: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: self = Self.integer(text, in: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: self = Self.integer(text, in: Int64.min...Int64.max)
    case .double: self = Self.real(text) { $0 }
    case .float: self = Self.real(text) { Float($0).isFinite ? $0 : .nan }
    case .decimal:
      // Xcode leaves to chance what a text that is not a number becomes; here it is not a number either.
      let number = Double(text) == nil ? nil : Decimal(string: text, locale: nil)
      self = number.map { Self(.decimal($0)) } ?? .omitted
    case .boolean: self = Self.flag(text)
    case .uuid: self = UUID(uuidString: text).map { Self(.uuid($0)) } ?? .omitted
    case .uri: self = URL(string: text) == nil ? .omitted : Self(.uri(text))
    case .string: self.init(.text(text))
    case .undefined, .date, .binaryData, .transformable, .objectID, .composite: self.init(nil)
    }
  }
}

// MARK: - Numbers

extension DefaultText {
  private static func integer(_ text: String, in range: ClosedRange<Int64>) -> Self {
    let exact = Int64(text) ?? Double(text).flatMap(Int64.init(exactly:))
    if let exact, range.contains(exact) { return Self(.integer(exact)) }
    let number = Double(text).flatMap { $0.isNaN ? nil : $0 } ?? Double(beginning: text)
    let found = number.rounded(.towardZero)
    let nearest =
      if found >= Double(range.upperBound) {
        range.upperBound
      } else if found <= Double(range.lowerBound) {
        range.lowerBound
      } else {
        Int64(found)
      }
    if nearest == 0, words[text.uppercased()] == false { return Self(.integer(0)) }
    return Self(.integer(nearest), "\(nearest) is taken")
  }

  private static func real(_ text: String, _ fitting: (Double) -> Double) -> Self {
    if let number = Double(text), !number.isFinite || fitting(number).isFinite {
      return Self(.real(number))
    }
    if words[text.uppercased()] == false { return Self(.real(0)) }
    let number = fitting(Double(beginning: text))
    return number.isFinite ? Self(.real(number), "\(number) is taken") : .omitted
  }
}

// MARK: - Flags

extension DefaultText {
  private static let words = ["YES": true, "NO": false, "TRUE": true, "FALSE": false]

  private static func flag(_ text: String) -> Self {
    if let flag = words[text.uppercased()] { return Self(.boolean(flag)) }
    // A text is true by its first letter or digit, and zeros before that do not count.
    let rest = text.drop { $0.isWhitespace || "+-0".contains($0) }
    let flag = rest.first.map { "YyTt123456789".contains($0) } ?? false
    if let number = Double(text), (number != 0) == flag { return Self(.boolean(flag)) }
    return Self(.boolean(flag), "\(flag ? "YES" : "NO") is taken")
  }
}
