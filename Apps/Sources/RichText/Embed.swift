extension RichText {
  /// The notes, or parts of notes, that this text shows in their places, in the order of the text.
  ///
  /// ```
  /// ![[Slots]]              a paragraph of its own: the whole note
  /// ![[Slots#Firing]]       the section below a heading
  /// ![[Slots#^a1b2]]        the paragraph or item with that sign
  /// So ![[Slots]] it is     a link
  /// ```
  ///
  /// An embed is words of the text: an exclamation mark right before a link to a note. So it waits for its note, follows
  /// a new title and counts as a link as every link does.
  public var embeds: [Link] { blocks.flatMap(\.embeds) }

  /// The text with links in the places of its embeds, as lists show it.
  public var withEmbedsAsLinks: RichText { mapLines(\.withEmbedAsLink) }

  /// The section of a heading, or the paragraph or item of a sign; `nil` if it is missing.
  ///
  /// Footnotes of the part are behind it.
  public func part(_ place: String) -> RichText? {
    let others = blocks.filter { if case .footnote = $0 { false } else { true } }
    let part =
      place.first == "^"
      ? Self.marked(place, in: others) : Self.section(Text.letters(place), in: others)
    guard let part else { return nil }
    let marks = Set(part.flatMap(\.footnoteMarks))
    return RichText(
      part
        + blocks.filter { block in
          if case .footnote(let label, _) = block { marks.contains(label) } else { false }
        }
    )
  }

  /// The blocks from a heading to the next one of its level, or of a higher one.
  private static func section(_ letters: String, in blocks: [Block]) -> [Block]? {
    for (index, block) in blocks.enumerated() {
      if case .heading(let level, let line) = block, Text.letters(line.plainText) == letters {
        let rest = blocks[(index + 1)...].prefix { block in
          if case .heading(let next, _) = block { next.rawValue > level.rawValue } else { true }
        }
        return [block] + rest
      }
      for inside in block.parts {
        if let found = section(letters, in: inside) { return found }
      }
    }
    return nil
  }

  /// The block that ends with a sign, or the one above a sign that is alone.
  private static func marked(_ sign: String, in blocks: [Block]) -> [Block]? {
    for (index, block) in blocks.enumerated() {
      if let rest = block.line.flatMap({ $0.rest(before: sign) }) {
        return [rest.isEmpty && index > 0 ? blocks[index - 1] : block]
      }
      if let item = block.item(marked: sign) { return [item] }
      for inside in block.parts {
        if let found = marked(sign, in: inside) { return found }
      }
    }
    return nil
  }
}

extension [RichText.Inline] {
  /// The link of a line that consists of an embed, and perhaps a sign of its own.
  var embed: RichText.Link? {
    let line = BlockSign.parted(self).line.withoutBlankEdges
    guard line.count > 1, line[0].plainWords == "!", let link = line[1].link, link.note != nil,
      line.dropFirst().allSatisfy({ $0.link == link })
    else { return nil }
    return link
  }

  /// The line without the exclamation mark of an embed.
  var withEmbedAsLink: [RichText.Inline] {
    embed == nil ? self : Array(withoutBlankEdges.dropFirst())
  }

  /// The line before a sign at its end; `nil` if it does not end with that sign.
  fileprivate func rest(before wanted: String) -> [RichText.Inline]? {
    let (line, sign) = BlockSign.parted(self)
    return sign?.lowercased() == wanted.lowercased() ? line : nil
  }
}

extension RichText.Block {
  fileprivate var embeds: [RichText.Link] {
    if case .paragraph(let line) = self {
      line.embed.map { [$0] } ?? []
    } else {
      inside.flatMap(\.embeds)
    }
  }

  fileprivate var line: [RichText.Inline]? {
    switch self {
    case .paragraph(let line), .heading(_, let line): line
    case .bulletList, .orderedList, .taskList, .blockquote, .codeBlock, .horizontalRule, .table,
      .picture, .file,
      .callout, .footnote:
      nil
    }
  }

  /// The blocks right inside of this one, those of each item for themselves.
  fileprivate var parts: [[RichText.Block]] {
    switch self {
    case .bulletList(let items), .orderedList(_, let items): items.map(\.blocks)
    case .taskList(let items): items.map(\.blocks)
    case .paragraph, .heading, .blockquote, .codeBlock, .horizontalRule, .table, .picture, .file,
      .callout,
      .footnote:
      inside.isEmpty ? [] : [inside]
    }
  }

  /// A list of the one item whose first paragraph ends with a sign.
  fileprivate func item(marked sign: String) -> RichText.Block? {
    func isMarked(_ blocks: [RichText.Block]) -> Bool {
      blocks.first?.line?.rest(before: sign) != nil
    }
    switch self {
    case .bulletList(let items):
      return items.first { isMarked($0.blocks) }.map { .bulletList([$0]) }
    case .orderedList(let start, let items):
      return items.firstIndex { isMarked($0.blocks) }.map {
        .orderedList(start: start + $0, [items[$0]])
      }
    case .taskList(let items):
      return items.first { isMarked($0.blocks) }.map { .taskList([$0]) }
    case .paragraph, .heading, .blockquote, .codeBlock, .horizontalRule, .table, .picture, .file,
      .callout,
      .footnote:
      return nil
    }
  }
}
