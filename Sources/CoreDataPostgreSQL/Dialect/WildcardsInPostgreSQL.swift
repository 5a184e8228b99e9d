import CoreData
import CoreDataPredicates
import CoreDataSQL
import Foundation

/// `LIKE` on a server, which counts code points where memory counts characters: a flag has two, and an é may have two.
///
/// ```
/// title LIKE "*é?"     coredata_like("ZTITLE", '%é_', '%é_%', '^.*⟨é⟩⟨[^…]+⟩$')
///
/// plain    for texts whose code points are characters, as most are
/// loose    what all texts have that are found, tried first, because the last takes its time
/// whole    for the text with a mark before and behind each character
/// ```
///
/// The bounds of characters follow from Swift's own answers, and characters that are written in several ways are
/// equal, as in memory.
struct WildcardsInPostgreSQL {
  private var plain = ""
  private var loose = ""
  private var whole = "^"
  /// The common beginning of all texts that are found, as they are spelled; an index can look it up.
  private var prefix = ""

  /// The pattern comes without what the options of the comparison ignore.
  init(_ pattern: String) {
    var (isEscaped, isPrefix) = (false, true)
    for character in pattern {
      switch character {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "?" where !isEscaped: append("_", "_%", "\(Self.mark)[^\(Self.mark)]+\(Self.mark)")
      case "*" where !isEscaped: append("%", "%", ".*")
      case _:
        append(character)
        isPrefix = isPrefix && character.hasOneSpelling
        if isPrefix { prefix.append(character) }
        isEscaped = false
        continue
      }
      isPrefix = false
    }
    if isEscaped { append("\\") }
    whole += "$"
  }

  private mutating func append(_ plain: String, _ loose: String, _ whole: String) {
    self.plain += plain
    self.loose += loose
    self.whole += whole
  }

  private mutating func append(_ character: Character) {
    // Foundation composes a Korean syllable with its last letter only if all letters are separate.
    let text = String(character).decomposedStringWithCanonicalMapping
      .precomposedStringWithCanonicalMapping.withoutMark
    let pattern = text.escapingForLike
    let expression = text.escaping { $0.isASCII && $0.properties.isPatternSyntax }
    append(pattern, pattern, "\(Self.mark)\(expression)\(Self.mark)")
  }

  /// The mark before and after each character, for texts in which some code points are not characters.
  fileprivate static let mark: Unicode.Scalar = "\u{10FFFF}"
  /// The substitute for the mark in a text that contains it.
  fileprivate static let substitute: Unicode.Scalar = "\u{10FFFE}"
}

extension Character {
  /// Whether no other code points mean the same: those that do are of some signs, and of the letter K.
  fileprivate var hasOneSpelling: Bool {
    guard unicodeScalars.count == 1, let value = asciiValue else { return false }
    return value >= 0x20 && !"K;`".contains(self)
  }
}

extension String {
  /// The text with a backslash in front of some of its code points.
  fileprivate func escaping(_ isSpecial: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    for scalar in unicodeScalars {
      if isSpecial(scalar) { text.unicodeScalars.append("\\") }
      text.unicodeScalars.append(scalar)
    }
    return text
  }

  fileprivate var escapingForLike: String {
    escaping { $0 == "%" || $0 == "_" || $0 == "\\" }
  }

  fileprivate var withoutMark: String {
    var text = ""
    for scalar in unicodeScalars {
      text.unicodeScalars.append(
        scalar == WildcardsInPostgreSQL.mark ? WildcardsInPostgreSQL.substitute : scalar
      )
    }
    return text
  }
}

// MARK: - The condition

extension WildcardsInPostgreSQL {
  private static let function = "coredata_like"

  /// Whether a text fits; the text is one of the rows as it is, or folded by a function.
  func match(_ text: SQLFragment, isFolded: Bool) -> SQLFragment {
    let call: SQLFragment = """
      \(SQLFragment(stringLiteral: Self.function))\
      (\(text), \(.text(plain)), \(.text(loose)), \(.text(whole)))
      """
    if isFolded { return call }
    let condition: SQLFragment = """
      CASE WHEN octet_length(\(text)) = char_length(\(text)) AND position(chr(13) IN \(text)) = 0 \
      THEN \(text) LIKE \(.text(plain)) ELSE \(call) END
      """
    if prefix.isEmpty { return condition }
    return "(\(text) LIKE \(.text(prefix.escapingForLike + "%")) AND \(condition))"
  }

  static let functions = [
    ServerFunction(
      function,
      of: "t text, plain text, loose text, whole text",
      returns: "boolean"
    ) { lines }
  ]

  private static func spelled(_ scalar: Unicode.Scalar) -> String { "chr(\(scalar.value))" }

