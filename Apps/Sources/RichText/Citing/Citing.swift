extension RichText {
  /// So many works of one text are looked up.
  public static let mostCited = 2_000

  /// The keys of the works that the text cites, each once, in the order of the text.
  ///
  /// Remarks of the writer, code and links have none.
  public var citedKeys: [String] {
    var (keys, seen) = ([String](), Set<String>())
    for line in withoutRemarks.lines where line.mayCite {
      for (citation, _) in line.citations {
        for item in citation.items where keys.count < Self.mostCited {
          if seen.insert(item.key).inserted { keys.append(item.key) }
        }
      }
    }
    return keys
  }

  /// The text for readers: with short forms in the place of citations, and a list of works at its end.
  ///
  /// ```
  /// It fires [@doe2020, p. 12].      →      It fires (Doe 2020, p. 12).
  ///
  ///                                         References
  ///                                         Doe, Jane. 2020. “Faults.” Journal of Slots 3: 1–9.
  /// ```
  ///
  /// A citation of a work that is not known stays as it is. Remarks are left out.
  ///
  /// - Parameters:
  ///   - names: The names of works, by their keys.
  ///   - works: The lines of the list, in its order.
  ///   - language: The language of the text, such as `de-AT`, in which the list is named.
  /// - Returns: The text, which is not meant to be stored.
  public func citing(
    _ names: [String: ShortName],
    works: [[Inline]],
    language: String? = nil
  ) -> RichText {
    if works.isEmpty { return self }
    let text = withoutRemarks.mapLines { line in
      line.mayCite ? line.citing { names[$0] } : line
    }
    let heading = Block.heading(.two, [.text(Self.nameOfWorks(in: language))])
    return RichText(text.blocks + [heading] + works.map(Block.paragraph))
  }

  /// The heading of the list in the languages of Slipbox's pages, and in English for others.
  private static func nameOfWorks(in language: String?) -> String {
    switch language?.split(separator: "-").first?.lowercased() {
    case "de": "Literatur"
    case "es": "Referencias"
    case "fr": "Références"
    case "it": "Riferimenti"
    case "pt": "Referências"
    case _: "References"
    }
  }
}

// MARK: - Lines

extension [RichText.Inline] {
  /// Whether a line has the sign of a key, in words that are neither code nor a link.
  fileprivate var mayCite: Bool {
    contains { $0.plainWords?.utf8.contains(UInt8(ascii: "@")) == true }
  }

  fileprivate var citations: [CitationScan.Found] {
    CitationScan(letters: flatMap(\.lettersForCitations)).found
  }

  /// The line with short forms, each of which looks as the first letter of its citation does.
  fileprivate func citing(_ name: (String) -> RichText.ShortName?) -> [RichText.Inline] {
    var changed: [RichText.Inline] = []
    var found = citations.compactMap { citation, range in
      citation.shortForm(name).map { (words: $0, range: range) }
    }[...]
    if found.isEmpty { return self }
    var start = 0
    for piece in self {
      let letters = piece.letters
      let end = start + letters.count
      defer { start = end }
      guard case .text(_, let marks) = piece else {
        changed.append(piece)
        continue
      }
      var place = start
      while let (words, range) = found.first, range.lowerBound < end {
        if range.lowerBound >= start {
          changed.append(.text(text(letters[place - start..<range.lowerBound - start]), marks))
          changed.append(.text(words, marks))
        }
        // A citation may end in a piece that looks different.
        place = Swift.min(range.upperBound, end)
        if range.upperBound > end { break }
        found = found.dropFirst()
      }
      changed.append(.text(text(letters[(place - start)...]), marks))
    }
    return changed
  }

  private func text(_ letters: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(letters))
  }
}

extension RichText.Inline {
  /// The letters; one for what is not text.
  fileprivate var letters: [Unicode.Scalar] {
    switch self {
    case .text(let text, _): Array(text.unicodeScalars)
    case .hardBreak: ["\n"]
    case .footnoteMark: [CitationScan.other]
    }
  }

  /// The letters, with another in the place of those that cannot be a citation: code, formulas and links, also those
  /// that wait for their note.
  fileprivate var lettersForCitations: [Unicode.Scalar] {
    guard case .text = self else { return letters }
    guard let words = plainWords else { return letters.map { _ in CitationScan.other } }
    return CitationScan.letters(of: words)
  }
}

extension CitationScan {
  /// The letters of some words, with another in the place of formulas and links.
  fileprivate static func letters(of words: String) -> [Unicode.Scalar] {
    var letters = Array(words.unicodeScalars)
    guard words.utf8.contains(where: { $0 == UInt8(ascii: "$") || $0 == UInt8(ascii: "[") }) else {
      return letters
    }
    var index = 0
    while index < letters.count {
      let count = letters[index] == "$" ? MarkdownFormula.signs(at: index, in: letters) : 0
      let length =
        count > 0 ? MarkdownFormula.length(at: index, in: letters) : link(at: index, in: letters)
      for place in index..<index + (length ?? 0) { letters[place] = other }
      index += length ?? Swift.max(count, 1)
    }
    return letters
  }

  /// The length of a link in two brackets, such as `[[Title]]`.
  private static func link(at start: Int, in letters: [Unicode.Scalar]) -> Int? {
    guard letters[start...].starts(with: ["[", "["]) else { return nil }
    let inside = letters[(start + 2)...].prefix(longestLink).prefix {
      !"[]\n".unicodeScalars.contains($0)
    }
    let isLink = !inside.isEmpty && letters[inside.endIndex...].starts(with: ["]", "]"])
    return isLink ? inside.count + 4 : nil
  }

  private static let longestLink = 1_000
}
