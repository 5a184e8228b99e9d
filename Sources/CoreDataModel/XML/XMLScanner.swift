import Foundation

/// Goes through an XML text tag by tag.
///
/// ```
/// <attribute name="title" type="string">First</attribute>
/// open attribute, name "title", type "string"     text "First"     close attribute
/// ```
///
/// It knows what stores are written with and no more: declarations of entities, which a hostile file
/// lets grow without end, are refused, nothing outside the file is read, and a value may be as long as
/// it likes.
struct XMLScanner {
  private let bytes: [UInt8]
  private var place = 0
  /// The element that `<name/>` has opened and that closes next.
  private var pendingClose: String?

  enum Token {
    case open(String, [String: String])
    case close(String)
    case text(String)
  }

  init(_ data: Data) throws(FormatProblem) {
    bytes = [UInt8](data)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    if bytes.prefix(4).contains(0) { throw FormatProblem("it is not text in UTF-8") }
  }

  /// The line of the place where the scanner is, for messages.
  var line: Int { bytes[..<min(place, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1 }

  func problem(_ sentence: String) -> FormatProblem { FormatProblem("line \(line): \(sentence)") }
}

// MARK: - Tokens

extension XMLScanner {
  /// The next tag or text; nil at the end.
  mutating func next() throws(FormatProblem) -> Token? {
    if let name = pendingClose {
      pendingClose = nil
      return .close(name)
    }
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else { return .text(try text()) }
      switch bytes[place...].dropFirst().first {
      case UInt8(ascii: "?"): try skip(past: "?>")
      case UInt8(ascii: "!"): if let text = try declaration() { return .text(text) }
      case UInt8(ascii: "/"): return try closingTag()
      case nil: throw problem("the text ends too early")
      case _: return try openingTag()
      }
    }
    return nil
  }

  private mutating func text() throws(FormatProblem) -> String {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    return try unescaped(bytes[start..<place])
  }

  /// Comments and the document's type say nothing; a CDATA section is a text.
  private mutating func declaration() throws(FormatProblem) -> String? {
    if starts(with: "<!--") {
      try skip(past: "-->")
    } else if starts(with: "<![CDATA[") {
      let start = place + 9
      try skip(past: "]]>")
      return String(decoding: bytes[start..<(place - 3)], as: UTF8.self)
    } else if starts(with: "<!DOCTYPE") {
      let start = place
      try skip(past: ">")
      if bytes[start..<place].contains(UInt8(ascii: "[")) {
        throw problem("it declares entities or elements of its own, which a store never does")
      }
    } else {
      throw problem("a declaration stands where none can be")
    }
    return nil
  }

  private mutating func openingTag() throws(FormatProblem) -> Token {
    place += 1
    let name = try name()
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      switch bytes[place...].first {
      case UInt8(ascii: ">"):
        place += 1
        return .open(name, attributes)
      case UInt8(ascii: "/"):
        place += 1
        try expect(">")
        pendingClose = name
        return .open(name, attributes)
      case nil:
        throw problem("the text ends within <\(name)>")
      case _:
        let key = try self.name()
        skipSpace()
        try expect("=")
        skipSpace()
        attributes[key] = try quoted()
      }
    }
  }

  private mutating func closingTag() throws(FormatProblem) -> Token {
    place += 2
    let name = try name()
    skipSpace()
    try expect(">")
    return .close(name)
  }
}

// MARK: - Pieces

extension XMLScanner {
  private mutating func name() throws(FormatProblem) -> String {
    let start = place
    let ends: [UInt8] = Array(" \t\r\n=/><\"'".utf8)
    while place < bytes.count, !ends.contains(bytes[place]) { place += 1 }
    if place == start { throw problem("a name is missing") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func quoted() throws(FormatProblem) -> String {
    guard let quote = bytes[place...].first, "\"'".utf8.contains(quote) else {
      throw problem("an attribute's value is not quoted")
    }
    let start = place + 1
    guard let end = bytes[start...].firstIndex(of: quote) else {
      throw problem("an attribute's quotation mark is missing")
    }
    place = end + 1
    return try unescaped(bytes[start..<end])
  }

  private mutating func skipSpace() {
    while let byte = bytes[min(place, bytes.count)...].first, " \t\r\n".utf8.contains(byte) {
      place += 1
    }
  }

  private mutating func expect(_ text: String) throws(FormatProblem) {
    guard starts(with: text) else { throw problem("“\(text)” is missing") }
    place += text.utf8.count
  }

  private func starts(with text: String) -> Bool {
    bytes[min(place, bytes.count)...].starts(with: text.utf8)
  }

  private mutating func skip(past end: String) throws(FormatProblem) {
    let end = Array(end.utf8)
    while place + end.count <= bytes.count {
      if bytes[place] == end[0], bytes[place..<(place + end.count)].elementsEqual(end) {
        place += end.count
        return
      }
      place += 1
    }
    throw problem("the text ends too early")
  }

  /// A text with its `&amp;` and `&#13;` resolved.
  private func unescaped(_ raw: ArraySlice<UInt8>) throws(FormatProblem) -> String {
    guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
    var result = ""
    var rest = raw
    while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += String(decoding: rest[..<mark], as: UTF8.self)
      guard let end = rest[mark...].firstIndex(of: UInt8(ascii: ";")) else {
        throw problem("an entity such as &amp; is not finished")
      }
      let name = String(decoding: rest[(mark + 1)..<end], as: UTF8.self)
      guard let character = Self.character(name) else { throw problem("&\(name); is unknown") }
      result.unicodeScalars.append(character)
      rest = rest[(end + 1)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  private static func character(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case _ where name.hasPrefix("#x"):
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case _ where name.hasPrefix("#"):
      return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init)
    case _: return nil
    }
  }
}
