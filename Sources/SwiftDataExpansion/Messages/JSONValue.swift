/// A JSON value.
///
/// The plugin is spared the start of Foundation: the compiler runs it many times.
indirect enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([Self])
  /// The members in their order; of several with one name the first counts.
  case object([Member])

  struct Member: Hashable, Sendable {
    let name: String
    let value: JSONValue
  }

  subscript(name: String) -> Self? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  var integer: Int? {
    if case .number(let number) = self { Int(exactly: number) } else { nil }
  }
}

// MARK: - Writing

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral text: String) { self = .string(text) }

  init(integerLiteral number: Int) { self = .number(Double(number)) }

  init(arrayLiteral elements: Self...) { self = .array(elements) }

  init(dictionaryLiteral members: (String, Self)...) {
    self = .object(members.map { Member(name: $0.0, value: $0.1) })
  }

  /// The value as JSON text in UTF-8.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
    case .number(let number): bytes += (Int(exactly: number)?.description ?? "\(number)").utf8
    case .string(let text): Self.write(text, to: &bytes)
    case .array(let elements):
      Self.write(elements, between: "[", and: "]", to: &bytes) { $0.write(to: &$1) }
    case .object(let members):
      Self.write(members, between: "{", and: "}", to: &bytes) { member, bytes in
        Self.write(member.name, to: &bytes)
        bytes += ":".utf8
        member.value.write(to: &bytes)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element],
    between open: String,
    and close: String,
    to bytes: inout [UInt8],
    _ writeElement: (Element, inout [UInt8]) -> Void
  ) {
    bytes += open.utf8
    for (index, element) in elements.enumerated() {
      if index > 0 { bytes += ",".utf8 }
      writeElement(element, &bytes)
    }
    bytes += close.utf8
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes += "\"".utf8
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += "\\n".utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u".utf8
        bytes += String(repeating: "0", count: 4 - digits.count).utf8
        bytes += digits.utf8
      default: bytes.append(byte)
      }
    }
    bytes += "\"".utf8
  }
}
