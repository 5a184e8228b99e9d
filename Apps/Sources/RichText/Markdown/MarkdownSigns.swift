/// The kind of a line of Markdown by its looks, without the blanks before it.
enum MarkdownSigns {
  /// The level and words of `## Words ##`.
  static func heading(_ line: ArraySlice<UInt8>) -> (level: Int, words: ArraySlice<UInt8>)? {
    let signs = line.prefix { $0 == UInt8(ascii: "#") }
    guard (1...6).contains(signs.count) else { return nil }
    var words = line.dropFirst(signs.count)
    guard words.first.map(isBlank) ?? true else { return nil }
    words = trimmed(words)
    // A row of # at the end is decoration, if a blank is before it.
    let end = words.lastIndex { $0 != UInt8(ascii: "#") }
    if let end {
      if isBlank(words[end]) { words = trimmed(words[...end]) }
    } else {
      words = []
    }
    return (signs.count, words)
  }

  /// The line below a heading: `===` or `---`.
  static func underline(_ line: ArraySlice<UInt8>) -> Int? {
    let line = trimmed(line)
    guard let sign = line.first, line.allSatisfy({ $0 == sign }) else { return nil }
    return switch sign {
    case UInt8(ascii: "="): 1
    case UInt8(ascii: "-"): 2
    default: nil
    }
  }

  /// Whether it is `---` or `* * *`.
  static func isRule(_ line: ArraySlice<UInt8>) -> Bool {
    guard let sign = line.first, "-*_".utf8.contains(sign) else { return false }
    var count = 0
    for byte in line where !isBlank(byte) {
      guard byte == sign else { return false }
      count += 1
    }
    return count >= 3
  }

  /// Three or more backticks or tildes, and the word after them.
  static func fence(_ line: ArraySlice<UInt8>) -> (sign: UInt8, count: Int, language: String)? {
    guard let sign = line.first, sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") else {
      return nil
    }
    let signs = line.prefix { $0 == sign }
    let words = trimmed(line.dropFirst(signs.count))
    guard signs.count >= 3, sign == UInt8(ascii: "~") || !words.contains(sign) else { return nil }
    return (sign, signs.count, String(decoding: words.prefix { !isBlank($0) }, as: UTF8.self))
  }

  /// The definition in `[label]: https://example.org "Title"`.
  static func definition(_ line: ArraySlice<UInt8>) -> (label: String, MarkdownTarget)? {
    guard line.first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")),
      line.distance(from: line.startIndex, to: end) < 1_000
    else { return nil }
    let inside = line[(line.startIndex + 1)..<end]
    // A bracket in it, or a backslash before the last one: then this is a link, and no definition.
    guard !inside.contains(UInt8(ascii: "[")), inside.last != UInt8(ascii: "\\") else { return nil }
    let label = label(String(decoding: inside, as: UTF8.self))
    // That is a footnote.
    guard !label.isEmpty, !label.hasPrefix("^"), line[(end + 1)...].first == UInt8(ascii: ":")
    else {
      return nil
    }
    let rest = trimmed(line[(end + 2)...])
    let words = rest.split(maxSplits: 1, whereSeparator: isBlank)
    guard var address = words.first else { return nil }
    if address.first == UInt8(ascii: "<"), address.last == UInt8(ascii: ">") {
      address = address.dropFirst().dropLast()
    }
    let title = words.count > 1 ? trimmed(words[1]) : []
    let isTitle =
      title.isEmpty || (title.count > 1 && "\"'(".utf8.contains(title[title.startIndex]))
    guard isTitle else { return nil }
    let written = String(decoding: address, as: UTF8.self)
    if written.utf8.count > 100, written.prefix(5).lowercased() == "data:" {
      return (label, .file(written))
    }
    // Words behind a colon are rather what somebody said.
    guard let link = RichText.Link(written),
      link.isFollowed || link.href.contains("://")
    else { return nil }
    return (label, .link(link))
  }

  /// The label of `[^label]: Text` at the beginning of a line, and how long it is with the colon.
  static func footnote(_ line: ArraySlice<UInt8>) -> (label: String, length: Int)? {
    guard line.starts(with: "[^".utf8) else { return nil }
    let name = line.dropFirst(2).prefix(200).prefix { $0 != UInt8(ascii: "]") }
    guard line[name.endIndex...].starts(with: "]:".utf8) else { return nil }
    let label = String(decoding: name, as: UTF8.self)
    return Footnotes.isLabel(label) ? (label, name.count + 4) : nil
  }

  /// The callout that `[!tip]- Title` begins at the start of a quote.
  static func callout(_ line: ArraySlice<UInt8>) -> MarkdownCallout? {
    guard line.starts(with: "[!".utf8),
      let end = line.prefix(200).firstIndex(of: UInt8(ascii: "]"))
    else { return nil }
    // Others say behind a bar how it should look.
    let word = line[(line.startIndex + 2)..<end].prefix { $0 != UInt8(ascii: "|") }
    guard let kind = RichText.Callout.tidy(String(decoding: trimmed(word), as: UTF8.self)) else {
      return nil
    }
    var rest = line[(end + 1)...]
    var fold: RichText.Callout.Fold?
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      fold = sign == UInt8(ascii: "+") ? .open : .closed
      rest = rest.dropFirst()
    }
    guard rest.first.map(isBlank) ?? true else { return nil }
    return MarkdownCallout(kind: kind, fold: fold, title: trimmed(rest))
  }

  /// Labels are equal whatever their case and blanks.
  static func label(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
  }

  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let start = line.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return [] }
    return start[...last]
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09
  }
}
