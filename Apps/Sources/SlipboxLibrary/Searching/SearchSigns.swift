/// The signs of a text as words, which an index of words can find: “🎉”, “→”, “€”.
///
/// ```
/// C++ → Swift 🎉        u00002b u002192 u01f389
/// ```
///
/// All of these words are equally long, so that none begins another.
enum SearchSigns {
  /// The signs of a title and a text, each once and in order; nil where there are none.
  static func words(of texts: String...) -> String? {
    var found: Set<Unicode.Scalar> = []
    for text in texts {
      for scalar in text.unicodeScalars where isSign(scalar) { found.insert(scalar) }
    }
    return found.isEmpty ? nil : found.sorted().map(word).joined(separator: " ")
  }

  /// What a search for a sign asks the index; nil where one of the scalars is none that is kept.
  static func words(sought sign: String) -> [String]? {
    let scalars = sign.unicodeScalars.filter { !isInvisible($0) }
    guard !scalars.isEmpty, scalars.allSatisfy(isSign) else { return nil }
    return scalars.map(word)
  }

  private static func word(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "u" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// What says how a sign looks, or joins signs, is on its own no sign.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .format: true
    default: false
    }
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    // Nearly every text has these.
    if ".,;:'\"()-".unicodeScalars.contains(scalar) { return false }
    return switch scalar.properties.generalCategory {
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }
}
