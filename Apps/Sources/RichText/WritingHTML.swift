import Foundation

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
  /// Nothing in it is run or loaded: a picture is in the page itself. A title that the text begins with
  /// is not written twice. Links to notes are `<cite>`, since the page does not know where the
  /// notes are.
  public func html(title: String, picture: EmbeddedPicture? = nil) -> String {
    let title = Text.oneLine(title)
    return """
      <!DOCTYPE html>
      <html>
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" \
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
      <title>\(HTML.escaped(title))</title>
      <style>
      :root { color-scheme: light dark; }
      body { font: 1rem/1.6 system-ui, sans-serif; margin: 0 auto; max-width: 42rem; padding: 2rem 1rem; }
      blockquote { border-inline-start: 0.2rem solid; margin-inline: 0; padding-inline-start: 1rem; }
      pre { overflow-x: auto; }
      img { height: auto; max-width: 100%; }
      </style>
      </head>
      <body>
      <main>
      \(begins(with: title) ? "" : HTML.title(title))\(htmlFragment)\(picture.map(HTML.of) ?? "")</main>
      </body>
      </html>

      """
  }

  private func begins(with title: String) -> Bool {
    guard case .heading(_, let line)? = blocks.first else { return false }
    return Text.oneLine(line.plainText) == title
  }

  /// The text alone, to be put into a page.
  public var htmlFragment: String {
    blocks.map(HTML.of).joined()
  }
}

enum HTML {
  static func title(_ title: String) -> String {
    title.isEmpty ? "" : "<h1>\(escaped(title))</h1>\n"
  }

  static func of(_ picture: RichText.EmbeddedPicture) -> String {
    let source = "data:image/\(picture.kind.rawValue);base64,\(picture.data.base64EncodedString())"
    return "<p><img src=\"\(source)\" alt=\"\(escaped(picture.name))\"></p>\n"
  }

  static func of(_ block: RichText.Block) -> String {
    switch block {
    case .paragraph(let line): "<p>\(of(line))</p>\n"
    case .heading(let level, let line): "<h\(level.rawValue)>\(of(line))</h\(level.rawValue)>\n"
    case .bulletList(let items): "<ul>\n\(items.map { item($0.blocks) }.joined())</ul>\n"
    case .orderedList(let start, let items):
      "<ol\(start == 1 ? "" : " start=\"\(start)\"")>\n\(items.map { item($0.blocks) }.joined())</ol>\n"
    case .taskList(let items): "<ul>\n\(items.map(of).joined())</ul>\n"
    case .blockquote(let blocks): "<blockquote>\n\(blocks.map(of).joined())</blockquote>\n"
    case .codeBlock(let language, let text):
      "<pre><code\(language.map { " class=\"language-\(escaped($0))\"" } ?? "")>\(code(text))</code></pre>\n"
    case .horizontalRule: "<hr>\n"
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

  private static func item(_ blocks: [RichText.Block]) -> String {
    "<li>\(blocks.map(of).joined())</li>\n"
  }

  private static func of(_ item: RichText.TaskItem) -> String {
    let box = "<input type=\"checkbox\" disabled\(item.isDone ? " checked" : "")>"
    guard case .paragraph(let line)? = item.blocks.first else { return self.item(item.blocks) }
    let others = item.blocks.dropFirst().map(of).joined()
    return "<li><p><label>\(box) \(of(line))</label></p>\n\(others)</li>\n"
  }

  private static func of(_ line: [RichText.Inline]) -> String {
    line.map { piece in
      switch piece {
      case .hardBreak: "<br>\n"
      case .text(let text, let marks): of(escaped(text), marks)
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
      case .code: "<code>\(text)</code>"
      case .link(.page(let page)):
        "<a href=\"\(escaped(page.href))\" rel=\"noopener noreferrer\">\(text)</a>"
      case .link(.note(let id)):
        "<cite data-note=\"\(id.uuidString.lowercased())\">\(text)</cite>"
      }
    }
  }
}
