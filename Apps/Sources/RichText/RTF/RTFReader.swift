/// Reads the pieces of an RTF file and makes paragraphs of them.
///
/// A group is a state that ends where the group ends; a word changes the innermost one. Groups say where text goes:
/// into the document, into the name of a font, or nowhere.
///
/// ```
/// {\rtf1{\fonttbl\f0 Menlo;}\f0 a {\b b}{\*\unknown c}\par d}
///
/// "a " in Menlo, "b" in Menlo and bold  ·  "d" in Menlo
/// ```
struct RTFReader {
  private var tokens: RTFTokens
  private var groups: [Group] = []
  private var group = Group()

  /// How many groups are open beyond those that are kept; nobody writes so many.
  private var groupsTooDeep = 0
  private static let maximumGroups = 1_000

  private var fonts: [Int: RTFFont] = [:]
  private var fontBeingRead = 0
  private(set) var lists = RTFLists()
  private(set) var links: [RTFTarget?] = []
  private var colours = RTFColours()

  /// The words of the field that is being read.
  private var instruction = ""

  private(set) var paragraphs: [RTFParagraph] = []

  /// The paragraphs before which a row with the columns' headings begins.
  private(set) var headers: Set<Int> = []
  private var paragraph = RTFParagraph()

  /// The texts of footnotes; a mark has the place of its text here.
  private(set) var footnotes: [[RTFParagraph]] = []
  private var interrupted: Interrupted?

  /// The changes that leaving something out makes.
  private(set) var changes: Set<TextChange> = []
  private var isBehindGraphic = false

  /// The character in the place of a picture of TextKit.
  private static let graphic: UInt8 = 0xAC

  /// Text that is not in a run yet: bytes of a code page, or half of a character.
  private var pending: [UInt8] = []
  private var pendingStyle = RTFParagraph.Style()
  private var highSurrogate: UInt32?

  /// Bytes of text so far.
  private var size = 0

  /// The number of characters that replace the last `\u`.
  private var toSkip = 0

  /// Whether TextKit has written this, which ends a text without ending its last paragraph.
  private var isCocoa = false

  /// The settings that apply until the end of a group.
  struct Group {
    var destination = Destination.text
    var format = RTFParagraph.Format()
    var style = RTFParagraph.Style()
    var skipping = 1

    /// The colour of letters, by its place in the colour table.
    var colour = 0

    /// The link of the field that this group is or is in.
    var field: Int?

    /// Whether it is a shape or an object of the text, of which pictures and words are only noticed.
    var isShape = false

    /// The change to tell if the group has words, which are left out.
    var loss: TextChange?
  }

  /// The state that the text of a footnote interrupts.
  private struct Interrupted {
    /// How many groups are open in the footnote's own.
    let depth: Int
    let paragraphs: [RTFParagraph]
    let paragraph: RTFParagraph
  }

  enum Destination {
    case text
    case nowhere
    /// The name of a picture of TextKit, which is followed by a character in its place.
    case graphic
    case fonts
    case colours
    case lists
    case levelMarker
    case marker
    case instruction
  }

  init(_ bytes: [UInt8]) {
    tokens = RTFTokens(bytes)
  }

  /// Reads everything, or throws if there is too much.
  mutating func read() throws {
    while let token = tokens.next() {
      switch token {
      case .open: open()
      case .close: if !close() { return finish() }
      case .byte(let byte): add(byte)
      case .symbol(let symbol): read(symbol: symbol)
      case .word(let word, let number): read(word, number)
      }
      guard size <= RichText.maximumSize else { throw RichTextError.tooLarge }
    }
    finish()
  }

  /// The looks of a run, as far as the font and the words say it.
  func styles(of style: RTFParagraph.Style) -> RichText.Styles {
    var styles = fonts[style.font]?.styles ?? []
    if style.isBold { styles.insert(.bold) }
    if style.isItalic { styles.insert(.italic) }
    if style.isUnderlined { styles.insert(.underline) }
    if style.isStruck { styles.insert(.strike) }
    switch style.height {
    case .raised: styles.insert(.superscript)
    case .lowered: styles.insert(.subscript)
    case .line: break
    }
    if colours.isMarker(style.background) { styles.insert(.highlight) }
    return styles
  }

