import Foundation

/// Reads the inside of a paragraph: emphasis, code, links and breaks.
///
/// The text becomes pieces, from left to right and each character once. Delimiters are pieces too, until
/// they find their partners; which styles a piece has is written down as where they begin and end.
///
/// ```
/// a **b** [c](https://d)
/// "a " · ** · "b" · ** · " " · [ · "c" · ]        bold: 2 ..< 3, link: 6 ..< 7
/// ```
struct MarkdownInlines {
  private let text: [Unicode.Scalar]
  private let links: [String: MarkdownTarget]
  private let surroundings: MarkdownSurroundings
  private let footnotes: MarkdownFootnotes

  /// Whether this is the text of a footnote in a line, which cannot contain another.
  private let isFootnote: Bool

  /// Whether this is a paragraph, in which notes can be shown.
  private let isParagraph: Bool

  /// The ends of the brackets that are open at a place; found when first needed.
  private var closings: [Int: Int]?

  private var position = 0
  private var pieces: [Piece] = []

  /// Text that is not a piece yet.
  private var words = String.UnicodeScalarView()

  private var emphasis = MarkdownEmphasis()
  private var brackets: [Bracket] = []

  /// Brackets before this one are in front of a link, and a link is not in a link.
  private var firstActiveBracket = 0

  /// Which pieces are a link; a later one may be around earlier ones.
  private var linked: [(range: Range<Int>, link: RichText.Link)] = []

  /// The pieces of `<u>` and the like that wait for their ends, by their names.
  private var tags: [String: [Int]] = [:]

  /// The last row of so many backticks, by their number.
  private var lastBackticks: [Int: Int] = [:]

  enum Piece {
    case text(String)
    case code(String)
    case link(RichText.Link, String)
    case note(RichText.Link, String)
    case hardBreak
    case footnote(String)

    /// Delimiters that have found no partner, so many of them.
    case signs(Unicode.Scalar, Int)

    /// A picture or a file, which is not part of the line.
    case block(RichText.Block)
  }

  enum Element {
    case inline(RichText.Inline)
    case block(RichText.Block)
  }

  private struct Bracket {
    let piece: Int
    let isPicture: Bool

    /// The beginning of the text between the brackets.
    let position: Int

    /// How many delimiters were there before it.
    let delimiters: Int
  }

  init(
    _ words: ArraySlice<UInt8>,
    _ builder: MarkdownBuilder,
    isFootnote: Bool = false,
    isParagraph: Bool = false
  ) {
    text = Array(String(decoding: words, as: UTF8.self).unicodeScalars)
    links = builder.links
    surroundings = builder.surroundings
    footnotes = builder.footnotes
    self.isFootnote = isFootnote
    self.isParagraph = isParagraph
  }

  mutating func read() -> [Element] {
    findBackticks()
    while position < text.count { readNext() }
    endWords()
    emphasis.match(from: 0)
    return line()
  }
}

// MARK: - Pieces

extension MarkdownInlines {
  private mutating func readNext() {
    let scalar = text[position]
    switch scalar {
    case "\\": readBackslash()
    case "`": readCode()
    case "$": readFormula()
    case "*", "_", "~", "=": readDelimiters(scalar)
    case ":" where surroundings.isOfBear: readDelimiters(":")
    case "[": readOpeningBracket(isPicture: false)
    case "^" where peek(1) == "[" && !isFootnote: readInlineFootnote()
    case "!" where peek(1) == "[" && !isMark(at: position + 1):
      position += 1
      readOpeningBracket(isPicture: true)
    case "]": readClosingBracket()
    case "<": readAutolink()
    case "&": readEntity()
    case "\n": readLineBreak()
    case "h", "H": readAddress()
    default: add(scalar)
    }
  }

  private func peek(_ distance: Int) -> Unicode.Scalar? {
    position + distance < text.count ? text[position + distance] : nil
  }

  private mutating func add(_ scalar: Unicode.Scalar) {
    words.append(scalar)
    position += 1
  }

