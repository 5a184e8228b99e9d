extension RichText {
  /// A citation of works in a line, in the notation of Pandoc.
  ///
  /// ```
  /// [see @doe2020, p. 12; -@roe1999]        works in brackets, the second one without its authors
  /// @doe2020 [p. 12]                        a work in a sentence
  /// @{https://example.org/a b}              a key with other signs than letters and digits
  /// ```
  ///
  /// It is words of the text. The page shows a short form in its place (`Web/editor/citing.js` finds the same citations),
  /// and exports have the short form with a list of the works at the end.
  public struct Citation: Hashable, Sendable {
    /// A work that is cited, with the words around its key.
    public struct Item: Hashable, Sendable {
      public var key: String
      /// The words before the key, such as `see`.
      public var before = ""
      /// The place in the work, or other words, such as `p. 12`.
      public var after = ""
      /// Whether the authors are left out, because the sentence names them.
      public var hidesAuthors = false
    }

    public var items: [Item]
    /// Whether the authors are a part of the sentence.
    public var isInSentence = false
  }

  /// The names and the year by which a text refers to a work.
  public struct ShortName: Hashable, Sendable {
    public var authors: String
    public var year: String

    public init(authors: String, year: String) {
      (self.authors, self.year) = (authors, year)
    }
  }
}

// MARK: - Short forms

extension RichText.Citation {
  /// The words in the place of the citation; `nil` if one of its works is not known.
  ///
  /// ```
  /// (see Doe 2020, p. 12; 1999)          Doe (2020, p. 12)
  /// ```
  func shortForm(_ name: (String) -> RichText.ShortName?) -> String? {
    var parts: [String] = []
    for item in items {
      guard let name = name(item.key) else { return nil }
      parts.append(isInSentence ? item.inSentence(name) : item.inBrackets(name))
    }
    let words = parts.joined(separator: "; ")
    return isInSentence ? words : "(\(words))"
  }
}

extension RichText.Citation.Item {
  fileprivate func inBrackets(_ name: RichText.ShortName) -> String {
    let start = before.isEmpty ? "" : before + " "
    return start + (hidesAuthors ? "" : name.authors + " ") + name.year + place
  }

  fileprivate func inSentence(_ name: RichText.ShortName) -> String {
    (hidesAuthors ? "" : name.authors + " ") + "(\(name.year)\(place))"
  }

  private var place: String { after.isEmpty ? "" : ", " + after }
}
