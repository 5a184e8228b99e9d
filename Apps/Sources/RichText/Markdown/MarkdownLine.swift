import Foundation

/// Writes a line of text with its marks.
///
/// ```
/// [.text("Faults", [.bold, .italic]), .text(" are ", [.bold]), .text("promises")]
/// **_Faults_ are** promises
/// ```
///
/// Bold is `**` and italic `_`, so that they never run into each other. If a delimiter would not be read as one,
/// because of the letter beside it, that letter is written as a number: `f_aul_&#116;`.
struct MarkdownLine {
  private var written = ""

  /// Marks that are open, the outermost first.
  private var open: [MarkdownRun.Delimiter] = []

  /// Whether the written text ends with plain text.
  private var endsInText = false

  private let titleOf: (UUID) -> String?

  private init(titleOf: @escaping (UUID) -> String?) {
    self.titleOf = titleOf
  }

  /// The lines of a paragraph, one for each hard break.
  static func lines(
    of line: [RichText.Inline],
    titleOf: @escaping (UUID) -> String?
  ) -> [String] {
    let pieces = Array(line.reversed().drop { $0 == .hardBreak }.reversed())
    let text = text(of: pieces, titleOf: titleOf)
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { MarkdownEscapes.edges(of: String($0)) }
  }

  /// A cell of a table, on one line; bars in it do not end it.
  static func cell(_ line: [RichText.Inline], titleOf: @escaping (UUID) -> String?) -> String {
    let lines = text(of: line, titleOf: titleOf).split(
      separator: "\n",
      omittingEmptySubsequences: false
    )
    let cell = lines.enumerated().map { index, line in
      let isLast = index == lines.count - 1
      // The backslash of a break ends a line, but cells do not have lines.
      let words = String(isLast ? line : line.dropLast())
      return MarkdownEscapes.blanks(around: words, keepsEnd: true)
    }.joined(separator: "<br>")
    return MarkdownEscapes.cell(cell)
  }

  /// The title of a callout, on one line.
  static func title(_ line: [RichText.Inline], titleOf: @escaping (UUID) -> String?) -> String {
    MarkdownEscapes.blanks(around: text(of: onOneLine(line), titleOf: titleOf))
  }

  static func heading(
    _ line: [RichText.Inline],
    level: Int,
    titleOf: @escaping (UUID) -> String?
  ) -> String {
    let text = MarkdownEscapes.blanks(around: text(of: onOneLine(line), titleOf: titleOf))
    let marker = String(repeating: "#", count: level)
    if text.isEmpty { return marker }
    // A row of # at the end would be taken for decoration.
    return text.unicodeScalars.last == "#" ? "\(marker) \(text.dropLast())\\#" : "\(marker) \(text)"
  }

  private static func onOneLine(_ line: [RichText.Inline]) -> [RichText.Inline] {
    Tidying.tidy(line.map { $0 == .hardBreak ? RichText.Inline.text(" ") : $0 })
  }

  private static func text(
    of line: [RichText.Inline],
    titleOf: @escaping (UUID) -> String?
  ) -> String {
    var writer = MarkdownLine(titleOf: titleOf)
    let runs = MarkdownRun.runs(of: line)
    for index in runs.indices { writer.write(runs[index], before: runs[(index + 1)...]) }
    writer.close()
    return writer.written
  }
}

// MARK: - Runs

extension MarkdownLine {
  private mutating func write(_ run: MarkdownRun, before others: ArraySlice<MarkdownRun>) {
    let kept = open.prefix { run.delimiters.contains($0) }
    let closing = open[kept.count...].reversed()
    // A line break and a number show no marks, and none could begin right before a break.
    let missing = run.isBare ? [] : run.delimiters.filter { !kept.contains($0) }
    let opening = sorted(missing, by: others)
    let letter = firstLetter(of: run.content)
    let isLetterHidden = switchMarks(closing: Array(closing), opening: opening, before: letter)
    open = Array(kept) + opening
    // A cell has its lines in one.
    write(run.content, firstAsNumber: isLetterHidden, isLast: others.isEmpty)
  }

  private mutating func close() {
    _ = switchMarks(closing: open.reversed(), opening: [], before: nil)
  }

  /// The delimiters from the outside: those that last longest first.
  private func sorted(
    _ delimiters: [MarkdownRun.Delimiter],
    by runs: ArraySlice<MarkdownRun>
  ) -> [MarkdownRun.Delimiter] {
    guard delimiters.count > 1 else { return delimiters }
    // Looking further would make a long line slow, and it only decides about beauty.
    let near = runs.prefix(32)
    let lasting = delimiters.map { delimiter in
      near.prefix { $0.delimiters.contains(delimiter) }.count
    }
    return delimiters.indices.sorted { (lasting[$1], $0) < (lasting[$0], $1) }
      .map { delimiters[$0] }
  }

  private mutating func write(
    _ content: MarkdownRun.Content,
    firstAsNumber: Bool,
    isLast: Bool
  ) {
    switch content {
    // Programs that name paragraphs know no backslash there.
    case .text(let text) where isLast && isAtBlank && BlockSign.isOne(text): written += text
    case .text(let text):
      let keepsLinks = !open.contains(where: \.isLink)
      let escape = {
        MarkdownEscapes.text($0, keepsLinks: keepsLinks, isLast: isLast)
      }
      if keepsLinks, text.hasPrefix("[[") { guardExclamationMark() }
      written += firstAsNumber ? hidden(text, escape) : escape(text)
    case .blank(let text):
      written += firstAsNumber ? hidden(text) { $0 } : text
    case .code(let text): written += code(text)
    case .note(let id, let heading, let words):
      if [words, titleOf(id) ?? ""].contains(where: MarkdownEscapes.mayBeFile) {
        guardExclamationMark()
      }
      written += "[[\(link(to: id, heading, words))]]"
    case .autolink(let address): written += "<\(address.href)>"
    case .hardBreak: written += "\\\n"
    case .footnote(let label):
      guardExclamationMark()
      written += "[^\(label)]"
    }
    switch content {
    case .text, .blank: endsInText = true
    case .code, .note, .autolink, .hardBreak, .footnote: endsInText = false
    }
  }

