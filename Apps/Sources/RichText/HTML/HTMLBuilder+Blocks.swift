import CoreDataStrictJSON
import Foundation

// The elements that become blocks with more in them than a line.

// MARK: - Lists

extension HTMLBuilder {
  mutating func readList(_ tag: HTMLTag, _ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    endParagraph()
    // Evernote's lists, and those of Apple's Notes.
    let isOfTasks =
      tag.style["--en-todo"] == "true" || (tag.attributes["class"]?.contains("checklist") ?? false)
    var items: [(isDone: Bool?, blocks: [RichText.Block])] = []
    for child in children {
      switch child {
      case .element(let tag, let children) where tag.name == "li":
        let marks = self.marks(tag, marks)
        let blocks = contents { $0.read(children, marks) }
        var (isDone, rest) = Self.taken(blocks)
        if isOfTasks, isDone == nil {
          isDone =
            tag.style["--en-checked"] == "true"
            || ["done", "checked"].contains(tag.attributes["class"] ?? "")
        }
        items.append((isDone, rest))
      case .text(let text) where text.allSatisfy(\.isWhitespace): break
      case .element, .text:
        // A list right in a list belongs to the item before it.
        let blocks = contents { $0.read([child], marks) }
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
  mutating func readCallout(
    _ kind: String,
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    var callout = RichText.Callout(kind: kind, [])
    if tag.name == "details" { callout.fold = tag.attributes["open"] == nil ? .closed : .open }
    var others = children
    if let index = children.firstIndex(where: \.isCalloutTitle),
      case .element(let tag, let words) = children[index]
    {
      others.remove(at: index)
      let (line, inside) = lineAndOthers(words, marks)
      if tag.attributes["data-of-kind"] == nil { callout.title = line }
      callout.blocks = inside
    }
    callout.blocks += contents { $0.read(others, marks) }
    add(.callout(callout))
  }

  mutating func readFootnotes(_ children: [HTMLTree.Node]) {
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
  /// Code with all words in it, also those of lists and tables, as programs show numbered lines.
  mutating func readCode(_ tag: HTMLTag, _ children: [HTMLTree.Node]) {
    endParagraph()
    var language = tag.style["--en-syntaxlanguage"] ?? tag.style["--en-codeblocklanguage"]
    if case .element(let tag, _)? = children.first, tag.name == "code" {
      language = tag.attributes["class"]?.split(separator: " ")
        .first { $0.hasPrefix("language-") }.map { String($0.dropFirst("language-".count)) }
    }
    var code = HTMLCode()
    code.read(children)
    // Evernote writes the blanks of code as those that do not break.
    let text = code.text.replacing("\u{A0}", with: " ")
    add(.codeBlock(language: language, text.hasSuffix("\n") ? String(text.dropLast()) : text))
    // Pictures cannot be in code.
    for block in contents({ $0.read(code.others) }) { add(block) }
  }

  mutating func readTable(_ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    endParagraph()
    var table = RichText.Table(hasHeader: false, rows: [])
    var others: [RichText.Block] = []
    var waiting = Array(children.reversed())
    while let node = waiting.popLast() {
      guard case .element(let tag, let children) = node else {
        others += contents { $0.read([node], marks) }
        continue
      }
      switch tag.name {
      case "thead", "tbody", "tfoot": waiting += children.reversed()
      case "caption": read(tag, children, marks)
      case "tr": readRow(children, marks, into: &table, &others)
      // Only a tree that was too deep has words beside its cells.
      default: others += contents { $0.read([node], marks) }
      }
    }
    add(.table(table))
    for block in others { add(block) }
  }

  private mutating func readRow(
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks,
    into table: inout RichText.Table,
    _ others: inout [RichText.Block]
  ) {
    var row: [RichText.Table.Cell] = []
    var isHeader = true
    for child in children {
      guard case .element(let tag, let children) = child, ["td", "th"].contains(tag.name) else {
        others += contents { $0.read([child], marks) }
        continue
      }
      if children.hasBlocks { changes.insert(.cellBlocks) }
      let (line, inside) = lineAndOthers(children, self.marks(tag, marks))
      align(column: row.count, of: &table, as: tag)
      row.append(line)
      others += inside
      isHeader = isHeader && tag.name == "th"
      let columns = Self.number(tag.attributes["colspan"], upTo: 1_000) ?? 1
      let rows = Self.number(tag.attributes["rowspan"], upTo: 65_534) ?? 1
      if columns != 1 || rows != 1 { changes.insert(.mergedCells) }
      row += Array(repeating: [], count: min(max(columns, 1), RichText.Table.maximumColumns) - 1)
    }
    if row.isEmpty { return }
    if table.rows.isEmpty { table.hasHeader = isHeader }
    table.rows.append(row)
  }

  /// Takes the side of a column from the first of its cells that says one.
  private func align(column: Int, of table: inout RichText.Table, as tag: HTMLTag) {
    guard column < RichText.Table.maximumColumns,
      let word = tag.style["text-align"] ?? tag.attributes["align"]?.lowercased(),
      let alignment = RichText.Table.Alignment(rawValue: word)
    else { return }
    while table.alignments.count <= column { table.alignments.append(nil) }
    table.alignments[column] = table.alignments[column] ?? alignment
  }

  private static func number(_ text: String?, upTo most: Int) -> Int? {
    text.flatMap {
      WholeNumber.read(String($0.prefix { $0.isASCII && $0.isNumber }), within: 0...most)
    }
  }

  /// A picture with the words below it.
  mutating func readFigure(_ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    let inside = contents { $0.read(children, marks) }
    if inside.count == 2, case .picture(var picture) = inside[0],
      case .paragraph(let line) = inside[1]
    {
      picture.caption = line.plainText
      add(.picture(picture))
    } else {
      for block in inside { add(block) }
    }
  }

  mutating func readPicture(_ tag: HTMLTag, _ address: String, _ marks: RichText.Marks) {
    let alt = tag.attributes["alt"] ?? ""
    // A name that a camera or a program gave is not a caption.
    let isName = alt.contains(".") && !alt.contains(" ")
    switch surroundings.fileAt(address) {
    case .picture(let id):
      let width = Self.number(tag.attributes["width"], upTo: 10_000)
      add(.picture(.init(file: id, caption: isName ? "" : alt, width: width)))
    case .file(let id, let name):
      add(.file(.init(file: id, name: name)))
    case nil:
      if address.prefix(5).lowercased() == "data:" {
        changes.insert(.missingFile)
        return add(alt, marks)
      }
      let link = RichText.Link(address)
      changes.insert(link == nil ? .missingFile : .webPicture)
      let words = alt.isEmpty ? String(address.prefix(2_000)) : alt
      add(words, RichText.Marks(marks.styles, link: marks.link ?? link))
    }
  }

  /// A film, a sound, a page in the page: its address, as a link.
  mutating func readElsewhere(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    if let address = tag.attributes["src"] ?? tag.attributes["data"] {
      if case .file(let id, let name)? = surroundings.fileAt(address) {
        return add(.file(.init(file: id, name: name)))
      }
      if let link = RichText.Link(address) {
        changes.insert(.embeddedPage)
        add(address, RichText.Marks(marks.styles, link: link))
      }
    }
    read(children, marks)
  }
}

// MARK: - Links

extension HTMLBuilder {
  /// A link; one without words has its title, or its address, as its words.
  mutating func readLink(_ tag: HTMLTag, _ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    var marks = self.marks(tag, marks)
    let address = tag.attributes["href"] ?? ""
    let note = surroundings.noteAt(address)
    let own = note.map { RichText.Link(note: $0, heading: Self.heading(of: address)) }
    // Our own pages name notes in another way.
    guard tag.attributes["data-note"] == nil, let link = own ?? RichText.Link(address) else {
      // A place in the page itself is nothing that was lost.
      if !address.isEmpty, !address.hasPrefix("#") { changes.insert(.link) }
      return read(children, marks)
    }
    marks.link = link
    if children.hasPictures { changes.insert(.pictureLink) }
    // Pages put a hidden link to itself beside each heading.
    let isHidden = tag.attributes["aria-hidden"] == "true"
    if Self.words(of: children).isEmpty, !children.hasPictures, !isHidden {
      let title = (tag.attributes["aria-label"] ?? tag.attributes["title"] ?? "").trimmed
      add(title.isEmpty ? address : String(title), marks)
    } else {
      read(children, marks)
    }
  }
}

extension [HTMLTree.Node] {
  fileprivate var hasPictures: Bool {
    contains { node in
      guard case .element(let tag, let children) = node else { return false }
      return ["img", "svg", "picture", "video", "en-media"].contains(tag.name)
        || children.hasPictures
    }
  }

  /// Whether there is more than one paragraph of words.
  fileprivate var hasBlocks: Bool {
    var count = 0
    for case .element(let tag, _) in self {
      switch tag.name {
      case "ul", "ol", "table", "pre", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6": return true
      case "p", "div": count += 1
      default: break
      }
    }
    return count > 1
  }
}

// MARK: - Evernote

extension HTMLTag {
  /// `evernote:///view/…` or `https://www.evernote.com/shard/…/nl/…`, which lead to a note in Evernote itself.
  var isLinkOfEvernote: Bool {
    let address = attributes["href"]?.lowercased() ?? ""
    if address.hasPrefix("evernote:") || address.hasPrefix("https://share.evernote.com/note/") {
      return true
    }
    return ["https://www.evernote.com/shard/", "https://app.yinxiang.com/shard/"]
      .contains { address.hasPrefix($0) }
  }
}

extension HTMLBuilder {
  /// A link to another note, which is called by its title; one that is not there is waited for.
  mutating func readLinkOfEvernote(
    _ tag: HTMLTag,
    _ children: [HTMLTree.Node],
    _ marks: RichText.Marks
  ) {
    let words = Self.words(of: children)
    if let note = surroundings.noteNamed(words) {
      read(children, RichText.Marks(marks.styles, link: RichText.Link(note: note, heading: nil)))
    } else if tag.attributes["href"]?.lowercased().hasPrefix("https:") == true {
      readLink(tag, children, marks)
    } else if MarkdownEscapes.isNoteTitle(words) {
      add("[[\(words)]]", marks)
    } else {
      read(children, marks)
    }
  }

  /// Text that only Evernote can read; its letters would mean nothing to anybody.
  mutating func readEncrypted(_ tag: HTMLTag) {
    let hint = tag.attributes["hint"] ?? ""
    add("[Encrypted in Evernote\(hint.isEmpty ? "" : "; hint: \(hint)")]", [.italic])
  }

  private static func words(of nodes: [HTMLTree.Node]) -> String {
    let words = nodes.map { node in
      switch node {
      case .text(let text): text
      case .element(_, let children): Self.words(of: children)
      }
    }.joined()
    return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