  private mutating func endWords() {
    if words.isEmpty { return }
    pieces.append(.text(String(words)))
    words = String.UnicodeScalarView()
  }

  private mutating func add(_ piece: Piece, length: Int) {
    endWords()
    pieces.append(piece)
    position += length
  }

  private mutating func readBackslash() {
    guard let next = peek(1) else { return add("\\") }
    if next == "\n" {
      add(.hardBreak, length: 2)
      skipBlanks()
    } else if next.isASCII && MarkdownScan.isPunctuation(next) {
      position += 1
      add(next)
      // `line()` keeps it where a formula would begin without the backslash.
      if next == "$" { words.append(MarkdownFormula.literal) }
    } else {
      add("\\")
    }
  }

  /// Two blanks before the end of a line make it a break that shows.
  private mutating func readLineBreak() {
    var blanks = 0
    while position - blanks > 0, text[position - blanks - 1] == " " { blanks += 1 }
    for _ in 0..<blanks where !words.isEmpty { words.removeLast() }
    if blanks >= 2 || surroundings.breaksLines {
      add(.hardBreak, length: 1)
    } else {
      position += 1
      words.append(" ")
    }
    skipBlanks()
  }

  private mutating func skipBlanks() {
    while let next = peek(0), next == " " || next == "\t" { position += 1 }
  }

  private mutating func readEntity() {
    guard let entity = MarkdownEntity(text[position...]) else { return add("&") }
    words.add(entity.text.unicodeScalars)
    position += entity.length
  }

  private mutating func readDelimiters(_ sign: Unicode.Scalar) {
    var end = position
    while end < text.count, text[end] == sign { end += 1 }
    let count = end - position
    let flanking = Flanking(
      // Inside of a word, as in `std::vector::size`, colons mark nothing.
      sign == ":" ? "_" : Character(sign),
      before: position > 0 ? text[position - 1] : nil,
      after: end < text.count ? text[end] : nil
    )
    if count == 2 || sign == "*" || sign == "_" || (sign == "~" && surroundings.isOfBear) {
      endWords()
      emphasis.add(sign, count: count, piece: pieces.count, flanking)
    }
    add(.signs(sign, count), length: count)
  }
}

// MARK: - Formulas

extension MarkdownInlines {
  /// A formula as it is written, or signs that are plain text.
  private mutating func readFormula() {
    let length = MarkdownFormula.length(at: position, in: text)
    let end = position + (length ?? MarkdownFormula.signs(at: position, in: text))
    words.add(text[position..<end])
    position = end
  }
}

// MARK: - Code

extension MarkdownInlines {
  private mutating func findBackticks() {
    var index = 0
    while index < text.count {
      let start = index
      while index < text.count, text[index] == "`" { index += 1 }
      if index > start { lastBackticks[index - start] = start } else { index += 1 }
    }
  }

  private mutating func readCode() {
    var start = position
    while start < text.count, text[start] == "`" { start += 1 }
    let count = start - position
    guard lastBackticks[count] ?? -1 > position, let end = endOfCode(from: start, count: count)
    else {
      return add(.text(String(repeating: "`", count: count)), length: count)
    }
    var code = text[start..<end].map { $0 == "\n" ? " " : $0 }
    if code.count > 1, code.first == " ", code.last == " ", code.contains(where: { $0 != " " }) {
      code = Array(code.dropFirst().dropLast())
    }
    add(.code(String(String.UnicodeScalarView(code))), length: end + count - position)
  }

  private func endOfCode(from start: Int, count: Int) -> Int? {
    var index = start
    while index < text.count {
      let run = index
      while index < text.count, text[index] == "`" { index += 1 }
      if index - run == count { return run }
      if index == run { index += 1 }
    }
    return nil
  }
}

// MARK: - Footnotes

