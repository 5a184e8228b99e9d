package import Foundation

/// Goes through an XML text tag by tag, and trusts none of it.
///
/// ```
/// <attribute name="title" type="string">First</attribute>
/// open attribute, name "title", type "string"     text "First"     close attribute
/// ```
///
/// It knows the parts of XML that models and stores use and no more. The text must be well-formed and in
/// UTF-8; entities beside `&amp;` and its like, which a hostile file lets grow without end, are refused;
/// nothing outside the text is read; elements may be nested only so deep.
package struct XMLScanner {
  let bytes: [UInt8]
  var place = 0
  let allowsControls: Bool
  private let greatestDepth: Int
  /// More than any file has, and little enough for memory.
  private static let greatestAttributeCount = 1000
  /// The elements that are open, from the root on.
  private var open: [String] = []
  private var hasRoot = false
  /// Whether `<name/>` has opened the last element, which closes next.
  private var isEmptyElement = false
  /// A place up to which lines were counted, and the line there.
  private var counted = (place: 0, line: 1)

  package enum Token: Equatable {
    case open(String, [String: String])
    case close(String)
    case text(String)
  }

  /// A scanner at the beginning of a text.
  ///
  /// - Parameters:
  ///   - data: the text, in UTF-8.
  ///   - greatestDepth: how deep elements may be nested.
  ///   - allowsControls: whether control characters are allowed in the text. XML does not have them, but metadata of
  ///     stores are written with them.
  /// - Throws: when it is not text in UTF-8.
  package init(
    _ data: Data,
    greatestDepth: Int,
    allowsControls: Bool = false
  ) throws(XMLSyntaxError) {
    bytes = [UInt8](data)
    self.greatestDepth = greatestDepth
    self.allowsControls = allowsControls
    if bytes.isEmpty { throw problem("the file is empty") }
    try checkText()
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    try declarationOfXML()
  }

  /// The line where the last tag or text begins.
  package var line: Int { counted.line }

  /// The place of the byte with which the last tag or text begins.
  package var tokenStart: Int { counted.place }

  /// The place of the byte behind the last tag or text.
  package var position: Int { place }

  /// A problem at the place where the scanner is.
  func problem(_ message: String) -> XMLSyntaxError { problem(at: place, message) }

  func problem(at place: Int, _ message: String) -> XMLSyntaxError {
    XMLSyntaxError(line: line(at: place), message: message)
  }

  private func line(at place: Int) -> Int {
    counted.line
      + bytes[counted.place..<max(counted.place, min(place, bytes.count))]
      .count { $0 == UInt8(ascii: "\n") }
  }
}

// MARK: - Tokens

extension XMLScanner {
  /// The next tag or text; nil at the end, when all that was opened is closed.
  package mutating func next() throws(XMLSyntaxError) -> Token? {
    if isEmptyElement, let name = open.popLast() {
      isEmptyElement = false
      return .close(name)
    }
    while place < bytes.count {
      counted = (place, line(at: place))
      if bytes[place] != UInt8(ascii: "<") {
        if let text = try textBetweenTags() { return .text(text) }
        continue
      }
      switch place + 1 < bytes.count ? bytes[place + 1] : nil {
      case UInt8(ascii: "?"): try instruction()
      case UInt8(ascii: "!"): if let text = try declaration() { return .text(text) }
      case UInt8(ascii: "/"): return try closingTag()
      case _: return try openingTag()
      }
    }
    if let name = open.last { throw problem("the text ends before </\(name)>") }
    if !hasRoot { throw problem("the text holds no element") }
    return nil
  }

  /// Nil for the white space around the root element.
  private mutating func textBetweenTags() throws(XMLSyntaxError) -> String? {
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
    if !open.isEmpty { return try text(start..<place) }
    if let stray = bytes[start..<place].firstIndex(where: { !Self.isSpace($0) }) {
      throw problem(at: stray, "there is text outside of the root element")
    }
    return nil
  }

  private mutating func openingTag() throws(XMLSyntaxError) -> Token {
    let start = place
    place += 1
    let name = try name()
    if open.isEmpty, hasRoot {
      throw problem(at: start, "an element follows after the root element")
    }
    if open.count == greatestDepth {
      throw problem(at: start, "the elements are nested too deeply")
    }
    hasRoot = true
    open.append(name)
    var attributes: [String: String] = [:]
    while true {
      let isApart = skipSpace()
      if place == bytes.count { throw problem("the text ends within <\(name)>") }
      if bytes[place] == UInt8(ascii: ">") {
        place += 1
        return .open(name, attributes)
      }
      if bytes[place] == UInt8(ascii: "/") {
        place += 1
        try expect(">")
        isEmptyElement = true
        return .open(name, attributes)
      }
      if !isApart { throw problem("a space is missing") }
      let (key, value) = try attribute()
      if attributes.updateValue(value, forKey: key) != nil {
        throw problem("the attribute \(key) stands twice")
      }
      if attributes.count > Self.greatestAttributeCount {
        throw problem("the element has too many attributes")
      }
    }
  }

  private mutating func closingTag() throws(XMLSyntaxError) -> Token {
    let start = place
    place += 2
    let name = try name()
    skipSpace()
    try expect(">")
    guard let opened = open.popLast() else {
      throw problem(at: start, "</\(name)> closes nothing")
    }
    if name != opened {
      throw problem(
        at: start,
        "a closing tag does not match: </\(name)> closes nothing where </\(opened)> is due"
      )
    }
    return .close(name)
  }

  /// Comments and the document's type say nothing; a CDATA section is a text.
  private mutating func declaration() throws(XMLSyntaxError) -> String? {
    if starts(with: "<!--") {
      place += 4
      try skip(past: "--")
      try expect(">")
    } else if starts(with: "<![CDATA["), !open.isEmpty {
      let start = place + 9
      place = start
      try skip(past: "]]>")
      return plainText(start..<(place - 3))
    } else if starts(with: "<!DOCTYPE"), !hasRoot {
      try documentType()
    } else {
      throw problem("a declaration stands where none can be")
    }
    return nil
  }
}
