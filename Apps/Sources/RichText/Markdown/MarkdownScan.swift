import CoreDataStrictJSON
import Foundation

/// Looks for a link of some form at a place, never further than such a link can be long.
enum MarkdownScan {
  /// The text after `[[`: `Words|id]]`, `Title]]`, or `Title|Words]]` as other programs have it.
  static func note(
    _ text: [Unicode.Scalar],
    from start: Int
  ) -> (title: String, words: String?, link: RichText.Link?, length: Int)? {
    var title = String.UnicodeScalarView()
    var rest: String.UnicodeScalarView?
    var index = start
    // Goes no further than the next bracket, so that no character is looked at twice.
    while index < text.count {
      let next = index + 1 < text.count ? text[index + 1] : nil
      switch text[index] {
      case "[", "\n": return nil
      case "]":
        guard next == "]", !title.isEmpty else { return nil }
        guard let rest, !rest.isEmpty else { return (String(title), nil, nil, index + 2 - start) }
        let behind = String(rest)
        let link = RichText.Link("note:" + behind.replacing("%", with: "%25"))
        return (String(title), link == nil ? behind : nil, link, index + 2 - start)
      case "|" where rest == nil: rest = .init()
      case "\\" where next.map(isPunctuation) ?? false:
        index += 1
        if rest == nil { title.append(text[index]) } else { rest?.append(text[index]) }
      default: if rest == nil { title.append(text[index]) } else { rest?.append(text[index]) }
      }
      index += 1
    }
    return nil
  }

  /// Whether nothing else is on the lines of a range than blanks, and perhaps the sign of the paragraph.
  static func isAlone(_ text: [Unicode.Scalar], from start: Int, to end: Int) -> Bool {
    let before = text[..<start].last { $0 != " " && $0 != "\t" }
    let after = text[end...].prefix(longestSign).prefix { $0 != "\n" }
    let sign = String(String.UnicodeScalarView(after))
    return (before ?? "\n") == "\n"
      && (sign.allSatisfy(\.isWhitespace)
        || sign.first == " " && BlockSign.isOne(Text.trimmed(sign[...])))
  }

  private static let longestSign = 120

  /// The length of a `<br>` at a place; `nil` if there is none.
  static func lineBreak(_ text: [Unicode.Scalar], from start: Int) -> Int? {
    let near = text[start...].prefix(6)
    guard let end = near.firstIndex(of: ">") else { return nil }
    let tag = String(String.UnicodeScalarView(near[...end])).lowercased()
    return ["<br>", "<br/>", "<br />"].contains(tag) ? tag.count : nil
  }

  /// The style of words between tags of HTML, if Markdown lacks a sign for it.
  static let styles: [String: RichText.Styles] = [
    "u": .underline, "ins": .underline, "sup": .superscript, "sub": .subscript,
  ]

  /// One of these tags, without attributes, at a place.
  static func tag(
    _ text: [Unicode.Scalar],
    from start: Int
  ) -> (name: String, isEnd: Bool, length: Int)? {
    let near = text[start...].prefix(6)
    guard let end = near.firstIndex(of: ">") else { return nil }
    let inside = String(String.UnicodeScalarView(near[..<end].dropFirst())).lowercased()
    let isEnd = inside.hasPrefix("/")
    let name = isEnd ? String(inside.dropFirst()) : inside
    return styles[name] == nil ? nil : (name, isEnd, end + 1 - start)
  }

  /// The text without the backslashes that keep its signs from meaning something.
  static func unescaped(_ text: ArraySlice<Unicode.Scalar>) -> String {
    var words = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in text {
      if isEscaped, !isPunctuation(scalar) { words.append("\\") }
      isEscaped = scalar == "\\" && !isEscaped
      if !isEscaped { words.append(scalar) }
    }
    if isEscaped { words.append("\\") }
    return String(words)
  }

  /// `A tree|300` and `A tree|300x200` are a caption and a width.
  static func size(_ label: String) -> (caption: String, width: Int?) {
    let parts = label.split(separator: "|", omittingEmptySubsequences: false)
    let sizes = parts.last?.split(separator: "x", omittingEmptySubsequences: false) ?? []
    guard (1...2).contains(sizes.count),
      sizes.allSatisfy({ (1...5).contains($0.count) && $0.allSatisfy(\.isNumber) }),
      let width = Int(sizes[0])
    else { return (label, nil) }
    return (parts.dropLast().joined(separator: "|"), width)
  }