extension MarkdownInlines {
  /// The label of `[^label]` at a place, if there is a text for it.
  private func label(at start: Int) -> String? {
    guard !footnotes.labels.isEmpty, start + 1 < text.count, text[start + 1] == "^" else {
      return nil
    }
    let near = text[(start + 2)...].prefix(101)
    guard let end = near.firstIndex(of: "]") else { return nil }
    let label = String(String.UnicodeScalarView(text[(start + 2)..<end]))
    return footnotes.labels.contains(label) ? label : nil
  }

  /// Whether the text after a `!` is the mark of a footnote, and not a picture.
  private func isMark(at start: Int) -> Bool {
    guard let label = label(at: start) else { return false }
    let behind = start + 3 + label.unicodeScalars.count
    return behind >= text.count || text[behind] != "("
  }

  /// `^[text]`: a footnote whose text is in the line.
  private mutating func readInlineFootnote() {
    guard let end = closing(of: position + 1), end > position + 2 else { return add("^") }
    let words = String(String.UnicodeScalarView(text[(position + 2)..<end]))
    let label = footnotes.add(ArraySlice(words.utf8))
    add(.footnote(label), length: end + 1 - position)
  }

  /// The place where the bracket at a place is closed.
  private mutating func closing(of bracket: Int) -> Int? {
    if let closings { return closings[bracket] }
    var closings: [Int: Int] = [:]
    var open: [Int] = []
    var index = 0
    while index < text.count {
      switch text[index] {
      case "\\": index += 1
      case "[": open.append(index)
      case "]": if let start = open.popLast() { closings[start] = index }
      default: break
      }
      index += 1
    }
    self.closings = closings
    return closings[bracket]
  }
}

// MARK: - Links

extension MarkdownInlines {
  private mutating func readOpeningBracket(isPicture: Bool) {
    if !isPicture, let label = label(at: position) {
      return add(.footnote(label), length: label.unicodeScalars.count + 3)
    }
    if peek(1) == "[", let note = MarkdownScan.note(text, from: position + 2) {
      if isPicture, let file = file(at: note.title, label: note.words ?? "") {
        return add(.block(file), length: note.length + 2)
      }
      if let link = note.link ?? surroundings.link(named: note.title) {
        if isPicture { addEmbedSign(link, end: position + note.length + 2) }
        let words = note.words ?? RichText.LooseLink.words(of: note.title)
        return add(.note(link, words), length: note.length + 2)
      }
    }
    endWords()
    brackets.append(
      Bracket(
        piece: pieces.count,
        isPicture: isPicture,
        position: position + 1,
        delimiters: emphasis.count
      )
    )
    add(.text(isPicture ? "![" : "["), length: 1)
  }

  /// Keeps the `!` of a note that is shown in its place; elsewhere than on a line of its own it is a link.
  private mutating func addEmbedSign(_ link: RichText.Link, end: Int) {
    words.append("!")
    let isAlone = isParagraph && MarkdownScan.isAlone(text, from: position - 1, to: end)
    if !isAlone, let id = link.note { surroundings.embedded(id) }
  }

  private mutating func readClosingBracket() {
    guard let bracket = brackets.popLast() else { return add("]") }
    let isActive = bracket.isPicture || brackets.count >= firstActiveBracket
    firstActiveBracket = min(firstActiveBracket, brackets.count)
    if isActive, readFile(behind: bracket) { return }
    guard isActive, let (link, end) = link(behind: bracket) else { return add("]") }
    endWords()
    // The brackets themselves are gone.
    // A link without words is shown by its address.
    let isMute = position == bracket.position
    pieces[bracket.piece] = .text(isMute ? address(of: link) : "")
    linked.append((bracket.piece..<pieces.count, link))
    emphasis.match(from: bracket.delimiters)
    if !bracket.isPicture { firstActiveBracket = brackets.count }
    position = end
  }

  /// The address of a link, or that of its note as it is written.
  private func address(of link: RichText.Link) -> String {
    if link.note == nil { return link.href }
    guard peek(1) == "(", let target = MarkdownScan.target(text, from: position + 2) else {
      return ""
    }
    return target.address
  }

