// Texts, and the characters in them.

extension XMLScanner {
  /// Refuses what is not UTF-8, and characters that XML has not.
  func checkText() throws(XMLSyntaxError) {
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
      || bytes.prefix(4).contains(0)
    {
      throw problem(at: 0, "it is not text in UTF-8")
    }
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw problem(at: error.byteOffsets.lowerBound, "the text is not in UTF-8")
    }
    if allowsControls { return }
    if let place = bytes.firstIndex(where: { $0 < 0x20 && !Self.isSpace($0) }) {
      throw problem(at: place, "there is a control character, \(bytes[place])")
    }
  }

  /// `<?xml version="1.0" encoding="UTF-8"?>`, which is allowed at the beginning only.
  mutating func declarationOfXML() throws(XMLSyntaxError) {
    guard starts(with: "<?xml"), place + 5 < bytes.count, Self.isSpace(bytes[place + 5]) else {
      return
    }
    place += 5
    while true {
      let isApart = skipSpace()
      if place < bytes.count, bytes[place] == UInt8(ascii: "?") { break }
      if !isApart { throw problem("a space is missing") }
      let (name, value) = try attribute()
      if name == "encoding", !["utf-8", "us-ascii"].contains(value.lowercased()) {
        throw problem("the text says that it is in \(value.prefix(40)), and only UTF-8 is read")
      }
    }
    try expect("?>")
  }

  /// A note to programs, which is passed by.
  mutating func instruction() throws(XMLSyntaxError) {
    let start = place
    place += 2
    if try name().lowercased() == "xml" {
      throw problem(at: start, "<?xml stands elsewhere than at the beginning")
    }
    try skip(past: "?>")
  }

  /// `<!DOCTYPE name SYSTEM "address">`, whose address is not looked at.
  mutating func documentType() throws(XMLSyntaxError) {
    place += 9
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: ">"):
        place += 1
        return
      case UInt8(ascii: "["):
        throw problem("it declares entities or elements of its own, which is refused")
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = bytes[place]
        guard let end = bytes[(place + 1)...].firstIndex(of: quote) else {
          throw problem("a quotation mark is missing")
        }
        place = end + 1
      case _:
        place += 1
      }
    }
    throw problem("the text ends too early")
  }
}

// MARK: - Texts

extension XMLScanner {
  /// A text with every kind of line end as `\n`, as XML has it.
  func plainText(_ range: Range<Int>) -> String {
    let raw = bytes[range]
    guard raw.contains(UInt8(ascii: "\r")) else { return String(decoding: raw, as: UTF8.self) }
    return String(decoding: Self.withPlainLineEnds(raw), as: UTF8.self)
  }

  func text(_ range: Range<Int>) throws(XMLSyntaxError) -> String {
    try resolved(range, isAttribute: false)
  }

  /// A text with its `&amp;` and `&#13;` resolved.
  ///
  /// In an attribute, tabs and line ends are spaces.
  func resolved(_ range: Range<Int>, isAttribute: Bool) throws(XMLSyntaxError) -> String {
    let raw = bytes[range]
    if !raw.contains(where: { Self.isResolved($0, isAttribute) }) {
      return String(decoding: raw, as: UTF8.self)
    }
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var rest = raw
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += Self.plain(rest[..<mark], isAttribute)
      let character = try entity(at: mark, before: range.upperBound)
      result += Array(String(character.value).utf8)
      rest = rest[character.end...]
    }
    result += Self.plain(rest, isAttribute)
    return String(decoding: result, as: UTF8.self)
  }

  private static func isResolved(_ byte: UInt8, _ isAttribute: Bool) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "\r")
      || isAttribute && (byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t"))
  }

  private static func plain(_ raw: ArraySlice<UInt8>, _ isAttribute: Bool) -> [UInt8] {
    let text = withPlainLineEnds(raw)
    return isAttribute ? text.map { isSpace($0) ? UInt8(ascii: " ") : $0 } : text
  }

  private static func withPlainLineEnds(_ raw: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(raw.count)
    var isAfterReturn = false
    for byte in raw {
      if byte == UInt8(ascii: "\r") {
        result.append(UInt8(ascii: "\n"))
      } else if !(isAfterReturn && byte == UInt8(ascii: "\n")) {
        result.append(byte)
      }
      isAfterReturn = byte == UInt8(ascii: "\r")
    }
    return result
  }

  /// The character that `&…;` means, and the place where the text goes on.
  private func entity(
    at mark: Int,
    before limit: Int
  ) throws(XMLSyntaxError) -> (value: Unicode.Scalar, end: Int) {
    // No name and no number of a character is longer.
    let reach = min(mark + 12, limit)
    guard let end = bytes[mark..<reach].firstIndex(of: UInt8(ascii: ";")) else {
      throw problem(at: mark, "an entity such as &amp; is not finished")
    }
    let name = String(decoding: bytes[(mark + 1)..<end], as: UTF8.self)
    guard let character = character(name) else {
      throw problem(at: mark, "the entity &\(name); is unknown")
    }
    return (character, end + 1)
  }

  private func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    case _ where name.hasPrefix("#x"): character(name.dropFirst(2), radix: 16)
    case _ where name.hasPrefix("#"): character(name.dropFirst(), radix: 10)
    case _: nil
    }
  }

  private func character(_ digits: Substring, radix: Int) -> Unicode.Scalar? {
    guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
      let scalar = UInt32(digits, radix: radix).flatMap(Unicode.Scalar.init),
      allowsControls || scalar.value >= 0x20 || [9, 10, 13].contains(scalar.value),
      scalar.value != 0, scalar.value != 0xFFFE, scalar.value != 0xFFFF
    else { return nil }
    return scalar
  }
}
