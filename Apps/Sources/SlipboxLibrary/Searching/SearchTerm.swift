import Foundation

/// A text that was typed into the search field, understood.
///
/// ```
/// slip box            both words                       "slip box"          next to each other
/// slip OR card        one of them                      -draft              without it
/// tag:reading #slow   with a keyword                   folder:essays       in a folder of that name, or inside of it;
///                                                                          also in: and path:
/// is:favourite        also pinned, task, done, draft, review, archived, unfiled, orphan, untitled, template
/// has:picture         also file, link, backlink, tag
/// edited:>2026-01     also created:2026-01..2026-03, edited:today, created:<2025
/// title:slip          in the title alone; also file:
/// due:<2026-12-01     a property of that name: ``PropertyQuestion``
/// ```
indirect enum SearchTerm: Hashable, Sendable {
  case word(String)
  case phrase(String)
  case title(SearchTerm)
  case keyword(String)
  case folder(String)
  case trait(SearchTrait)
  case date(SearchDate)
  /// A property; the other term counts as long as no note has a property of the name.
  case property(PropertyQuestion, otherwise: SearchTerm)
  case not(SearchTerm)
  case one([SearchTerm])
}

/// A trait of a note.
enum SearchTrait: String, CaseIterable, Sendable {
  case favourite, pinned, template, task, done, draft, review, archived, unfiled, orphan, untitled
  case picture, file, link, backlink, tag

  /// The trait after `is:` and `has:`, in the words that people use.
  init?(word: String) {
    let word = word.lowercased()
    if let trait = Self(rawValue: word) ?? Self.others[word] { self = trait } else { return nil }
  }

  /// The traits named in advice after `is:` and after `has:`.
  static let isThere: [Self] = [.picture, .file, .link, .backlink, .tag]
  static let isSo = allCases.filter { !isThere.contains($0) }

  private static let others: [String: Self] = [
    "favorite": .favourite, "starred": .favourite, "star": .favourite, "favourites": .favourite,
    "tasks": .task, "todo": .task, "open": .task, "image": .picture, "photo": .picture,
    "attachment": .picture, "files": .file, "links": .link, "backlinks": .backlink,
    "linked": .backlink, "tags": .tag, "keyword": .tag, "keywords": .tag, "archive": .archived,
  ]
}

/// A time at which a note was made or edited: from the first moment to before the second.
struct SearchDate: Hashable, Sendable {
  var isCreation: Bool
  var from: Date?
  var to: Date?
}

// MARK: - Understanding

extension SearchTerm {
  /// The terms of a text, all of which are to hold; at most sixteen, those between `OR` counted one by one.
  static func terms(of text: String, now: Date, calendar: Calendar = .current) -> [SearchTerm] {
    var terms: [SearchTerm] = []
    var joins = false
    for piece in Piece.pieces(of: text)
    where terms.reduce(0, { $0 + $1.alternatives.count }) < mostTerms {
      if piece.isOR {
        joins = !terms.isEmpty
        continue
      }
      guard let term = SearchTerm(piece, now, calendar) else { continue }
      if joins, let last = terms.popLast() {
        let others = last.alternatives
        terms.append(others.contains(term) ? last : .one(others + [term]))
      } else if !terms.contains(term) {
        terms.append(term)
      }
      joins = false
    }
    return terms
  }

  /// Each may have to be looked for in every text, while everybody else who reads waits.
  private static let mostTerms = 16

  /// The terms of which one is enough.
  private var alternatives: [SearchTerm] {
    if case .one(let terms) = self { terms } else { [self] }
  }

  /// The words and phrases to be shown in a found text.
  var shownWords: [String] {
    switch self {
    case .word(let word), .phrase(let word): [word]
    case .title(let term), .property(_, let term): term.shownWords
    case .one(let terms): terms.flatMap(\.shownWords)
    case .keyword, .folder, .trait, .date, .not: []
    }
  }

  /// The possible words after a name such as `is:`, if a text has something else there, which is looked for as a word,
  /// or how a property is asked for; `nil` if everything is understood.
  ///
  /// `isProperty` knows the names of properties, which may have any value.
  static func advice(
    on text: String,
    now: Date,
    calendar: Calendar = .current,
    isProperty: (_ name: String) throws -> Bool = { _ in false }
  ) rethrows -> String? {
    for piece in Piece.pieces(of: text) {
      let words = piece.words.trimmingCharacters(in: .whitespaces)
      guard let name = piece.name else { continue }
      if let advice = advice(onProperty: piece, words, now, calendar), try isProperty(name) {
        return advice
      }
      guard !words.isEmpty, !piece.isNameQuoted,
        let known = known(behind: name), named(name, piece, now, calendar) == nil,
        try name != "status" || !isProperty(name)
      else { continue }
      return "“\(name):\(words)” is looked for as a word. Behind “\(name):” there can be \(known)."
    }
    return nil
  }