  private var isAtBlank: Bool {
    written.unicodeScalars.last.map { $0 == " " || $0 == "\n" } ?? true
  }

  /// `Title`, `Title#Heading|Words`, or `Words|id` where the title would not lead there again.
  private func link(to id: UUID, _ heading: String?, _ words: String) -> String {
    let escaped = MarkdownEscapes.title(words)
    guard let title = titleOf(id), MarkdownEscapes.isNoteTitle(title),
      heading.map(MarkdownEscapes.isPlace) ?? true, UUID(uuidString: words) == nil
    else {
      let place = heading.map { "#" + MarkdownEscapes.title($0) } ?? ""
      return "\(escaped)|\(id.uuidString.lowercased())\(place)"
    }
    let target = heading.map { "\(title)#\($0)" } ?? title
    return target == words ? target : "\(target)|\(escaped)"
  }

  /// The text with its first character as a number.
  private func hidden(_ text: String, _ escape: (String) -> String) -> String {
    let scalars = text.unicodeScalars
    return MarkdownEscapes.number(String(scalars.prefix(1))) + escape(String(scalars.dropFirst()))
  }

  private func code(_ text: String) -> String {
    let longest = Backticks.longestRun(in: text)
    // The shortest fence that is not a row inside would do; one more than the longest is simpler.
    let fence = String(repeating: "`", count: longest + 1)
    let isAllBlank = text.allSatisfy { $0 == " " }
    let touches = text.unicodeScalars.first == "`" || text.unicodeScalars.last == "`"
    let isPadded = text.unicodeScalars.first == " " && text.unicodeScalars.last == " "
    return touches || (isPadded && !isAllBlank) ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  private func firstLetter(of content: MarkdownRun.Content) -> Unicode.Scalar? {
    switch content {
    case .text(let text):
      MarkdownEscapes.text(String(text.unicodeScalars.prefix(2))).unicodeScalars.first
    case .blank(let text): text.unicodeScalars.first
    case .hardBreak: "\n"
    case .code: "`"
    case .note, .footnote: "["
    case .autolink: "<"
    }
  }
}

// MARK: - Delimiters

extension MarkdownLine {
  /// Writes the delimiters between two runs, and says whether the next letter must be a number.
  private mutating func switchMarks(
    closing: [MarkdownRun.Delimiter],
    opening: [MarkdownRun.Delimiter],
    before letter: Unicode.Scalar?
  ) -> Bool {
    guard !closing.isEmpty || !opening.isEmpty else { return false }
    var row = DelimiterRow(
      closing: closing,
      opening: opening,
      before: written.unicodeScalars.last,
      after: letter
    )
    row.hide()
    if row.hidesBefore && endsInText, let last = written.unicodeScalars.popLast() {
      written += MarkdownEscapes.number(String(last))
    }
    if row.spelled.first?.first == "[" { guardExclamationMark() }
    written += row.spelled.joined()
    endsInText = false
    return row.hidesAfter
  }

  /// `!` before a link would make it a picture; before one to a note, it shows the note in its place.
  private mutating func guardExclamationMark() {
    guard endsInText, written.unicodeScalars.last == "!" else { return }
    written.unicodeScalars.removeLast()
    written += "\\!"
  }
}

/// Delimiters between two letters, and whether one of these must hide for them to work.
private struct DelimiterRow {
  let spelled: [String]
  private let delimiters: [MarkdownRun.Delimiter]
  private let closingCount: Int
  private let before: Unicode.Scalar?
  private let after: Unicode.Scalar?

  private(set) var hidesBefore = false
  private(set) var hidesAfter = false

  init(
    closing: [MarkdownRun.Delimiter],
    opening: [MarkdownRun.Delimiter],
    before: Unicode.Scalar?,
    after: Unicode.Scalar?
  ) {
    spelled = closing.map(\.closing) + opening.map(\.opening)
    delimiters = closing + opening
    closingCount = closing.count
    self.before = before
    self.after = after
  }

  /// Hides one letter, and the other if that is not enough.
  mutating func hide() {
    for _ in 0..<2 {
      guard let failing = delimiters.indices.first(where: { !works($0) }) else { return }
      let isClosing = failing < closingCount
      let blank = isClosing ? neighbours(of: failing).before : neighbours(of: failing).after
      let isAtBlank = blank?.properties.isWhitespace ?? false
      if isClosing == isAtBlank { hidesBefore = true } else { hidesAfter = true }
    }
  }

  private func works(_ index: Int) -> Bool {
    if delimiters[index].isSure { return true }
    let (before, after) = neighbours(of: index)
    let sign = delimiters[index].opening.first ?? "*"
    let flanking = Flanking(sign, before: before, after: after)
    return index < closingCount ? flanking.canClose : flanking.canOpen
  }

  private func neighbours(of index: Int) -> (before: Unicode.Scalar?, after: Unicode.Scalar?) {
    (
      index == 0 ? (hidesBefore ? ";" : before) : spelled[index - 1].unicodeScalars.last,
      index == spelled.count - 1
        ? (hidesAfter ? "&" : after) : spelled[index + 1].unicodeScalars.first
    )
  }
}
