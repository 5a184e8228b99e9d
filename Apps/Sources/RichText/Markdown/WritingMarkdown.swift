public import Foundation

extension RichText {
  /// The text as CommonMark, with `~~strike~~`, `==highlight==`, `- [x] tasks`, footnotes `[^1]`, callouts
  /// `> [!note] Title`, `<u>`, `<sup>` and `<sub>`, and `[[Words|id]]` for links to notes.
  ///
  /// ```
  /// # Reading list
  ///
  /// 3. **Faults**, then [[Slots|0b8e…]]
  /// 4. <https://example.org>
  /// ```
  ///
  /// `RichText(markdown: text.markdown) == text`, except for things that Markdown cannot express:
  /// empty paragraphs, marks that only some words of a link to a note have, a line break in a heading or at the end of a paragraph, and the looks of a blank
  /// at the edge of bold, italic or struck text.
  public var markdown: String { markdown { _ in nil } }

  /// The same, in which links to notes that are found again by their titles are written as other programs
  /// have them: `[[Title]]`, or `[[Title|Words]]`.
  ///
  /// `titleOf` gives a title by which reading finds the note again, and `nil` if there is none.
  public func markdown(titleOf: @escaping (UUID) -> String?) -> String {
    markdown(with: MarkdownNames(titleOf: titleOf))
  }

  /// The same, which says of pictures and files where they lie: `![A tree|300](files/tree.png)`.
  public func markdown(with names: MarkdownNames) -> String {
    let lines = MarkdownWriter(names).lines(of: blocks)
    return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
  }
}

/// Writes blocks as lines; blocks inside another are indented by it.
struct MarkdownWriter {
  /// In a list a rule of dashes could be taken for an item.
  private var isInList = false

  /// The marker of the items around.
  private var marker = ""

  /// The titles by which notes are found again, and the paths of files.
  private let names: MarkdownNames

  private var titleOf: (UUID) -> String? { names.titleOf }

  init(_ names: MarkdownNames) {
    self.names = names
  }

  func lines(of blocks: [RichText.Block]) -> [String] {
    var lines: [String] = []
    var last: RichText.Block?
    var isOther = false
    for block in blocks where !isEmptyParagraph(block) {
      isOther = follows(block, last) && !isOther
      if let last, !mayTouch(last, block) { lines.append("") }
      lines += self.lines(of: block, bullet: isOther ? "*" : bullet(isFirst: last == nil))
      last = block
    }
    return lines
  }

  /// A list that begins on the line of an item: `- - -` would be a rule.
  private func bullet(isFirst: Bool) -> String {
    isFirst && marker == "-" ? "+" : "-"
  }

  private func lines(of block: RichText.Block, bullet: String) -> [String] {
    switch block {
    case .paragraph(let line):
      MarkdownLine.lines(of: line, titleOf: titleOf)
    case .heading(let level, let line):
      [MarkdownLine.heading(line, level: level.rawValue, titleOf: titleOf)]
    case .bulletList(let items):
      list(items.map { lines(ofItem: $0.blocks, bullet) }) { _ in bullet }
    case .orderedList(let start, let items):
      list(items.map { lines(ofItem: $0.blocks, "1") }) {
        "\(min(start + $0, 999_999_999))\(bullet == "*" ? ")" : ".")"
      }
    case .taskList(let items):
      list(items.map { lines(ofTask: $0, bullet) }) { _ in bullet }
    case .blockquote(let blocks):
      indented(lines(of: blocks), first: "> ", others: "> ")
    case .callout(let callout):
      indented([head(of: callout)] + lines(of: callout.blocks), first: "> ", others: "> ")
    case .footnote(let label, let blocks):
      indented(lines(of: blocks), first: "[^\(label)]: ", others: "    ")
    case .codeBlock(let language, let text):
      MarkdownFormula.lines(of: text, language: language ?? "")
        ?? fenced(text, language: language ?? "")
    case .horizontalRule:
      [isInList ? "___" : "---"]
    case .table(let table):
      MarkdownTable.lines(
        table,
        cells: table.rows.map { $0.map { MarkdownLine.cell($0, titleOf: titleOf) } }
      )
    case .picture(let picture): [line(of: picture)]
    case .file(let file):
      [
        "[\(MarkdownEscapes.caption(file.name))](\(path(of: file.file) ?? RichText.Attached.address(ofFile: file.file)))"
      ]
    }
  }

  /// `[!tip]- Title`.
  private func head(of callout: RichText.Callout) -> String {
    let sign =
      switch callout.fold {
      case .open: "+"
      case .closed: "-"
      case nil: ""
      }
    let title = MarkdownLine.title(callout.title, titleOf: titleOf)
    return "[!\(callout.kind)]\(sign)" + (title.isEmpty ? "" : " \(title)")
  }

  private func line(of picture: RichText.Picture) -> String {
    let caption = MarkdownEscapes.caption(picture.caption)
    let isSized = MarkdownScan.size(picture.caption).width != nil
    // A caption that ends like a width gets another one after it, without a meaning.
    let width = picture.width.map { "|\($0)" } ?? (isSized ? "\\|" : "")
    let path = path(of: picture.file) ?? RichText.Attached.address(ofPicture: picture.file)
    return "![\(caption)\(width)](\(path))"
  }

  private func path(of file: UUID) -> String? {
    names.pathOf(file).map { path in
      path.utf8.map { byte in
        MarkdownEscapes.isPlainInPath(byte)
          ? String(Unicode.Scalar(byte))
          : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }.joined()
    }
  }
}