  /// The target of the brackets, and its end: `](address)`, `][label]`, or `]` alone.
  private func link(behind bracket: Bracket) -> (RichText.Link, Int)? {
    if peek(1) == "(", let target = MarkdownScan.target(text, from: position + 2) {
      let link = RichText.Link(target.address)
      // A name of a file may look like an address of another program.
      let found = link?.isFollowed == true ? link : surroundings.link(at: target.address) ?? link
      return found.map { ($0, target.end) }
    }
    guard let (target, end) = definition(behind: bracket), case .link(let link) = target else {
      return nil
    }
    return (link, end)
  }

  /// The definition that the brackets mean, and its end: `][label]`, or `]` alone.
  private func definition(behind bracket: Bracket) -> (MarkdownTarget, Int)? {
    if links.isEmpty { return nil }
    if peek(1) == "[", let label = MarkdownScan.label(text, from: position + 2), !label.text.isEmpty
    {
      return links[MarkdownSigns.label(label.text)].map { ($0, label.end) }
    }
    guard position - bracket.position < 1_000 else { return nil }
    let label = String(String.UnicodeScalarView(text[bracket.position..<position]))
    let isEmptyLabel = peek(1) == "[" && peek(2) == "]"
    return links[MarkdownSigns.label(label)].map { ($0, position + (isEmptyLabel ? 3 : 1)) }
  }

  /// The address of a file that the brackets mean, and its end.
  private func fileTarget(behind bracket: Bracket) -> (address: String, end: Int)? {
    if peek(1) == "(", let target = MarkdownScan.target(text, from: position + 2) { return target }
    guard let (target, end) = definition(behind: bracket), case .file(let address) = target else {
      return nil
    }
    return (address, end)
  }

  /// Takes `![caption|300](path)` or `[name](path)`, if that is a known file.
  private mutating func readFile(behind bracket: Bracket) -> Bool {
    let label = MarkdownScan.unescaped(text[bracket.position..<position])
    guard let target = fileTarget(behind: bracket),
      var file = file(at: target.address, label: label, isPicture: bracket.isPicture)
    else { return false }
    let remark = MarkdownScan.remark(text, from: target.end)
    if case .picture(var picture) = file, picture.width == nil {
      picture.width = remark?.width
      file = .picture(picture)
    }
    endWords()
    for index in (bracket.piece + 1)..<max(pieces.count, bracket.piece + 1) {
      pieces[index] = .text("")
    }
    pieces[bracket.piece] = .block(file)
    emphasis.match(from: bracket.delimiters)
    position = remark?.end ?? target.end
    return true
  }

  /// The block of a file; its label may end in how wide it is: `A tree|300`.
  private func file(at path: String, label: String, isPicture: Bool = true) -> RichText.Block? {
    let attached = RichText.Attached(address: path) ?? surroundings.fileAt(path)
    switch attached {
    case .picture(let id) where isPicture:
      let (caption, width) = MarkdownScan.size(label)
      return .picture(.init(file: id, caption: caption, width: width))
    case .picture(let id), .file(let id, _):
      if case .file(_, let name)? = attached, label.isEmpty || isPicture {
        return .file(.init(file: id, name: name))
      }
      return .file(.init(file: id, name: label))
    case nil: return nil
    }
  }

  private mutating func readAutolink() {
    if let length = MarkdownScan.lineBreak(text, from: position) {
      return add(.hardBreak, length: length)
    }
    if let tag = MarkdownScan.tag(text, from: position) { return readTag(tag) }
    if let image = MarkdownScan.image(text, from: position),
      let file = file(at: image.address, label: image.label)
    {
      return add(.block(file), length: image.length)
    }
    guard let (address, end) = MarkdownScan.autolink(text, from: position + 1) else {
      return add("<")
    }
    let isMail = address.contains("@") && !address.contains(":")
    guard let link = RichText.Link(isMail ? "mailto:\(address)" : address), link.isFollowed else {
      return add("<")
    }
    add(.link(link, address), length: end - position)
  }

