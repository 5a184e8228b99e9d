extension MarkdownFile {
  /// Whether a file begins with front matter, and not with a rule.
  public static func hasFrontMatter(_ contents: String) -> Bool {
    contents.hasPrefix("---") && FrontMatter(contents).lineCount > 0
  }

  /// A line of front matter with values as people write them there, of which several are a list; reading it gives these
  /// values again, each on one line.
  ///
  /// ```
  /// property("Price: net", ["12.5"])          Price  net: 12.5
  /// property("colours", ["red", "#3b5ba9"])   colours: [red, "#3b5ba9"]
  /// ```
  public static func property(_ name: String, _ values: [String]) -> String {
    let values = values.map(FrontMatter.property)
    let written = values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
    return "\(FrontMatter.propertyName(name)): \(written)"
  }
}

extension FrontMatter {
  /// The value of a property; numbers, dates and truths are written without quotes, as others know them by their looks.
  fileprivate static func property(_ value: String) -> String {
    let line = Text.oneLine(value)
    let isTruth = line == "true" || line == "false"
    return isTruth || isNumber(line) || isDate(line) ? line : written(value)
  }

  /// The name of a property, without the sign that ends it.
  fileprivate static func propertyName(_ name: String) -> String {
    let line = Text.oneLine(name).replacing(":", with: " ")
    let isPlain = line.first.map(\.isLetter) ?? false && !line.contains { "\"'#[]{}".contains($0) }
    return isPlain ? line : "\"\(line.replacing("\"", with: "'"))\""
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 20 && (1...2).contains(parts.count)
      && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }

  /// Whether it is `2026-11-21`, or begins with that and has a time.
  private static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (10...30).contains(bytes.count) else { return false }
    let isDay = zip(bytes, "0000-00-00".utf8).allSatisfy { byte, sign in
      sign == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == sign
    }
    return isDay
      && bytes.dropFirst(10).allSatisfy { (0x30...0x3A).contains($0) || "TZ+-. ".utf8.contains($0) }
  }
}
