public import Foundation

extension RichText {
  /// The text as a page of its own, readable in any browser, in the light and in the dark.
  ///
  /// ```
  /// <!DOCTYPE html>
  /// <html><head>…<title>Faults</title>…</head>
  /// <body><main>
  /// <h1>Faults</h1>
  /// <p>A <strong>fault</strong> is a promise.</p>
  /// </main></body></html>
  /// ```
  ///
  /// Nothing in it is run or loaded: pictures, sounds and films are in the page itself. A title that the text begins with
  /// is not written twice; remarks, `%%to myself%%`, are not written. Links to notes are `<cite>`, since the page does not know where the
  /// notes are.
  ///
  /// - Parameters:
  ///   - title: The title of the page.
  ///   - picture: A picture below the text.
  ///   - pictures: The pictures in the text; one that is missing is replaced by its caption.
  ///   - media: The sounds and films among the files in the text; of a file that is missing the page has the name.
  ///   - language: The language of the text, `de-AT`.
  /// - Returns: The page.
  public func html(
    title: String,
    picture: EmbeddedPicture? = nil,
    pictures: [UUID: EmbeddedPicture] = [:],
    media: [UUID: EmbeddedMedia] = [:],
    language: String? = nil
  ) -> String {
    let title = Text.oneLine(title)
    let writer = HTML(files: PageFiles(pictures, media), numbers: footnoteNumbers)
    let content =
      (begins(with: title) ? "" : HTML.title(title)) + writer.text(blocks)
      + (picture.map(HTML.of) ?? "")
    return HTML.page(title: title, content, sources: "data:", language: language)
  }

  /// The same page without its looks and its name, which programs that make documents would show once more.
  ///
  /// A document has signs in the place of boxes to tick, and no links back from its footnotes.
  public func plainHTML(
    title: String,
    picture: EmbeddedPicture? = nil,
    pictures: [UUID: EmbeddedPicture] = [:],
    language: String? = nil
  ) -> String {
    let title = Text.oneLine(title)
    let numbers = footnoteNumbers
    let writer = HTML(files: PageFiles(pictures), numbers: numbers, isForDocument: true)
    return """
      <!DOCTYPE html>
      \(HTML.root(language))
      <head>
      <meta charset="utf-8">
      </head>
      <body>
      \(begins(with: title) ? "" : HTML.title(title))\(writer.text(blocks))\(picture.map(HTML.of) ?? "")</body>
      </html>

      """
  }

  func begins(with title: String) -> Bool {
    guard case .heading(_, let line)? = blocks.first else { return false }
    return Text.oneLine(line.plainText) == title
  }

  /// The text alone, to be put into a page.
  public var htmlFragment: String { htmlFragment(with: [:]) }

  /// The text alone, with the pictures and media that are known.
  public func htmlFragment(
    with pictures: [UUID: EmbeddedPicture],
    _ media: [UUID: EmbeddedMedia] = [:]
  ) -> String {
    HTML(files: PageFiles(pictures, media), numbers: footnoteNumbers).text(blocks)
  }
}

/// Writes blocks as elements.
struct HTML {
  let files: PageFiles

  /// The numbers of footnotes, by their labels.
  let numbers: [String: Int]

  /// Whether a program makes a document of it.
  var isForDocument = false

  /// A page of its own, whose pictures, sounds and films come from `sources`; everything else is in it.
  static func page(
    title: String,
    _ content: String,
    sources: String,
    language: String?
  ) -> String {
    """
    <!DOCTYPE html>
    \(root(language))
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; style-src 'unsafe-inline'; img-src \(sources); media-src \(sources)">
    <title>\(escaped(title))</title>
    <style>
    :root { color-scheme: light dark; }
    body { background: Canvas; color: CanvasText; font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 42rem; overflow-wrap: anywhere; padding: 2rem 1rem; }
    blockquote { border-inline-start: 0.2rem solid; margin-inline: 0; padding-inline-start: 1rem; }
    pre, .formula { overflow-x: auto; }
    .formula { margin-block: 1rem; }
    math { font-size: 1.1em; }
    img, video { height: auto; max-width: 100%; }
    audio { width: 100%; }
    figure { margin-inline: 0; }
    table { border-collapse: collapse; }
    .callout { border-inline-start: 0.2rem solid; margin-block: 1rem; padding: 0.1rem 1rem; }
    .callout-title { font-weight: 600; }
    .footnotes { border-block-start: 1px solid; font-size: 0.875rem; margin-block-start: 2rem; }
    sub, sup { line-height: 1; }
    td, th { border: 1px solid; padding: 0.2rem 0.6rem; text-align: start; vertical-align: top; }
    @media print { pre { overflow-wrap: anywhere; white-space: pre-wrap; } }
    </style>
    </head>
    <body>
    <main>
    \(content)</main>
    </body>
    </html>

    """
  }

