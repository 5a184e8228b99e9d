import Foundation

/// Writes blocks as paragraphs, each with all that it needs to know.
struct RTFWriter {
  private var body = ""
  private var lists = RTFListTable()

  /// How the paragraph and the text before were written.
  private var lastFormat: Format?
  private var style = Style()
  private var isFirst = true

  /// The place of a block.
  private struct Place {
    var quotes = 0
    var item: Item?

    /// The item of a list; its marker is before its first paragraph and no other.
    struct Item {
      let list: Int
      let level: Int
      var marker: String?
    }
  }

  /// The settings between `\pard` and the text.
  private struct Format: Equatable {
    var indent = 0
    var list: Int?
    var level = 0
    var outline: Int?
  }

  private struct Style: Equatable {
    var styles: RichText.Styles = []
    var size = 0
  }

  /// The numbers of footnotes, by their labels.
  private let numbers: [String: Int]

  init(numbers: [String: Int]) {
    self.numbers = numbers
  }

  mutating func write(_ blocks: [RichText.Block]) {
    write(blocks, at: Place())
  }

  var document: String {
    """
    {\\rtf1\\ansi\\ansicpg1252\\cocoartf2761
    \\cocoatextscaling0\\cocoaplatform0{\\fonttbl\(Self.fonts)}
    {\\colortbl;\\red255\\green255\\blue255;\\red255\\green255\\blue0;}
    {\\*\\expandedcolortbl;;\\cssrgb\\c100000\\c100000\\c0;}
    \(lists.text)\\deftab720\\uc0
    \(body)}
    """
  }

  private static let fonts = [
    "\\f0\\fswiss\\fcharset0 Helvetica;", "\\f1\\fswiss\\fcharset0 Helvetica-Bold;",
    "\\f2\\fswiss\\fcharset0 Helvetica-Oblique;", "\\f3\\fswiss\\fcharset0 Helvetica-BoldOblique;",
    "\\f4\\fmodern\\fcharset0 Menlo-Regular;",
  ].joined()
}

// MARK: - Blocks

extension RTFWriter {
  private mutating func write(_ blocks: [RichText.Block], at place: Place) {
    var place = place
    var last: RichText.Block?
    for block in blocks {
      write(block, at: place, after: last)
      place.item?.marker = nil
      last = block
    }
  }

  private mutating func write(
    _ block: RichText.Block,
    at place: Place,
    after last: RichText.Block?
  ) {
    switch block {
    case .paragraph(let line):
      write(line, at: place)
    case .heading(let level, let line):
      write(line, at: place, heading: level)
    case .horizontalRule:
      write([.text(RTFLayout.rule)], at: place)
    case .table(let table):
      write(table)
    case .picture(let picture):
      let words = picture.caption.isEmpty ? RTFLayout.noCaption : picture.caption
      write(words, leadingTo: .picture(picture.file, width: picture.width), at: place)
    case .file(let file):
      write(file.name, leadingTo: .file(file.file), at: place)
    case .codeBlock(_, let text):
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        write([.text(String(line), [.code])], at: place, isCode: true)
      }
    case .blockquote(let blocks):
      var inside = place
      inside.quotes += 1
      write(blocks, at: inside)
    case .callout(let callout):
      // In RTF this is a quote with a title.
      let title = callout.title.isEmpty ? [.text(callout.nameOfKind)] : callout.title
      let bold = title.map { piece in
        guard case .text(let text, var marks) = piece, !marks.styles.contains(.code) else {
          return piece
        }
        marks.insert(.bold)
        return .text(text, marks)
      }
      var inside = place
      inside.quotes += 1
      write([.paragraph(bold)] + callout.blocks, at: inside)
    case .footnote(let label, let blocks):
      write(numbered(blocks, by: label), at: place)
    case .bulletList(let items):
      write(items.map { ("•", $0.blocks) }, .bullets, at: place, after: last)
    case .orderedList(let start, let items):
      let numbered = items.enumerated().map { ("\(start + $0.offset).", $0.element.blocks) }
      write(numbered, .numbers(start: start), at: place, after: last)
    case .taskList(let items):
      write(items.map { ($0.isDone ? "☑" : "☐", $0.blocks) }, .tasks, at: place, after: last)
    }
  }

  private mutating func write(
    _ items: [(marker: String, blocks: [RichText.Block])],
    _ kind: RTFLists.Kind,
    at place: Place,
    after last: RichText.Block?
  ) {
    let level = place.item.map { $0.level + 1 } ?? 0
    let list = lists.list(
      of: kind,
      level: level,
      inside: place.item?.list,
      isNew: last?.isList ?? false
    )
    for item in items {
      var inside = place
      inside.item = Place.Item(list: list, level: level, marker: item.marker)
      write(item.blocks, at: inside)
    }
  }
}

