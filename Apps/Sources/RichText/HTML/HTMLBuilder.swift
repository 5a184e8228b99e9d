import Foundation

/// Makes blocks of the elements of a page.
///
/// Open blocks are on a stack; a line is everything since the last block began or ended.
///
/// ```
/// <div>One <b>two</b><ul><li>three</ul>four</div>
/// .paragraph(One **two**) · .bulletList([three]) · .paragraph(four)
/// ```
struct HTMLBuilder {
  let surroundings: HTMLSurroundings

  /// The blocks so far of each container that is open, the page first.
  private var blocks: [[RichText.Block]] = [[]]
  private(set) var line: [RichText.Inline] = []

  /// Lines of a paragraph, where each has an element of its own.
  private var lines: [[RichText.Inline]] = []

  /// Whether the line began with a box, and whether that is ticked.
  private var task: Bool?

  /// The parts that became something else.
  var changes: Set<TextChange> = []

  init(_ surroundings: HTMLSurroundings) {
    self.surroundings = surroundings
  }

  mutating func read(_ nodes: [HTMLTree.Node], _ marks: RichText.Marks = []) {
    for node in nodes {
      switch node {
      case .text(let text): add(text, marks)
      case .element(let tag, let children): read(tag, children, marks)
      }
    }
  }

  mutating func finish() -> [RichText.Block] {
    endParagraph()
    return blocks[0]
  }
}

// MARK: - Elements

extension HTMLBuilder {
  mutating func read(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    let children = BlockSign.ofElement(tag).map { children + [.text(" \($0)")] } ?? children
    switch tag.name {
    case "head", "script", "style", "template", "title", "noscript": return
    case "svg", "canvas": changes.insert(.leftOutPicture)
    case "textarea", "select", "button": changes.insert(.formField)
    case "br": line.append(.hardBreak)
    case "hr": add(.horizontalRule)
    case "h1", "h2", "h3", "h4", "h5", "h6":
      readHeading(tag, children, marks)
    case "ul", "ol": readList(tag, children, marks)
    case "li": readBlock(children, self.marks(tag, marks))
    case "blockquote":
      let inside = contents { $0.read(children, marks) }
      if !inside.isEmpty { add(.blockquote(inside)) }
    case "pre": readCode(tag, children)
    case "table": readTable(children, marks)
    case "img": readPicture(tag, tag.attributes["src"] ?? "", marks)
    case "figure": readFigure(children, marks)
    case "en-media": readPicture(tag, tag.attributes["hash"] ?? "", marks)
    case "math": readFormula(tag, children, marks)
    // KaTeX shows this part of a formula; its MathML is before it.
    case "span" where tag.attributes["class"] == "katex-html": return
    case "q":
      add("“", marks)
      read(children, marks)
      add("”", marks)
    case "en-todo": task = tag.attributes["checked"] == "true"
    case "input":
      switch tag.attributes["type"]?.lowercased() {
      case "checkbox": task = tag.attributes["checked"] != nil
      case "hidden": break
      default: changes.insert(.formField)
      }
    case "sup" where tag.attributes["data-footnote-mark"] != nil:
      line.append(.footnoteMark(tag.attributes["data-footnote-mark"] ?? ""))
    case "a" where tag.attributes["data-back"] != nil: break
    case "a" where tag.isLinkOfEvernote: readLinkOfEvernote(tag, children, marks)
    case "a": readLink(tag, children, marks)
    case "en-crypt": readEncrypted(tag)
    case "aside", "details":
      guard let kind = tag.attributes["data-callout"] else { return readBlock(children, marks) }
      readCallout(kind, tag, children, marks)
    case "section" where tag.attributes["class"] == "footnotes": readFootnotes(children)
    case "iframe", "video", "audio", "embed", "object": readElsewhere(tag, children, marks)
    case "div": readDivision(tag, children, marks)
    case _ where Self.blockNames.contains(tag.name): readBlock(children, self.marks(tag, marks))
    default: read(children, self.marks(tag, marks))
    }
  }

  private static let blockNames: Set<String> = [
    "p", "section", "article", "header", "footer", "main", "center", "address", "figcaption", "dl",
    "dt", "dd", "details", "summary", "form", "fieldset", "aside", "nav", "body", "tr", "caption",
  ]

  private mutating func readBlock(_ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    endParagraph()
    read(children, marks)
    endParagraph()
  }

  /// A line, where lines are divisions; otherwise a block.
  private mutating func readDivision(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    let style = tag.style
    if style["--en-codeblock"] == "true" || style["-en-codeblock"] == "true" {
      return readCode(tag, children)
    }
    if style["--en-task-group"] == "true" {
      let tasks = surroundings.tasksOf(style["--en-id"] ?? "")
      if !tasks.isEmpty { add(.taskList(tasks)) }
      return
    }
    guard surroundings.linesAreDivs else { return readBlock(children, self.marks(tag, marks)) }
    endLine()
    read(children, self.marks(tag, marks))
    let isEmpty = line.allSatisfy { $0 == .hardBreak || $0 == .text(" ", marks) }
    if isEmpty && !line.isEmpty {
      line = []
      endParagraph()
    } else {
      endLine()
    }
  }

  private mutating func readHeading(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    endParagraph()
    // Headings are bold anyway.
    let (line, others) = lineAndOthers(
      children,
      RichText.Marks(marks.styles.subtracting(.bold), link: marks.link)
    )
    let level = Int(tag.name.dropFirst()).flatMap(RichText.HeadingLevel.init)
    if !line.isEmpty { add(.heading(level ?? .six, line)) }
    for block in others { add(block) }
  }

