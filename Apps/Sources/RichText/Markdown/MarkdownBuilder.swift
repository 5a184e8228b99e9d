import Foundation

/// Makes blocks of drafts: reads their lines, and puts items together to lists.
struct MarkdownBuilder {
  let links: [String: RichText.Link]
  let noteNamed: (String) -> UUID?

  func blocks(_ drafts: [MarkdownDraft]) -> [RichText.Block] {
    var blocks: [RichText.Block] = []
    var items: [Item] = []
    for draft in drafts {
      if case .item(let marker, let drafts) = draft {
        let item = item(marker, drafts)
        if let last = items.last, !last.goes(with: item) { endList(&items, &blocks) }
        items.append(item)
      } else {
        endList(&items, &blocks)
        blocks.append(block(draft))
      }
    }
    endList(&items, &blocks)
    return blocks
  }

  private func block(_ draft: MarkdownDraft) -> RichText.Block {
    switch draft {
    case .paragraph(let words): .paragraph(line(words))
    case .heading(let level, let words):
      .heading(RichText.HeadingLevel(rawValue: min(level, 3)) ?? .three, line(words))
    case .code(let language, let text): .codeBlock(language: language, text)
    case .rule: .horizontalRule
    case .quote(let drafts): .blockquote(blocks(drafts))
    case .item(let marker, let drafts): .bulletList([.init(item(marker, drafts).blocks)])
    }
  }

  private func line(_ words: ArraySlice<UInt8>) -> [RichText.Inline] {
    var parser = MarkdownInlines(words, links: links, noteNamed: noteNamed)
    return parser.read()
  }
}

// MARK: - Lists

extension MarkdownBuilder {
  private struct Item {
    let marker: MarkdownMarker
    let isDone: Bool?
    let blocks: [RichText.Block]

    func goes(with other: Item) -> Bool {
      marker.goes(with: other.marker) && (isDone == nil) == (other.isDone == nil)
    }
  }

  /// An item; `[x]` at its beginning makes it a task.
  private func item(_ marker: MarkdownMarker, _ drafts: [MarkdownDraft]) -> Item {
    guard marker.number == nil, case .paragraph(let words)? = drafts.first,
      let isDone = Self.box(words)
    else { return Item(marker: marker, isDone: nil, blocks: blocks(drafts)) }
    let first = MarkdownDraft.paragraph(words.dropFirst(4))
    return Item(marker: marker, isDone: isDone, blocks: blocks([first] + drafts.dropFirst()))
  }

  private static func box(_ words: ArraySlice<UInt8>) -> Bool? {
    let box = String(decoding: words.prefix(3), as: UTF8.self)
    guard ["[ ]", "[x]", "[X]"].contains(box) else { return nil }
    let next = words.dropFirst(3).first
    guard next == nil || next == 0x20 || next == 0x09 || next == 0x0A else { return nil }
    return box != "[ ]"
  }

  private func endList(_ items: inout [Item], _ blocks: inout [RichText.Block]) {
    guard let first = items.first else { return }
    if first.isDone != nil {
      blocks.append(.taskList(items.map { .init(isDone: $0.isDone ?? false, $0.blocks) }))
    } else if let start = first.marker.number {
      blocks.append(.orderedList(start: start, items.map { .init($0.blocks) }))
    } else {
      blocks.append(.bulletList(items.map { .init($0.blocks) }))
    }
    items = []
  }
}
