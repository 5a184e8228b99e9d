import Foundation

/// Makes blocks of nodes, and holds them to the schema.
///
/// Errors find their path on the way out: each level adds its own place, and a document without
/// errors pays nothing for it.
struct JSONReader {
  /// Bytes of text so far.
  private var size = 0

  init() {}

  mutating func blocks(of document: Node) throws -> [RichText.Block] {
    guard document.type == "doc" else {
      throw RichTextError("a text is a “doc”, not “\(document.type)”", path: "type")
    }
    try document.allow(attributes: [])
    try document.refuse(marks: true, text: true)
    guard !document.content.isEmpty else {
      throw RichTextError("a text has at least one block", path: "content")
    }
    return try each(document.content) { reader, node in
      node.type == "footnote" ? try reader.footnote(node) : try reader.block(node)
    }
  }
}

// MARK: - Blocks

extension JSONReader {
  private mutating func blocks(_ nodes: [Node]) throws -> [RichText.Block] {
    try each(nodes) { try $0.block($1) }
  }

  private mutating func block(_ node: Node) throws -> RichText.Block {
    try node.refuse(marks: true, text: true)
    switch node.type {
    case "paragraph":
      try node.allow(attributes: [])
      return .paragraph(try line(node.content))
    case "heading":
      try node.allow(attributes: ["level"])
      return .heading(try level(node), try line(node.content))
    case "bulletList":
      try node.allow(attributes: [])
      return .bulletList(try items(node) { .init(try $0.contents(of: $1, "listItem", [])) })
    case "orderedList":
      try node.allow(attributes: ["start", "type"])
      return .orderedList(
        start: try start(node),
        try items(node) { .init(try $0.contents(of: $1, "listItem", [])) }
      )
    case "taskList":
      try node.allow(attributes: [])
      return .taskList(try items(node) { try $0.task($1) })
    case "blockquote":
      try node.allow(attributes: [])
      return .blockquote(try someBlocks(node))
    case "callout":
      try node.allow(attributes: ["kind", "fold"])
      return .callout(try callout(node))
    case "codeBlock":
      try node.allow(attributes: ["language"])
      return .codeBlock(language: try language(node), try code(node))
    case "horizontalRule":
      try node.allow(attributes: [])
      try node.refuse(content: true)
      return .horizontalRule
    case "table":
      try node.allow(attributes: [])
      return .table(try table(node))
    case "picture":
      try node.allow(attributes: ["file", "caption", "width"])
      try node.refuse(content: true)
      return .picture(try picture(node))
    case "file":
      try node.allow(attributes: ["file", "name"])
      try node.refuse(content: true)
      return .file(.init(file: try file(node), name: try words("name", of: node)))
    case "tableRow", "tableHeader", "tableCell":
      throw RichTextError("“\(node.type)” stands in a table")
    case "footnote":
      throw RichTextError("a footnote stands at the end of a text, and in nothing else")
    case "text", "hardBreak", "footnoteMark":
      throw RichTextError("“\(node.type)” stands in a paragraph, not beside one")
    case "listItem", "taskItem":
      throw RichTextError("“\(node.type)” stands in a list")
    case "doc":
      throw RichTextError("a text is not inside another")
    default:
      throw RichTextError("there is no block “\(node.type)”", path: "type")
    }
  }

  private mutating func items<Item>(
    _ list: Node,
    _ make: (inout JSONReader, Node) throws -> Item
  ) throws -> [Item] {
    guard !list.content.isEmpty else {
      throw RichTextError("a list has at least one item", path: "content")
    }
    return try each(list.content, make)
  }

  private mutating func task(_ node: Node) throws -> RichText.TaskItem {
    let blocks = try contents(of: node, "taskItem", ["checked"])
    switch node.attributes["checked"] {
    case .boolean(let isDone): return RichText.TaskItem(isDone: isDone, blocks)
    case nil, .null: return RichText.TaskItem(isDone: false, blocks)
    case .number, .text: throw RichTextError("a task is checked or not", path: "attrs.checked")
    }
  }

