import Foundation
import RichText

/// The words of a line of Logseq, with its references as links.
struct LogseqWords {
  private(set) var text: String
  private let blocks: LogseqBlocks

  init(_ text: String, _ blocks: LogseqBlocks) {
    self.text = text
    self.blocks = blocks
    if text.contains("((") { readReferences() }
    if text.contains("{{embed [[") { readEmbeddedPages() }
    if text.contains("){:") { removeSizes() }
  }

  /// `((id))`, `[words](((id)))` and `{{embed ((id))}}`; those of unknown blocks stay as they are written.
  private mutating func readReferences() {
    var written = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "((") {
      let inside = rest[start.upperBound...]
      guard let id = LogseqBlocks.identifier(inside), let block = blocks[id],
        case let behind = inside.dropFirst(36), behind.hasPrefix("))")
      else {
        // One parenthesis alone: the address of a link has another before these two.
        let next = rest.index(after: start.lowerBound)
        written += rest[..<next]
        rest = rest[next...]
        continue
      }
      written += rest[..<start.lowerBound]
      rest = behind.dropFirst(2)
      var (words, isShown) = (block.words, false)
      if rest.hasPrefix(")"), let label = Self.label(atEndOf: written) {
        words = label.words
        written.removeLast(label.length)
        rest = rest.dropFirst()
      } else if written.hasSuffix("{{embed "), rest.hasPrefix("}}") {
        isShown = true
        written.removeLast("{{embed ".count)
        rest = rest.dropFirst(2)
      }
      written += Self.link(block, LogseqBlocks.sign(of: id), words, isShown)
    }
    text = written + rest
  }

  /// The words of `[words](` at the end of a text, and the length of all of it.
  private static func label(atEndOf text: String) -> (words: String, length: Int)? {
    let near = text.suffix(300)
    guard near.hasSuffix("]("), let open = near.lastIndex(of: "[") else { return nil }
    let label = near[open...]
    return (plain(label.dropFirst().dropLast(2)), label.count)
  }

  private static let longestPage = 200

  private static func link(
    _ block: LogseqBlocks.Block,
    _ sign: String,
    _ words: String,
    _ isShown: Bool
  ) -> String {
    // A name that a link cannot have, or that is too long for one that may be there often.
    guard block.page.utf8.count <= longestPage,
      !block.page.contains(where: { "[]|#^\\".contains($0) })
    else { return words }
    let words = words.isEmpty ? "…" : words
    return "\(isShown ? "!" : "")[[\(block.page)#\(sign)|\(words)]]"
  }

  /// `{{embed [[Page]]}}`.
  private mutating func readEmbeddedPages() {
    var written = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{embed [[") {
      let inside = rest[start.upperBound...].prefix(500)
      guard let end = inside.firstRange(of: "]]}}") else {
        written += rest[..<start.upperBound]
        rest = rest[start.upperBound...]
        continue
      }
      written += rest[..<start.lowerBound] + "![[\(inside[..<end.lowerBound])]]"
      rest = rest[end.upperBound...]
    }
    text = written + rest
  }

  /// The size behind a picture: `![](a.png){:height 300, :width 400}`.
  private mutating func removeSizes() {
    var written = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "){:") {
      let inside = rest[start.upperBound...].prefix(100)
      written += rest[..<start.lowerBound] + ")"
      guard let end = inside.firstIndex(of: "}"), inside[..<end].contains("width") else {
        written += "{:"
        rest = rest[start.upperBound...]
        continue
      }
      rest = rest[inside.index(after: end)...]
    }
    text = written + rest
  }

  /// The keywords of several words in a line: `#[[to read]]`.
  static func keywords(in line: Substring) -> [String] {
    var found: [String] = []
    var rest = line
    while let start = rest.firstRange(of: "#[["), found.count < 50 {
      rest = rest[start.upperBound...]
      let inside = rest.prefix(100)
      if let end = inside.firstRange(of: "]]") { found.append(String(inside[..<end.lowerBound])) }
    }
    return found
  }

  /// The first words of a block, without signs that cannot be in a link.
  static func plain(_ words: Substring) -> String {
    let line = words.prefix(200).filter { !"[]|{}*_`".contains($0) && !$0.isNewline }
    return RichText([.paragraph([.text(String(line))])]).excerpt(100)
  }
}

/// The properties at the beginning of a page of Logseq: `alias:: Rome, Roma`.
struct LogseqProperties {
  private(set) var values: [(name: String, value: String)] = []

  private static let most = 200

  /// Takes the properties from the lines, which may be those of the first block.
  init(_ lines: inout ArraySlice<Substring>) {
    let all = lines
    while let line = lines.first, values.count < Self.most {
      let words = values.isEmpty && line.hasPrefix("- ") ? line.dropFirst(2) : line
      guard let (name, value) = Self.property(words) else { break }
      values.append((name, value))
      lines.removeFirst()
    }
    // More words in that block are text, and its properties are of the block alone.
    if all.first?.hasPrefix("- ") == true, let next = lines.first, next.hasPrefix("  ") {
      (lines, values) = (all, [])
    }
  }

  /// The name and the value of a line; `nil` for other lines.
  static func property(_ line: Substring) -> (name: String, value: String)? {
    let words = line.drop { $0 == " " || $0 == "\t" }
    let name = words.prefix { $0.isLetter || $0.isNumber || "-_./?".contains($0) }
    let rest = words[name.endIndex...]
    guard !name.isEmpty, rest.hasPrefix(":: ") || rest == "::" else { return nil }
    return (String(name), rest.dropFirst(2).trimmingCharacters(in: .whitespaces))
  }

  /// The values between commas, without the brackets of links.
  static func list(_ value: String) -> [String] {
    value.split(separator: ",").prefix(most)
      .map { words(String($0)) }
      .map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
      .filter { !$0.isEmpty }
  }

  /// A value without the brackets of one link.
  static func words(_ value: String) -> String {
    let value = value.trimmingCharacters(in: .whitespaces)
    guard value.hasPrefix("[["), value.hasSuffix("]]"), value.count > 4,
      !value.dropFirst(2).contains("[[")
    else { return value }
    return String(value.dropFirst(2).dropLast(2))
  }

  /// A moment in milliseconds.
  static func moment(_ value: String) -> Date? {
    WholeNumber.read64(value, within: 1...4_000_000_000_000)
      .map { Date(timeIntervalSince1970: Double($0) / 1_000) }
  }
}
