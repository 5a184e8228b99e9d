public import Foundation

extension RichText {
  /// The text of a note with the contents of the notes that it shows, each in a quote below its title.
  ///
  /// ```
  /// ![[Slots]]      →      > Slots
  ///                        > A slot is a place of a value.
  /// ```
  ///
  /// At most ``mostEmbeds`` are shown, three inside of each other, with so many bytes as four notes may have; others stay
  /// links, and so does a note inside of itself.
  ///
  /// - Parameters:
  ///   - id: The note of this text.
  ///   - source: Gives the text of a note; `nil` if the note is not there.
  /// - Returns: The text, which is not meant to be stored: it may have more than a note can have.
  /// - Throws: An error of `source`.
  public func showingEmbeds(
    of id: UUID,
    _ source: (UUID) throws -> RichText?
  ) throws -> RichText {
    if embeds.isEmpty { return self }
    return try withoutActuallyEscaping(source) { source in
      var embedding = Embedding(source: source)
      return RichText(try embedding.shown(blocks, inside: [.note(id)]))
    }
  }

  /// So many embeds of one text are shown.
  public static let mostEmbeds = 50
}

/// Puts the contents of notes in the places of their embeds.
private struct Embedding {
  let source: (UUID) throws -> RichText?
  private var count = 0
  private var byteCount = 0

  init(source: @escaping (UUID) throws -> RichText?) {
    self.source = source
  }

  private static let mostInside = 3

  /// The blocks inside of some notes and parts, of which none is shown again.
  mutating func shown(
    _ blocks: [RichText.Block],
    inside: [RichText.Link]
  ) throws -> [RichText.Block] {
    try blocks.map { block in
      switch block {
      case .paragraph(let line): try shown(line, inside: inside) ?? block
      case .blockquote(let blocks): .blockquote(try shown(blocks, inside: inside))
      case .footnote(let label, let blocks):
        .footnote(label: label, try shown(blocks, inside: inside))
      case .callout(let callout):
        .callout(
          .init(
            kind: callout.kind,
            fold: callout.fold,
            title: callout.title,
            try shown(callout.blocks, inside: inside)
          )
        )
      case .bulletList(let items):
        .bulletList(try items.map { .init(try shown($0.blocks, inside: inside)) })
      case .orderedList(let start, let items):
        .orderedList(start: start, try items.map { .init(try shown($0.blocks, inside: inside)) })
      case .taskList(let items):
        .taskList(try items.map { .init(isDone: $0.isDone, try shown($0.blocks, inside: inside)) })
      case .heading, .codeBlock, .horizontalRule, .table, .picture, .file: block
      }
    }
  }

  /// The quote in the place of a line; `nil` for a line that stays.
  private mutating func shown(
    _ line: [RichText.Inline],
    inside: [RichText.Link]
  ) throws -> RichText.Block? {
    guard let link = line.embed, let id = link.note else { return nil }
    let title = RichText.Block.paragraph(BlockSign.parted(line).line.filter { $0.link == link })
    guard !inside.contains(link), inside.count <= Self.mostInside, count < RichText.mostEmbeds,
      byteCount < 4 * RichText.maximumSize
    else { return title }
    count += 1
    guard let note = try source(id) else {
      return .blockquote([title, sentence("This note is not there.")])
    }
    let isWhole = link.heading == nil
    guard let part = isWhole ? note : note.part(link.heading ?? "") else {
      return .blockquote([title, sentence("This part of the note is not there.")])
    }
    byteCount += part.size
    let text = part.withoutRemarks.withFootnotes(ofEmbed: count).mapLines {
      BlockSign.parted($0).line
    }
    return .blockquote([title] + (try shown(text.blocks, inside: inside + [link])))
  }

  private func sentence(_ words: String) -> RichText.Block { .paragraph([.text(words, [.italic])]) }
}

extension RichText {
  /// The text with labels of footnotes that differ from those of all other texts.
  fileprivate func withFootnotes(ofEmbed number: Int) -> RichText {
    guard blocks.contains(where: { !$0.footnoteMarks.isEmpty }) else { return self }
    func label(_ old: String) -> String { Footnotes.tidy("embed-\(number)-\(old)") }
    func renamed(_ block: Block) -> Block {
      let renamed = block.mapLines { line in
        line.map { piece in
          guard case .footnoteMark(let old) = piece else { return piece }
          return .footnoteMark(label(old))
        }
      }
      guard case .footnote(let old, let inside) = renamed else { return renamed }
      return .footnote(label: label(old), inside)
    }
    return RichText(blocks.map(renamed))
  }
}
