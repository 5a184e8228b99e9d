import Foundation

/// A stretch of a line that looks the same, as Markdown can say it.
///
/// ```
/// "the ", bold " fault ", "is"    →   "the " · " " · bold "fault" · " " · "is"
/// ```
///
/// Blanks at the edge of bold text are outside of it, since `** fault **` is not bold.
struct MarkdownRun {
  var content: Content
  var delimiters: [Delimiter]

  enum Content: Equatable {
    case text(String)
    case blank(String)
    case code(String)

    /// A link to a note, with the text that is marked.
    case note(UUID, heading: String?, String)

    /// An address that is its own text.
    case autolink(RichText.Address)
    case hardBreak

    /// The number of a footnote.
    case footnote(String)
  }

  enum Delimiter: Equatable {
    case link(RichText.Address)
    case underline
    case bold
    case italic
    /// Italic with the sign that also works inside of a word.
    case italicInWord
    case strike
    case highlight
    case superscript
    case `subscript`

    static let styles: [Delimiter] = [
      .underline, .superscript, .subscript, .bold, .italic, .strike, .highlight,
    ]
  }

  static func runs(of line: [RichText.Inline]) -> [MarkdownRun] {
    var runs = runs(ofTidy: Tidying.tidy(line))
    narrowBlanks(&runs)
    findAutolinks(&runs)
    findItalicsInWords(&runs)
    return runs
  }
}

// MARK: - Making runs

extension MarkdownRun {
  private static func runs(ofTidy line: [RichText.Inline]) -> [MarkdownRun] {
    var runs: [MarkdownRun] = []
    var rest = line[...]
    while let piece = rest.first {
      if let link = piece.link, let id = link.note {
        let marked = rest.prefix { $0.link == piece.link }
        runs.append(note(id, link.heading, Array(marked)))
        rest = rest[marked.endIndex...]
      } else {
        runs += pieces(of: piece)
        rest = rest.dropFirst()
      }
    }
    return runs
  }

  /// A link to a note, without marks inside: marks of all of its text are around it.
  private static func note(
    _ id: UUID,
    _ heading: String?,
    _ line: [RichText.Inline]
  ) -> MarkdownRun {
    let looks = line.reduce(into: RichText.Styles(rawValue: .max)) { looks, piece in
      if case .text(_, let marks) = piece { looks.formIntersection(marks.styles) }
    }
    let delimiters = delimiters(RichText.Marks(looks))
    return MarkdownRun(
      content: .note(id, heading: heading, line.plainText),
      delimiters: delimiters
    )
  }

  private static func pieces(of piece: RichText.Inline) -> [MarkdownRun] {
    switch piece {
    case .hardBreak:
      [MarkdownRun(content: .hardBreak, delimiters: Delimiter.styles)]
    case .footnoteMark(let label):
      [MarkdownRun(content: .footnote(label), delimiters: Delimiter.styles)]
    case .text(let text, let marks) where marks.styles.contains(.code):
      [MarkdownRun(content: .code(text), delimiters: delimiters(marks))]
    case .text(let text, let marks):
      split(text).map { MarkdownRun(content: $0, delimiters: delimiters(marks)) }
    }
  }