  /// A tag of HTML that styles words; an unmatched one is plain text.
  private mutating func readTag(_ tag: (name: String, isEnd: Bool, length: Int)) {
    endWords()
    let written = String(String.UnicodeScalarView(text[position..<(position + tag.length)]))
    if !tag.isEnd {
      tags[tag.name, default: []].append(pieces.count)
    } else if let start = tags[tag.name]?.popLast(), let style = MarkdownScan.styles[tag.name] {
      emphasis.add(style, to: (start + 1)..<pieces.count)
      pieces[start] = .text("")
      return add(.text(""), length: tag.length)
    }
    add(.text(written), length: tag.length)
  }

  /// An address without any sign that it is one.
  private mutating func readAddress() {
    let before = position > 0 ? text[position - 1] : " "
    // The key of a citation may be an address.
    let isKey = position > 1 && before == "{" && text[position - 2] == "@"
    guard !isKey, !before.properties.isAlphabetic, !("0"..."9").contains(before),
      let address = MarkdownScan.address(text, from: position), let link = RichText.Link(address)
    else { return add(text[position]) }
    add(.link(link, address), length: address.unicodeScalars.count)
  }
}

// MARK: - The line

extension MarkdownInlines {
  /// The pieces with their marks.
  private func line() -> [Element] {
    var elements: [Element] = []
    var line: [RichText.Inline] = []
    var styles = MarkdownEmphasis.Running(emphasis, count: pieces.count)
    let linkAt = outermostLinks()
    for (index, piece) in pieces.enumerated() {
      let marks = RichText.Marks(styles.next(), link: linkAt.isEmpty ? nil : linkAt[index])
      switch piece {
      case .text(let text): Self.append(text, marks, to: &line)
      case .code(let text):
        line.append(.text(text, RichText.Marks(marks.styles.union(.code), link: marks.link)))
      case .link(let link, let text):
        line.append(.text(text, RichText.Marks(marks.styles, link: marks.link ?? link)))
      case .note(let link, let text):
        line.append(.text(text, RichText.Marks(marks.styles, link: link)))
      case .hardBreak: line.append(.hardBreak)
      case .footnote(let label): line.append(.footnoteMark(label))
      case .signs(let sign, let count):
        let left = emphasis.left[index] ?? count
        Self.append(String(repeating: Character(sign), count: left), marks, to: &line)
      case .block(let block):
        elements += Self.tidied(line).map(Element.inline) + [.block(block)]
        line = []
      }
    }
    return elements + Self.tidied(line).map(Element.inline)
  }

  private static func tidied(_ line: [RichText.Inline]) -> [RichText.Inline] {
    Tidying.tidy(line).map { piece in
      guard case .text(let text, let marks) = piece, !marks.styles.contains(.code),
        text.unicodeScalars.contains(MarkdownFormula.literal)
      else { return piece }
      return .text(MarkdownFormula.settled(text), marks)
    }
  }

  /// Text with the same looks becomes one piece at once: a text may have a million signs that belong to nothing.
  private static func append(
    _ text: String,
    _ marks: RichText.Marks,
    to line: inout [RichText.Inline]
  ) {
    if text.isEmpty { return }
    guard case .text(var known, marks)? = line.last else { return line.append(.text(text, marks)) }
    line.removeLast()
    known += text
    line.append(.text(known, marks))
  }

  /// The link of each piece, empty if there are no links; links that were found later are around those before them.
  private func outermostLinks() -> [RichText.Link?] {
    if linked.isEmpty { return [] }
    var links: [RichText.Link?] = Array(repeating: nil, count: pieces.count)
    var end = pieces.count
    for (range, link) in linked.reversed() {
      // A range inside of one that is done.
      if range.lowerBound >= end { continue }
      for index in range where index < end { links[index] = link }
      end = min(end, range.lowerBound)
    }
    return links
  }
}
