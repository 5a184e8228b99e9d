import Foundation

/// Writes a line of text with its marks.
///
/// ```
/// [.text("Faults", [.bold, .italic]), .text(" are ", [.bold]), .text("promises")]
/// **_Faults_ are** promises
/// ```
///
/// Bold is `**` and italic `_`, so that they never run into each other. Where a delimiter would not be
/// taken for one, because of the letter beside it, that letter is written as a number: `f_aul_&#116;`.
struct MarkdownLine {
  private var written = ""

  /// Marks that are open, the outermost first.
  private var open: [MarkdownRun.Delimiter] = []

  /// Whether the end of what is written is text as it was.
  private var endsInText = false

  /// The lines of a paragraph, one for each hard break.
  static func lines(of line: [RichText.Inline]) -> [String] {
    let pieces = Array(line.reversed().drop { $0 == .hardBreak }.reversed())
    return text(of: pieces).split(separator: "\n", omittingEmptySubsequences: false)
      .map { MarkdownEscapes.edges(of: String($0)) }
  }

  static func heading(_ line: [RichText.Inline], level: Int) -> String {
    let oneLine = line.map { $0 == .hardBreak ? RichText.Inline.text(" ") : $0 }
    let text = MarkdownEscapes.blanks(around: text(of: Tidying.tidy(oneLine)))
    let marker = String(repeating: "#", count: level)
    if text.isEmpty { return marker }
    // A row of # at the end would be taken for decoration.
    return text.last == "#" ? "\(marker) \(text.dropLast())\\#" : "\(marker) \(text)"
  }

  private static func text(of line: [RichText.Inline]) -> String {
    var writer = MarkdownLine()
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
    let opening = sorted(run.delimiters.filter { !kept.contains($0) }, by: others)
    let letter = firstLetter(of: run.content)
    let isLetterHidden = switchMarks(closing: Array(closing), opening: opening, before: letter)
    open = Array(kept) + opening
    write(run.content, firstAsNumber: isLetterHidden)
  }

  private mutating func close() {
    _ = switchMarks(closing: open.reversed(), opening: [], before: nil)
  }

  /// What lasts longest is outside.
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

  private mutating func write(_ content: MarkdownRun.Content, firstAsNumber: Bool) {
    switch content {
    case .text(let text):
      let rest = firstAsNumber ? String(text.dropFirst()) : text
      if firstAsNumber { written += MarkdownEscapes.number(text.prefix(1)) }
      written += MarkdownEscapes.text(rest)
    case .blank(let text): written += text
    case .code(let text): written += code(text)
    case .noteLink(let link):
      guardExclamationMark()
      written += "[[\(MarkdownEscapes.title(link.title))|\(link.id.uuidString.lowercased())]]"
    case .autolink(let link): written += "<\(link.href)>"
    case .hardBreak: written += "\\\n"
    }
    if case .text = content { endsInText = true } else { endsInText = false }
  }

  private func code(_ text: String) -> String {
    let longest = Backticks.longestRun(in: text)
    // The shortest fence that is not a row inside would do; one more than the longest is simpler.
    let fence = String(repeating: "`", count: longest + 1)
    let isAllBlank = text.allSatisfy { $0 == " " }
    let touches = text.first == "`" || text.last == "`"
    let isPadded = text.first == " " && text.last == " "
    return touches || (isPadded && !isAllBlank) ? "\(fence) \(text) \(fence)" : fence + text + fence
  }

  private func firstLetter(of content: MarkdownRun.Content) -> Character? {
    switch content {
    case .text(let text): MarkdownEscapes.text(String(text.prefix(2))).first
    case .blank, .hardBreak: nil
    case .code: "`"
    case .noteLink: "["
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
    before letter: Character?
  ) -> Bool {
    guard !closing.isEmpty || !opening.isEmpty else { return false }
    let spelled = closing.map(\.closing) + opening.map(\.opening)
    var hidesBefore = false
    var hidesAfter = false
    for (index, delimiter) in (closing + opening).enumerated() where !delimiter.isLink {
      let before = index == 0 ? written.unicodeScalars.last : spelled[index - 1].unicodeScalars.last
      let after =
        index == spelled.count - 1
        ? letter?.unicodeScalars.first : spelled[index + 1].unicodeScalars.first
      let flanking = Flanking(delimiter.opening.first ?? "*", before: before, after: after)
      if index < closing.count {
        if !flanking.canClose { hidesAfter = true }
      } else {
        if !flanking.canOpen { hidesBefore = true }
      }
    }
    if hidesBefore && endsInText, let last = written.popLast() {
      written += MarkdownEscapes.number(String(last))
    }
    if spelled.first?.first == "[" { guardExclamationMark() }
    written += spelled.joined()
    endsInText = false
    return hidesAfter
  }

  /// `!` before a link would make it a picture.
  private mutating func guardExclamationMark() {
    guard endsInText, written.last == "!" else { return }
    written.removeLast()
    written += "\\!"
  }
}