  /// The blocks of an item of a list, a paragraph first.
  private mutating func contents(
    of item: Node,
    _ type: String,
    _ attributes: [String]
  ) throws -> [RichText.Block] {
    guard item.type == type else {
      throw RichTextError(
        "“\(item.type)” is no item of this list; “\(type)” would be",
        path: "type"
      )
    }
    try item.allow(attributes: attributes)
    try item.refuse(marks: true, text: true)
    guard item.content.first?.type == "paragraph" else {
      throw RichTextError("an item of a list begins with a paragraph", path: "content")
    }
    return try blocks(item.content)
  }

  /// A callout, whose first paragraph is its title.
  private mutating func callout(_ node: Node) throws -> RichText.Callout {
    guard node.content.first?.type == "paragraph" else {
      throw RichTextError("a callout begins with a paragraph, its title", path: "content")
    }
    guard case .text(let kind)? = node.attributes["kind"] else {
      throw RichTextError("a callout has a kind", path: "attrs.kind")
    }
    let fold: RichText.Callout.Fold?
    switch node.attributes["fold"] {
    case nil, .null: fold = nil
    case .text("open"): fold = .open
    case .text("closed"): fold = .closed
    case .boolean, .number, .text:
      throw RichTextError("a callout is folded open or closed", path: "attrs.fold")
    }
    let blocks = try blocks(node.content)
    guard case .paragraph(let title)? = blocks.first else { return .init(kind: kind, []) }
    return .init(kind: kind, fold: fold, title: title, Array(blocks.dropFirst()))
  }

  private mutating func footnote(_ node: Node) throws -> RichText.Block {
    try node.refuse(marks: true, text: true)
    try node.allow(attributes: ["label"])
    let label = try label(node)
    guard !node.content.isEmpty else {
      throw RichTextError("a footnote has at least one block", path: "content")
    }
    return .footnote(label: label, try blocks(node.content))
  }

  private mutating func label(_ node: Node) throws -> String {
    guard case .text(let label)? = node.attributes["label"], !label.isEmpty else {
      throw RichTextError("a footnote has a label", path: "attrs.label")
    }
    try count(label)
    return label
  }

  private mutating func someBlocks(_ node: Node) throws -> [RichText.Block] {
    guard !node.content.isEmpty else {
      throw RichTextError("a quote has at least one block", path: "content")
    }
    return try blocks(node.content)
  }

  private mutating func code(_ node: Node) throws -> String {
    try each(node.content) { reader, node in
      guard node.type == "text" else {
        throw RichTextError("in a code block is text, not “\(node.type)”", path: "type")
      }
      try node.refuse(marks: true)
      return try reader.text(node)
    }.joined()
  }
}

// MARK: - Lines

extension JSONReader {
  mutating func line(_ nodes: [Node]) throws -> [RichText.Inline] {
    try each(nodes) { try $0.inline($1) }
  }

  private mutating func inline(_ node: Node) throws -> RichText.Inline {
    switch node.type {
    case "text":
      return .text(try text(node), try marks(node))
    case "hardBreak":
      try node.allow(attributes: [])
      try node.refuse(content: true, text: true)
      // The editor keeps the marks that were on when the line was broken; nothing shows them.
      _ = try marks(node)
      return .hardBreak
    case "footnoteMark":
      try node.allow(attributes: ["label"])
      try node.refuse(content: true, text: true)
      // As with line breaks: it looks the same whatever is around it.
      _ = try marks(node)
      return .footnoteMark(try label(node))
    default:
      throw RichTextError("“\(node.type)” does not stand in a line of text", path: "type")
    }
  }

  private mutating func text(_ node: Node) throws -> String {
    try node.allow(attributes: [])
    try node.refuse(content: true)
    guard let text = node.text, !text.isEmpty else {
      throw RichTextError("a text has at least one character", path: "text")
    }
    try count(text)
    return text
  }