  /// Made once, because Swift is asked about every code point.
  private static let lines: [String] = {
    let characters = SwiftCharacters()
    let mark = spelled(Self.mark)
    return [
      "IF t !~ '[\(characters.parts)]' THEN RETURN t LIKE plain; END IF;",
      "t := replace(normalize(t, NFC), \(mark), \(spelled(Self.substitute)));",
      "IF t NOT LIKE loose THEN RETURN FALSE; END IF;",
      "t := regexp_replace(t, '\(characters.expression)', \(mark) || '\\&' || \(mark), 'g');",
      "RETURN t ~ whole;",
    ]
  }()
}

// MARK: - Characters

/// A single character in Swift, as a regular expression of the server.
private struct SwiftCharacters {
  /// Code points that may be only a part of a character, or that can also be written in another way: without them,
  /// each code point is a character.
  let parts: String
  /// One character.
  let expression: String

  init() {
    let all = Self.candidates
    let joining = all.filter { Self.isOne("a", $0) }
    let prepended = all.filter { Self.isOne($0, "a") }
    let controls = all.filter { !Self.isOne($0, "\u{301}") }
    let pictures = Self.ranges([0xA9...0xAE, 0x2000...0x33FF, 0x1F000...0x1FFFF])
      .filter { Self.isOne($0, "\u{200D}", "🙂") }
    let extending = joining.filter { Self.isOne("🙂", $0, "\u{200D}", "🙂") }
    // Letters of India that a sign between them makes one.
    let consonants = Self.ranges([0x900...0x1FFF, 0xA800...0xABFF, 0x10A00...0x11FFF])
      .filter { !Self.isOne("a", $0) && Self.isOne("क", "\u{94D}", $0) }
    let linking = joining.filter { Self.isOne("क", $0, "ष") }
    let between = joining.filter { Self.isOne("क", "\u{94D}", $0, "ष") }
    let (joins, prepends) = (joining.spelled, prepended.spelled)
    let core = [
      "[\(Self.flags)]{2}", Self.syllable,
      "[\(consonants.spelled)](?:[\(between.spelled)]*[\(linking.spelled)][\(between.spelled)]*"
        + "[\(consonants.spelled)])*",
      "[\(pictures.spelled)](?:[\(extending.spelled)]*\\u200d[\(pictures.spelled)])*",
      "[^\(controls.spelled)]",
    ]
    .joined(separator: "|")
    expression = "\\r\\n|[\(prepends)]*(?:\(core))[\(joins)]*|[\(prepends)]+|."
    let rewritten = Self.ranges([0x340...0x2FFF, 0xF900...0xFB4F, 0x2F800...0x2FA1D])
      .filter(\.properties.isFullCompositionExclusion)
    parts =
      "\\r\(joins)\(prepends)\(rewritten.spelled)\(Self.flags)\(Self.jamo)\\U0010ffff"
  }

  private static func isOne(_ scalars: Unicode.Scalar...) -> Bool {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text.count == 1
  }

  /// All code points but those of scripts whose characters are single ones.
  private static var candidates: [Unicode.Scalar] {
    ranges([
      0x1...0x33FF, 0xA000...0xABFF, 0xFB00...0xFFFF, 0x10000...0x11FFF, 0x13400...0x134FF,
      0x16100...0x161FF, 0x16A00...0x16FFF, 0x1BC00...0x1BCFF, 0x1CF00...0x1CFFF,
      0x1D100...0x1D2FF, 0x1DA00...0x1FFFF, 0xE0000...0xE0FFF,
    ])
  }

  private static func ranges(_ ranges: [ClosedRange<UInt32>]) -> [Unicode.Scalar] {
    ranges.joined().compactMap(Unicode.Scalar.init)
  }
}

// MARK: - Flags and Korean syllables

extension SwiftCharacters {
  private static let flags = "\\U0001f1e6-\\U0001f1ff"

  private static let (first, middle, last) = (
    "\\u1100-\\u115f\\ua960-\\ua97c", "\\u1160-\\u11a7\\ud7b0-\\ud7c6",
    "\\u11a8-\\u11ff\\ud7cb-\\ud7fb"
  )

  private static let jamo = first + middle + last

  /// A syllable that is one code point, or of letters; one without a last letter may get more of them.
  private static let syllable: String = {
    let open = stride(from: 0xAC00 as UInt32, through: 0xD788, by: 28)
      .compactMap(Unicode.Scalar.init)
    return
      "[\(first)]*(?:[\(middle)]+|[\(open.spelled)][\(middle)]*|[\\uac00-\\ud7a3])[\(last)]*"
      + "|[\(first)]+|[\(last)]+"
  }()
}

extension [Unicode.Scalar] {
  /// Ranges as they are written in brackets.
  fileprivate var spelled: String { CharacterRanges.spelled(self) }
}
