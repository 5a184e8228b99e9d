import RichText

/// The lists of pages of Notion, in which each item is a list of its own.
///
/// ```
/// <ul><li>one</li></ul><ul><li>two</li></ul>   →   - one
///                                                  - two
/// ```
enum NotionLists {
  /// Returns blocks in which lists that follow each other are one.
  static func joined(_ blocks: [RichText.Block]) -> [RichText.Block] {
    var joined: [RichText.Block] = []
    var rest = blocks.map(inside)[...]
    // Each list is put together before it is added: one that is there already would be copied with each item.
    while let first = rest.popFirst() {
      switch first {
      case .bulletList(var items):
        while case .bulletList(let more)? = rest.first {
          items += more
          rest.removeFirst()
        }
        joined.append(.bulletList(items))
      case .taskList(var items):
        while case .taskList(let more)? = rest.first {
          items += more
          rest.removeFirst()
        }
        joined.append(.taskList(items))
      case .orderedList(let start, var items):
        while case .orderedList(start + items.count, let more)? = rest.first {
          items += more
          rest.removeFirst()
        }
        joined.append(.orderedList(start: start, items))
      case .paragraph, .heading, .codeBlock, .horizontalRule, .table, .picture, .file, .callout,
        .footnote, .blockquote:
        joined.append(first)
      }
    }
    return joined
  }

  /// The block with joined lists in its items.
  private static func inside(_ block: RichText.Block) -> RichText.Block {
    switch block {
    case .bulletList(let items): .bulletList(items.map { .init(joined($0.blocks)) })
    case .orderedList(let start, let items):
      .orderedList(start: start, items.map { .init(joined($0.blocks)) })
    case .taskList(let items):
      .taskList(items.map { .init(isDone: $0.isDone, joined($0.blocks)) })
    case .blockquote(let blocks): .blockquote(joined(blocks))
    case .paragraph, .heading, .codeBlock, .horizontalRule, .table, .picture, .file, .callout,
      .footnote:
      block
    }
  }
}
