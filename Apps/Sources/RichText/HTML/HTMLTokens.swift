/// The pieces of a page of HTML, or of XML that is like it, one after the other.
///
/// ```
/// <p class=a>One &amp; <b>two</b><!-- three --></p>
/// start p · text "One & " · start b · text "two" · end b · end p
/// ```
///
/// Whatever the bytes are, each call goes on by at least one, and none is looked at more than a few times.
struct HTMLTokens {
  enum Token: Equatable {
    case start(HTMLTag)
    case end(String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> Token? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return text() }
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch next {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        if let text = cdata() { return .text(text) }
        skipDeclaration()
      case UInt8(ascii: "/"):
        if let name = endTag() { return .end(name) }
      case _ where Self.isLetter(next): return .start(startTag())
      default:
        position += 1
        return .text("<")
      }
    }
    return nil
  }

  /// The text up to the end of an element in which tags mean nothing: a style, a program.
  mutating func raw(until name: String) -> String {
    let start = position
    let end = Array("</\(name)".utf8)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), isAt(end) { break }
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }
}

/// A tag that begins an element.
struct HTMLTag: Equatable {
  /// In lower case.
  var name: String
  var attributes: [String: String] = [:]
  var isClosed = false

  /// The rules of `style`, in lower case and without blanks: `["font-weight": "bold"]`.
  var style: [String: String] {
    guard let style = attributes["style"] else { return [:] }
    var rules: [String: String] = [:]
    for rule in style.lowercased().split(separator: ";").prefix(40) {
      let parts = rule.split(separator: ":", maxSplits: 1).map { part in
        part.filter { !$0.isWhitespace }
      }
      if parts.count == 2 { rules[parts[0]] = parts[1] }
    }
    return rules
  }
}

// MARK: - Pieces

extension HTMLTokens {
  private mutating func text() -> Token {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end
    return .text(HTMLEntities.decoded(text))
  }

  private mutating func cdata() -> String? {
    guard isAt(Array("<![CDATA[".utf8)) else { return nil }
    let start = position + 9
    position = start
    while position < bytes.count, !isAt(Self.endOfCDATA) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    position = min(position + 3, bytes.count)
    return text
  }

  private static let endOfCDATA = Array("]]>".utf8)
  private static let endOfComment = Array("-->".utf8)

  private mutating func skipDeclaration() {
    if isAt(Array("<!--".utf8)) {
      position += 4
      while position < bytes.count, !isAt(Self.endOfComment) { position += 1 }
      position = min(position + 3, bytes.count)
    } else {
      position = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
    }
  }

  private mutating func endTag() -> String? {
    position += 2
    let name = name()
    position = bytes[position...].firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? bytes.count
    return name.isEmpty ? nil : name
  }

  private mutating func startTag() -> HTMLTag {
    position += 1
    var tag = HTMLTag(name: name())
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: ">"):
        position += 1
        return tag
      case UInt8(ascii: "/"):
        position += 1
        if peek() == UInt8(ascii: ">") { tag.isClosed = true }
      case _ where Self.isBlank(byte): position += 1
      default: readAttribute(&tag)
      }
    }
    return tag
  }

  /// More than any page has use for.
  private static let maximumAttributes = 64

  private mutating func readAttribute(_ tag: inout HTMLTag) {
    let start = position
    let name = name()
    // A sign that can begin no name.
    if position == start { position += 1 }
    skipBlanks()
    var value = ""
    if peek() == UInt8(ascii: "=") {
      position += 1
      skipBlanks()
      value = self.value()
    }
    if !name.isEmpty, tag.attributes.count < Self.maximumAttributes, tag.attributes[name] == nil {
      tag.attributes[name] = HTMLEntities.decoded(value)
    }
  }

  private mutating func value() -> String {
    let quote = peek()
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    if isQuoted { position += 1 }
    let start = position
    while let byte = peek(),
      isQuoted ? byte != quote : !Self.isBlank(byte) && byte != UInt8(ascii: ">")
    { position += 1 }
    let value = String(decoding: bytes[start..<position], as: UTF8.self)
    if isQuoted, position < bytes.count { position += 1 }
    return value
  }

  private mutating func name() -> String {
    let start = position
    while let byte = peek(), !Self.isBlank(byte), !"/>=<\"'".utf8.contains(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
  }

  private mutating func skipBlanks() {
    while let byte = peek(), Self.isBlank(byte) { position += 1 }
  }

  private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Whether these letters are here, in upper or lower case.
  private func isAt(_ word: [UInt8]) -> Bool {
    guard bytes.count - position >= word.count else { return false }
    for (offset, letter) in word.enumerated() {
      let byte = bytes[position + offset]
      let isSame = byte == letter || (Self.isLetter(byte) && byte | 0x20 == letter | 0x20)
      if !isSame { return false }
    }
    return true
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
