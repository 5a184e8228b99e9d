import CoreData
public import Foundation
import RichText

/// A published note in the list of them.
public struct PublishedRow: Encodable, Sendable, Equatable {
  public let note: String
  public let title: String
  /// A note in the trash has a link that leads to nothing, until it is restored.
  public let isInTrash: Bool
  public let since: Date
  /// The path of the link: `/p/q7m2…`.
  public let path: String
}

// Publishing is an act of somebody at this server: no import, copy or other device does it.

extension Library {
  /// The notes that everybody with a link may read, the latest first.
  public func publishedNotes() async throws -> [PublishedRow] {
    let links = try published.all
    return try await read { context in
      let request = Note.fetch(
        NSPredicate(format: "%K IN %@", NoteProperties.uuid, links.map(\.note))
      )
      let notes = Dictionary(try context.fetch(request).map { ($0.uuid, $0) }) { first, _ in first }
      return links.sorted { $0.since > $1.since }.compactMap { link in
        guard let note = notes[link.note], note.erasedDate_ == nil else { return nil }
        return PublishedRow(link, note)
      }
    }
  }

  /// Makes a link with which everybody can read a note.
  ///
  /// - Parameters:
  ///   - id: The note, which is not in the trash.
  ///   - replaces: Whether a link that it has ends, and a new one is made. Otherwise that link stays.
  ///   - language: The language of the browser, for a note that does not name its own.
  /// - Returns: The note with its link.
  /// - Throws: ``LibraryProblem/missing(_:)`` if the note is gone, ``LibraryProblem/refused(_:)`` if it is in the trash or
  ///   too many notes are published.
  public func publish(
    _ id: UUID,
    replaces: Bool,
    language: String? = nil
  ) async throws -> PublishedRow {
    let title = try await read { context in
      let note = try context.note(id)
      guard !note.isTrashed else {
        throw LibraryProblem.refused("“\(note.title)” is in the trash. Restore it to publish it.")
      }
      return note.title
    }
    let now = now()
    let link = try published.change { links throws -> PublishedNote in
      if !replaces, let link = links.first(where: { $0.note == id }) { return link }
      links.removeAll { $0.note == id }
      guard links.count < PublishedNotes.most else {
        throw LibraryProblem.refused(
          "At most 1,000 notes can be published. Stop publishing another one first."
        )
      }
      let language = language.flatMap(LanguageTag.tidy)
      let link = PublishedNote(id, since: now, language: language)
      links.append(link)
      return link
    }
    return PublishedRow(link, title: title, isInTrash: false)
  }

  /// Ends the link of a note at once; does nothing for a note without one.
  public func stopPublishing(_ id: UUID) throws {
    try published.change { $0.removeAll { $0.note == id } }
  }

  /// Reports when notes were published, or are published no longer.
  public func publishedChanges() -> AsyncStream<Void> { published.changes() }

  /// Ends the links of notes that were deleted for good; undoing that does not publish them again.
  func stopPublishingErased() async throws {
    let ids = try published.all.map(\.note)
    if ids.isEmpty { return }
    let there = try await read { context in
      let request = Note.fetch(
        NSPredicate(
          format: "%K IN %@ AND %K == nil",
          NoteProperties.uuid,
          ids,
          NoteProperties.erasedDate
        )
      )
      return Set(try context.fetch(request).map(\.uuid))
    }
    let gone = Set(ids).subtracting(there)
    try published.change { $0.removeAll { gone.contains($0.note) } }
  }
}

extension PublishedRow {
  fileprivate init(_ link: PublishedNote, _ note: Note) {
    self.init(link, title: note.title, isInTrash: note.isTrashed)
  }

  fileprivate init(_ link: PublishedNote, title: String, isInTrash: Bool) {
    self.init(
      note: link.note.text,
      title: title,
      isInTrash: isInTrash,
      since: link.since,
      path: "/p/\(link.secret)"
    )
  }
}