  private mutating func finish() {
    flush()
    endFootnote()
    // Others end the last paragraph too; after that nothing is meant to follow.
    // Behind a table, an empty heading or line of a quote was meant all the same.
    let isMeant = !group.format.isInTable && group.format != RTFParagraph.Format()
    let isEnded = !isCocoa || (paragraphs.last?.ending == .row && !isMeant)
    if paragraph.isEmpty && isEnded && !paragraphs.isEmpty { return }
    endParagraph()
  }
}

// MARK: - Groups

extension RTFReader {
  private mutating func open() {
    flush()
    toSkip = 0
    guard groups.count < Self.maximumGroups else {
      groupsTooDeep += 1
      return
    }
    groups.append(group)
  }

  /// Ends a group; false when it was the whole document.
  private mutating func close() -> Bool {
    flush()
    toSkip = 0
    if groupsTooDeep > 0 {
      groupsTooDeep -= 1
      return true
    }
    if groups.count == interrupted?.depth { endFootnote() }
    guard let outer = groups.popLast() else { return false }
    let inner = group
    group = outer
    isBehindGraphic = inner.destination == .graphic
    // The last paragraph keeps its format, though nothing ends it.
    if groups.isEmpty { group.format = inner.format }
    if inner.destination == .instruction && outer.destination != .instruction {
      links.append(RTFTarget(instruction: instruction))
      group.field = links.count - 1
    }
    return !groups.isEmpty
  }

  private mutating func passOverShape() {
    if group.destination == .text { group.isShape = true }
    enter(.nowhere)
  }

  /// Passes over words, which are told if there are any.
  private mutating func leaveOut(_ loss: TextChange) {
    if group.destination == .text || group.isShape { group.loss = loss }
    enter(.nowhere)
  }

  private mutating func enter(_ destination: Destination) {
    // A skipped group is skipped with everything inside.
    if group.destination != .nowhere { group.destination = destination }
  }
}

// MARK: - Text

extension RTFReader {
  private mutating func add(_ byte: UInt8) {
    if toSkip > 0 {
      toSkip -= 1
      return
    }
    if standsForGraphic(UInt32(byte)) { return }
    switch group.destination {
    case .nowhere: if byte > 0x20 { noticeLoss() }
    case .graphic, .lists: return
    case .fonts: fonts[fontBeingRead, default: RTFFont()].add(byte)
    case .colours: colours.add(byte)
    case .levelMarker: lists.addMarker(byte)
    case .instruction: addToInstruction(String(Unicode.Scalar(byte)))
    case .text, .marker:
      if pendingStyle != group.style { flush() }
      pendingStyle = group.style
      pending.append(byte)
    }
  }

  private mutating func add(_ text: String) {
    flush()
    switch group.destination {
    case .nowhere: if text.contains(where: { !$0.isWhitespace }) { noticeLoss() }
    case .graphic, .lists, .fonts, .colours, .levelMarker: return
    case .instruction: addToInstruction(text)
    case .text, .marker: append(text, group.style)
    }
  }

  /// Adds a UTF-16 unit; two of them may be one character.
  private mutating func add(unit: UInt32) {
    if standsForGraphic(unit) { return }
    switch unit {
    case 0xD800...0xDBFF:
      flush()
      highSurrogate = unit
    case 0xDC00...0xDFFF:
      guard let high = highSurrogate else { return add("\u{FFFD}") }
      highSurrogate = nil
      let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00))
      add(scalar.map(String.init) ?? "\u{FFFD}")
    default:
      add(Unicode.Scalar(unit).map(String.init) ?? "\u{FFFD}")
    }
  }

  private mutating func noticeLoss() {
    if let loss = group.loss { changes.insert(loss) }
  }

  private mutating func standsForGraphic(_ unit: UInt32) -> Bool {
    defer { isBehindGraphic = false }
    return isBehindGraphic && unit == UInt32(Self.graphic)
  }

  private mutating func addToInstruction(_ text: String) {
    if instruction.utf8.count < RichText.Address.maximumLength + 100 { instruction += text }
  }

  /// Makes text of the bytes that wait, before something else begins.
  private mutating func flush() {
    if highSurrogate != nil {
      highSurrogate = nil
      append("\u{FFFD}", group.style)
    }
    guard !pending.isEmpty else { return }
    let codePage = fonts[pendingStyle.font]?.codePage ?? .windows1252
    let text = codePage.text(pending)
    pending.removeAll(keepingCapacity: true)
    append(text, pendingStyle)
  }

  private mutating func append(_ text: String, _ style: RTFParagraph.Style) {
    size += text.utf8.count
    if group.destination == .marker {
      // A longer text than this is not a marker.
      if (paragraph.marker ?? "").utf8.count < 64 {
        paragraph.marker = (paragraph.marker ?? "") + text
      }
      return
    }
    if style.isHidden {
      if text.contains(where: { !$0.isWhitespace }) { changes.insert(.leftOutText) }
      return
    }
    if style.link == nil, colours.isMarker(group.colour) { changes.insert(.looks) }
    if let last = paragraph.runs.last, last.style == style {
      paragraph.runs[paragraph.runs.count - 1].text += text
    } else {
      paragraph.runs.append(RTFParagraph.Run(text: text, style: style))
    }
  }

  private mutating func endParagraph(_ ending: RTFParagraph.Ending = .paragraph) {
    flush()
    guard group.destination == .text else { return }
    size += 1
    paragraph.format = group.format
    paragraph.ending = ending
    paragraphs.append(paragraph)
    paragraph = RTFParagraph()
  }
}

