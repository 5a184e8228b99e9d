/// The sign by which other programs name a paragraph, at its end: `The first slip. ^a1b2`.
///
/// Here it is words of the text, which the pages show only to whoever writes in that paragraph; `[[Note#^a1b2]]` leads
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
      // A name without a letter is rather a power: 2 ^10.
      let isSign = isOne(line[start...]) && line[start...].contains(where: \.isLetter)
      return String(isSign ? line[..<start] : line[...])
    }.joined(separator: "\n")
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