extension RichText.Block {
  fileprivate var isList: Bool {
    switch self {
    case .bulletList, .orderedList, .taskList: true
    case .paragraph, .heading, .blockquote, .codeBlock, .horizontalRule, .table, .picture, .file,
      .callout, .footnote:
      false
    }
  }
}

// MARK: - Footnotes

extension RTFWriter {
  private func number(_ label: String) -> String {
    numbers[label].map { String($0) } ?? label
  }

  /// The text of a footnote behind its number.
  private func numbered(_ blocks: [RichText.Block], by label: String) -> [RichText.Block] {
    let number = RichText.Inline.text("[\(number(label))] ")
    guard case .paragraph(let line)? = blocks.first else { return [.paragraph([number])] + blocks }
    return [.paragraph([number] + line)] + blocks.dropFirst()
  }
}

// MARK: - Paragraphs

extension RTFWriter {
  private mutating func write(
    _ line: [RichText.Inline],
    at place: Place,
    heading: RichText.HeadingLevel? = nil,
    isCode: Bool = false
  ) {
    if !isFirst { body += "\\\n" }
    isFirst = false
    start(format(place, heading: heading, isCode: isCode))
    let size = heading.map(RTFLayout.size) ?? RTFLayout.bodySize
    change(to: Style(styles: isCode ? [.code] : [], size: size))
    if let marker = place.item?.marker {
      body += "{\\listtext\t\(RTFEscapes.text(marker))\t}"
    }
    for piece in line { write(piece, size: size) }
  }

  private func format(
    _ place: Place,
    heading: RichText.HeadingLevel?,
    isCode: Bool
  ) -> Format {
    var format = Format()
    format.outline = heading.map { $0.rawValue - 1 }
    if let item = place.item {
      format.list = item.list
      format.level = item.level
      format.indent = RTFLayout.listIndent + item.level * RTFLayout.levelIndent
      if isCode {
        format.indent += RTFLayout.codeIndent - RTFLayout.listIndent % RTFLayout.quoteIndent
      }
    } else {
      format.indent =
        min(place.quotes, 12) * RTFLayout.quoteIndent + (isCode ? RTFLayout.codeIndent : 0)
    }
    return format
  }

  private mutating func start(_ format: Format) {
    if lastFormat == format { return }
    lastFormat = format
    body += "\\pard"
    if let list = format.list {
      let (tab, indent) = (format.indent - 500, format.indent)
      body += "\\tx\(tab)\\tx\(indent)\\li\(indent)\\fi-\(indent)\\pardirnatural\\partightenfactor0"
      body += "\\ls\(list)\\ilvl\(format.level)"
    } else {
      if format.indent > 0 { body += "\\li\(format.indent)\\fi0" }
      body += "\\pardirnatural\\partightenfactor0"
    }
    if let outline = format.outline { body += "\\outlinelevel\(outline)" }
    body += "\n"
  }
}

// MARK: - Tables and files

extension RTFWriter {
  /// A picture or file as a link, which Apple's apps keep: its caption or name leads to it.
  private mutating func write(_ words: String, leadingTo target: RTFTarget, at place: Place) {
    write([RichText.Inline](), at: place)
    body += Self.opening(of: target) + RTFEscapes.text(words) + "}}"
  }

  /// Rows, each of which says where its cells end and has a paragraph for each of them.
  private mutating func write(_ table: RichText.Table) {
    if !isFirst { body += "\\\n" }
    let width = RTFLayout.pageWidth / table.alignments.count
    let ends = table.alignments.indices.map { "\\cellx\(($0 + 1) * width)" }.joined()
    for (index, row) in table.rows.enumerated() {
      body += "\\trowd\(index == 0 && table.hasHeader ? "\\trhdr" : "")\\trgaph108\(ends)\n"
      for (cell, alignment) in zip(row, table.alignments) {
        body += "\\pard\\intbl\(alignment.map(RTFLayout.word) ?? "")\\pardirnatural\n"
        change(to: Style(styles: [], size: RTFLayout.bodySize))
        for piece in cell { write(piece, size: RTFLayout.bodySize) }
        body += "\\cell\n"
      }
      body += "\\row\n"
    }
    // The next paragraph writes its format again, and does not need the end of a paragraph before it.
    lastFormat = nil
    isFirst = true
  }

  private static func opening(of target: RTFTarget) -> String {
    let address = RTFEscapes.text(target.address)
    return "{\\field{\\*\\fldinst{HYPERLINK \"\(address)\"}}{\\fldrslt "
  }
}

