import CoreDataModel
import Foundation

/// Attribute values as the texts of an XML store.
///
/// ```
/// string    less than <    less than \u3c00     each byte pair of the UTF-16 unit, the lower first
/// date      seconds        336046917.00164198875427246094
/// bool      true           1
/// binary    bytes          YnBsaXN0MDA=
/// ```
enum XMLValueText {
  /// The word for an attribute's type.
  static func word(for type: AttributeType) -> String {
    switch type {
    case .integer16: "int16"
    case .integer32: "int32"
    case .integer64: "int64"
    case .decimal: "decimal"
    case .double: "double"
    case .float: "float"
    case .string: "string"
    case .boolean: "bool"
    case .date: "date"
    case .binaryData: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .transformable: "transformable"
    case .undefined, .objectID, .composite: "undefined"
    }
  }

  /// Whether a word in a file can stand for an attribute of the model; an unknown one is believed.
  static func word(_ word: String, fits type: AttributeType) -> Bool {
    if word == self.word(for: type) || !words.contains(word) { return true }
    return type == .transformable && word == "binary"
  }

  private static let words: Set<String> = [
    "int16", "int32", "int64", "decimal", "double", "float", "string", "bool", "date", "binary",
    "uuid", "uri", "transformable",
  ]
}

// MARK: - Writing

extension XMLValueText {
  /// The text of a value; nil for none.
  static func text(of value: SlotValue, as type: AttributeType) -> String? {
    switch value {
    case .null, .collection: nil
    case .integer(let integer): "\(integer)"
    case .real(let real): type == .date ? String(format: "%.20f", real) : "\(real)"
    case .text(let text): escaped(text)
    case .data(let data): data.base64EncodedString(options: base64)
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): escaped(url.absoluteString)
    case .object(let number as NSDecimalNumber): "\(number.decimalValue)"
    case .object: nil
    }
  }

  private static let base64: Data.Base64EncodingOptions = [
    .lineLength76Characters, .endLineWithLineFeed,
  ]

  static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var result = ""
    for unit in text.utf16 {
      if unit < 0x80, isPlain(UInt8(unit)) {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        result += String(format: "\\u%02x%02x", UInt32(unit & 0xFF), UInt32(unit >> 8))
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\\"): false
    case 0x0A, 0x09, 0x20..<0x7F: true
    case _: false
    }
  }
}

// MARK: - Reading

extension XMLValueText {
  /// The value of a text; nil where the text does not fit.
  static func value(of text: String, as type: AttributeType) -> SlotValue? {
    let number = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch type {
    case .integer16: return Int16(number).map { .integer(Int64($0)) }
    case .integer32: return Int32(number).map { .integer(Int64($0)) }
    case .integer64: return Int64(number).map { .integer($0) }
    case .boolean: return ["0": 0, "1": 1][number].map { .integer($0) }
    case .double, .date: return Double(number).map { .real($0) }
    case .float: return Double(number).map { .real(Double(Float($0))) }
    case .decimal:
      guard !number.isEmpty, number.allSatisfy({ "0123456789+-.eENa".contains($0) }) else {
        return nil
      }
      return Decimal(string: number).map { .object(NSDecimalNumber(decimal: $0)) }
    case .string: return .text(unescaped(text))
    case .uri: return URL(string: unescaped(text)).map { .url($0) }
    case .uuid: return UUID(uuidString: number).map { .uuid($0) }
    case .binaryData, .transformable:
      return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { .data($0) }
    case .undefined, .objectID, .composite: return nil
    }
  }

  static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    let bytes = Array(text.utf8)
    var units: [UInt16] = []
    var plain = 0
    var place = 0
    func flush(_ end: Int) {
      if plain < end { units += String(decoding: bytes[plain..<end], as: UTF8.self).utf16 }
    }
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "\\"), place + 6 <= bytes.count,
        bytes[place + 1] == UInt8(ascii: "u"), let unit = unit(bytes[(place + 2)..<(place + 6)])
      {
        flush(place)
        units.append(unit)
        place += 6
        plain = place
      } else {
        place += 1
      }
    }
    flush(bytes.count)
    return String(decoding: units, as: UTF16.self)
  }

  /// Four hexadecimal digits, the lower byte first.
  private static func unit(_ digits: ArraySlice<UInt8>) -> UInt16? {
    guard let number = UInt16(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
    else { return nil }
    return number.byteSwapped
  }
}