  /// Bear's remark right after a file, and its end: `<!-- {"width":300} -->`.
  static func remark(_ text: [Unicode.Scalar], from start: Int) -> (width: Int?, end: Int)? {
    let near = text[start...].prefix(300)
    guard near.starts(with: "<!--".unicodeScalars), let end = near.firstIndex(of: ">"),
      text[..<end].suffix(2).elementsEqual("--".unicodeScalars), end - start >= 6
    else { return nil }
    let words = String(String.UnicodeScalarView(near[(start + 4)..<(end - 2)]))
    // Another remark stays to be read.
    guard case .object(let members)? = try? JSONValue(parsing: Data(words.utf8)) else { return nil }
    guard case .integer(let width)? = members["width"], (1...10_000).contains(width) else {
      return (nil, end + 1)
    }
    return (Int(width), end + 1)
  }

  /// The text after `](`: `https://example.org "Title")`.
  static func target(_ text: [Unicode.Scalar], from start: Int) -> (address: String, end: Int)? {
    var index = skipBlanks(text, from: start)
    guard let (address, end) = destination(text, from: index) else { return nil }
    index = skipBlanks(text, from: end)
    if index > end, index < text.count, let closing = titles[text[index]] {
      guard let end = endOfTitle(text, from: index + 1, closing: closing) else { return nil }
      index = skipBlanks(text, from: end)
    }
    guard index < text.count, text[index] == ")" else { return nil }
    return (address, index + 1)
  }

