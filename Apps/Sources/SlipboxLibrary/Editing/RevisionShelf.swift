import Foundation
import RichText
import Synchronization

/// The contents of notes in the revisions that were seen last, so that an edit that began from one of them can be
/// merged with the note's present content.
///
/// ```
/// 7   is read by two people
/// 8   one of them saves
/// 7   the other saves: the changes of both since 7 are known, because 7 is on the shelf
/// ```
///
/// The shelf is in memory only, and the oldest goes first if there is too much. An edit from a
/// revision that is not on it is kept beside the newer text.
final class RevisionShelf: Sendable {
  /// A title and a text, as they are stored.
  struct Content: Sendable, Equatable {
    let title: String
    let document: String
  }

  private struct Key: Hashable {
    let note: UUID
    let revision: Int64
  }

  private enum Kept {
    case content(Content)
    /// The revision was seen with two contents, as it should never be: words could be lost by a merge from it.
    case uncertain
  }

  private struct Contents {
    var kept: [Key: Kept] = [:]
    /// The oldest first, with its size.
    var order: [(key: Key, byteCount: Int)] = []
    var byteCount = 0
    /// Of each note that is written, what it said when it said most; see `lost(by:of:)`.
    var fullest: [UUID: Content] = [:]
  }

  private let contents = Mutex(Contents())
  private let capacity: Int

  init(capacity: Int = 16 << 20) {
    self.capacity = capacity
  }

  /// A note's content in a revision, if that is known for certain.
  func content(of note: UUID, in revision: Int64) -> Content? {
    contents.withLock { contents in
      if case .content(let content) = contents.kept[Key(note: note, revision: revision)] {
        content
      } else {
        nil
      }
    }
  }

  func keep(_ content: Content, of note: UUID, in revision: Int64) {
    let key = Key(note: note, revision: revision)
    contents.withLock { contents in
      if content.document.utf8.count >= contents.fullest[note]?.document.utf8.count ?? 0 {
        if contents.fullest.count >= Self.mostWritten { contents.fullest = [:] }
        contents.fullest[note] = content
      }
      switch contents.kept[key] {
      case .content(let known): if known != content { contents.kept[key] = .uncertain }
      case .uncertain: break
      case nil:
        contents.kept[key] = .content(content)
        let byteCount = content.title.utf8.count + content.document.utf8.count + Self.overhead
        contents.order.append((key, byteCount))
        contents.byteCount += byteCount
        if contents.byteCount > capacity { Self.shrink(&contents, to: capacity * 3 / 4) }
      }
    }
  }

  /// Lets go of a quarter at once, so that it is seldom done.
  private static func shrink(_ contents: inout Contents, to capacity: Int) {
    var count = 0
    while contents.byteCount > capacity, count < contents.order.count {
      contents.kept[contents.order[count].key] = nil
      contents.byteCount -= contents.order[count].byteCount
      count += 1
    }
    contents.order.removeFirst(count)
  }

  /// More notes nobody writes at once.
  private static let mostWritten = 100

  /// About what an entry needs beside its texts.
  private static let overhead = 200
}

// MARK: - Notes

extension RevisionShelf {
  /// A note's content before it was taken away little by little, if the new text leaves little of it.
  ///
  /// No single step takes much, so none of them makes a version. The returned content is forgotten here.
  func lost(by text: StoredText, of note: Note) -> Content? {
    let id = note.uuid
    let fullest = contents.withLock { $0.fullest[id] }
    // A document that cannot be read says nothing that could be lost.
    guard let fullest, text.document.utf8.count < fullest.document.utf8.count / 2,
      let old = try? RichText(json: fullest.document), text.text.takesMuch(of: old)
    else { return nil }
    contents.withLock { $0.fullest[id] = nil }
    return fullest
  }

  /// Keeps a note's present content.
  ///
  /// The text of another app is not a revision yet.
  func keep(_ note: Note) {
    guard !note.hasForeignText else { return }
    let content = Content(title: note.title, document: note.document_ ?? "")
    keep(content, of: note.uuid, in: note.revision)
  }

  /// A note merged with an edit that began from an earlier revision; `nil` if that revision is not known, or if both
  /// have changed the same block, or the title.
  func merged(
    _ note: Note,
    _ edit: (base: Int64, title: String?, text: RichText?)
  ) -> (title: String, text: RichText)? {
    guard let base = content(of: note.uuid, in: edit.base),
      let title = title(note, edit.title, base)
    else { return nil }
    let text = note.formattedBodyText
    guard let sent = edit.text else { return (title, text) }
    // An empty document is a note that was made without a text.
    guard let before = base.document.isEmpty ? RichText() : try? RichText(json: base.document),
      let merged = text.merged(with: sent, since: before)
    else { return nil }
    return (title, merged)
  }

  /// The title of the side that has changed it.
  private func title(_ note: Note, _ sent: String?, _ base: Content) -> String? {
    guard let sent, sent != base.title, sent != note.title else { return note.title }
    return note.title == base.title ? sent : nil
  }
}
