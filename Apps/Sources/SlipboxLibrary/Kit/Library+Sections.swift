import CoreData
public import Foundation
import RichText

/// A note that was made of a section of another.
public struct MadeOfSection: Encodable, Sendable {
  public let id: String
  public let title: String
}

extension Library {
  /// Makes a note of each section of a text that begins with a heading of a level, and leaves links to them, in one act.
  ///
  /// The notes are in the folder of the first. Links of other notes to headings of the sections lead to the new notes.
  ///
  /// - Throws: ``LibraryProblem/refused(_:)`` for a level other than 1 to 6, a text without headings of that level or
  ///   with more than 200, and a note in the trash.
  public func split(
    _ id: UUID,
    at level: Int,
    by author: String?
  ) async throws -> (notes: [MadeOfSection], undo: String) {
    guard let level = RichText.HeadingLevel(rawValue: level) else {
      throw LibraryProblem.refused("Headings have the levels 1 to 6, not \(level).")
    }
    let (now, revisions) = (now(), revisions)
    let ids = (0..<Self.mostSections).map { _ in UUID() }
    let (notes, undo) = try await act(by: author, texts: [id] + ids) { context in
      let note = try context.note(id)
      guard !note.isTrashed else { throw Self.inTrash(note) }
      note.adoptForeignText()
      let sections = note.formattedBodyText.sections(at: level)
      try Self.check(sections, at: level, of: note)
      let made = try zip(sections.all, ids).map { section, id in
        let new = Note(context: context)
        new.uuid_ = id
        new.creationDate = now
        new.folder = note.folder
        try new.rewrite(title: section.title, text: section.text, at: now)
        return new
      }
      // The links to the new notes find them in the store.
      try context.save()
      try note.keepVersion(at: now, always: true)
      try note.rewrite(title: nil, text: sections.rest(linkingTo: ids), at: now)
      let change = Self.leading(from: note.uuid, to: sections, ids)
      for other in note.namers + made + [note] { try other.relink(change, in: context) }
      try context.save()
      for note in [note] + made { revisions.keep(note) }
      return made.map { MadeOfSection(id: $0.uuid.text, title: $0.title) }
    }
    return (notes, undo)
  }

  /// Links to a part of the text that is in a section by now.
  private static func leading(
    from note: UUID,
    to sections: RichText.Sections,
    _ ids: [UUID]
  ) -> @Sendable (RichText.Link) -> RichText.Link? {
    { link in
      guard link.note == note, let place = link.heading,
        let (index, isBeginning) = sections.section(of: place)
      else { return nil }
      return RichText.Link(note: ids[index], heading: isBeginning ? nil : place)
    }
  }

  private static func check(
    _ sections: RichText.Sections,
    at level: RichText.HeadingLevel,
    of note: Note
  ) throws {
    guard !sections.all.isEmpty else {
      throw LibraryProblem.refused(
        "“\(note.title)” has no headings of level \(level.rawValue) outside of lists and quotes."
      )
    }
    guard sections.all.count <= mostSections else {
      throw LibraryProblem.refused(
        "“\(note.title)” has \(sections.all.count) headings of this level; at most "
          + "\(mostSections) notes are made at once. Split it at a higher level first."
      )
    }
  }

  static func inTrash(_ note: Note) -> LibraryProblem {
    .refused("“\(note.title)” is in the trash; restore it first.")
  }

  private static let mostSections = 200
}
