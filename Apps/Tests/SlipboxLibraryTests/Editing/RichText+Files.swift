import Foundation
import RichText

extension RichText {
  /// The text with other files in the place of its own: with those that `other` names.
  func replacingFiles(_ other: (UUID) -> UUID?) -> RichText {
    RichText(blocks.map { $0.replacingFiles(other) })
  }
}

extension RichText.Block {
  fileprivate func replacingFiles(_ other: (UUID) -> UUID?) -> RichText.Block {
    func replaced(_ blocks: [RichText.Block]) -> [RichText.Block] {
      blocks.map { $0.replacingFiles(other) }
    }
    switch self {
    case .paragraph, .heading, .codeBlock, .horizontalRule, .table: return self
    case .picture(var picture):
      picture.file = other(picture.file) ?? picture.file
      return .picture(picture)
    case .file(var file):
      file.file = other(file.file) ?? file.file
      return .file(file)
    case .blockquote(let blocks): return .blockquote(replaced(blocks))
    case .footnote(let label, let blocks): return .footnote(label: label, replaced(blocks))
    case .callout(var callout):
      callout.blocks = replaced(callout.blocks)
      return .callout(callout)
    case .bulletList(let items): return .bulletList(items.map { .init(replaced($0.blocks)) })
    case .orderedList(let start, let items):
      return .orderedList(start: start, items.map { .init(replaced($0.blocks)) })
    case .taskList(let items):
      return .taskList(items.map { .init(isDone: $0.isDone, replaced($0.blocks)) })
    }
  }
}
