/// The sign by which other programs name a paragraph, at its end: `The first slip. ^a1b2`.
///
/// Here it is words of the text, which the pages show only to a person who edits that paragraph; `[[Note#^a1b2]]` leads
/// to it.
public enum BlockSign {
  /// Whether a text is a sign and nothing else.
  static func isOne(_ text: some StringProtocol) -> Bool {
    let name = text.dropFirst()
    return text.first == "^" && !name.isEmpty && name.utf8.count <= longestName
      && name.utf8.allSatisfy(isLetter)
  }

  /// The text without the signs at the ends of its lines, for those who read no more than its beginning.
  public static func removed(from text: some StringProtocol) -> String {
    guard text.utf8.contains(UInt8(ascii: "^")) else { return String(text) }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let start = line.lastIndex { $0.isWhitespace }.map(line.index(after:)) ?? line.startIndex
      let sign = line[start...]
      // A name without a letter, or of one alone, is rather a power: 2 ^10, 2 ^n.
      let isSign = isOne(sign) && sign.utf8.count > 2 && sign.contains(where: \.isLetter)
      return String(isSign ? line[..<start] : line[...])
    }.joined(separator: "\n")
  }

  /// A line without the sign at its end, and the sign.
  static func parted(_ line: [RichText.Inline]) -> (line: [RichText.Inline], sign: String?) {
    guard let text = line.last?.plainWords, case .text(_, let marks)? = line.last else {
      return (line, nil)
    }
    var words = removed(from: text)
    let sign = String(text.dropFirst(words.count))
    let before = Array(line.dropLast())
    // A sign right behind a word of another look is a part of that word.
    let isApart = !words.isEmpty || before.plainText.last?.isWhitespace ?? true
    guard isOne(sign), isApart else { return (line, nil) }
    while words.last?.isWhitespace == true { words.removeLast() }
    return (words.isEmpty ? before : before + [.text(words, marks)], sign)
  }

  /// The sign of a paragraph or heading of a page that we have written, whose name it is there.
  static func ofElement(_ tag: HTMLTag) -> String? {
    guard let name = tag.attributes["id"], name.first == "^", isOne(name) else { return nil }
    return ["p", "h1", "h2", "h3", "h4", "h5", "h6"].contains(tag.name) ? name : nil
  }

  private static let longestName = 100

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
