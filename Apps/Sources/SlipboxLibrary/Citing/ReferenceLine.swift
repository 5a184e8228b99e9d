import Foundation
import RichText

/// A work as it is in the list at the end of a text.
struct ReferenceLine {
  private(set) var pieces: [RichText.Inline] = []
  /// The last letter, which says whether a full stop is there already.
  private var last: Character = " "

  init(_ reference: Reference, _ year: String) {
    let people = Self.people(reference.leaders)
    if people.isEmpty {
      addTitle(of: reference)
      sentence(year)
    } else {
      let isEdited = reference.authors.isEmpty
      sentence(people + (isEdited ? reference.editors.list.count > 1 ? ", eds." : ", ed." : ""))
      sentence(year)
      addTitle(of: reference)
    }
    switch reference.kind {
    case .article: addPeriodical(of: reference)
    case .chapter: addBook(of: reference)
    case .book, .other: addEdition(of: reference)
    case .thesis: sentence(Self.joined(reference.genre, reference.publisher, by: ", "))
    }
    addAddress(of: reference)
  }
}

// MARK: - Parts

extension ReferenceLine {
  private mutating func addTitle(of reference: Reference) {
    let title = reference.title
    if title.isEmpty { return }
    if reference.kind == .book {
      add(title, [.italic])
      sentence("")
    } else {
      // The full stop is inside of the quotes.
      add("“\(title)\(Self.endsSentence(title.last ?? " ") ? "" : ".")”")
      last = "."
    }
  }

  private mutating func addPeriodical(of reference: Reference) {
    if !reference.container.isEmpty { add(reference.container, [.italic]) }
    var place = reference.volume
    if !reference.issue.isEmpty {
      place += place.isEmpty ? "(\(reference.issue))" : " (\(reference.issue))"
    }
    if !place.isEmpty { add(place) }
    if !reference.pages.isEmpty { add((place.isEmpty ? ", " : ": ") + reference.pages) }
    if !reference.container.isEmpty || !place.isEmpty || !reference.pages.isEmpty { sentence("") }
    sentence(reference.container.isEmpty ? reference.publisher : "")
  }

  private mutating func addBook(of reference: Reference) {
    if !reference.container.isEmpty {
      add("In ")
      add(reference.container, [.italic])
    }
    if !reference.authors.isEmpty, !reference.editors.isEmpty {
      add(", edited by " + Self.listed(reference.editors, natural: true))
    }
    if !reference.volume.isEmpty { add(", vol. " + reference.volume) }
    if !reference.pages.isEmpty { add(", " + reference.pages) }
    sentence("")
    addEdition(of: reference, volume: "")
  }

  private mutating func addEdition(of reference: Reference, volume: String? = nil) {
    if reference.kind == .other, !reference.container.isEmpty {
      add(reference.container, [.italic])
      sentence("")
    }
    sentence(reference.genre)
    sentence(Self.edition(reference.edition))
    let volume = volume ?? reference.volume
    sentence(volume.isEmpty ? "" : "Vol. " + volume)
    sentence(Self.joined(reference.place, reference.publisher, by: ": "))
  }

  private mutating func addAddress(of reference: Reference) {
    let address = reference.doi.isEmpty ? reference.url : "https://doi.org/" + reference.doi
    guard let link = RichText.Link(address), link.isFollowed else { return }
    add(address, link: link)
    pieces.append(.text("."))
  }

  private static func joined(_ one: String, _ other: String, by sign: String) -> String {
    [one, other].filter { !$0.isEmpty }.joined(separator: sign)
  }

  /// `2` is `2nd ed.`; words are as they are.
  private static func edition(_ text: String) -> String {
    guard !text.isEmpty else { return "" }
    guard text.count < 4, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return text.lowercased().contains("ed") ? text : text + " ed."
    }
    let isTeen = text.count > 1 && text.dropLast().last == "1"
    let ending = isTeen ? "th" : ["1": "st", "2": "nd", "3": "rd"][text.suffix(1)] ?? "th"
    return "\(text)\(ending) ed."
  }
}

// MARK: - People

extension ReferenceLine {
  private static func people(_ names: Reference.Names) -> String { listed(names, natural: false) }

  /// At most ten names; of more, the first seven.
  private static func listed(_ names: Reference.Names, natural: Bool) -> String {
    let isLong = names.list.count > 10 || names.hasOthers
    var list = (isLong ? names.list.prefix(7) : names.list[...]).enumerated().map { index, name in
      index == 0 && !natural ? name.inverted : name.natural
    }
    if isLong { return list.joined(separator: ", ") + (list.isEmpty ? "" : " et al.") }
    guard list.count > 1, let last = list.popLast() else { return list.first ?? "" }
    let comma = natural && list.count == 1 ? "" : ","
    return list.joined(separator: ", ") + comma + " and " + last
  }
}

extension Reference.Name {
  /// The name in the order of its letters: `King, Martin Luther, Jr`.
  fileprivate var inverted: String {
    [family, given, suffix].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  fileprivate var natural: String {
    [given, family, suffix].filter { !$0.isEmpty }.joined(separator: " ")
  }
}

// MARK: - Words

extension ReferenceLine {
  private static func endsSentence(_ letter: Character) -> Bool { ".?!".contains(letter) }

  /// Words with a full stop behind them; without words, a full stop behind those before.
  private mutating func sentence(_ words: String) {
    if !words.isEmpty { add(words) }
    if last != " ", !Self.endsSentence(last) {
      pieces.append(.text("."))
      last = "."
    }
  }

  /// Words, with a blank before them if one is missing.
  private mutating func add(
    _ words: String,
    _ styles: RichText.Styles = [],
    link: RichText.Link? = nil
  ) {
    let isApart =
      pieces.isEmpty || pieces.last?.endsWithBlank == true || ",:".contains(words.first ?? " ")
    if !isApart { pieces.append(.text(" ")) }
    pieces.append(.text(words, RichText.Marks(styles, link: link)))
    last = words.last ?? last
  }
}

extension RichText.Inline {
  fileprivate var endsWithBlank: Bool {
    if case .text(let text, _) = self { text.last == " " } else { false }
  }
}