  private static let titles: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\"", "'": "'", "(": ")"]

  private static func destination(
    _ text: [Unicode.Scalar],
    from start: Int
  ) -> (address: String, end: Int)? {
    let isBracketed = start < text.count && text[start] == "<"
    if let end = endOfEmbeddedFile(text, from: isBracketed ? start + 1 : start) {
      let address = String(String.UnicodeScalarView(text[(isBracketed ? start + 1 : start)..<end]))
      guard isBracketed else { return (address, end) }
      return end < text.count && text[end] == ">" ? (address, end + 1) : nil
    }
    var address = String.UnicodeScalarView()
    var depth = 0
    var index = isBracketed ? start + 1 : start
    while index < text.count, index - start < RichText.Address.maximumLength {
      let scalar = text[index]
      switch scalar {
      case "\\" where index + 1 < text.count && isPunctuation(text[index + 1]):
        index += 1
        address.append(text[index])
      case "&":
        let entity = MarkdownEntity(text[index...])
        address.add((entity?.text ?? "&").unicodeScalars)
        index += (entity?.length ?? 1) - 1
      case ">" where isBracketed: return (String(address), index + 1)
      case "<" where isBracketed, "\n" where isBracketed: return nil
      case _ where isBracketed: address.append(scalar)
      case "(":
        depth += 1
        if depth > 32 { return nil }
        address.append(scalar)
      case ")" where depth == 0: return (String(address), index)
      case ")":
        depth -= 1
        address.append(scalar)
      case _ where scalar.value <= 0x20: return depth == 0 ? (String(address), index) : nil
      default: address.append(scalar)
      }
      index += 1
    }
    return nil
  }

  /// The end of an address that has a file in itself, `data:…`, which may be longer than others.
  ///
  /// No sign that could begin another such address is in it, so that none is looked through twice.
  private static func endOfEmbeddedFile(_ text: [Unicode.Scalar], from start: Int) -> Int? {
    let head = String(String.UnicodeScalarView(text[start...].prefix(5)))
    guard head.lowercased() == "data:" else { return nil }
    return text[start...].firstIndex { !isOfEmbeddedFile($0) } ?? text.count
  }

  private static func isOfEmbeddedFile(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value > 0x20 && scalar.value < 0x7F && !"<>()[]\"'`\\".unicodeScalars.contains(scalar)
  }

  /// `<img src="tree.png" alt="A tree" width="300">` at a place, as other programs write pictures of a size.
  static func image(
    _ text: [Unicode.Scalar],
    from start: Int
  ) -> (address: String, label: String, length: Int)? {
    let head = String(String.UnicodeScalarView(text[start...].prefix(5))).lowercased()
    guard head.hasPrefix("<img"), head.count == 5, head.last?.isWhitespace == true,
      let end = text[(start + 1)...].firstIndex(where: { $0 == ">" || $0 == "<" }),
      text[end] == ">",
      case let written = String(String.UnicodeScalarView(text[start...end])),
      // An element that is too much for the library is text.
      let nodes = try? HTMLTree.nodes(of: Array(written.utf8)), let tag = image(in: nodes),
      let address = tag.attributes["src"]
    else { return nil }
    let width = tag.attributes["width"].map { "|" + $0.prefix { $0.isNumber } } ?? ""
    return (address, (tag.attributes["alt"] ?? "") + width, end + 1 - start)
  }

  private static func image(in nodes: [HTMLTree.Node]) -> HTMLTag? {
    for case .element(let tag, let children) in nodes {
      if tag.name == "img" { return tag }
      if let tag = image(in: children) { return tag }
    }
    return nil
  }

  private static func endOfTitle(
    _ text: [Unicode.Scalar],
    from start: Int,
    closing: Unicode.Scalar
  ) -> Int? {
    var index = start
    while index < text.count, index - start < 1_000 {
      if text[index] == closing { return index + 1 }
      index += text[index] == "\\" ? 2 : 1
    }
    return nil
  }

  /// The text after `][`: `label]`.
  static func label(_ text: [Unicode.Scalar], from start: Int) -> (text: String, end: Int)? {
    let rest = text[start...].prefix(1_000)
    guard let end = rest.firstIndex(where: { $0 == "]" || $0 == "[" }), text[end] == "]" else {
      return nil
    }
    return (String(String.UnicodeScalarView(text[start..<end])), end + 1)
  }

  /// The text after `<`: `https://example.org>` or `somebody@example.org>`.
  static func autolink(_ text: [Unicode.Scalar], from start: Int) -> (address: String, end: Int)? {
    let rest = text[start...].prefix(RichText.Address.maximumLength)
    guard let end = rest.firstIndex(where: { $0.value <= 0x20 || $0 == "<" || $0 == ">" }),
      text[end] == ">"
    else { return nil }
    return (String(String.UnicodeScalarView(text[start..<end])), end + 1)
  }

  /// `https://example.org`, without the sign that ends the sentence around it.
  static func address(_ text: [Unicode.Scalar], from start: Int) -> String? {
    let head = String(String.UnicodeScalarView(text[start...].prefix(8))).lowercased()
    guard let scheme = ["https://", "http://"].first(where: head.hasPrefix) else { return nil }
    let rest = text[start...].prefix(RichText.Address.maximumLength)
    let end = rest.firstIndex {
      $0.properties.isWhitespace || "<>[]`\\\"|".unicodeScalars.contains($0)
    }
    var address = rest[..<(end ?? rest.endIndex)]
    var parentheses = address.reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) }
    while let last = address.last {
      if last == ")" && parentheses < 0 {
        parentheses += 1
      } else if !"?!.,:;*_~'".unicodeScalars.contains(last) {
        break
      }
      address.removeLast()
    }
    return address.count > scheme.count ? String(String.UnicodeScalarView(address)) : nil
  }

  private static func skipBlanks(_ text: [Unicode.Scalar], from start: Int) -> Int {
    var index = start
    while index < text.count, index - start < 100, " \t\n".unicodeScalars.contains(text[index]) {
      index += 1
    }
    return index
  }

  static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
    default: false
    }
  }
}

/// A character by its name or number: `&amp;`, `&#38;`, `&#x26;`.
struct MarkdownEntity {
  let text: String
  let length: Int

  /// The one at the beginning of a text, if there is one.
  init?(_ text: ArraySlice<Unicode.Scalar>) {
    let near = text.prefix(HTMLEntities.longest)
    guard let end = near.firstIndex(of: ";") else { return nil }
    let name = String(String.UnicodeScalarView(near[(near.startIndex + 1)..<end]))
    guard let text = HTMLEntities.character(name) else { return nil }
    self.text = text
    length = near.distance(from: near.startIndex, to: end) + 1
  }
}

extension String.UnicodeScalarView {
  /// Appends scalars one by one: `append(contentsOf:)` makes a copy of all that is there, each time.
  mutating func add(_ scalars: some Sequence<Unicode.Scalar>) {
    for scalar in scalars { append(scalar) }
  }
}
