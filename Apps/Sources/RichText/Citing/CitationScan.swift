/// Finds citations in the letters of a line.
///
/// Each sign is looked at a bounded number of times: a bracket ends at the next one, and a key has a greatest length.
struct CitationScan {
  /// The letters of the line; ``CitationScan/other`` in the place of code, links and formulas.
  let letters: [Unicode.Scalar]

  typealias Found = (citation: RichText.Citation, range: Range<Int>)

  /// A letter that citations do not contain.
  static let other: Unicode.Scalar = "\u{FFFC}"

  static let longestKey = 200
  static let longestBracket = 2_000
  static let mostItems = 100

  /// The citations, in the order of the line.
  var found: [Found] {
    guard letters.contains("@") else { return [] }
    var found: [Found] = []
    var index = 0
    while index < letters.count {
      let letter = letters[index]
      let next = letter == "[" ? bracket(at: index) : letter == "@" ? sentence(at: index) : nil
      if let next { found.append(next) }
      index = next?.range.upperBound ?? index + 1
    }
    return found
  }

  // MARK: - Brackets

  /// The citation whose brackets begin at a place.
  func bracket(at start: Int) -> Found? {
    // Two brackets are a link to a note.
    guard start == 0 || letters[start - 1] != "[", let end = end(ofBracketAt: start),
      letters[start + 1..<end].contains("@"), sign(at: end + 1) != "]"
    else { return nil }
    var items: [RichText.Citation.Item] = []
    for part in letters[start + 1..<end].split(separator: ";", omittingEmptySubsequences: false) {
      guard items.count < Self.mostItems, let item = item(in: part) else { return nil }
      items.append(item)
    }
    return (RichText.Citation(items: items), start..<end + 1)
  }

  /// The place of the bracket that ends one; `nil` if another begins before, or a letter that is not plain.
  private func end(ofBracketAt start: Int) -> Int? {
    let most = min(letters.count, start + Self.longestBracket)
    var index = start + 1
    while index < most {
      switch letters[index] {
      case "]": return index
      case "[", "\n", Self.other: return nil
      default: index += 1
      }
    }
    return nil
  }

  private func item(in part: ArraySlice<Unicode.Scalar>) -> RichText.Citation.Item? {
    var index = part.startIndex
    while index < part.endIndex {
      guard letters[index] == "@", beginsKey(at: index, from: part.startIndex),
        let (key, end) = key(at: index + 1), end <= part.endIndex
      else {
        index += 1
        continue
      }
      let hidesAuthors = index > part.startIndex && letters[index - 1] == "-"
      var after = letters[end..<part.endIndex]
      if after.first == "," { after = after.dropFirst() }
      return RichText.Citation.Item(
        key: key,
        before: words(part[..<(hidesAuthors ? index - 1 : index)]),
        after: words(after),
        hidesAuthors: hidesAuthors
      )
    }
    return nil
  }

  // MARK: - Sentences

  /// The citation whose key begins at a place, outside of brackets.
  private func sentence(at start: Int) -> Found? {
    guard beginsKey(at: start, from: 0), let (key, end) = key(at: start + 1) else { return nil }
    let hidesAuthors = start > 0 && letters[start - 1] == "-"
    var item = RichText.Citation.Item(key: key, hidesAuthors: hidesAuthors)
    var range = (hidesAuthors ? start - 1 : start)..<end
    if let place = place(behind: end) {
      item.after = words(letters[place.lowerBound + 1..<place.upperBound - 1])
      range = range.lowerBound..<place.upperBound
    }
    return (RichText.Citation(items: [item], isInSentence: true), range)
  }

  /// The brackets with the place in a work, one blank behind its key.
  func place(behind end: Int) -> Range<Int>? {
    guard sign(at: end) == " ", sign(at: end + 1) == "[", let last = self.end(ofBracketAt: end + 1)
    else { return nil }
    let inside = letters[end + 2..<last]
    guard let first = inside.first, first != "^", !inside.contains("@"), sign(at: last + 1) != "(",
      !words(inside).isEmpty
    else { return nil }
    return end + 1..<last + 1
  }

  /// The brackets at a place, if they are a citation or belong to the one before them.
  func brackets(at start: Int) -> Range<Int>? {
    if let (_, range) = bracket(at: start) { return range }
    let most = Self.longestKey + 3
    guard sign(at: start - 1) == " ",
      let sign = letters[max(0, start - most)..<start].lastIndex(of: "@"),
      beginsKey(at: sign, from: 0), let (_, end) = key(at: sign + 1), end == start - 1
    else { return nil }
    return place(behind: end)
  }

  // MARK: - Keys

  /// Whether a key may begin behind the sign at a place: that of an address has a letter before it.
  private func beginsKey(at place: Int, from start: Int) -> Bool {
    var before = place - 1
    if before >= start, letters[before] == "-" { before -= 1 }
    return before < start || letters[before].properties.isWhitespace
      || Self.openings.contains(letters[before])
  }

  private static let openings = Set("([{\"'“”„«»‘’‚–—".unicodeScalars)

  /// The key that begins at a place, and where it ends.
  func key(at start: Int) -> (key: String, end: Int)? {
    if sign(at: start) == "{" { return bracedKey(at: start + 1) }
    var index = start
    while let letter = sign(at: index), index - start < Self.longestKey {
      if Self.isLetter(letter) {
        index += 1
      } else if index > start, Self.inner.contains(letter), let next = sign(at: index + 1),
        Self.isLetter(next)
      {
        index += 2
      } else {
        break
      }
    }
    guard index > start, sign(at: index) != "@" else { return nil }
    return (text(letters[start..<index]), index)
  }

  private func bracedKey(at start: Int) -> (key: String, end: Int)? {
    var index = start
    while let letter = sign(at: index), index - start <= Self.longestKey {
      if letter == "}" { break }
      if letter == "{" || letter == "\n" || letter == Self.other { return nil }
      index += 1
    }
    guard index > start, sign(at: index) == "}" else { return nil }
    return (text(letters[start..<index]), index + 1)
  }

  /// Signs that may be between two letters of a key.
  private static let inner = Set(":.#$%&-+?<>~/".unicodeScalars)

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar)
        || ("A"..."Z").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber:
      return true
    default: return false
    }
  }

  // MARK: - Letters

  private func sign(at place: Int) -> Unicode.Scalar? {
    letters.indices.contains(place) ? letters[place] : nil
  }

  private func text(_ letters: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(letters))
  }

  private func words(_ letters: ArraySlice<Unicode.Scalar>) -> String {
    let inside = letters.drop { $0.properties.isWhitespace }
    let end = inside.lastIndex { !$0.properties.isWhitespace }
    return end.map { text(inside[...$0]) } ?? ""
  }
}
