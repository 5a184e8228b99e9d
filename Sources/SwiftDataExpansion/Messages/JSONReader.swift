import Glibc

/// Reads JSON text in UTF-8.
///
/// Text that is not JSON, or that is nested more deeply than the compiler's messages are, is refused.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The places of the next of both signs, if they are not behind the position.
  private var (quote, backslash) = (-1, -1)

  /// The compiler nests six deep.
  private static let deepest = 64

  /// Reads the one value of a text; nil if it is not JSON.
  static func value(of bytes: [UInt8]) -> JSONValue? {
    var reader = Self(bytes: bytes)
    guard let value = reader.readValue(depth: 0) else { return nil }
    reader.skipBlanks()
    return reader.peek() == nil ? value : nil
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private mutating func readValue(depth: Int) -> JSONValue? {
    guard depth < Self.deepest else { return nil }
    skipBlanks()
    switch peek() {
    case UInt8(ascii: "{"): return readObject(depth: depth)
    case UInt8(ascii: "["): return readArray(depth: depth)
    case UInt8(ascii: "\""): return readString().map(JSONValue.string)
    case UInt8(ascii: "t"): return take("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return take("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return take("null") ? .null : nil
    default: return readNumber()
    }
  }

  private mutating func readObject(depth: Int) -> JSONValue? {
    var members: [JSONValue.Member] = []
    let isWhole = readList(endingWith: "}") { reader in
      reader.skipBlanks()
      guard let name = reader.readString() else { return false }
      reader.skipBlanks()
      guard reader.take(":"), let value = reader.readValue(depth: depth + 1) else { return false }
      members.append(JSONValue.Member(name: name, value: value))
      return true
    }
    return isWhole ? .object(members) : nil
  }

  private mutating func readArray(depth: Int) -> JSONValue? {
    var elements: [JSONValue] = []
    let isWhole = readList(endingWith: "]") { reader in
      guard let value = reader.readValue(depth: depth + 1) else { return false }
      elements.append(value)
      return true
    }
    return isWhole ? .array(elements) : nil
  }

  /// Reads elements with commas between them, from the opening sign to behind the closing one.
  private mutating func readList(
    endingWith close: StaticString,
    _ readElement: (inout Self) -> Bool
  ) -> Bool {
    position += 1
    skipBlanks()
    if take(close) { return true }
    repeat {
      guard readElement(&self) else { return false }
      skipBlanks()
    } while take(",")
    return take(close)
  }

  private mutating func readNumber() -> JSONValue? {
    let start = position
    while let byte = peek(), Self.isPartOfNumber(byte) { position += 1 }
    return Double(String(decoding: bytes[start..<position], as: UTF8.self)).map(JSONValue.number)
  }

  private static func isPartOfNumber(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
}

// MARK: - Strings

extension JSONReader {
  private mutating func readString() -> String? {
    guard take("\"") else { return nil }
    var text: [UInt8] = []
    while true {
      let end = endOfPlainText()
      text += bytes[position..<end]
      position = end
      if take("\"") { return String(decoding: text, as: UTF8.self) }
      guard take("\\"), let escaped = readEscaped() else { return nil }
      text += escaped
    }
  }

  /// The place of the next quotation mark or backslash, or the end.
  ///
  /// Most of a message is source text, of a whole class for each of its members.
  private mutating func endOfPlainText() -> Int {
    if quote < position { quote = place(of: UInt8(ascii: "\"")) }
    if backslash < position { backslash = place(of: UInt8(ascii: "\\")) }
    return min(quote, backslash)
  }

  private func place(of byte: UInt8) -> Int {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress,
        let found = memchr(base + position, Int32(byte), buffer.count - position)
      else { return buffer.count }
      return base.distance(to: UnsafeRawPointer(found))
    }
  }

  /// Reads what follows a backslash.
  private mutating func readEscaped() -> [UInt8]? {
    guard let byte = peek() else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "u"): return readScalar().map { Array(String($0).utf8) }
    default: return nil
    }
  }

  /// Reads four digits, and four more if they are the first half of a surrogate pair.
  private mutating func readScalar() -> Unicode.Scalar? {
    guard let unit = readUnit() else { return nil }
    guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    let second = position
    guard take("\\u"), let other = readUnit(), (0xDC00..<0xE000).contains(other) else {
      position = second
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (other - 0xDC00))
  }

  private mutating func readUnit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    defer { position += 4 }
    return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
  }
}

// MARK: - Bytes

extension JSONReader {
  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func take(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position + length <= bytes.count else { return false }
    for offset in 0..<length where bytes[position + offset] != text.utf8Start[offset] {
      return false
    }
    position += length
    return true
  }

  private mutating func skipBlanks() {
    while let byte = peek(), [0x20, 0x0A, 0x0D, 0x09].contains(byte) { position += 1 }
  }
}
