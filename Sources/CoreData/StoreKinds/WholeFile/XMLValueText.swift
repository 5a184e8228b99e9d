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

  /// The type that a word in a file names; values of an unknown one are texts.
  static func type(of word: String) -> AttributeType {
    AttributeType.allCases.first { words.contains(word) && self.word(for: $0) == word } ?? .string
  }

  /// Whether a word in a file can name the type of an attribute of the model; an unknown one is believed.
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
  /// Appends the text of a value; returns false if the value does not have one.
  static func append(_ value: SlotValue, as type: AttributeType, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null, .collection: return false
    // A database may have any number where the model has a Boolean.
    case .integer(let integer):
      bytes.append(digitsOf: type == .boolean && integer != 0 ? 1 : integer)
    case .real(let real):
      if type == .date { append(seconds: real, to: &bytes) } else { bytes += "\(real)".utf8 }
    case .text(let text): append(text, to: &bytes)
    case .data(let data): bytes += data.base64EncodedData(options: base64)
    case .uuid(let uuid): bytes += uuid.uuidString.utf8
    case .url(let url): append(url.absoluteString, to: &bytes)
    case .object(let number as NSDecimalNumber): bytes += "\(number.decimalValue)".utf8
    case .object: return false
    }
    return true
  }

  private static let base64: Data.Base64EncodingOptions = [
    .lineLength76Characters, .endLineWithLineFeed,
  ]

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { utf8 in
      var place = 0
      while place < utf8.count {
        let start = place
        while place < utf8.count, isPlain(utf8[place]) { place += 1 }
        bytes += UnsafeBufferPointer(rebasing: utf8[start..<place])
        // A character of several bytes goes on until one that begins the next.
        let other = place
        while place < utf8.count, !isPlain(utf8[place]) { place += 1 }
        if other < place {
          let escaped = String(decoding: utf8[other..<place], as: UTF8.self)
          for unit in escaped.utf16 { append(escaped: unit, to: &bytes) }
        }
      }
    }
  }

  private static func append(escaped unit: UInt16, to bytes: inout [UInt8]) {
    bytes += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
    for shift in [4, 0, 12, 8] {
      let digit = UInt8(truncatingIfNeeded: (unit >> UInt16(shift)) & 0xF)
      bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\\"): false
    case 0x0A, 0x09, 0x20..<0x7F: true
    case _: false
    }
  }

  /// Twenty digits behind the point, of the number that the bits mean exactly, as `%.20f` has them.
  ///
  /// A number from 1 on has at most 52 bits behind the point, so that whole numbers are enough.
  static func append(seconds: Double, to bytes: inout [UInt8]) {
    let size = seconds.magnitude
    guard size >= 1, size < 0x1p53 else {
      bytes += String(format: "%.20f", seconds).utf8
      return
    }
    let whole = size.rounded(.towardZero)
    var (digits, rest) = tenDigits(of: UInt64((size - whole) * 0x1p52))
    var (further, last) = tenDigits(of: rest)
    // Half goes to the even digit.
    if last > 1 << 51 || last == 1 << 51 && further & 1 == 1 { further += 1 }
    if further == tenPlaces { (digits, further) = (digits + 1, 0) }
    if seconds < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(digitsOf: Int64(whole))
    bytes.append(UInt8(ascii: "."))
    bytes.append(tenDigits: digits)
    bytes.append(tenDigits: further)
  }

  fileprivate static let tenPlaces: UInt64 = 10_000_000_000

  /// The first ten decimal digits of a number of 52 bits behind the point, and what is left of it.
  private static func tenDigits(of fraction: UInt64) -> (digits: UInt64, rest: UInt64) {
    let (high, low) = fraction.multipliedFullWidth(by: tenPlaces)
    return ((high << 12) | (low >> 52), low & ((1 << 52) - 1))
  }
}

extension [UInt8] {
  mutating func append(digitsOf number: Int64) {
    if (0..<10).contains(number) { return append(UInt8(ascii: "0") + UInt8(number)) }
    self += String(number).utf8
  }

  fileprivate mutating func append(tenDigits number: UInt64) {
    var rest = number
    let start = count
    for _ in 0..<10 {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    self[start...].reverse()
  }
}

// MARK: - Reading

extension XMLValueText {
  /// The value of a text; `nil` if the text does not fit.
  static func value(of text: String, as type: AttributeType) -> SlotValue? {
    let number = text.trimmingCharacters(in: .whitespacesAndNewlines)
    switch type {
    case .integer16: return Int16(number).map { .integer(Int64($0)) }
    case .integer32: return Int32(number).map { .integer(Int64($0)) }
    case .integer64: return Int64(number).map { .integer($0) }
    case .boolean: return Int64(number).map { .integer($0 == 0 ? 0 : 1) }
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
