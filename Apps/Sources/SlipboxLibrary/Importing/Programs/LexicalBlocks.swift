import Foundation
import RichText

/// The blocks of a document of Lexical, which the editor “Super” of Standard Notes writes.
///
/// ```
/// {"type": "paragraph", "children": [{"type": "text", "text": "bold", "format": 1}]}
/// ```
struct LexicalBlocks {
  private let noteOf: (_ id: String) -> UUID?
  private let nameOf: (_ id: String) -> String?
  private let fileAt: (_ address: String) -> RichText.Attached?

  /// The parts that became something else.
  private(set) var changes: Set<TextChange> = []

  init(
    noteOf: @escaping (_ id: String) -> UUID?,
    nameOf: @escaping (_ id: String) -> String?,
    fileAt: @escaping (_ address: String) -> RichText.Attached?
  ) {
    self.noteOf = noteOf
    self.nameOf = nameOf
    self.fileAt = fileAt
  }

  /// Returns the blocks in an element.
  mutating func read(_ element: JSONMembers) -> [RichText.Block] {
    var blocks: [RichText.Block] = []
    var line: [RichText.Inline] = []
    for child in element.objects("children") {
      if let piece = inline(child, []) {
        line += piece
        continue
      }
      if !line.isEmpty { blocks.append(.paragraph(line)) }
      line = []
      blocks += self.blocks(child)
    }
    return line.isEmpty ? blocks : blocks + [.paragraph(line)]
  }

  private mutating func blocks(_ element: JSONMembers) -> [RichText.Block] {
    switch element.text("type") {
    case "paragraph": return paragraph(element)
    case "heading": return [.heading(level(element), words(element))]
    case "quote": return [.blockquote([.paragraph(words(element))])]
    case "code":
      let code = RichText([.paragraph(words(element))]).plainText
      return [.codeBlock(language: element.text("language"), code)]
    case "horizontalrule": return [.horizontalRule]
    case "list": return list(element)
    case "table": return [.table(table(element))]
    case "collapsible-title": return [.paragraph(words(element))]
    case "snfile", "unencrypted-image", "image", "inline-file": return file(element)
    default:
      let inside = read(element)
      // A film, a post, a place: its address, if it has one.
      if inside.isEmpty { changes.insert(.embeddedPage) }
      return inside.isEmpty ? address(element) : inside
    }
  }

  /// A paragraph, which may have files in it.
  private mutating func paragraph(_ element: JSONMembers) -> [RichText.Block] {
    let inside = read(element)
    return inside.isEmpty ? [.paragraph([])] : inside
  }

  private func level(_ element: JSONMembers) -> RichText.HeadingLevel {
    let number = element.text("tag").flatMap { Int($0.dropFirst()) } ?? 1
    return RichText.HeadingLevel(rawValue: min(max(number, 1), 6)) ?? .six
  }

  private func address(_ element: JSONMembers) -> [RichText.Block] {
    let names = ["url", "src", "tweetID", "videoID"]
    guard let words = names.lazy.compactMap({ element.text($0) }).first else { return [] }
    return [.paragraph([.text(words, RichText.Marks([], link: RichText.Link(words)))])]
  }

  private mutating func file(_ element: JSONMembers) -> [RichText.Block] {
    if let id = element.text("fileUuid") {
      changes.insert(.missingFile)
      return [.paragraph([.text("[\(nameOf(id) ?? "file")]")])]
    }
    let address = element.text("src") ?? ""
    switch fileAt(address) {
    case .picture(let id): return [.picture(.init(file: id, caption: element.text("alt") ?? ""))]
    case .file(let id, let name): return [.file(.init(file: id, name: name))]
    case nil:
      changes.insert(RichText.Link(address) == nil ? .missingFile : .webPicture)
      return self.address(element)
    }
  }
}

// MARK: - Lists and tables

extension LexicalBlocks {
  private mutating func list(_ element: JSONMembers) -> [RichText.Block] {
    var items: [(isDone: Bool, blocks: [RichText.Block])] = []
    for child in element.objects("children") {
      let inside = read(child)
      // A list in a list has an item of its own, which belongs to the one before it.
      if child.objects("children").first?.text("type") == "list", !items.isEmpty {
        items[items.count - 1].blocks += inside
      } else {
        items.append((child.isTrue("checked"), inside))
      }
    }
    switch element.text("listType") {
    case "check": return [.taskList(items.map { .init(isDone: $0.isDone, $0.blocks) })]
    case "number":
      var start = 1
      if case .integer(let number)? = element["start"] { start = Int(number) }
      return [.orderedList(start: start, items.map { .init($0.blocks) })]
    default: return [.bulletList(items.map { .init($0.blocks) })]
    }
  }

  private mutating func table(_ element: JSONMembers) -> RichText.Table {
    var hasHeader = false
    var rows: [[RichText.Table.Cell]] = []
    for row in element.objects("children") {
      var cells: [RichText.Table.Cell] = []
      for cell in row.objects("children") {
        let inside = read(cell)
        if inside.count > 1 { changes.insert(.cellBlocks) }
        let lines = inside.map { [RichText.Inline.text(RichText([$0]).plainText)] }
        if case .paragraph(let line)? = inside.first, inside.count == 1 {
          cells.append(line)
        } else {
          cells.append(Array(lines.joined(separator: [.hardBreak])))
        }
        if rows.isEmpty, case .integer(let state)? = cell["headerState"], state > 0 {
          hasHeader = true
        }
      }
      rows.append(cells)
    }
    return RichText.Table(hasHeader: hasHeader, rows: rows)
  }
}

// MARK: - Words

extension LexicalBlocks {
  /// All words in an element.
  private mutating func words(_ element: JSONMembers) -> [RichText.Inline] {
    element.objects("children").flatMap { child -> [RichText.Inline] in
      inline(child, []) ?? [.text(RichText(read(child)).plainText)]
    }
  }

  /// The words of an element in a line; `nil` for a block.
  private mutating func inline(
    _ element: JSONMembers,
    _ marks: RichText.Marks
  ) -> [RichText.Inline]? {
    switch element.text("type") {
    case "text", "code-highlight", "hashtag", "keyword":
      return [.text(element.text("text") ?? "", self.marks(element, marks))]
    case "linebreak": return [.hardBreak]
    case "tab": return [.text("\t", marks)]
    case "link", "autolink":
      var marks = marks
      marks.link = element.text("url").flatMap { RichText.Link($0) }
      if marks.link == nil { changes.insert(.link) }
      return element.objects("children").flatMap { inline($0, marks) ?? [] }
    case "snbubble":
      let id = element.text("itemUuid") ?? ""
      guard let note = noteOf(id) else {
        changes.insert(.link)
        return []
      }
      return [.text(nameOf(id) ?? "note", RichText.Marks([], link: .note(note)))]
    default: return nil
    }
  }

  private func marks(_ element: JSONMembers, _ marks: RichText.Marks) -> RichText.Marks {
    guard case .integer(let format)? = element["format"] else { return marks }
    var marks = marks
    let all: [RichText.Mark] = [
      .bold, .italic, .strike, .underline, .code, .subscript, .superscript, .highlight,
    ]
    for (bit, mark) in all.enumerated() where format & (1 << Int64(bit)) != 0 { marks.insert(mark) }
    return marks
  }
}