// MARK: - Footnotes

extension RTFReader {
  /// Leaves a mark, and reads the rest of the group as a text of its own: `One{\footnote First}`.
  private mutating func beginFootnote() {
    guard group.destination == .text, interrupted == nil, groupsTooDeep == 0, !group.style.isHidden
    else { return enter(.nowhere) }
    flush()
    let mark = RTFParagraph.Style(footnote: footnotes.count)
    paragraph.runs.append(RTFParagraph.Run(text: "", style: mark))
    interrupted = Interrupted(depth: groups.count, paragraphs: paragraphs, paragraph: paragraph)
    (paragraphs, paragraph) = ([], RTFParagraph())
    (group.format, group.style.link) = (RTFParagraph.Format(), nil)
  }

  private mutating func endFootnote() {
    guard let interrupted else { return }
    if !paragraph.isEmpty || paragraphs.isEmpty { endParagraph() }
    footnotes.append(paragraphs)
    (paragraphs, paragraph) = (interrupted.paragraphs, interrupted.paragraph)
    self.interrupted = nil
  }
}

// MARK: - Tables

extension RTFReader {
  /// The cell before was the last of its row.
  private mutating func endRow() {
    flush()
    guard group.destination == .text, paragraphs.last?.ending == .cell else { return }
    paragraphs[paragraphs.count - 1].ending = .row
  }
}

// MARK: - Words

