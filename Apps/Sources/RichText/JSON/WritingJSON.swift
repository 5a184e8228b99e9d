public import Foundation

extension RichText {
  /// The text as the editor wants it, and as it is stored; equal texts are equal to the byte.
  ///
  /// ```
  /// {"content":[{"content":[{"text":"Faults","type":"text"}],"type":"paragraph"}],"type":"doc","version":1}
  /// ```
  public var json: String {
    String(decoding: jsonData, as: UTF8.self)
  }

  public var jsonData: Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(
        Node(type: "doc", content: blocks.map(Node.init), version: Self.version)
      )
    } catch {
      preconditionFailure("texts and whole numbers can always be written as JSON: \(error)")
    }
  }
}

extension Node {
  fileprivate init(_ block: RichText.Block) {
    switch block {
    case .paragraph(let line):
      self.init(type: "paragraph", content: line.map(Node.init))
    case .heading(let level, let line):
      self.init(
        type: "heading",
        attributes: ["level": .number(level.rawValue)],
        content: line.map(Node.init)
      )
    case .bulletList(let items):
      self.init(type: "bulletList", content: items.map(Node.init))
    case .orderedList(let start, let items):
      self.init(
        type: "orderedList",
        attributes: ["start": .number(start)],
        content: items.map(Node.init)
      )
    case .taskList(let items):
      self.init(type: "taskList", content: items.map(Node.init))
    case .blockquote(let blocks):
      self.init(type: "blockquote", content: blocks.map(Node.init))
    case .callout(let callout):
      var attributes = ["kind": Attribute.text(callout.kind)]
      if let fold = callout.fold { attributes["fold"] = .text(fold.rawValue) }
      self.init(
        type: "callout",
        attributes: attributes,
        content: callout.allBlocks.map(Node.init)
      )
    case .footnote(let label, let blocks):
      self.init(
        type: "footnote",
        attributes: ["label": .text(label)],
        content: blocks.map(Node.init)
      )
    case .codeBlock(let language, let text):
      self.init(
        type: "codeBlock",
        attributes: language.map { ["language": .text($0)] } ?? [:],
        content: text.isEmpty ? [] : [Node(type: "text", text: text)]
      )
    case .horizontalRule:
      self.init(type: "horizontalRule")
    case .table(let table):
      self.init(
        type: "table",
        content: table.rows.enumerated().map {
          Node($1, of: table, isHeader: $0 == 0 && table.hasHeader)
        }
      )
    case .picture(let picture):
      var attributes = ["file": Attribute.text(picture.file.uuidString.lowercased())]
      if !picture.caption.isEmpty { attributes["caption"] = .text(picture.caption) }
      if let width = picture.width { attributes["width"] = .number(width) }
      self.init(type: "picture", attributes: attributes)
    case .file(let file):
      self.init(
        type: "file",
        attributes: [
          "file": .text(file.file.uuidString.lowercased()), "name": .text(file.name),
        ]
      )
    }
  }

  /// A row of a table.
  fileprivate init(_ cells: [RichText.Table.Cell], of table: RichText.Table, isHeader: Bool) {
    self.init(
      type: "tableRow",
      content: zip(cells, table.alignments).map { cell, alignment in
        Node(
          type: isHeader ? "tableHeader" : "tableCell",
          attributes: alignment.map { ["align": .text($0.rawValue)] } ?? [:],
          content: [Node(.paragraph(cell))]
        )
      }
    )
  }

  fileprivate init(_ item: RichText.ListItem) {
    self.init(type: "listItem", content: item.blocks.map(Node.init))
  }

  fileprivate init(_ item: RichText.TaskItem) {
    self.init(
      type: "taskItem",
      attributes: ["checked": .boolean(item.isDone)],
      content: item.blocks.map(Node.init)
    )
  }

  fileprivate init(_ piece: RichText.Inline) {
    switch piece {
    case .text(let text, let marks):
      self.init(type: "text", marks: marks.all.map(MarkNode.init), text: text)
    case .hardBreak:
      self.init(type: "hardBreak")
    case .footnoteMark(let label):
      self.init(type: "footnoteMark", attributes: ["label": .text(label)])
    }
  }
}

extension MarkNode {
  fileprivate init(_ mark: RichText.Mark) {
    switch mark {
    case .bold: self.init(type: "bold")
    case .italic: self.init(type: "italic")
    case .underline: self.init(type: "underline")
    case .strike: self.init(type: "strike")
    case .highlight: self.init(type: "highlight")
    case .superscript: self.init(type: "superscript")
    case .subscript: self.init(type: "subscript")
    case .code: self.init(type: "code")
    case .link(let link): self.init(type: "link", attributes: ["href": .text(link.href)])
    }
  }
}
