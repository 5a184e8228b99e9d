/// The pieces of XML, one after the other.
///
/// ```
/// <p class="a">One &amp; <b/><!-- three --></p>
/// start p · text "One & " · start b, closed · end p
/// ```
///
/// Whatever the bytes are, each call goes on by at least one, and looks at each a few times at most.
struct XMLTokens {
  enum Token: Equatable {
    /// A tag with its name in lower case.
    case start(String, isClosed: Bool)
    case end(String)
    case text(String)
    /// Text between `<![CDATA[` and `]]>`, in which signs mean nothing.
    case literal(String)
  }

  let bytes: [UInt8]
  private var position = 0

  /// The place of the last piece.
  private(set) var place = 0..<0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next() -> Token? {
    while position < bytes.count {
      let start = position
      let token = read()
      place = start..<position
      if let token { return token }
    }
    return nil
  }

  /// Reads a piece; `nil` for a remark or a declaration.
  private mutating func read() -> Token? {
    guard bytes[position] == UInt8(ascii: "<") else { return text() }
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0
    switch next {
    case UInt8(ascii: "!"), UInt8(ascii: "?"):
      if let text = literal() { return .literal(text) }
      skipDeclaration()
      return nil
    case UInt8(ascii: "/"):
      position += 2
      let name = name()
      skip(behind: UInt8(ascii: ">"))
      return name.isEmpty ? nil : .end(name)
    case _ where Self.isLetter(next): return startTag()
    default:
      position += 1
      return .text("<")
    }
  }
}

// MARK: - Pieces

extension XMLTokens {
  private mutating func text() -> Token {
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end
    return .text(HTMLEntities.decoded(text))
  }

  private mutating func literal() -> String? {
    guard isAt("<![CDATA[") else { return nil }
    let start = position + 9
    position = start
    while position < bytes.count, !isAt("]]>") { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    position = min(position + 3, bytes.count)
    return text
  }

  private mutating func skipDeclaration() {
    guard isAt("<!--") else { return skip(behind: UInt8(ascii: ">")) }
    position += 4
    while position < bytes.count, !isAt("-->") { position += 1 }
    position = min(position + 3, bytes.count)
  }

  private mutating func startTag() -> Token {
    position += 1
    let name = name()
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return .start(name, isClosed: bytes[position - 2] == UInt8(ascii: "/"))
      }
    }
    return .start(name, isClosed: false)
  }

  private mutating func name() -> String {
    let start = position
    while position < bytes.count, bytes[position] > 0x20, !"/>=<\"'".utf8.contains(bytes[position])
    { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self).lowercased()
  }

  private mutating func skip(behind sign: UInt8) {
    position = bytes[position...].firstIndex(of: sign).map { $0 + 1 } ?? bytes.count
  }

  /// Whether these letters are here.
  private func isAt(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}

// MARK: - HTML

extension XMLTokens {
  /// Returns the XML of a page as HTML, in which an element that is closed at once needs an end tag of its own.
  ///
  /// ```
  /// <en-todo checked="true"/>done<br></br>   →   <en-todo checked="true"></en-todo>done<br>
  /// ```
  ///
  /// Elements that are deeper than any text are left out, and what is in them stays: libgumbo takes time that grows with
  /// the square of the depth.
  static func html(of xml: [UInt8]) -> [UInt8] {
    var tokens = XMLTokens(xml)
    var depth = 0
    var html: [UInt8] = []
    html.reserveCapacity(xml.count)
    while let token = tokens.next() {
      let written = xml[tokens.place]
      switch token {
      case .start(let name, isClosed: true) where !empty.contains(name):
        html += written.dropLast(2) + "></\(name)>".utf8
      case .start(let name, isClosed: false) where !empty.contains(name):
        depth += 1
        if depth <= deepest { html += written }
      case .end(let name) where empty.contains(name): break
      case .end:
        if depth <= deepest { html += written }
        depth = max(0, depth - 1)
      case .literal(let text): html += HTML.escaped(text).utf8
      case .start, .text: html += written
      }
    }
    return html
  }

  /// Twice the depth that is taken from a page.
  private static let deepest = 200

  /// Elements without an end tag in HTML.
  private static let empty: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ]
}