  /// The text with the blanks at its ends for themselves.
  private static func split(_ text: String) -> [Content] {
    let scalars = text.unicodeScalars
    guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return [.blank(text)] }
    let end = scalars.index(after: last)
    var pieces: [Content] = [.text(String(scalars[start..<end]))]
    if start > scalars.startIndex { pieces.insert(.blank(String(scalars[..<start])), at: 0) }
    if end < scalars.endIndex { pieces.append(.blank(String(scalars[end...]))) }
    return pieces
  }

  private static func delimiters(_ marks: RichText.Marks) -> [Delimiter] {
    let delimiters = marks.all.compactMap { mark -> Delimiter? in
      switch mark {
      case .link(.page(let address)): .link(address)
      case .underline: .underline
      case .bold: .bold
      case .italic: .italic
      case .strike: .strike
      case .highlight: .highlight
      case .superscript: .superscript
      case .subscript: .subscript
      case .link(.note), .link(.heading), .code: nil
      }
    }
    // A tag is best outside: signs right before it would be taken for no delimiters.
    return delimiters.filter(\.isLink) + delimiters.filter(\.isTag)
      + delimiters.filter { !$0.isSure }
  }

  /// Blanks look like what is before *and* after them.
  private static func narrowBlanks(_ runs: inout [MarkdownRun]) {
    for order in [Array(runs.indices), runs.indices.reversed()] {
      var nearest: [Delimiter] = []
      for index in order {
        if runs[index].isBlank {
          runs[index].delimiters.removeAll { !$0.isLink && !nearest.contains($0) }
        }
        nearest = runs[index].delimiters
      }
    }
  }

  private static func findAutolinks(_ runs: inout [MarkdownRun]) {
    for index in runs.indices {
      guard let link = runs[index].link, link.isFollowed,
        runs[index].content == .text(link.href),
        index == 0 || runs[index - 1].link != link,
        index == runs.count - 1 || runs[index + 1].link != link,
        !link.href.contains(where: { "<>\\`".contains($0) })
      else { continue }
      runs[index].content = .autolink(link)
      runs[index].delimiters.removeAll { $0.isLink }
    }
  }

  /// Finds italic runs that begin or end inside of a word, where `_` is a letter: `*it*text`.
  ///
  /// Beside bold words their stars would run together.
  private static func findItalicsInWords(_ runs: inout [MarkdownRun]) {
    var start = 0
    while start < runs.count {
      guard runs[start].delimiters.contains(.italic) else {
        start += 1
        continue
      }
      let end = runs[start...].firstIndex { !$0.delimiters.contains(.italic) } ?? runs.count
      let before = start > 0 ? runs[start - 1] : nil
      let after = end < runs.count ? runs[end] : nil
      let isInWord = before?.endsInLetter == true || after?.beginsWithLetter == true
      let near = runs[max(start - 1, 0)..<min(end + 1, runs.count)]
      if isInWord, !near.contains(where: { $0.delimiters.contains(.bold) }) {
        for index in start..<end {
          runs[index].delimiters = runs[index].delimiters.map {
            $0 == .italic ? .italicInWord : $0
          }
        }
      }
      start = end
    }
  }

  private var endsInLetter: Bool {
    guard case .text(let text) = content else { return false }
    return text.unicodeScalars.last.map(Self.isLetter) ?? false
  }

  private var beginsWithLetter: Bool {
    guard case .text(let text) = content else { return false }
    return text.unicodeScalars.first.map(Self.isLetter) ?? false
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Whether it looks like its surroundings.
  var isBlank: Bool {
    switch content {
    case .blank, .hardBreak, .footnote: true
    case .text, .code, .note, .autolink: false
    }
  }

  /// Whether it cannot have marks of its own.
  var isBare: Bool {
    switch content {
    case .hardBreak, .footnote: true
    case .text, .blank, .code, .note, .autolink: false
    }
  }

  private var link: RichText.Address? {
    for case .link(let link) in delimiters { return link }
    return nil
  }
}

// MARK: - Spelling

extension MarkdownRun.Delimiter {
  var isLink: Bool {
    if case .link = self { true } else { false }
  }

  /// Whether it is a delimiter in any place.
  var isSure: Bool { isLink || isTag }

  /// Whether it is a tag of HTML.
  fileprivate var isTag: Bool {
    self == .underline || self == .superscript || self == .subscript
  }

  var opening: String {
    switch self {
    case .link: "["
    case .underline: "<u>"
    case .bold: "**"
    case .italic: "_"
    case .italicInWord: "*"
    case .strike: "~~"
    case .highlight: "=="
    case .superscript: "<sup>"
    case .subscript: "<sub>"
    }
  }

  var closing: String {
    switch self {
    case .link(let address): "](\(MarkdownEscapes.destination(address.href)))"
    case .underline: "</u>"
    case .superscript: "</sup>"
    case .subscript: "</sub>"
    case .bold, .italic, .italicInWord, .strike, .highlight: opening
    }
  }
}
