import Foundation

/// The characters that a text may have.
enum Text {
  /// The text without control characters, and with `\n` for every kind of line break.
  static func tidy(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 >= 0xE2 }),
      text.unicodeScalars.contains(where: { !isOrdinary($0) })
    else { return text }
    var tidied = String.UnicodeScalarView()
    var last: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if isLineBreak(scalar) {
        if !(scalar == "\n" && last == "\r") { tidied.append("\n") }
      } else if isOrdinary(scalar) {
        tidied.append(scalar)
      }
      last = scalar
    }
    return String(tidied)
  }

  /// The text on one line, without blanks around it.
  static func oneLine(_ text: String) -> String {
    let line = tidy(text).replacing("\n", with: " ")
    let ends = line.drop(while: \.isWhitespace)
    return String(ends.reversed().drop(while: \.isWhitespace).reversed())
  }

  /// The letters and digits of a text, without case and accents, by which links find a heading.
  ///
  /// Programs whose links cannot have some signs leave them out.
  static func letters(_ text: String) -> String {
    text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
      .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
      .map { String(String.UnicodeScalarView($0)) }
      .joined(separator: " ")
  }

  /// The text without blanks and tabs around it.
  static func trimmed(_ text: Substring) -> String {
    let scalars = text.unicodeScalars
    let start = scalars.firstIndex { !isBlank($0) } ?? scalars.endIndex
    let end = scalars.lastIndex { !isBlank($0) }.map(scalars.index(after:)) ?? start
    return String(scalars[start..<end])
  }

  /// A tab, or a blank of any width.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar == " " || scalar == "\t" }
    return scalar.properties.generalCategory == .spaceSeparator
  }

  private static func isOrdinary(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x20...0x7E, 0xA0...0x2027, 0x202A...0xFFFB, 0xFFFD, 0x10000...: true
    default: false
    }
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }
}

/// The word that says which language a code block is in.
enum Language {
  /// The word, or `nil` if it cannot follow a fence of Markdown.
  static func tidy(_ word: String) -> String? {
    let isWord = (1...64).contains(word.utf8.count) && word.utf8.allSatisfy(isPart)
    return isWord ? word : nil
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
