import Foundation

/// A value of JSON whose objects keep their order and whose numbers keep their digits.
///
/// ```swift
/// let note: JSONValue = ["title": "Shopping", "price": .number("12.50")]
/// ```
package enum JSONValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// The digits as they are printed.
  case number(String)
  case text(String)
  case array([JSONValue])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(name: String, value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  package static func integer(_ value: Int) -> JSONValue { .number(String(value)) }

  /// JSON cannot express infinity; it becomes a text.
  package static func real(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .text("\(value)") }
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return .number("\(whole)") }
    return .number("\(value)")
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

// MARK: - Text

extension JSONValue {
  /// In one line.
  package var compact: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .text(let text): Self.quoted(text)
    case .array(let values): "[" + values.map(\.compact).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.name)):\($0.value.compact)" }.joined(separator: ",")
        + "}"
    }
  }

  /// In lines, for people too.
  package var pretty: String { pretty(indented: "") }

  package func pretty(indented indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .null, .boolean, .number, .text:
      return compact
    case .array(let values):
      if values.isEmpty { return "[]" }
      let lines = values.map { inner + $0.pretty(indented: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map {
        "\(inner)\(Self.quoted($0.name)): \($0.value.pretty(indented: inner))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  /// A text in quotation marks; characters that control a terminal are escaped, as JSON allows.
  package static func quoted(_ text: String) -> String {
    if text.isHarmless, !text.utf8.contains(where: needsEscape) { return "\"" + text + "\"" }
    var quoted = "\""
    quoted.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _: quoted.appendEscaped(scalar)
      }
    }
    return quoted + "\""
  }

  /// Gives a text in quotation marks in parts, so that a long one is never in memory twice.
  package static func forEachQuotedPart(of text: String, _ body: (String) throws -> Void) rethrows {
    let length = 1 << 16
    guard text.utf8.count > length else { return try body(quoted(text)) }
    try body("\"")
    var rest = text.unicodeScalars[...]
    while !rest.isEmpty {
      let part = rest.prefix(length)
      try body(String(quoted(String(String.UnicodeScalarView(part))).dropFirst().dropLast()))
      rest = rest[part.endIndex...]
    }
    try body("\"")
  }

  /// Whether JSON has another spelling for a byte that controls no terminal.
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\n")
  }

  /// Escapes the characters that control a terminal, in a text that is JSON already.
  package static func escapingControls(in json: Substring) -> String {
    var text = ""
    for scalar in json.unicodeScalars { text.appendEscaped(scalar) }
    return text
  }
}

extension String {
  /// Appends a character, or its number where it would control a terminal.
  fileprivate mutating func appendEscaped(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF:
      let digits = String(scalar.value, radix: 16)
      self += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    case _: unicodeScalars.append(scalar)
    }
  }
}

// MARK: - From property lists

extension JSONValue {
  /// The values in metadata and archives: texts, numbers, dates, data, collections.
  package init(describing value: Any?) {
    switch value {
    case nil, is NSNull: self = .null
    case let text as String: self = .text(text)
    case let date as Date: self = .text(date.iso8601)
    case let data as Data: self = .text(data.base64EncodedString())
    case let uuid as UUID: self = .text(uuid.uuidString)
    case let url as URL: self = .text(url.absoluteString)
    case let number as NSDecimalNumber: self = .number(number.decimalValue.description)
    case let number as NSNumber: self = Self(number)
    case let list as [Any]: self = .array(list.map { JSONValue(describing: $0) })
    case let set as Set<AnyHashable>:
      self = .array(set.map { JSONValue(describing: $0.base) }.sorted { $0.compact < $1.compact })
    case let table as [String: Any]:
      self = .object(
        table.sorted { $0.key < $1.key }
          .map { Member(name: $0.key, value: JSONValue(describing: $0.value)) }
      )
    case let other?: self = .text("\(other)")
    }
  }

  private init(_ number: NSNumber) {
    switch String(cString: number.objCType) {
    case "c", "B":
      self =
        number.intValue == 0 || number.intValue == 1
        ? .boolean(number.boolValue) : .integer(number.intValue)
    case "d", "f": self = .real(number.doubleValue)
    case "Q": self = .number("\(number.uint64Value)")
    case _: self = .number("\(number.int64Value)")
    }
  }
}