  private func marks(_ node: Node) throws -> RichText.Marks {
    var marks: RichText.Marks = []
    for (index, mark) in node.marks.enumerated() {
      do {
        if let mark = try mark.read() { marks.insert(mark) }
      } catch let error as RichTextError {
        throw error.inside("marks[\(index)]")
      }
    }
    guard !marks.styles.contains(.code) || marks == [.code] || node.type != "text" else {
      throw RichTextError("code has no other mark", path: "marks")
    }
    return marks
  }
}

// MARK: - Attributes

extension JSONReader {
  private func level(_ heading: Node) throws -> RichText.HeadingLevel {
    guard case .number(let number)? = heading.attributes["level"],
      let level = RichText.HeadingLevel(rawValue: number)
    else { throw RichTextError("a heading has a level from 1 to 6", path: "attrs.level") }
    return level
  }

  private func start(_ list: Node) throws -> Int {
    switch list.attributes["start"] {
    case nil, .null: return 1
    // Lists that were pasted may start anywhere; tidying finds the nearest number that can be.
    case .number(let start): return start
    case .boolean, .text: throw RichTextError("a list starts with a number", path: "attrs.start")
    }
  }

  private func language(_ block: Node) throws -> String? {
    switch block.attributes["language"] {
    case nil, .null: return nil
    // Code that was pasted may be in a language of any name; tidying removes those that are not
    // words.
    case .text(let word): return word
    case .boolean, .number: throw RichTextError("a language is a word", path: "attrs.language")
    }
  }
}

// MARK: - Counting and finding the way

extension JSONReader {
  mutating func count(_ text: String) throws {
    size += text.utf8.count
    guard size <= RichText.maximumSize else { throw RichTextError.tooLarge }
  }

  /// Reads one after the other; an error says which one it was.
  mutating func each<Value>(
    _ nodes: [Node],
    _ read: (inout JSONReader, Node) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(nodes.count)
    for (index, node) in nodes.enumerated() {
      do {
        values.append(try read(&self, node))
      } catch let error as RichTextError {
        throw error == .tooLarge ? error : error.inside("content[\(index)]")
      }
    }
    return values
  }
}

extension MarkNode {
  /// The mark; nil for a link whose words are all that can be kept.
  fileprivate func read() throws -> RichText.Mark? {
    let known = type == "link" ? ["href", "title", "target", "rel", "class"] : []
    if let unknown = attributes.keys.filter({ !known.contains($0) }).min() {
      throw RichTextError("“\(type)” has no such attribute", path: "attrs.\(unknown)")
    }
    switch type {
    case "bold": return .bold
    case "italic": return .italic
    case "underline": return .underline
    case "strike": return .strike
    case "highlight": return .highlight
    case "superscript": return .superscript
    case "subscript": return .subscript
    case "code": return .code
    case "link": return try link().map { .link($0) }
    default: throw RichTextError("there is no mark “\(type)”", path: "type")
    }
  }

  private func link() throws -> RichText.Link? {
    guard case .text(let href)? = attributes["href"] else {
      throw RichTextError("a link has an address", path: "attrs.href")
    }
    guard let link = RichText.Link(href) else {
      // The editor looks at the scheme alone, and pages that were pasted have all kinds of addresses.
      let isOnlyBroken = ["https:", "http:", "mailto:"].contains {
        href.prefix($0.count).lowercased() == $0
      }
      if isOnlyBroken { return nil }
      throw RichTextError(
        "a link leads to a note or an address that a page may have, not to “\(href.prefix(60))”",
        path: "attrs.href"
      )
    }
    return link
  }
}

extension Node {
  func allow(attributes known: [String]) throws {
    guard let unknown = attributes.keys.filter({ !known.contains($0) }).min() else { return }
    throw RichTextError("“\(type)” has no such attribute", path: "attrs.\(unknown)")
  }

  func refuse(
    marks noMarks: Bool = false,
    content noContent: Bool = false,
    text noText: Bool = false
  ) throws {
    if noMarks && !marks.isEmpty { throw RichTextError("“\(type)” has no marks", path: "marks") }
    if noContent && !content.isEmpty {
      throw RichTextError("there is nothing inside “\(type)”", path: "content")
    }
    if noText && text != nil { throw RichTextError("“\(type)” has no text", path: "text") }
  }
}
