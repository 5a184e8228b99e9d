import CoreData
public import Foundation
import RichText

/// Words that two devices have changed in different ways: those that are in the note, and the others.
public struct OtherWordingContent: Encodable, Sendable, Equatable {
  public let id: String
  public let date: Date
  /// Whether it is about the title; otherwise it is about the text.
  public let title: Bool
  /// The words that are in the note.
  public let kept: String
  public let lost: String

  /// The words of a wording, or `nil` if they cannot be read.
  init?(_ wording: OtherWording) {
    id = wording.uuid.text
    date = wording.date
    title = wording.isOfTitle
    if wording.isOfTitle {
      (kept, lost) = (wording.kept_ ?? "", wording.lost_ ?? "")
    } else if let words = wording.wording {
      (kept, lost) = (words.kept.plainText, words.lost.plainText)
    } else {
      return nil
    }
  }
}

extension Library {
  /// Puts the other wording into the note, in the place of the present one, or behind the text if that is gone.
  ///
  /// The content that the note has now stays among its versions.
  ///
  /// - Throws: A ``LibraryProblem`` if the wording was settled already.
  public func take(wording: UUID, of id: UUID, by author: String?) async throws -> EditedNote {
    let (now, revisions) = (now(), revisions)
    // The title may change with it, which other texts show.
    let texts = try await read { try $0.note(id).namers.map(\.uuid) }
    let (note, undo) = try await act(by: author, texts: [id] + texts) { context in
      let note = try context.note(id)
      try note.settleArrivedTexts()
      let other = try context.wording(wording, of: note)
      try note.keepVersion(at: now, always: true)
      if other.isOfTitle {
        try note.rewrite(title: Given.title(other.lost_ ?? ""), text: nil, at: now)
      } else if let words = other.wording {
        let text = note.formattedBodyText.replacing(words)
        try note.rewrite(title: nil, text: text, at: now)
      }
      try other.settle(at: now)
      try context.save()
      revisions.keep(note)
      return try NoteContent(note, withBacklinks: false)
    }
    return EditedNote(note: try await completed(note), undo: undo)
  }

  /// Leaves the note as it is, and shows the other wording no more.
  ///
  /// - Throws: A ``LibraryProblem`` if the wording was settled already.
  public func dismiss(wording: UUID, of id: UUID, by author: String?) async throws -> EditedNote {
    let now = now()
    let (note, undo) = try await act(by: author) { context in
      let note = try context.note(id)
      try context.wording(wording, of: note).settle(at: now)
      try context.save()
      return try NoteContent(note, withBacklinks: false)
    }
    return EditedNote(note: try await completed(note), undo: undo)
  }

  /// Deletes the wordings that were settled a month ago, and those of notes that are gone.
  func purgeWordings() async throws {
    let limit = now() - Self.settledLength
    try await write(by: nil) { context in
      let request = NSFetchRequest<OtherWording>(entityName: "OtherWording")
      for wording in try context.fetch(request) {
        let isOld = wording.settledDate_.map { $0 < limit } ?? false
        let note = NSPredicate(
          format: "%K == %@",
          NoteProperties.uuid,
          (wording.noteID_ ?? .none) as any CVarArg
        )
        if try isOld || context.count(for: Note.fetch(note)) == 0 { context.delete(wording) }
      }
    }
  }

  private static let settledLength: TimeInterval = 30 * 86_400
}

extension NSManagedObjectContext {
  fileprivate func wording(_ id: UUID, of note: Note) throws -> OtherWording {
    guard let wording = try OtherWording.open(of: note).first(where: { $0.uuid == id })
    else { throw LibraryProblem.missing("This wording was settled already.") }
    return wording
  }
}