  /// A remark on a property that is asked for with nothing behind its name, or compared with words.
  private static func advice(
    onProperty piece: Piece,
    _ words: String,
    _ now: Date,
    _ calendar: Calendar
  ) -> String? {
    guard let name = piece.name, piece.isNameQuoted || !namesOfFacts.contains(name) else {
      return nil
    }
    let sign = piece.isNameQuoted ? "\"\(name)\"" : name
    if words.isEmpty {
      return "A value follows “\(sign):” without a blank, such as “\(sign):any” or "
        + "“\(sign):<2026-12-01”."
    }
    guard !piece.isQuoted, PropertyQuestion.comparesTexts(words, now, calendar) else { return nil }
    return "“\(words)” is neither a number nor a date such as 2026-12-01, so “\(sign)” is compared "
      + "with it as a text."
  }

  private static func known(behind name: String) -> String? {
    switch name {
    case "is": either(SearchTrait.isSo)
    case "has": either(SearchTrait.isThere)
    case "status": either([.draft, .review, .archived])
    case "edited", "changed", "modified", "created", "made":
      "today, yesterday, week, month, year, 7d, 2026, 2026-01 or 2026-01-31, also with < or > before it"
    default: nil
    }
  }

  private static func either(_ traits: [SearchTrait]) -> String {
    let words = traits.map(\.rawValue)
    return words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  private init?(_ piece: Piece, _ now: Date, _ calendar: Calendar) {
    if piece.isNegative {
      var positive = piece
      positive.isNegative = false
      guard let term = SearchTerm(positive, now, calendar) else { return nil }
      self = .not(term)
      return
    }
    let words = piece.words.trimmingCharacters(in: .whitespaces)
    if let name = piece.name {
      let known = piece.isNameQuoted ? nil : Self.named(name, piece, now, calendar)
      // Nothing of ours: `http:`, or a word with a colon.
      let other = known ?? .word(name + ":" + words)
      guard !words.isEmpty, piece.isNameQuoted || !Self.namesOfFacts.contains(name) else {
        self = other
        return
      }
      let isQuoted = piece.isQuoted
      let question = PropertyQuestion(name, words, isQuoted: isQuoted, now: now, calendar)
      self = .property(question, otherwise: other)
    } else if words.isEmpty || !piece.isQuoted && SearchSigns.isEverywhere(words) {
      return nil
    } else if !piece.isQuoted, words.count > 1, words.first == "#",
      words.dropFirst().contains(where: \.isLetter)
    {
      self = .keyword(String(words.dropFirst()))
    } else {
      self = piece.isQuoted ? .phrase(words) : .word(words)
    }
  }

  /// The names that ask for something else than a property.
  ///
  /// A status may also be one.
  private static let namesOfFacts: Set<String> = [
    "tag", "keyword", "folder", "in", "path", "title", "file", "is", "has", "edited", "changed",
    "modified", "created", "made",
  ]

  private static func named(
    _ name: String,
    _ piece: Piece,
    _ now: Date,
    _ calendar: Calendar
  ) -> SearchTerm? {
    let words = piece.words.trimmingCharacters(in: .whitespaces)
    if words.isEmpty { return nil }
    switch name {
    case "tag", "keyword": return .keyword(words.hasPrefix("#") ? String(words.dropFirst()) : words)
    case "folder", "in": return .folder(words)
    case "path": return words.split(separator: "/").last.map { .folder(String($0)) }
    case "title", "file": return .title(piece.isQuoted ? .phrase(words) : .word(words))
    case "is", "has": return SearchTrait(word: words).map(SearchTerm.trait)
    case "status": return SearchTrait(word: words).map(SearchTerm.trait)
    case "edited", "changed", "modified":
      return SearchDate(words, isCreation: false, now, calendar).map(SearchTerm.date)
    case "created", "made":
      return SearchDate(words, isCreation: true, now, calendar).map(SearchTerm.date)
    default: return nil
    }
  }
}

/// A piece of the typed text, between blanks: `-tag:"to read"`.
private struct Piece {
  var isNegative = false
  var name: String?
  var words = ""
  var isQuoted = false
  /// Whether the name was between quotes, `"due date":2026`: only that of a property is.
  var isNameQuoted = false

  var isOR: Bool { !isQuoted && !isNegative && name == nil && (words == "OR" || words == "|") }

