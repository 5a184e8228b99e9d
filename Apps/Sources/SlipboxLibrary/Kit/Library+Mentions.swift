import CoreData
public import Foundation
import RichText

/// A note that names another in its text, and does not link to it.
public struct NoteMention: Encodable, Sendable, Equatable {
  public let id: String
  public let title: String
  /// The sentence that names it.
  public let context: String
}

extension Library {
  /// The notes that name a note by its title or another name without linking to it, the ones edited last first.
  ///
  /// At most twenty; a title of fewer than three letters is in every text, and gives none.
  public func mentions(of id: UUID) async throws -> [NoteMention] {
    try await read { context in
      let note = try context.note(id)
      let names = note.namesForMentions
      if names.isEmpty { return [] }
      let linked = Set(note.backLinkedNotes.map(\.objectID) + [note.objectID])
      let request = Note.fetch(
        SearchTerm.and([
          NotePlace.alive, SearchTerm.or(names.map { Self.mentioning($0, in: context) }),
        ])
      )
      request.sortDescriptors = [
        NSSortDescriptor(key: NoteProperties.modificationDate, ascending: false)
      ]
      // Some that are found link there already, or have the words across two lines.
      request.fetchLimit = 60
      return try context.fetch(request).lazy.filter { !linked.contains($0.objectID) }
        .compactMap { other in
          other.formattedBodyText.mention(of: names).map {
            NoteMention(id: other.uuid.text, title: other.title, context: $0)
          }
        }.prefix(20).map { $0 }
    }
  }

  private static func mentioning(
    _ name: String,
    in context: NSManagedObjectContext
  ) -> NSPredicate {
    SearchTerm.and([
      SearchTerm.next(name, [NoteProperties.bodyText], in: context),
      NSPredicate(format: "%K CONTAINS[cd] %@", NoteProperties.bodyText, name),
    ])
  }

  /// Makes the first mention of a note in the text of another a link, which can be undone.
  public func link(mentionOf id: UUID, in other: UUID, by author: String?) async throws -> String {
    let (now, revisions) = (now(), revisions)
    return try await act(by: author, texts: [other]) { context in
      let (note, writing) = (try context.note(id), try context.note(other))
      writing.adoptForeignText()
      let text = writing.formattedBodyText.linkingMention(of: note.namesForMentions, to: id)
      guard let text else {
        throw LibraryProblem.refused("“\(writing.title)” does not name “\(note.title)” any more.")
      }
      try writing.rewrite(title: nil, text: text, at: now)
      try context.save()
      revisions.keep(writing)
    }.undo
  }
}

extension Note {
  /// Long names first, so that a short one does not take a part of them.
  fileprivate var namesForMentions: [String] {
    ([title] + aliases).filter { name in name.count { $0.isLetter || $0.isNumber } > 2 }
      .sorted { $0.count > $1.count }
  }
}
