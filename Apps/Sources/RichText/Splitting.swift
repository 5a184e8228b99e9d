public import Foundation

extension RichText {
  /// The text in parts: sections that begin with a heading of one level, and the blocks between them.
  ///
  /// ```
  /// Before                      Before
  /// ## Slots                    • Slots        a list of links in the place of neighbouring sections
  /// Places of values.    →      • Faults
  /// ## Faults
  /// Promises.
  /// ```
  ///
  /// A section ends at the next heading of its level, or of a higher one. Headings in quotes, lists and callouts begin
  /// none. Footnotes go along with their marks.
  public struct Sections: Sendable {
    public let all: [Section]
    fileprivate let parts: [Part]
    fileprivate let source: RichText
  }

  /// A heading with what is below it.
  public struct Section: Sendable {
    /// The words of the heading on one line; may be empty.
    public let title: String

    /// The text, which has the heading again if that is more than plain words.
    public let text: RichText

    /// The heading and the blocks below it.
    fileprivate let blocks: [Block]
  }

  fileprivate enum Part {
    case block(Block)
    case section(Int)
  }

  /// The sections below headings of a level; without any if the text does not have such headings.
  public func sections(at level: HeadingLevel) -> Sections {
    var parts: [Part] = []
    var sections: [[Block]] = []
    var isInSection = false
    for block in blocks where !block.isFootnote {
      if case .heading(let found, _) = block, found.rawValue <= level.rawValue {
        isInSection = found == level
        if isInSection {
          parts.append(.section(sections.count))
          sections.append([])
        }
      }
      if isInSection {
        sections[sections.count - 1].append(block)
      } else {
        parts.append(.block(block))
      }
    }
    return Sections(all: sections.map(section), parts: parts, source: self)
  }

  private func section(_ blocks: [Block]) -> Section {
    guard case .heading(_, let line)? = blocks.first else {
      return Section(title: "", text: RichText(blocks), blocks: blocks)
    }
    let title = Text.oneLine(BlockSign.parted(line).line.plainText)
    // A sign, a link or a footnote of the heading would be lost.
    let isTitle = line.allSatisfy { $0 == .text(title) } && title.utf8.count <= Self.longestTitle
    let text = isTitle ? Array(blocks.dropFirst()) : blocks
    return Section(
      title: String(title.prefix(Self.longestTitle / 4)),
      text: RichText(text + footnotes(of: blocks)),
      blocks: blocks
    )
  }

  /// The footnotes to which marks in some blocks lead, and those to which these lead.
  func footnotes(of blocks: [Block]) -> [Block] {
    var known: [String: [Block]] = [:]
    for block in self.blocks {
      if let label = block.footnoteLabel { known[label, default: []].append(block) }
    }
    if known.isEmpty { return [] }
    var labels: Set<String> = []
    var waiting = blocks
    while let block = waiting.popLast() {
      for label in block.footnoteMarks where labels.insert(label).inserted {
        waiting += known[label] ?? []
      }
    }
    return self.blocks.filter { $0.footnoteLabel.map(labels.contains) ?? false }
  }

  /// In bytes; a note takes no longer title.
  private static let longestTitle = 2_000
}

extension RichText.Sections {
  /// The text that is left, with a link to a note in the place of each section.
  public func rest(linkingTo notes: [UUID]) -> RichText {
    var blocks: [RichText.Block] = []
    var items: [RichText.ListItem] = []
    func endList() {
      if !items.isEmpty { blocks.append(.bulletList(items)) }
      items = []
    }
    for part in parts {
      switch part {
      case .block(let block):
        endList()
        blocks.append(block)
      case .section(let index):
        let title = all[index].title.isEmpty ? "Untitled" : all[index].title
        items.append(.init([.paragraph([.text(title, [.link(.note(notes[index]))])])]))
      }
    }
    endList()
    let gone = Set(source.footnotes(of: all.flatMap(\.blocks)).compactMap(\.footnoteLabel))
    let kept = Set(source.footnotes(of: blocks).compactMap(\.footnoteLabel))
    let footnotes = source.blocks.filter { block in
      block.footnoteLabel.map { kept.contains($0) || !gone.contains($0) } ?? false
    }
    return RichText(blocks + footnotes)
  }

  /// The section that a link to a part of the text leads to, and whether it leads to its beginning.
  public func section(of place: String) -> (index: Int, isBeginning: Bool)? {
    let index = all.firstIndex { RichText($0.blocks).part(place) != nil }
    return index.map { index in
      (index, place.first != "^" && Text.letters(place) == Text.letters(all[index].title))
    }
  }
}

extension RichText.Block {
  /// The label of a footnote; `nil` for other blocks.
  var footnoteLabel: String? {
    if case .footnote(let label, _) = self { label } else { nil }
  }

  var isFootnote: Bool { footnoteLabel != nil }
}
