// The pieces of tags.

extension XMLScanner {
  /// An attribute's name and value.
  mutating func attribute() throws(XMLSyntaxError) -> (name: String, value: String) {
    let name = try name()
    skipSpace()
    if !starts(with: "=") { throw problem("the attribute \(name) has no value") }
    place += 1
    skipSpace()
    let value = try quoted()
    if let mark = bytes[value].firstIndex(of: UInt8(ascii: "<")) {
      throw problem(at: mark, "an attribute contains \"<\"")
    }
    return (name, try resolved(value, isAttribute: true))
  }

  mutating func name() throws(XMLSyntaxError) -> String {
    let start = place
    guard place < bytes.count, Self.beginsName(bytes[place]) else {
      throw problem("a name is missing")
    }
    while place < bytes.count, Self.isOfName(bytes[place]) { place += 1 }
    return plainText(start..<place)
  }

  /// The text between quotation marks.
  private mutating func quoted() throws(XMLSyntaxError) -> Range<Int> {
    guard place < bytes.count,
      bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'")
    else { throw problem("an attribute's value is not quoted") }
    let start = place + 1
    guard let end = bytes[start...].firstIndex(of: bytes[place]) else {
      throw problem("an attribute's quotation mark is missing")
    }
    place = end + 1
    return start..<end
  }

  @discardableResult
  mutating func skipSpace() -> Bool {
    let start = place
    while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
    return place > start
  }

  mutating func expect(_ text: String) throws(XMLSyntaxError) {
    guard starts(with: text) else { throw problem("\"\(text)\" is missing") }
    place += text.utf8.count
  }

  func starts(with text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  mutating func skip(past end: String) throws(XMLSyntaxError) {
    let first = end.utf8.first
    while place < bytes.count {
      if bytes[place] == first, starts(with: end) {
        place += end.utf8.count
        return
      }
      place += 1
    }
    throw problem("the text ends too early")
  }
}

// MARK: - Kinds of bytes

extension XMLScanner {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D
  }

  /// Letters beyond ASCII are taken as they are.
  private static func beginsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: ":"), 0x80...:
      true
    case _:
      false
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    case _: beginsName(byte)
    }
  }
}
