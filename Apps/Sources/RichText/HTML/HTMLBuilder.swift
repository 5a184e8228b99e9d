import Foundation
import StrictJSON

/// Makes blocks of the elements of a page.
///
/// Blocks that are open stand on a stack; a line is what came since the last block began or ended.
///
/// ```
/// <div>One <b>two</b><ul><li>three</ul>four</div>
/// .paragraph(One **two**) · .bulletList([three]) · .paragraph(four)
/// ```
struct HTMLBuilder {
  private let surroundings: HTMLSurroundings

  /// The blocks so far of each container that is open, the page first.
  private var blocks: [[RichText.Block]] = [[]]
  private var line: [RichText.Inline] = []

  /// Lines of a paragraph, where each has an element of its own.
  private var lines: [[RichText.Inline]] = []

  /// Whether the line began with a box, and whether that is ticked.
  private var task: Bool?
  private var isPre = false

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
  private mutating func read(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    switch tag.name {
    case "head", "script", "style", "template", "title", "noscript", "svg", "textarea", "select":
      return
    case "br": line.append(.hardBreak)
    case "hr": add(.horizontalRule)
    case "h1", "h2", "h3", "h4", "h5", "h6": readHeading(tag, children)
    case "ul", "ol": readList(tag, children)
    case "li": readBlock(children, marks)
    case "blockquote":
      let inside = contents { $0.read(children) }
      if !inside.isEmpty { add(.blockquote(inside)) }
    case "pre": readCode(children)
    case "table": readTable(children)
    case "img": readPicture(tag, tag.attributes["src"] ?? "")
    case "figure": readFigure(children)
    case "en-media": readPicture(tag, tag.attributes["hash"] ?? "")
    case "en-todo": task = tag.attributes["checked"] == "true"
    case "input":
      if tag.attributes["type"] == "checkbox" { task = tag.attributes["checked"] != nil }
    case "sup" where tag.attributes["data-footnote-mark"] != nil:
      line.append(.footnoteMark(tag.attributes["data-footnote-mark"] ?? ""))
    case "a" where tag.attributes["data-back"] != nil: break
    case "aside", "details":
      guard let kind = tag.attributes["data-callout"] else { return readBlock(children, marks) }
      readCallout(kind, tag, children)
    case "section" where tag.attributes["class"] == "footnotes": readFootnotes(children)
    case "iframe", "video", "audio", "embed", "object": readElsewhere(tag, children, marks)
    case "div": readDivision(tag, children, marks)
    case _ where Self.blockNames.contains(tag.name): readBlock(children, marks)
    default: read(children, Self.marks(tag, marks, surroundings))
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
    let style = tag.attributes["style"] ?? ""
    if style.contains("-en-codeblock:true") { return readCode(children) }
    guard surroundings.linesAreDivs else { return readBlock(children, marks) }
    endLine()
    read(children, Self.marks(tag, marks, surroundings))
    let isEmpty = line.allSatisfy { $0 == .hardBreak || $0 == .text(" ", marks) }
    if isEmpty && !line.isEmpty {
      line = []
      endParagraph()
    } else {
      endLine()
    }
  }

  private mutating func readHeading(_ tag: HTMLTag, _ children: [HTMLTree.Node]) {
    endParagraph()
    let (line, others) = lineAndOthers(children)
    let level = Int(tag.name.dropFirst()).flatMap { RichText.HeadingLevel(rawValue: min($0, 3)) }
    if !line.isEmpty { add(.heading(level ?? .three, line)) }
    for block in others { add(block) }
  }

  /// The words of some elements as one line, and what cannot stand in a line.
  private mutating func lineAndOthers(
    _ children: [HTMLTree.Node]
  ) -> ([RichText.Inline], [RichText.Block]) {
    var (lines, others): ([[RichText.Inline]], [RichText.Block]) = ([], [])
    var waiting = Array(contents { $0.read(children) }.reversed())
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

  /// What an element holds, beside what is open.
  private mutating func contents(_ read: (inout HTMLBuilder) -> Void) -> [RichText.Block] {
    endParagraph()
    blocks.append([])
    read(&self)
    endParagraph()
    return blocks.removeLast()
  }

  private mutating func add(_ block: RichText.Block) {
    endParagraph()
    blocks[blocks.count - 1].append(block)
  }
}

// MARK: - Lines

extension HTMLBuilder {
  private mutating func add(_ text: String, _ marks: RichText.Marks) {
    guard !isPre else { return line.append(.text(text, marks)) }
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
    let words = isPre ? line : line.withoutBlankEdges
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

  private mutating func endParagraph() {
    endLine()
    endLines()
  }

  private static func marks(
    _ tag: HTMLTag,
    _ marks: RichText.Marks,
    _ surroundings: HTMLSurroundings
  ) -> RichText.Marks {
    var marks = marks
    switch tag.name {
    case "b", "strong": marks.insert(.bold)
    case "i", "em", "dfn", "var": marks.insert(.italic)
    case "cite" where tag.attributes["data-note"] == nil: marks.insert(.italic)
    case "u", "ins": marks.insert(.underline)
    case "s", "strike", "del": marks.insert(.strike)
    case "mark": marks.insert(.highlight)
    case "code", "kbd", "samp", "tt": marks.insert(.code)
    case "a":
      let address = tag.attributes["href"] ?? ""
      let link =
        surroundings.noteAt(address).map { RichText.Link(note: $0, heading: heading(of: address)) }
        ?? RichText.Link(address)
      if let link { marks.insert(.link(link)) }
    default: break
    }
    insertLooks(tag.attributes["style"] ?? "", &marks)
    // Our own pages name notes so.
    if let note = tag.attributes["data-note"].flatMap(UUID.init) {
      marks.link = RichText.Link(note: note, heading: tag.attributes["data-heading"])
    }
    return marks
  }

  /// What stands behind the `#` of an address.
  private static func heading(of address: String) -> String? {
    address.firstIndex(of: "#").map { place in
      let words = String(address[address.index(after: place)...])
      return words.removingPercentEncoding ?? words
    }
  }

  private static func insertLooks(_ style: String, _ marks: inout RichText.Marks) {
    for rule in style.lowercased().split(separator: ";").prefix(40) {
      let parts = rule.split(separator: ":", maxSplits: 1).map { $0.filter { $0 != " " } }
      guard parts.count == 2 else { continue }
      switch (parts[0], parts[1]) {
      case ("font-weight", let weight):
        if weight.hasPrefix("bold") || (Int(weight).map { $0 >= 600 } ?? false) {
          marks.insert(.bold)
        }
      case ("font-style", "italic"): marks.insert(.italic)
      case ("text-decoration", let lines), ("text-decoration-line", let lines):
        if lines.contains("underline") { marks.insert(.underline) }
        if lines.contains("line-through") { marks.insert(.strike) }
      case ("--en-highlight", _), ("-evernote-highlight", "true"): marks.insert(.highlight)
      default: break
      }
    }
  }
}

// MARK: - Lists

extension HTMLBuilder {
  private mutating func readList(_ tag: HTMLTag, _ children: [HTMLTree.Node]) {
    endParagraph()
    let isOfTasks = tag.attributes["style"]?.contains("--en-todo:true") ?? false
    var items: [(isDone: Bool?, blocks: [RichText.Block])] = []
    for child in children {
      switch child {
      case .element(let tag, let children) where tag.name == "li":
        let blocks = contents { $0.read(children) }
        var (isDone, rest) = Self.taken(blocks)
        if isOfTasks, isDone == nil {
          isDone = tag.attributes["style"]?.contains("--en-checked:true") ?? false
        }
        items.append((isDone, rest))
      case .text(let text) where text.allSatisfy(\.isWhitespace): break
      default:
        // A list right in a list belongs to the item before it.
        let blocks = contents { $0.read([child]) }
        if items.isEmpty {
          items.append((nil, blocks))
        } else {
          items[items.count - 1].blocks += blocks
        }
      }
    }
    if !items.isEmpty { add(Self.list(tag, items)) }
  }

  private static func list(
    _ tag: HTMLTag,
    _ items: [(isDone: Bool?, blocks: [RichText.Block])]
  ) -> RichText.Block {
    if items.contains(where: { $0.isDone != nil }) {
      return .taskList(items.map { .init(isDone: $0.isDone ?? false, $0.blocks) })
    }
    let items = items.map { RichText.ListItem($0.blocks) }
    guard tag.name == "ol" else { return .bulletList(items) }
    return .orderedList(start: number(tag.attributes["start"], upTo: 999_999_999) ?? 1, items)
  }

  /// An item whose first line has a box: the box, and the item without it.
  private static func taken(_ blocks: [RichText.Block]) -> (Bool?, [RichText.Block]) {
    guard case .taskList(let items)? = blocks.first, items.count == 1 else { return (nil, blocks) }
    return (items[0].isDone, items[0].blocks + blocks.dropFirst())
  }
}

// MARK: - Callouts and footnotes, as our own pages have them

extension HTMLBuilder {
  private mutating func readCallout(
    _ kind: String,
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node]
  ) {
    var callout = RichText.Callout(kind: kind, [])
    if tag.name == "details" { callout.fold = tag.attributes["open"] == nil ? .closed : .open }
    var others = children
    if let index = children.firstIndex(where: \.isCalloutTitle),
      case .element(let tag, let words) = children[index]
    {
      others.remove(at: index)
      let (line, inside) = lineAndOthers(words)
      if tag.attributes["data-of-kind"] == nil { callout.title = line }
      callout.blocks = inside
    }
    callout.blocks += contents { $0.read(others) }
    add(.callout(callout))
  }

  private mutating func readFootnotes(_ children: [HTMLTree.Node]) {
    endParagraph()
    for child in children {
      guard case .element(let tag, let children) = child else { continue }
      if let label = tag.attributes["data-footnote"] {
        add(.footnote(label: label, contents { $0.read(children) }))
      } else {
        readFootnotes(children)
      }
    }
  }
}

extension HTMLTree.Node {
  fileprivate var isCalloutTitle: Bool {
    guard case .element(let tag, _) = self else { return false }
    return tag.attributes["class"] == "callout-title"
  }
}

// MARK: - Code, tables and pictures

extension HTMLBuilder {
  private mutating func readCode(_ children: [HTMLTree.Node]) {
    endParagraph()
    var language: String?
    if case .element(let tag, _)? = children.first, tag.name == "code" {
      language = tag.attributes["class"]?.split(separator: " ")
        .first { $0.hasPrefix("language-") }.map { String($0.dropFirst("language-".count)) }
    }
    isPre = true
    let blocks = contents { $0.read(children) }
    isPre = false
    let lines = blocks.flatMap { block -> [String] in
      if case .paragraph(let line) = block { [line.plainText] } else { [] }
    }
    let text = lines.joined(separator: "\n")
    add(.codeBlock(language: language, text.hasSuffix("\n") ? String(text.dropLast()) : text))
  }

  private mutating func readTable(_ children: [HTMLTree.Node]) {
    endParagraph()
    var table = RichText.Table(hasHeader: false, rows: [])
    var others: [RichText.Block] = []
    var waiting = Array(children.reversed())
    while let node = waiting.popLast() {
      guard case .element(let tag, let children) = node else { continue }
      switch tag.name {
      case "thead", "tbody", "tfoot": waiting += children.reversed()
      case "caption": read(tag, children, [])
      case "tr": readRow(children, into: &table, &others)
      default: break
      }
    }
    add(.table(table))
    for block in others { add(block) }
  }

  private mutating func readRow(
    _ children: [HTMLTree.Node],
    into table: inout RichText.Table,
    _ others: inout [RichText.Block]
  ) {
    var row: [RichText.Table.Cell] = []
    var isHeader = true
    for case .element(let tag, let children) in children where ["td", "th"].contains(tag.name) {
      let (line, inside) = lineAndOthers(children)
      row.append(line)
      others += inside
      isHeader = isHeader && tag.name == "th"
      let columns = Self.number(tag.attributes["colspan"], upTo: 1_000) ?? 1
      row += Array(repeating: [], count: min(max(columns, 1), RichText.Table.maximumColumns) - 1)
    }
    if row.isEmpty { return }
    if table.rows.isEmpty { table.hasHeader = isHeader }
    table.rows.append(row)
  }

  private static func number(_ text: String?, upTo most: Int) -> Int? {
    text.flatMap {
      WholeNumber.read(String($0.prefix { $0.isASCII && $0.isNumber }), within: 0...most)
    }
  }

  /// A picture with the words below it.
  private mutating func readFigure(_ children: [HTMLTree.Node]) {
    let inside = contents { $0.read(children) }
    if inside.count == 2, case .picture(var picture) = inside[0],
      case .paragraph(let line) = inside[1]
    {
      picture.caption = line.plainText
      add(.picture(picture))
    } else {
      for block in inside { add(block) }
    }
  }

  private mutating func readPicture(_ tag: HTMLTag, _ address: String) {
    let alt = tag.attributes["alt"] ?? ""
    // A name that a camera or a program gave is no caption.
    let isName = alt.contains(".") && !alt.contains(" ")
    switch surroundings.fileAt(address) {
    case .picture(let id):
      let width = Self.number(tag.attributes["width"], upTo: 10_000)
      add(.picture(.init(file: id, caption: isName ? "" : alt, width: width)))
    case .file(let id, let name):
      add(.file(.init(file: id, name: name)))
    case nil:
      let words = alt.isEmpty ? String(address.prefix(2_000)) : alt
      if address.hasPrefix("data:") { return add(alt, []) }
      add(words, RichText.Marks([], link: RichText.Link(address)))
    }
  }

  /// A film, a sound, a page in the page: where it is, as a link.
  private mutating func readElsewhere(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    if let address = tag.attributes["src"] ?? tag.attributes["data"] {
      if case .file(let id, let name)? = surroundings.fileAt(address) {
        return add(.file(.init(file: id, name: name)))
      }
      if let link = RichText.Link(address) {
        add(address, RichText.Marks(marks.styles, link: link))
      }
    }
    read(children, marks)
  }
}