extension RTFReader {
  private mutating func read(symbol: UInt8) {
    if toSkip > 0 {
      toSkip -= 1
      return
    }
    switch symbol {
    case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): add(symbol)
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): endParagraph()
    case UInt8(ascii: "~"): add("\u{A0}")
    case UInt8(ascii: "_"): add("\u{2011}")
    case UInt8(ascii: "-"): add("\u{AD}")
    case UInt8(ascii: "\t"): add("\t")
    case UInt8(ascii: "*"): ignoreUnlessKnown()
    default: break
    }
  }

  /// `{\*\word …}` is skipped by readers that do not know the word.
  private mutating func ignoreUnlessKnown() {
    let before = tokens
    if case .word(let word, let number) = tokens.next() {
      switch word {
      case "fldinst", "listtable", "listoverridetable", "levelmarker": read(word, number)
      // A picture, and behind it the same for those who do not know this word.
      case "shppict": break
      case "shpinst": passOverShape()
      case "annotation": leaveOut(.leftOutText)
      default: enter(.nowhere)
      }
    } else {
      tokens = before
    }
  }

  private mutating func read(_ word: String, _ number: Int?) {
    if word == "bin" { return tokens.skip(number ?? 0) }
    if toSkip > 0 {
      toSkip -= 1
      return
    }
    let isOn = number != 0
    switch word {
    case "u": readUnicode(number ?? 0)
    case "uc": group.skipping = min(max(number ?? 1, 0), 100)
    case "b": group.style.isBold = isOn
    case "i": group.style.isItalic = isOn
    case "strike", "striked": group.style.isStruck = isOn
    case "ulnone": group.style.isUnderlined = false
    case "v": group.style.isHidden = isOn
    case "super": group.style.height = isOn ? .raised : .line
    case "sub": group.style.height = isOn ? .lowered : .line
    // By half points.
    case "up": group.style.height = isOn ? .raised : .line
    case "dn": group.style.height = isOn ? .lowered : .line
    case "nosupersub": group.style.height = .line
    case "cb", "highlight", "chcbpat": group.style.background = number ?? 0
    case "cf": readColour(number ?? 0)
    case "fs": group.style.size = min(max(number ?? 24, 1), 4_000)
    case "f": readFont(number ?? 0)
    case "plain":
      readColour(0)
      group.style = RTFParagraph.Style(link: group.style.link)
    case "pard": group.format = RTFParagraph.Format()
    case "li": group.format.indent = number ?? 0
    case "outlinelevel": group.format.outline = number
    case "cocoartf": isCocoa = true
    case _ where Self.underlines.contains(word): group.style.isUnderlined = isOn
    case _ where Self.characters[word] != nil: add(Self.characters[word] ?? "")
    default: readDestination(word, number)
    }
  }

  private mutating func readDestination(_ word: String, _ number: Int?) {
    switch word {
    case "par": endParagraph()
    case "cell": endParagraph(.cell)
    case "row": endRow()
    case "trhdr" where group.destination == .text && interrupted == nil:
      headers.insert(paragraphs.count)
    case "intbl": group.format.isInTable = true
    case "ql": group.format.alignment = .left
    case "qc": group.format.alignment = .center
    case "qr": group.format.alignment = .right
    case "fonttbl": enter(.fonts)
    case "colortbl": enter(.colours)
    case "red", "green", "blue": if group.destination == .colours { colours.read(word, number) }
    case "fcharset" where group.destination == .fonts:
      fonts[fontBeingRead, default: RTFFont()].codePage = RTFCodePage(characterSet: number ?? 0)
    case "fmodern" where group.destination == .fonts:
      fonts[fontBeingRead, default: RTFFont()].isTypewriter = true
    case "listtable", "listoverridetable": enter(.lists)
    case "levelmarker" where group.destination == .lists: enter(.levelMarker)
    case "leveltext", "levelnumbers", "listname": enter(.nowhere)
    case "ls" where group.destination == .text: group.format.list = max(number ?? 0, 0)
    case "ilvl" where group.destination == .text: group.format.level = min(max(number ?? 0, 0), 15)
    case "list", "listlevel", "levelnfc", "levelstartat", "listid", "ls":
      if group.destination == .lists { lists.read(word, number) }
    case "listtext", "pntext":
      if group.destination == .text && paragraph.runs.isEmpty {
        enter(.marker)
        paragraph.marker = paragraph.marker ?? ""
      } else {
        enter(.nowhere)
      }
    case "fldinst":
      instruction = ""
      enter(.instruction)
    case "fldrslt": group.style.link = group.field
    case "footnote": beginFootnote()
    case "pict", "NeXTGraphic":
      if group.destination == .text || group.isShape { changes.insert(.leftOutPicture) }
      group.loss = nil
      enter(word == "pict" ? .nowhere : .graphic)
    case "object": passOverShape()
    case "shptxt", "result": if group.isShape { group.loss = .leftOutText }
    case "info": leaveOut(.facts)
    case _ where Self.besideText.contains(word): leaveOut(.leftOutText)
    case _ where Self.skipped.contains(word): enter(.nowhere)
    default: break
    }
  }

  private mutating func readUnicode(_ number: Int) {
    add(unit: UInt32(truncatingIfNeeded: number) & 0xFFFF)
    toSkip = group.skipping
  }

  /// Takes a colour of letters, which is only told; that of a link is its program's.
  private mutating func readColour(_ number: Int) {
    flush()
    group.colour = number
  }

  private mutating func readFont(_ number: Int) {
    if group.destination == .fonts {
      fontBeingRead = number
      fonts[number] = RTFFont()
    } else {
      group.style.font = number
    }
  }

  private static let underlines: Set<String> = [
    "ul", "uld", "uldash", "uldashd", "uldashdd", "uldb", "ulhwave", "ulldash", "ulth", "ulthd",
    "ulthdash", "ulthdashd", "ulthdashdd", "ulthldash", "ululdbwave", "ulw", "ulwave",
  ]

  private static let characters = [
    "tab": "\t", "line": "\n", "lbr": "\n", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "endash": "–", "emdash": "—", "enspace": "\u{2002}",
    "emspace": "\u{2003}", "qmspace": "\u{2005}",
  ]

  private static let besideText: Set<String> = [
    "annotation", "footer", "footerf", "footerl", "footerr", "header", "headerf", "headerl",
    "headerr",
  ]

  private static let skipped: Set<String> = [
    "atnid", "filetbl", "nonshppict", "stylesheet", "tc", "xe",
  ]
}
