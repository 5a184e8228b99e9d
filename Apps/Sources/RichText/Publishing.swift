import Foundation

extension RichText {
  /// The text as everybody may read it who has a link to its note.
  ///
  /// ```
  /// See [[Slots]]. %%Ask Anna.%%    →    See Slots.
  /// ![[Diary]]                      →                     nothing, in a paragraph of its own
  /// [a book](zotero://select/1)     →    a book
  /// [a page](https://example.org)   →    a page, as a link
  /// ```
  ///
  /// Remarks, notes that it shows in their places, and addresses of notes and of files and programs on the machine of the
  /// writer are left out, and so is a footnote whose mark is not left.
  public var forEverybody: RichText {
    // Links to notes that are not there yet become links first, so that they are treated as all others.
    let linked = withoutRemarks.resolvingLinks { _ in Self.anyNote } ?? withoutRemarks
    return RichText(linked.blocks.compactMap(\.withoutEmbeds))
      .mapLines { $0.map(\.forEverybody) }.withoutLooseFootnotes
  }

  /// The text without footnotes to which no mark leads, neither in the text nor in a footnote that it has.
  private var withoutLooseFootnotes: RichText {
    var footnotes: [String: Block] = [:]
    for block in blocks { if case .footnote(let label, _) = block { footnotes[label] = block } }
    var waiting = blocks.filter { if case .footnote = $0 { false } else { true } }
      .flatMap(\.footnoteMarks)
    var marked: Set<String> = []
    while let label = waiting.popLast() {
      guard marked.insert(label).inserted else { continue }
      waiting += footnotes[label]?.footnoteMarks ?? []
    }
    return RichText(
      blocks.filter { block in
        if case .footnote(let label, _) = block { marked.contains(label) } else { true }
      }
    )
  }

  /// The text as a page for everybody who has a link to its note.
  ///
  /// - Parameters:
  ///   - title: The title of the note.
  ///   - picture: The picture below the text.
  ///   - files: The addresses of the pictures and files, which the server of the page has.
  ///   - language: The language of the text, `de-AT`.
  /// - Returns: The page, of a text that was made with ``forEverybody``.
  public func publishedPage(
    title: String,
    picture: PageFiles.Picture?,
    files: PageFiles,
    language: String?
  ) -> String {
    let name = Text.oneLine(title)
    let writer = HTML(files: files, numbers: footnoteNumbers)
    let content =
      (begins(with: name) ? "" : HTML.title(name)) + writer.text(blocks)
      + (picture.map(HTML.of) ?? "")
    // Tabs and bookmarks need a name.
    let words = name.isEmpty ? String(Text.oneLine(plainText).prefix(60)) : name
    return HTML.page(
      title: words.isEmpty ? "Note" : words,
      content,
      sources: "'self'",
      language: language
    )
  }

  /// It leads nowhere, and no page shows it.
  private static let anyNote = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}

extension RichText.Block {
  /// The block without the notes that it shows in their places; `nil` if it is one of them.
  fileprivate var withoutEmbeds: RichText.Block? {
    if case .paragraph(let line) = self, line.embed != nil { return nil }
    return mapInside { $0.compactMap(\.withoutEmbeds) }
  }
}

extension RichText.Inline {
  fileprivate var forEverybody: RichText.Inline {
    guard case .text(let text, var marks) = self, let link = marks.link else { return self }
    if case .page = link, link.isFollowed { return self }
    marks.link = nil
    return .text(text, marks)
  }
}