  /// The beginning of a page; a language has letters, digits and hyphens alone.
  fileprivate static func root(_ language: String?) -> String {
    language.map { "<html lang=\"\(escaped($0))\">" } ?? "<html>"
  }

  static func title(_ title: String) -> String {
    title.isEmpty ? "" : "<h1>\(escaped(title))</h1>\n"
  }

  static func of(_ picture: RichText.EmbeddedPicture) -> String { of(PageFiles.Picture(picture)) }

  static func of(_ picture: PageFiles.Picture) -> String {
    "<p>\(image(picture, alt: picture.name))</p>\n"
  }

  private static func image(
    _ picture: PageFiles.Picture,
    alt: String,
    width: Int? = nil
  ) -> String {
    let size = width.map { " width=\"\($0)\"" } ?? ""
    return "<img src=\"\(escaped(picture.address))\" alt=\"\(escaped(alt))\"\(size)>"
  }

  /// The blocks, and behind them the footnotes as a list.
  func text(_ blocks: [RichText.Block]) -> String {
    let blocks = Remark.removed(from: blocks)
    let notes = blocks.map { block in
      guard case .footnote(let label, let inside) = block else { return "" }
      return footnote(label, inside)
    }.joined()
    if notes.isEmpty { return of(blocks) }
    return of(blocks) + "<section class=\"footnotes\">\n<ol>\n\(notes)</ol>\n</section>\n"
  }

  private func of(_ blocks: [RichText.Block]) -> String { blocks.map(of).joined() }

