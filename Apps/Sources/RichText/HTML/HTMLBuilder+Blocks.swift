import Foundation
import StrictJSON

// The elements that become blocks with more in them than a line.

// MARK: - Lists

extension HTMLBuilder {
  mutating func readList(_ tag: HTMLTag, _ children: [HTMLTree.Node]) {
    endParagraph()
    // Evernote's lists, and those of Apple's Notes.
    let isOfTasks =
      tag.style["--en-todo"] == "true" || (tag.attributes["class"]?.contains("checklist") ?? false)
    var items: [(isDone: Bool?, blocks: [RichText.Block])] = []
    for child in children {
      switch child {
      case .element(let tag, let children) where tag.name == "li":
        let blocks = contents { $0.read(children) }
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
  mutating func readCallout(
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

  mutating func readTable(_ children: [HTMLTree.Node]) {
    endParagraph()
    var table = RichText.Table(hasHeader: false, rows: [])
    var others: [RichText.Block] = []
    var waiting = Array(children.reversed())
    while let node = waiting.popLast() {
      guard case .element(let tag, let children) = node else {
        others += contents { $0.read([node]) }
        continue
      }
      switch tag.name {
      case "thead", "tbody", "tfoot": waiting += children.reversed()
      case "caption": read(tag, children, [])
      case "tr": readRow(children, into: &table, &others)
      // Only a tree that was too deep has words beside its cells.
      default: others += contents { $0.read([node]) }
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
    for child in children {
      guard case .element(let tag, let children) = child, ["td", "th"].contains(tag.name) else {
        others += contents { $0.read([child]) }
        continue
      }
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
  mutating func readFigure(_ children: [HTMLTree.Node]) {
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

  mutating func readPicture(_ tag: HTMLTag, _ address: String) {
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
      let words = alt.isEmpty ? String(address.prefix(2_000)) : alt
      if address.hasPrefix("data:") { return add(alt, []) }
      add(words, RichText.Marks([], link: RichText.Link(address)))
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
        add(address, RichText.Marks(marks.styles, link: link))
      }
    }
    read(children, marks)
  }
}

// MARK: - Evernote

extension HTMLTag {
  /// `evernote:///view/…`, which leads to a note in Evernote itself.
  var isLinkOfEvernote: Bool {
    attributes["href"]?.prefix(9).lowercased() == "evernote:"
  }
}

extension HTMLBuilder {
  /// A link to another note, which is called by its title; one that is not there is waited for.
  mutating func readLinkOfEvernote(_ children: [HTMLTree.Node], _ marks: RichText.Marks) {
    let words = Self.words(of: children)
    if let note = surroundings.noteNamed(words) {
      read(children, RichText.Marks(marks.styles, link: RichText.Link(note: note, heading: nil)))
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