// MARK: - Lists

extension MarkdownWriter {
  /// Items one below the other, with an empty line between them if one of them has more paragraphs.
  private func list(_ items: [[String]], marker: (Int) -> String) -> [String] {
    let isLoose = items.contains { $0.contains("") }
    var lines: [String] = []
    for (index, item) in items.enumerated() {
      let marker = marker(index) + " "
      if isLoose && index > 0 { lines.append("") }
      lines += indented(item, first: marker, others: String(repeating: " ", count: marker.count))
    }
    return lines
  }

  private func lines(ofItem blocks: [RichText.Block], _ marker: String) -> [String] {
    var inside = self
    inside.isInList = true
    inside.marker = marker
    let lines = inside.lines(of: blocks)
    return lines.prefix(1).map(MarkdownEscapes.box) + lines.dropFirst()
  }

  private func lines(ofTask item: RichText.TaskItem, _ marker: String) -> [String] {
    let box = item.isDone ? "[x]" : "[ ]"
    guard let first = item.blocks.first, !isEmptyParagraph(first) else {
      let below = lines(ofItem: Array(item.blocks.dropFirst()), marker)
      return below.isEmpty ? [box] : [box, ""] + below
    }
    return indented(lines(ofItem: item.blocks, marker), first: "\(box) ", others: "")
  }

  /// Two lists of one kind, one after the other, are told apart by their markers.
  private func follows(_ block: RichText.Block, _ last: RichText.Block?) -> Bool {
    guard let kind = block.listKind else { return false }
    return last?.listKind == kind
  }

  /// A list may begin right below the paragraph of an item, where nothing else can be meant.
  private func mayTouch(_ last: RichText.Block, _ block: RichText.Block) -> Bool {
    guard isInList, case .paragraph = last else { return false }
    return switch block {
    case .bulletList(let items): items.first?.blocks.first.map { !isEmptyParagraph($0) } ?? false
    case .orderedList(1, let items):
      items.first?.blocks.first.map { !isEmptyParagraph($0) } ?? false
    case .taskList: true
    case .orderedList, .paragraph, .heading, .blockquote, .codeBlock, .horizontalRule, .table,
      .picture, .file, .callout, .footnote:
      false
    }
  }

  private func isEmptyParagraph(_ block: RichText.Block) -> Bool {
    guard case .paragraph(let line) = block else { return false }
    return line.allSatisfy { $0 == .hardBreak }
  }
}

extension RichText.Block {
  fileprivate enum ListKind {
    case marked, numbered
  }

  /// The beginning of the items of a list; `nil` for another block.
  fileprivate var listKind: ListKind? {
    switch self {
    case .bulletList, .taskList: .marked
    case .orderedList: .numbered
    case .paragraph, .heading, .blockquote, .codeBlock, .horizontalRule, .table, .picture, .file,
      .callout, .footnote:
      nil
    }
  }
}

// MARK: - Lines

extension MarkdownWriter {
  private func indented(_ lines: [String], first: String, others: String) -> [String] {
    guard !lines.isEmpty else { return [trimmed(first)] }
    return lines.enumerated().map { index, line in
      let indent = index == 0 ? first : others
      return line.isEmpty ? trimmed(indent) : indent + line
    }
  }

  private func trimmed(_ indent: String) -> String {
    String(indent.reversed().drop { $0 == " " }.reversed())
  }

  /// The fence is longer than every row of backticks inside.
  private func fenced(_ text: String, language: String) -> [String] {
    let fence = String(repeating: "`", count: max(3, Backticks.longestRun(in: text) + 1))
    let lines = text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false)
    return [fence + language] + lines.map(String.init) + [fence]
  }
}

enum Backticks {
  static func longestRun(in text: String) -> Int {
    var (longest, run) = (0, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}
