import CoreData
public import Foundation
import RichText

/// An earlier version of a note, as a list shows it.
public struct VersionRow: Encodable, Sendable, Equatable {
  public let id: String
  public let date: Date
  public let title: String
  public let excerpt: String
}

/// A note's content at an earlier time.
public struct VersionContent: Encodable, Sendable {
  public let id: String
  public let date: Date
  public let title: String
  public let document: JSONValue
}

extension Library {
  /// The earlier versions of a note, the latest first.
  public func versions(of id: UUID) async throws -> [VersionRow] {
    try await read { context in
      try context.fetch(NoteVersion.fetch(of: context.note(id))).map { version in
        VersionRow(
          id: version.uuid.text,
          date: version.date,
          title: version.title,
          excerpt: Excerpt.of(version)
        )
      }
    }
  }

  public func version(_ version: UUID, of id: UUID) async throws -> VersionContent {
    try await read { context in
      let version = try context.version(version, of: context.note(id))
      return VersionContent(
        id: version.uuid.text,
        date: version.date,
        title: version.title,
        document: JSONValue(text: version.text.json)
      )
    }
  }

  /// Gives a note the content of a version; its present content becomes a version.
  public func restore(
    version: UUID,
    of id: UUID,
    by author: String?
  ) async throws -> EditedNote {
    let (now, revisions) = (now(), revisions)
    // The title may change with it, which other texts show.
    let texts = try await read { try $0.note(id).namers.map(\.uuid) }
    let (note, undo) = try await act(by: author, texts: [id] + texts) { context in
      let note = try context.note(id)
      let version = try context.version(version, of: note)
      let (title, text) = (version.title, version.text)
      try note.keepVersion(at: now, always: true)
      try note.rewrite(title: title, text: text, at: now)
      try context.save()
      revisions.keep(note)
      return try NoteContent(note, withBacklinks: false)
    }
    return EditedNote(note: try await completed(note), undo: undo)
  }
}

extension NoteVersion {
  // A version that cannot be read is shown as nothing, and stays as it is.
  var text: RichText { document_.flatMap { try? RichText(json: $0) } ?? RichText() }
}

extension NSManagedObjectContext {
  fileprivate func version(_ id: UUID, of note: Note) throws -> NoteVersion {
    let request = NoteVersion.fetch(of: note)
    request.predicate = NSPredicate(
      format: "note == %@ AND uuid_ == %@",
      note,
      id as any CVarArg
    )
    guard let version = try fetch(request).first else {
      throw LibraryProblem.missing("“\(note.title)” has no version \(id.text).")
    }
    return version
  }
}
