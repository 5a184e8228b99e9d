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
    /// The texts of pages that do not show yet the words of others; see `keepSent(_:of:)`.
    var sent: [UUID: Content] = [:]
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

  /// Whether a note says something else by now than it said in its revision: a text of another device has come, and
  /// was not counted yet.
  func isOutdated(_ note: Note) -> Bool {
    guard let content = content(of: note.uuid, in: note.revision) else { return false }
    return content != Content(title: note.title, document: note.document_ ?? "")
  }

  /// A note put together with an edit that began from an earlier revision; `nil` if that revision is not known.
  ///
  /// If the slip box is synchronized, that is done word by word, as texts of other devices come in. Otherwise two changes
  /// of one block are a conflict, and give `nil`.
  func merged(_ note: Note, _ edit: SentEdit) -> MergedEdit? {
    guard let base = begun(by: edit, of: note.uuid) else { return nil }
    let (title, lost) = title(note, edit.title, base)
    if lost != nil, !note.isSynchronized { return nil }
    let text = note.formattedBodyText
    guard let sent = edit.text else {
      return MergedEdit(title: title, lostTitle: lost, joined: JoinedText(text: text, wordings: []))
    }
    // An empty document is a note that was made without a text.
    guard let before = base.document.isEmpty ? RichText() : try? RichText(json: base.document)
    else { return nil }
    if note.isSynchronized {
      let joined = text.joined(with: sent, since: before)
      return MergedEdit(title: title, lostTitle: lost, joined: joined)
    }
    guard let merged = text.merged(with: sent, since: before) else { return nil }
    return MergedEdit(title: title, lostTitle: nil, joined: JoinedText(text: merged, wordings: []))
  }

  /// The title of the side that has changed it, and the one that was sent if both have.
  private func title(_ note: Note, _ sent: String?, _ base: Content) -> (String, lost: String?) {
    guard let sent, sent != base.title, sent != note.title else { return (note.title, nil) }
    return note.title == base.title ? (sent, nil) : (note.title, sent)
  }
}

/// An edit of a text or title, as it was sent.
struct SentEdit {
  let base: Int64
  let title: String?
  let text: RichText?
  /// The identifier that its page has given it, if any.
  let mark: UUID?
  /// The mark of the edit that it goes on from, if that was put together with words that its page does not show yet.
  let since: UUID?
}

/// A note's content with an edit that began from an earlier one.
struct MergedEdit {
  let title: String
  /// The title that was sent, if the other side has changed the title as well.
  let lostTitle: String?
  let joined: JoinedText
}

// MARK: - What a page has sent

extension RevisionShelf {
  /// Keeps what a page has sent, where others have written besides: until it shows their words, its next edit goes on
  /// from there, and begins from the old revision still.
  func keepSent(_ edit: SentEdit, of note: UUID) {
    guard let mark = edit.mark, let base = begun(by: edit, of: note) else { return }
    let content = Content(
      title: edit.title ?? base.title,
      document: edit.text?.json ?? base.document
    )
    contents.withLock { contents in
      if contents.sent.count >= Self.mostSent { contents.sent = [:] }
      contents.sent[mark] = content
    }
  }

  /// The content that an edit began from.
  private func begun(by edit: SentEdit, of note: UUID) -> Content? {
    edit.since.flatMap { since in contents.withLock { $0.sent[since] } }
      ?? content(of: note, in: edit.base)
  }

  /// More pages do not write beside others at once.
  private static let mostSent = 50
}
