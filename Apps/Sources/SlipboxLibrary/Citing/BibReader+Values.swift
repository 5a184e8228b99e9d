// The values of fields, and the bytes of a file.

extension BibReader {
  /// The most bytes of a value; lists of thousands of authors have some hundred thousand.
  private static let longest = 400_000
  private static let deepest = 200

  /// A value of parts: `{…} # "…" # name # 12`.
  mutating func readValue() throws(Fault) -> [UInt8] {
    var value: [UInt8] = []
    while true {
      skipBlanks()
      guard let first = byte else { throw Fault(sentence: "It does not end. A brace is missing.") }
      if first == Self.brace || first == UInt8(ascii: "\"") {
        let range = try group(from: first)
        value += bytes[range]
      } else {
        let name = word()
        guard !name.isEmpty else { throw Fault(sentence: "A field has no value.") }
        // A number means itself; an abbreviation that is not defined means nothing.
        let part =
          name.utf8.allSatisfy(Self.isDigit) ? Array(name.utf8) : strings[name.lowercased()]
        value += part ?? []
        room -= part?.count ?? 0
        guard room > 0 else { throw Fault(sentence: "Abbreviations make the file too long.") }
      }
      guard value.count <= Self.longest else {
        throw Fault(sentence: "A field has more than \(Self.longest) bytes.")
      }
      skipBlanks()
      guard byte == UInt8(ascii: "#") else { return value }
      place += 1
    }
  }

  /// The inside of braces or quotes; braces are balanced in both, and a backslash does not change that, as for BibTeX.
  mutating func group(from opening: UInt8) throws(Fault) -> Range<Int> {
    let isQuoted = opening == UInt8(ascii: "\"")
    place += 1
    let start = place
    var depth = 0
    while let byte {
      switch byte {
      case Self.brace:
        depth += 1
        guard depth <= Self.deepest else {
          throw Fault(sentence: "Braces are inside of each other more than \(Self.deepest) times.")
        }
      case Self.endBrace where depth > 0: depth -= 1
      case Self.endBrace where !isQuoted, UInt8(ascii: "\"") where isQuoted && depth == 0:
        let range = start..<place
        place += 1
        return range
      case UInt8(ascii: "\n") where beginsEntry(at: place + 1):
        throw unended("A field")
      default: break
      }
      place += 1
    }
    place = bytes.count
    throw unended("A field")
  }

  /// Goes behind the end of a group that is left out.
  mutating func skipGroup(_ opening: UInt8) throws(Fault) {
    if opening == Self.brace {
      place -= 1
      _ = try group(from: opening)
    } else {
      while let byte, byte != UInt8(ascii: ")") {
        if byte == UInt8(ascii: "\n"), beginsEntry(at: place + 1) { throw unended("A comment") }
        place += 1
      }
      place = min(place + 1, bytes.count)
    }
  }

  /// Whether a line begins as entries do: `@book{`.
  func beginsEntry(at start: Int) -> Bool {
    var index = start
    let end = min(bytes.count, start + 80)
    while index < end, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
    guard index < end, bytes[index] == UInt8(ascii: "@") else { return false }
    index += 1
    let first = index
    while index < end, Self.isLetter(bytes[index]) { index += 1 }
    return index > first && index < end
      && (bytes[index] == Self.brace || bytes[index] == Self.parenthesis)
  }

  func unended(_ thing: String) -> Fault {
    Fault(
      sentence:
        "\(thing) does not end before the next entry or the end. A brace or a quote is missing."
    )
  }
}

// MARK: - Bytes

extension BibReader {
  static let brace = UInt8(ascii: "{")
  private static let endBrace = UInt8(ascii: "}")
  static let parenthesis = UInt8(ascii: "(")

  static func closing(of opening: UInt8) -> UInt8 {
    opening == brace ? endBrace : UInt8(ascii: ")")
  }

  var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Letters, digits and signs that names of fields and abbreviations have.
  mutating func word() -> String {
    let start = place
    while let byte, Self.isLetter(byte) || Self.isDigit(byte) || "_-+:./".utf8.contains(byte) {
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
  }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  mutating func skipBlanks() {
    while let byte, byte <= 0x20 { place += 1 }
  }

  /// Counts the lines up to a place; places only grow.
  mutating func lineNumber(at place: Int) -> Int {
    while counted < place {
      if bytes[counted] == UInt8(ascii: "\n") { line += 1 }
      counted += 1
    }
    return line
  }

  mutating func add(_ sentence: String, at place: Int? = nil) {
    file.add(problem: sentence, at: "line \(lineNumber(at: min(place ?? self.place, bytes.count)))")
  }
}