  /// The words of some elements as one line, and the blocks that cannot be in a line.
  mutating func lineAndOthers(
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) -> ([RichText.Inline], [RichText.Block]) {
    var (lines, others): ([[RichText.Inline]], [RichText.Block]) = ([], [])
    var waiting = Array(contents { $0.read(children, marks) }.reversed())
    while let block = waiting.popLast() {
      switch block {
      case .paragraph(let line), .heading(_, let line): lines.append(line)
      case .codeBlock(_, let text): lines.append([.text(text, [.code])])
      case .horizontalRule: break
      case .table, .picture, .file: others.append(block)
      case .callout(let callout): waiting += callout.allBlocks.reversed()
      case .blockquote, .bulletList, .orderedList, .taskList, .footnote:
        waiting += block.inside.reversed()
      }
    }
    return (Array(lines.joined(separator: [.hardBreak])), others)
  }

  /// The blocks in an element, apart from those that are open.
  mutating func contents(_ read: (inout HTMLBuilder) -> Void) -> [RichText.Block] {
    endParagraph()
    blocks.append([])
    read(&self)
    endParagraph()
    return blocks.removeLast()
  }

  mutating func add(_ block: RichText.Block) {
    endParagraph()
    blocks[blocks.count - 1].append(block)
  }
}

// MARK: - Lines

extension HTMLBuilder {
  mutating func add(_ text: String, _ marks: RichText.Marks) {
    var words = ""
    var isBlank = endsInBlank
    for scalar in text.unicodeScalars {
      // Blanks that do not break stay.
      if scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value) {
        if !isBlank { words.append(" ") }
        isBlank = true
      } else {
        words.unicodeScalars.append(scalar)
        isBlank = false
      }
    }
    if !words.isEmpty { line.append(.text(words, marks)) }
  }

  private var endsInBlank: Bool {
    switch line.last {
    case nil, .hardBreak: true
    case .footnoteMark: false
    case .text(let text, _): text.last == " "
    }
  }

  /// Ends a line, which may be the first of a paragraph; a line with a box is a task.
  private mutating func endLine() {
    let words = line.withoutBlankEdges
    line = []
    guard let isDone = task else {
      if !words.isEmpty { lines.append(words) }
      return
    }
    task = nil
    endLines()
    let item = RichText.TaskItem(isDone: isDone, [.paragraph(words)])
    let last = blocks.count - 1
    if case .taskList(var items)? = blocks[last].last {
      // Taken out before it grows: a list that two places hold would be copied each time.
      blocks[last].removeLast()
      items.append(item)
      blocks[last].append(.taskList(items))
    } else {
      blocks[last].append(.taskList([item]))
    }
  }

  private mutating func endLines() {
    if lines.isEmpty { return }
    blocks[blocks.count - 1].append(.paragraph(Array(lines.joined(separator: [.hardBreak]))))
    lines = []
  }

  mutating func endParagraph() {
    endLine()
    endLines()
  }

  /// The marks of the words in an element.
  mutating func marks(_ tag: HTMLTag, _ marks: RichText.Marks) -> RichText.Marks {
    var marks = marks
    switch tag.name {
    case "b", "strong": marks.insert(.bold)
    case "i", "em", "dfn", "var": marks.insert(.italic)
    case "cite" where tag.attributes["data-note"] == nil: marks.insert(.italic)
    case "u", "ins": marks.insert(.underline)
    case "s", "strike", "del": marks.insert(.strike)
    case "mark": marks.insert(.highlight)
    case "sup": marks.insert(.superscript)
    case "sub": marks.insert(.subscript)
    case "code", "kbd", "samp", "tt": marks.insert(.code)
    case "font", "big", "small": changes.insert(.looks)
    default: break
    }
    var style = tag.style
    // A column keeps its side.
    if tag.name == "td" || tag.name == "th" { style["text-align"] = nil }
    insertLooks(style, &marks)
    // Our own pages name notes so.
    if let note = tag.attributes["data-note"].flatMap(UUID.init) {
      marks.link = RichText.Link(note: note, heading: tag.attributes["data-heading"])
    }
    return marks
  }

  /// The part after the `#` of an address.
  static func heading(of address: String) -> String? {
    address.firstIndex(of: "#").map { place in
      let words = String(address[address.index(after: place)...])
      return words.removingPercentEncoding ?? words
    }
  }

  /// Colours and sides that words have anyway.
  private static let usualLooks: Set<String> = [
    "initial", "inherit", "unset", "start", "left", "transparent", "none", "black", "windowtext",
    "currentcolor", "#000", "#000000", "rgb(0,0,0)", "rgba(0,0,0,0)",
  ]

  private mutating func insertLooks(_ style: [String: String], _ marks: inout RichText.Marks) {
    for (name, value) in style {
      switch (name, value) {
      case ("font-weight", let weight):
        if weight.hasPrefix("bold") || (Int(weight).map { $0 >= 600 } ?? false) {
          marks.insert(.bold)
        }
      case ("vertical-align", "super"): marks.insert(.superscript)
      case ("vertical-align", "sub"): marks.insert(.subscript)
      case ("font-style", "italic"): marks.insert(.italic)
      case ("text-decoration", let lines), ("text-decoration-line", let lines):
        if lines.contains("underline") { marks.insert(.underline) }
        if lines.contains("line-through") { marks.insert(.strike) }
      case ("--en-highlight", _), ("-evernote-highlight", "true"): marks.insert(.highlight)
      case ("color", _), ("background-color", _), ("font-family", _), ("font-size", _),
        ("text-align", _):
        if !Self.usualLooks.contains(value) { changes.insert(.looks) }
      default: break
      }
    }
  }
}
