import Foundation

// Tables, pictures and files.

extension JSONReader {
  mutating func table(_ node: Node) throws -> RichText.Table {
    guard !node.content.isEmpty else {
      throw RichTextError("a table has at least one row", path: "content")
    }
    let rows = try each(node.content) { try $0.row($1) }
    let width = rows.map(\.count).max() ?? 0
    guard width <= RichText.Table.maximumColumns else {
      throw RichTextError(
        "a table has at most \(RichText.Table.maximumColumns) columns, this one has \(width)"
      )
    }
    return RichText.Table(
      hasHeader: rows[0].allSatisfy(\.isHeader),
      alignments: rows[0].map(\.alignment),
      rows: rows.map { $0.map(\.line) }
    )
  }

  private struct Cell {
    var isHeader: Bool
    var alignment: RichText.Table.Alignment?
    var line: [RichText.Inline]
  }

  private mutating func row(_ node: Node) throws -> [Cell] {
    guard node.type == "tableRow" else {
      throw RichTextError("in a table are rows, not “\(node.type)”", path: "type")
    }
    try node.allow(attributes: [])
    try node.refuse(marks: true, text: true)
    guard !node.content.isEmpty else {
      throw RichTextError("a row has at least one cell", path: "content")
    }
    return try each(node.content) { try $0.cell($1) }.flatMap(\.self)
  }

  /// A cell, and an empty one for each further column that it goes over.
  private mutating func cell(_ node: Node) throws -> [Cell] {
    guard node.type == "tableCell" || node.type == "tableHeader" else {
      throw RichTextError("in a row are cells, not “\(node.type)”", path: "type")
    }
    try node.allow(attributes: ["align", "colspan", "rowspan", "colwidth"])
    try node.refuse(marks: true, text: true)
    let lines = try each(node.content) { reader, node in
      guard node.type == "paragraph" else {
        throw RichTextError("in a cell are paragraphs, not “\(node.type)”", path: "type")
      }
      try node.allow(attributes: [])
      try node.refuse(marks: true, text: true)
      return try reader.line(node.content)
    }
    let cell = Cell(
      isHeader: node.type == "tableHeader",
      alignment: try alignment(node),
      line: Array(lines.joined(separator: [.hardBreak]))
    )
    var empty = cell
    empty.line = []
    return [cell] + Array(repeating: empty, count: try columns(node) - 1)
  }

  private func columns(_ cell: Node) throws -> Int {
    switch cell.attributes["colspan"] {
    case nil, .null: return 1
    case .number(let count) where (1...RichText.Table.maximumColumns).contains(count): return count
    case .boolean, .number, .text:
      throw RichTextError("a cell goes over a few columns", path: "attrs.colspan")
    }
  }

  private func alignment(_ cell: Node) throws -> RichText.Table.Alignment? {
    switch cell.attributes["align"] {
    case nil, .null: return nil
    case .text("left"): return .left
    case .text("center"): return .center
    case .text("right"): return .right
    case .boolean, .number, .text:
      throw RichTextError("a cell is left, center or right", path: "attrs.align")
    }
  }
}

// MARK: - Pictures and files

extension JSONReader {
  mutating func picture(_ node: Node) throws -> RichText.Picture {
    let width: Int?
    switch node.attributes["width"] {
    case nil, .null: width = nil
    // Tidying finds the nearest that makes sense.
    case .number(let number): width = number
    case .boolean, .text: throw RichTextError("a width is a number", path: "attrs.width")
    }
    return RichText.Picture(
      file: try file(node),
      caption: try words("caption", of: node),
      width: width
    )
  }

  func file(_ node: Node) throws -> UUID {
    guard case .text(let text)? = node.attributes["file"], let id = UUID(uuidString: text) else {
      throw RichTextError("a “\(node.type)” has the identifier of a file", path: "attrs.file")
    }
    return id
  }

  mutating func words(_ name: String, of node: Node) throws -> String {
    switch node.attributes[name] {
    case nil, .null: return ""
    case .text(let words):
      try count(words)
      return words
    case .boolean, .number: throw RichTextError("this is a text", path: "attrs.\(name)")
    }
  }
}
