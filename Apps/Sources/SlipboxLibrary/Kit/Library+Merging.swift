import CoreData
public import Foundation
import RichText

extension Library {
  /// Puts the texts of several notes into the first of them, and moves the others to the trash, in one act.
  ///
  /// Each text is under a heading with its title, and links to the other notes lead there. The first note gets the
  /// keywords of the others, their properties as far as it does not have any of the name, and the pictures above their
  /// texts, which are in the text from then on.
  ///
  /// - Returns: The token to undo it with.
  /// - Throws: ``LibraryProblem/refused(_:)`` for fewer than 2 notes or more than 100, for notes in the trash, and if the
  ///   text would be longer than a text may be.
  public func merge(_ ids: [UUID], by author: String?) async throws -> String {
    guard (2...Self.mostMerged).contains(ids.count), Set(ids).count == ids.count else {
      throw LibraryProblem.refused(
        "2 to \(Self.mostMerged) notes can be merged, each named once; these are \(ids.count)."
      )
    }
    let (now, revisions) = (now(), revisions)
    return try await act(by: author, texts: [ids[0]]) { context in
      let notes = try context.notes(ids)
      if let trashed = notes.first(where: \.isTrashed) { throw Self.inTrash(trashed) }
      let (first, others) = (notes[0], notes.dropFirst())
      for note in notes { note.adoptForeignText() }
      let text = RichText.gathered(
        first.formattedBodyText,
        others.map { ($0.title, $0.textWithPicture(in: context)) }
      )
      try Self.check(text)
      let change = Self.leading(to: first, from: others)
      try first.keepVersion(at: now, always: true)
      try first.rewrite(title: nil, text: text.relinking(change) ?? text, at: now)
      for other in others {
        first.keywords.formUnion(other.keywords)
        try first.takeMissingProperties(of: other, in: context)
        other.passProperties(to: first)
        for namer in other.namers where !notes.contains(namer) {
          try namer.relink(change, in: context)
        }
        other.trashedDate_ = now
      }
      try context.save()
      revisions.keep(first)
    }.undo
  }

  /// Links to the notes that go lead to their headings in the first.
  private static func leading(
    to first: Note,
    from others: ArraySlice<Note>
  ) -> (RichText.Link) -> RichText.Link? {
    let titles = Dictionary(others.map { ($0.uuid, $0.title) }) { title, _ in title }
    let id = first.uuid
    return { link in
      guard let title = link.note.flatMap({ titles[$0] }) else { return nil }
      return RichText.Link(note: id, heading: link.heading ?? title)
    }
  }

  private static func check(_ text: RichText) throws {
    do throws(RichTextError) {
      try text.checkLimits()
    } catch {
      throw LibraryProblem.refused("The notes cannot be merged: \(error). Choose fewer of them.")
    }
  }

  private static let mostMerged = 100
}

extension Note {
  /// The text, above which is the picture of the note, if there is one.
  fileprivate func textWithPicture(in context: NSManagedObjectContext) -> RichText {
    guard let attachment else { return formattedBodyText }
    let copy = Attachment(image: attachment.fullImageData, context: context)
    copy.uuid_ = UUID()
    copy.name_ = attachment.name_
    copy.type_ = attachment.type_
    copy.pixelWidth = attachment.pixelWidth
    copy.pixelHeight = attachment.pixelHeight
    let picture = RichText.Block.picture(RichText.Picture(file: copy.uuid))
    return RichText([picture] + formattedBodyText.blocks)
  }
}
