import CoreData

/// Characters as they are written in brackets in a server's expression, as far as it does not have a class for them.
enum CharacterRanges {
  /// The characters that `\s` finds in ICU.
  static let spaces =
    "\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000"

  /// The characters that `\w` finds in ICU besides letters and digits: marks, characters that join words, and letters
  /// in circles.
  static let ofWords = ranges { scalar in
    let properties = scalar.properties
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber:
      return false
    case .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: return true
    case _:
      return properties.isAlphabetic || scalar == "\u{200C}" || scalar == "\u{200D}"
    }
  }

  /// All characters of the first two planes, and the marks beyond them, that meet a condition.
  private static func ranges(_ isMember: (Unicode.Scalar) -> Bool) -> String {
    let planes: [ClosedRange<UInt32>] = [0...0x1FFFF, 0xE0000...0xE01FF]
    return spelled(planes.joined().compactMap(Unicode.Scalar.init).filter(isMember))
  }

  /// Characters that come in their order.
  static func spelled(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = ""
    var range: ClosedRange<UInt32>?
    for scalar in scalars {
      let value = scalar.value
      if let begun = range, begun.upperBound + 1 == value {
        range = begun.lowerBound...value
      } else {
        text += range.map { spelled($0) } ?? ""
        range = value...value
      }
    }
    return text + (range.map { spelled($0) } ?? "")
  }

  private static func spelled(_ range: ClosedRange<UInt32>) -> String {
    let (first, last) = (spelled(value: range.lowerBound), spelled(value: range.upperBound))
    return range.count == 1 ? first : "\(first)-\(last)"
  }

  private static func spelled(value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "\\U" + String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }
}

/// Letters with more than two cases, such as σ, ς and Σ: the server knows of each only the small one and the capital.
enum CaseVariants {
  /// All the cases of a letter, itself among them; `nil` if the server knows them, or if there are none.
  static func of(_ scalar: Unicode.Scalar) -> String? { groups[scalar] }

  /// Those of all letters of a range.
  static func of(_ range: ClosedRange<Unicode.Scalar>) -> String {
    groups.keys.filter { range.contains($0) }.sorted().compactMap { groups[$0] }.joined()
  }

  private static let groups: [Unicode.Scalar: String] = {
    var members: [Unicode.Scalar: [Unicode.Scalar]] = [:]
    for value in 0x41...0xFFFF as ClosedRange<UInt32> {
      // The dotless i of Turkish is not a case of another one elsewhere.
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseMapped,
        scalar != "\u{130}", scalar != "\u{131}"
      else { continue }
      members[CaseVariants.folded(scalar), default: []].append(scalar)
    }
    var groups: [Unicode.Scalar: String] = [:]
    for group in members.values where group.count > 2 {
      var text = ""
      text.unicodeScalars.append(contentsOf: group)
      for scalar in group { groups[scalar] = text }
    }
    return groups
  }()

  /// The small letter of its capital, if both are one character.
  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let capital = single(scalar.properties.uppercaseMapping) ?? scalar
    return single(capital.properties.lowercaseMapping) ?? capital
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}