  static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var piece = Piece()
    var isInside = false
    /// Behind the end of a phrase, which is a name if a colon follows.
    var isBehind = false
    func finish() {
      isBehind = false
      if !piece.words.isEmpty || piece.name != nil { pieces.append(piece) }
      piece = Piece()
    }
    for character in text {
      if isBehind, character == ":" {
        let name = piece.words.lowercased()
        piece = Piece(isNegative: piece.isNegative, name: name, isNameQuoted: true)
        isBehind = false
        continue
      }
      if isBehind { finish() }
      switch character {
      case _ where quotes.contains(character):
        if isInside {
          isInside = false
          isBehind = piece.name == nil
          if !isBehind { finish() }
        } else if piece.words.isEmpty {
          piece.isQuoted = true
          isInside = true
        } else {
          // An inch, or an apostrophe: a part of the word.
          piece.words.append(character)
        }
      case _ where isInside: piece.words.append(character)
      case _ where character.isWhitespace: finish()
      case "-" where piece.words.isEmpty && piece.name == nil && !piece.isNegative:
        piece.isNegative = true
      case ":" where piece.name == nil && isName(piece.words):
        piece.name = piece.words.lowercased()
        piece.words = ""
      case "-" where piece.words.isEmpty && piece.name == nil:
        // Two of them are a dash, or an option of a program.
        piece.isNegative = false
        piece.words = "--"
      default: piece.words.append(character)
      }
    }
    finish()
    return pieces
  }

  private static let quotes: Set<Character> = ["\"", "“", "”", "„"]

  private static func isName(_ word: String) -> Bool {
    (word.first?.isLetter ?? false)
      && word.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
  }
}

// MARK: - Dates

extension SearchDate {
  /// `2026`, `2026-01`, `2026-01-05`, `>2026-01`, `<2025`, `2026-01..2026-03`, `today`, `yesterday`, `week`, `month`,
  /// `year`, `7d`; `nil` for another text.
  init?(_ text: String, isCreation: Bool, _ now: Date, _ calendar: Calendar) {
    let text = text.lowercased()
    func span(_ text: some StringProtocol) -> DateInterval? {
      Self.span(String(text), now, calendar)
    }
    if let dots = text.range(of: "..") {
      let (start, end) = (text[..<dots.lowerBound], text[dots.upperBound...])
      guard start.isEmpty || span(start) != nil, end.isEmpty || span(end) != nil,
        !(start.isEmpty && end.isEmpty)
      else { return nil }
      self.init(isCreation: isCreation, from: span(start)?.start, to: span(end)?.end)
    } else if text.hasPrefix(">=") {
      guard let span = span(text.dropFirst(2)) else { return nil }
      self.init(isCreation: isCreation, from: span.start, to: nil)
    } else if text.hasPrefix("<=") {
      guard let span = span(text.dropFirst(2)) else { return nil }
      self.init(isCreation: isCreation, from: nil, to: span.end)
    } else if text.hasPrefix(">") {
      // A search for notes after January includes January, as in other programs.
      guard let span = span(text.dropFirst()) else { return nil }
      self.init(isCreation: isCreation, from: span.start, to: nil)
    } else if text.hasPrefix("<") {
      guard let span = span(text.dropFirst()) else { return nil }
      self.init(isCreation: isCreation, from: nil, to: span.start)
    } else {
      guard let span = span(text) else { return nil }
      self.init(isCreation: isCreation, from: span.start, to: span.end)
    }
  }

  /// From the first moment of a day, month, year or time to the last.
  private static func span(_ text: String, _ now: Date, _ calendar: Calendar) -> DateInterval? {
    switch text {
    case "today": return calendar.dateInterval(of: .day, for: now)
    case "tomorrow":
      return calendar.date(byAdding: .day, value: 1, to: now)
        .flatMap { calendar.dateInterval(of: .day, for: $0) }
    case "yesterday":
      return calendar.date(byAdding: .day, value: -1, to: now)
        .flatMap { calendar.dateInterval(of: .day, for: $0) }
    case "week": return calendar.dateInterval(of: .weekOfYear, for: now)
    case "month": return calendar.dateInterval(of: .month, for: now)
    case "year": return calendar.dateInterval(of: .year, for: now)
    default: break
    }
    if text.hasSuffix("d"), let days = WholeNumber.read(text.dropLast(), within: 1...36_500) {
      return DateInterval(start: now - Double(days) * 86_400, end: now)
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let ranges = [1...9_999, 1...12, 1...31]
    let numbers = zip(parts, ranges).compactMap { WholeNumber.read($0, within: $1) }
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4 else {
      return nil
    }
    let units: [Calendar.Component] = [.year, .month, .day]
    let date = calendar.date(
      from: DateComponents(
        year: numbers[0],
        month: numbers.count > 1 ? numbers[1] : 1,
        day: numbers.count > 2 ? numbers[2] : 1
      )
    )
    // A calendar takes 31 February for 3 March.
    guard let date, numbers.count < 3 || calendar.component(.day, from: date) == numbers[2] else {
      return nil
    }
    return calendar.dateInterval(of: units[numbers.count - 1], for: date)
  }
}
