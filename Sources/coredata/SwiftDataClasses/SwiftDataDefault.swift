import CoreDataModel
import Foundation

/// The initial value of an attribute, as Swift spells it.
struct SwiftDataDefault {
  private let attribute: AttributeSchema
  private let types: SwiftDataTypes
  /// Whether SwiftData evaluated the value once when the schema was made.
  private let isFrozen: Bool

  init(_ attribute: AttributeSchema, isFrozen: Bool, _ types: SwiftDataTypes) {
    self.attribute = attribute
    self.types = types
    self.isFrozen = isFrozen
  }

  /// The expression; `nil` if the model does not contain a default value.
  var text: String? {
    guard let value = attribute.defaultValue else { return nil }
    switch value {
    case .boolean(let flag): return attribute.type == .boolean ? "\(flag)" : flag ? "1" : "0"
    case .integer(let number): return integer(number)
    case .real(let number): return real(number)
    case .decimal(let number): return decimal(number)
    case .text(let text): return Self.literal(text)
    case .date(let seconds):
      let date = types.foundation("Date")
      return isFrozen ? "\(date)()" : "\(date)(timeIntervalSinceReferenceDate: \(seconds))"
    case .data(let data):
      let type = types.foundation("Data")
      return "\(type)(base64Encoded: \(Self.literal(data.base64EncodedString()))) ?? \(type)()"
    case .uuid(let id):
      let type = types.foundation("UUID")
      return isFrozen ? "\(type)()" : "\(type)(uuidString: \"\(id.uuidString)\") ?? \(type)()"
    case .uri(let text):
      let type = types.foundation("URL")
      return "\(type)(string: \(Self.literal(text))) ?? \(type)(filePath: \"/\")"
    case .archived: return nil
    }
  }

  private func integer(_ number: Int64) -> String {
    switch attribute.type {
    case .boolean: number != 0 ? "true" : "false"
    case .double, .float: "\(number).0"
    case .decimal: decimal(Decimal(number))
    case .date: date(Double(number))
    case _: number == .min && attribute.type == .integer64 ? "Int.min" : "\(number)"
    }
  }

  private func real(_ number: Double) -> String {
    switch attribute.type {
    case .decimal: return decimal(Decimal(number))
    case .date: return date(number)
    case .integer16, .integer32, .integer64:
      return Int64(exactly: number.rounded(.towardZero)).map { "\($0)" } ?? "0"
    case .float: return number.isFinite ? "\(Float(number))" : special(number)
    case _: return number.isFinite ? "\(number)" : special(number)
    }
  }

  private func special(_ number: Double) -> String {
    let type = types.spelling(of: attribute)
    if number.isNaN { return "\(type).nan" }
    return number < 0 ? "-\(type).infinity" : "\(type).infinity"
  }

  private func date(_ seconds: Double) -> String {
    let type = types.foundation("Date")
    return isFrozen ? "\(type)()" : "\(type)(timeIntervalSinceReferenceDate: \(seconds))"
  }

  private func decimal(_ number: Decimal) -> String {
    let type = types.foundation("Decimal")
    let text = "\(number)"
    return Int32(text) != nil ? "\(type)(\(text))" : "\(type)(string: \"\(text)\") ?? \(type)()"
  }

  /// A text between quotation marks, with escapes for what cannot be in one line.
  static func literal(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _
      where scalar.properties.generalCategory == .control
        || scalar.properties.generalCategory == .format
        || scalar.properties.generalCategory == .lineSeparator
        || scalar.properties.generalCategory == .paragraphSeparator:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