// MARK: - Pictures

extension RTFWriter {
  /// Writes a picture in a paragraph of its own, no wider than a page; one of a kind that RTF does not know is left
  /// out.
  mutating func write(_ picture: RichText.EmbeddedPicture) {
    let word: String
    switch picture.kind {
    case .jpeg: word = "\\jpegblip"
    case .png: word = "\\pngblip"
    case .webp, .gif, .avif, .svg: return
    }
    write([], at: Place())
    body += "{\\pict\(word)\(Self.measures(of: picture))\n\(RTFEscapes.hexadecimal(picture.data))}"
  }

  private static func measures(of picture: RichText.EmbeddedPicture) -> String {
    guard let (width, height) = picture.size, width > 0, height > 0 else { return "" }
    // A pixel is 15 twips; a page between its margins is 9,000 wide.
    let wide = min(width * 15, 9000)
    let high = height * wide / width
    return "\\picw\(width)\\pich\(height)\\picwgoal\(wide)\\pichgoal\(high)"
  }
}

// MARK: - Text

extension RTFWriter {
  private mutating func write(_ piece: RichText.Inline, size: Int) {
    switch piece {
    case .hardBreak:
      body += "\\line "
    case .footnoteMark(let label):
      // TextKit leaves out what RTF calls a footnote, words and all.
      body += "{\\super [" + RTFEscapes.text(number(label)) + "]}"
    case .text(let text, let marks):
      let (opening, closing) = groups(of: marks)
      let outside = style
      body += opening
      change(to: Style(styles: marks.styles, size: size))
      body += RTFEscapes.text(text) + closing
      // A group forgets at its end how its text looked.
      if !closing.isEmpty { style = outside }
    }
  }

  /// The beginnings and ends of the groups around a text for its link and its highlight.
  private func groups(of marks: RichText.Marks) -> (opening: String, closing: String) {
    var (opening, closing) = ("", "")
    if let link = marks.link {
      opening += Self.opening(of: .link(link))
      closing += "}}"
    }
    if marks.styles.contains(.highlight) {
      // Cocoa knows the first word, others the second.
      opening += "{\\cb2\\highlight2 "
      closing += "}"
    }
    return (opening, closing)
  }

  /// Writes the words that lead from one look to another.
  private mutating func change(to new: Style) {
    let old = style
    style = new
    var words = ""
    if font(of: old) != font(of: new) || old.size == 0 { words += "\\f\(font(of: new))" }
    if old.size != new.size { words += "\\fs\(new.size)" }
    if old.size == 0 { words += " \\cf0" }
    words += word("\\b", .bold, old, new) + word("\\i", .italic, old, new)
    if old.styles.contains(.underline) != new.styles.contains(.underline) {
      words += new.styles.contains(.underline) ? "\\ul" : "\\ulnone"
    }
    words += word("\\strike", .strike, old, new)
    if old.styles.height != new.styles.height {
      words += new.styles.height.isEmpty ? "\\nosupersub" : new.styles.height
    }
    if !words.isEmpty { body += words + " " }
  }

  private func word(_ word: String, _ mark: RichText.Styles, _ old: Style, _ new: Style) -> String {
    switch (old.styles.contains(mark), new.styles.contains(mark)) {
    case (false, true): word
    case (true, false): word + "0"
    case (true, true), (false, false): ""
    }
  }

  private func font(of style: Style) -> Int {
    if style.styles.contains(.code) { return 4 }
    return (style.styles.contains(.bold) ? 1 : 0) + (style.styles.contains(.italic) ? 2 : 0)
  }
}

extension RichText.Styles {
  /// The word for letters above or below the line; empty for those on it.
  fileprivate var height: String {
    contains(.superscript) ? "\\super" : contains(.subscript) ? "\\sub" : ""
  }
}

enum RTFEscapes {
  /// The text in ASCII: `é` is `\'e9`, and characters that Windows lacks are written in UTF-16.
  static func text(_ text: String) -> String {
    if text.utf8.allSatisfy(isPlain) { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "{", "}": escaped += "\\\(scalar)"
      case "\t": escaped += "\\tab "
      case "\n": escaped += "\\line "
      case _ where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      case "\u{A0}"..."\u{FF}": escaped += "\\'" + String(scalar.value, radix: 16)
      default: for unit in UTF16.encode(scalar) ?? .init() { escaped += "\\u\(unit) " }
      }
    }
    return escaped
  }

  /// Two digits for each byte.
  static func hexadecimal(_ data: Data) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(data.count * 2)
    for byte in data {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && !"\\{}".utf8.contains(byte)
  }
}