  private func of(_ block: RichText.Block) -> String {
    switch block {
    case .paragraph(let line): element("p", line)
    case .heading(let level, let line): element("h\(level.rawValue)", line)
    case .bulletList(let items): "<ul>\n\(items.map { item($0.blocks) }.joined())</ul>\n"
    case .orderedList(let start, let items):
      "<ol\(start == 1 ? "" : " start=\"\(start)\"")>\n\(items.map { item($0.blocks) }.joined())</ol>\n"
    case .taskList(let items): "<ul>\n\(items.map(of).joined())</ul>\n"
    case .blockquote(let blocks): "<blockquote>\n\(of(blocks))</blockquote>\n"
    case .codeBlock(MarkdownFormula.language?, let text):
      "<div class=\"formula\">\(MathML.math(text, isDisplay: true))</div>\n"
    case .codeBlock(let language, let text):
      "<pre><code\(language.map { " class=\"language-\(Self.escaped($0))\"" } ?? "")>\(Self.code(text))</code></pre>\n"
    case .horizontalRule: "<hr>\n"
    case .table(let table): of(table)
    case .callout(let callout): of(callout)
    // Footnotes are at the end.
    case .footnote: ""
    case .picture(let picture): of(picture)
    case .file(let file): of(file)
    }
  }

  static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { "&<>\"'".utf8.contains($0) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  /// A line break right after `<pre>` would be dropped by the browser.
  private static func code(_ text: String) -> String {
    (text.hasPrefix("\n") ? "\n" : "") + escaped(text)
  }

  private func of(_ picture: RichText.Picture) -> String {
    let words = Self.escaped(picture.caption)
    guard let known = files.picture(picture.file) else {
      return words.isEmpty ? "" : "<p>\(words)</p>\n"
    }
    let alt = picture.caption.isEmpty ? known.name : picture.caption
    let caption = words.isEmpty ? "" : "<figcaption>\(words)</figcaption>"
    return "<figure>\(Self.image(known, alt: alt, width: picture.width))\(caption)</figure>\n"
  }

  private func of(_ file: RichText.AttachedFile) -> String {
    let name = Self.escaped(file.name)
    switch files.file(file.file) {
    case .name: return "<p>📎 \(name)</p>\n"
    case .download(let address):
      return "<p>📎 <a href=\"\(Self.escaped(address))\" download>\(name)</a></p>\n"
    case .player(let address, let isVideo):
      let tag = isVideo ? "video" : "audio"
      let source = "src=\"\(Self.escaped(address))\""
      let player = "<\(tag) controls aria-label=\"\(name)\" \(source)></\(tag)>"
      return "<figure>\(player)<figcaption>📎 \(name)</figcaption></figure>\n"
    }
  }

  /// A box; one that can be folded is folded by the browser.
  private func of(_ callout: RichText.Callout) -> String {
    let inside = of(callout.blocks)
    let mute = callout.title.isEmpty ? " data-of-kind=\"true\"" : ""
    let title = callout.title.isEmpty ? Self.escaped(callout.nameOfKind) : of(callout.title)
    // The kind is a word of letters and digits.
    let kind = "class=\"callout\" data-callout=\"\(callout.kind)\""
    guard let fold = callout.fold else {
      let head = "<p class=\"callout-title\"\(mute)>\(title)</p>\n"
      return "<aside \(kind)>\n\(head)\(inside)</aside>\n"
    }
    let head = "<summary class=\"callout-title\"\(mute)>\(title)</summary>\n"
    return "<details \(kind)\(fold == .open ? " open" : "")>\n\(head)\(inside)</details>\n"
  }

  private func footnote(_ label: String, _ blocks: [RichText.Block]) -> String {
    guard let number = numbers[label] else { return "" }
    let name = "id=\"footnote-\(number)\" data-footnote=\"\(Self.escaped(label))\""
    let back = isForDocument ? "" : "<a href=\"#mark-\(number)\" data-back=\"true\">↩</a>"
    return "<li \(name)>\(of(blocks))\(back)</li>\n"
  }

  /// The number of a footnote, which leads to its text.
  private func mark(_ label: String) -> String {
    guard let number = numbers[label] else { return "" }
    let name = "id=\"mark-\(number)\" data-footnote-mark=\"\(Self.escaped(label))\""
    return "<sup \(name)><a href=\"#footnote-\(number)\">\(number)</a></sup>"
  }

  private func of(_ table: RichText.Table) -> String {
    let rows = table.rows.enumerated().map { index, row in
      let tag = index == 0 && table.hasHeader ? "th" : "td"
      let cells = zip(row, table.alignments).map { cell, alignment in
        // The word "center" and its like come from us.
        let side = alignment.map { " style=\"text-align: \($0.rawValue)\"" } ?? ""
        return "<\(tag)\(side)>\(of(cell))</\(tag)>"
      }
      return "<tr>\(cells.joined())</tr>\n"
    }
    return "<table>\n\(rows.joined())</table>\n"
  }

  private func item(_ blocks: [RichText.Block]) -> String {
    "<li>\(of(blocks))</li>\n"
  }

  private func of(_ item: RichText.TaskItem) -> String {
    let input = "<input type=\"checkbox\" disabled\(item.isDone ? " checked" : "")>"
    let box = isForDocument ? (item.isDone ? "☒" : "☐") : input
    guard case .paragraph(let line)? = item.blocks.first else { return self.item(item.blocks) }
    let others = of(Array(item.blocks.dropFirst()))
    let (words, name) = forReaders(line)
    return "<li><p\(name)><label>\(box) \(of(words))</label></p>\n\(others)</li>\n"
  }

  private func element(_ tag: String, _ line: [RichText.Inline]) -> String {
    let (words, name) = forReaders(line)
    // A paragraph without any words for readers is not an empty line.
    if words.isEmpty, name.isEmpty, !line.isEmpty { return "" }
    return "<\(tag)\(name)>\(of(words))</\(tag)>\n"
  }

  /// A line without remarks, and with its sign as the name of its element, which nobody sees.
  private func forReaders(_ line: [RichText.Inline]) -> ([RichText.Inline], String) {
    let (words, sign) = BlockSign.parted(Remark.removed(from: line))
    // Its only letters are a to z, digits and hyphens.
    return (words, sign.map { " id=\"\($0)\"" } ?? "")
  }

  private func of(_ line: [RichText.Inline]) -> String {
    line.map { piece in
      switch piece {
      case .hardBreak: "<br>\n"
      case .footnoteMark(let label): mark(label)
      case .text(let text, let marks): Self.of(Self.words(text, marks), marks)
      }
    }.joined()
  }

  /// The text with its formulas; code and the words of links have none.
  private static func words(_ text: String, _ marks: RichText.Marks) -> String {
    if marks.link != nil || marks.styles.contains(.code) { return escaped(text) }
    return MarkdownFormula.parts(of: text).map { part in
      switch part {
      case .words(let words): escaped(words)
      case .formula(let tex, let isDisplay): MathML.math(tex, isDisplay: isDisplay)
      }
    }.joined()
  }

  /// Puts the tags of the marks around a text, the outermost last.
  private static func of(_ text: String, _ marks: RichText.Marks) -> String {
    marks.all.reversed().reduce(text) { text, mark in
      switch mark {
      case .bold: "<strong>\(text)</strong>"
      case .italic: "<em>\(text)</em>"
      case .underline: "<u>\(text)</u>"
      case .strike: "<s>\(text)</s>"
      case .highlight: "<mark>\(text)</mark>"
      case .superscript: "<sup>\(text)</sup>"
      case .subscript: "<sub>\(text)</sub>"
      case .code: "<code>\(text)</code>"
      case .link(.page(let page)):
        "<a href=\"\(escaped(page.href))\" rel=\"noopener noreferrer\">\(text)</a>"
      case .link(.note(let id)):
        "<cite data-note=\"\(id.uuidString.lowercased())\">\(text)</cite>"
      case .link(.heading(let id, let words)):
        """
        <cite data-note="\(id.uuidString.lowercased())" data-heading="\(escaped(words))">\(text)</cite>
        """
      }
    }
  }
}
