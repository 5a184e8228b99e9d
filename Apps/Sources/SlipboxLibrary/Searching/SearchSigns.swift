/// The signs of a text as words, which an index of words can find: “🎉”, “→”, “--”; and its ``LetterPairs``.
///
/// ```
/// C++ → Swift 🎉 -- so    u00002b u002192 u01f389 v002d002d
/// ```
///
/// Signs that nearly every text has are words only if two are next to each other. The words of one kind are equally
/// long, so that none begins another.
enum SearchSigns {
  /// The signs of a title and a text, each once and in order; `nil` if there are none.
  static func words(of texts: String...) -> String? {
    var found: Set<Unicode.Scalar> = []
    var pairs: Set<CommonPair> = []
    for text in texts {
      var last: Unicode.Scalar?
      for scalar in text.unicodeScalars {
        if isSign(scalar) { found.insert(scalar) }
        let common = isCommon(scalar) ? scalar : nil
        if let last, let common { pairs.insert(CommonPair(last, common)) }
        last = common
      }
    }
    let words =
      found.sorted().map(word) + pairs.map(\.word).sorted() + LetterPairs.words(of: texts)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The words that a search for signs looks up in the index; `nil` if the index does not have the signs.
  static func words(sought sign: String) -> [String]? {
    let scalars = visible(sign)
    guard scalars.allSatisfy({ isSign($0) || isCommon($0) }) else { return nil }
    let pairs = zip(scalars, scalars.dropFirst()).filter { isCommon($0) && isCommon($1) }
      .map { CommonPair($0, $1).word }
    let words = scalars.filter(isSign).map(word) + Set(pairs).sorted()
    return words.isEmpty ? nil : words
  }

  /// Whether one word covers the whole search text: a sign, or two that nearly every text has.
  static func isOneWord(_ sign: String) -> Bool {
    let scalars = visible(sign)
    return scalars.count == 1
      ? isSign(scalars[0]) : scalars.count == 2 && scalars.allSatisfy(isCommon)
  }

  /// Whether nearly every text has it.
  static func isEverywhere(_ sign: String) -> Bool {
    let scalars = visible(sign)
    return scalars.count == 1 && isCommon(scalars[0])
  }

  private static func visible(_ sign: String) -> [Unicode.Scalar] {
    sign.unicodeScalars.filter { !isInvisible($0) }
  }

  private static func word(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "u" + String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// Two signs that nearly every text has, next to each other; a long text has very many.
  private struct CommonPair: Hashable {
    let first, second: Unicode.Scalar

    init(_ first: Unicode.Scalar, _ second: Unicode.Scalar) {
      self.first = first
      self.second = second
    }

    var word: String {
      "v" + [first, second].map { "00" + String($0.value, radix: 16) }.joined()
    }
  }

  /// A character that changes a sign's looks, or joins signs, is not a sign by itself.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .format: true
    default: false
    }
  }

  /// Nearly every text has these; all of them have two digits.
  private static func isCommon(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ".", ",", ";", ":", "'", "\"", "(", ")", "-": true
    default: false
    }
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    if isCommon(scalar) { return false }
    // Most of a text, without a look into the tables of Unicode.
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", " ", "\n": return false
    default: break
    }
    return switch scalar.properties.generalCategory {
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }
}
