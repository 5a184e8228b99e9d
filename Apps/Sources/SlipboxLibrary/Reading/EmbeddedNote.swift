import CoreData
public import Foundation
import RichText

/// A note with what a page needs to show it inside of another.
public struct EmbeddedNote: Encodable, Sendable {
  public let id: String
  public let title: String
  @OrNull public var trashed: Date?
  public let document: JSONValue
  /// The pictures and other files of the text.
  public let files: [FileFacts]
  public let revision: Int64
}

/// Some notes to be shown inside of another.
public struct EmbeddedNotes: Encodable, Sendable {
  public let notes: [EmbeddedNote]
  /// The notes, of those that were looked for, that are gone.
  public let missing: [String]
}

extension Library {
  /// The texts of notes that another note shows.
  ///
  /// The answer has the first notes, with at most a megabyte of texts but for the last one. A page that needs the others
  /// asks again.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` for more than 50 notes.
  public func embeddedNotes(_ ids: [UUID]) async throws -> EmbeddedNotes {
    guard ids.count <= RichText.mostEmbeds else {
      throw LibraryProblem.refused(
        "At most \(RichText.mostEmbeds) notes can be asked for at once, not \(ids.count)."
      )
    }
    return try await read { context in
      var notes: [EmbeddedNote] = []
      var missing: [String] = []
      var byteCount = 0
      // One after the other: all of them at once may be hundreds of megabytes.
      for id in ids where byteCount < 1 << 20 {
        guard let note = try Note.find(id, in: context) else {
          missing.append(id.text)
          continue
        }
        byteCount += note.document_?.utf8.count ?? 0
        notes.append(EmbeddedNote(note))
      }
      return EmbeddedNotes(notes: notes, missing: missing)
    }
  }
}

extension EmbeddedNote {
  fileprivate init(_ note: Note) {
    id = note.uuid.text
    title = note.title
    trashed = note.trashedDate_
    let text = note.formattedBodyText
    document = JSONValue(text: text.json)
    files = FileFacts.named(in: text, of: note)
    revision = note.revision
  }
}

extension Note {
  /// The text with the contents of the notes that it shows, as they are now.
  func textWithEmbeds(in context: NSManagedObjectContext) throws -> RichText {
    try formattedBodyText.showingEmbeds(of: uuid) { id in
      guard let note = try Note.find(id, in: context), !note.isTrashed else { return nil }
      return note.formattedBodyText
    }
  }
}
