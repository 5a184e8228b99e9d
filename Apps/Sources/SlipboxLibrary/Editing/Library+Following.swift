import CoreData
public import Foundation

/// A title that has changed, for the texts that were not changed by the save itself.
struct Renaming: Sendable {
  let note: UUID
  let old: String

  /// Nil where the title says the same as before, or nothing.
  init?(of note: Note, from old: String, in context: NSManagedObjectContext) throws {
    guard note.title != old, !note.title.isEmpty else { return nil }
    self.note = note.uuid
    self.old = old.isEmpty ? try note.lastTitle(in: context) : old
  }
}

extension Library {
  /// Makes the other texts follow a new title, some at a time, while others write.
  ///
  /// Texts that are left when the program ends keep the old words: their links lead to the note all the same.
  func followSoon(_ renaming: Renaming, by author: String?) {
    let (context, outlines, followings) = (writing, outlines, followings)
    context.perform {
      // If nothing can be read now, the links keep the old words.
      guard let note = try? Note.find(renaming.note, in: context), !note.isTrashed,
        let texts = try? note.followers(in: context), !texts.isEmpty,
        followings.begin(renaming, note.title, texts, by: author)
      else { return }
      Self.followOn(renaming.note, in: context, outlines, followings)
    }
  }

  /// How far texts are that follow new titles: now, and after each step.
  public func followStates() -> AsyncStream<FollowState> { followings.states() }

  /// Tries once more to write the texts that could not follow a note's title.
  public func followAgain(_ note: UUID) {
    let (context, outlines, followings) = (writing, outlines, followings)
    guard followings.beginAgain(note) else { return }
    Self.followOn(note, in: context, outlines, followings)
  }

  /// Leaves the texts that could not follow a note's title with the words that they have.
  public func forgetFollowers(of note: UUID) { followings.forget(note) }

  private static func followOn(
    _ note: UUID,
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache,
    _ followings: Followings
  ) {
    context.perform {
      guard let portion = followings.next(of: note, atMost: portionOfFollowers) else { return }
      do {
        try follow(portion, portion.texts, in: context, outlines)
      } catch {
        followOneByOne(portion, in: context, outlines, followings)
      }
      followOn(note, in: context, outlines, followings)
    }
  }

  private static func follow(
    _ portion: Followings.Portion,
    _ texts: [NSManagedObjectID],
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache
  ) throws {
    try write(in: context, outlines, by: portion.author) { context in
      guard let note = try Note.find(portion.note, in: context), !note.isTrashed else { return }
      for other in try context.fetch(Note.fetch(NSPredicate(format: "SELF IN %@", texts))) {
        for old in portion.olds where !old.isEmpty { other.follow(note, from: old) }
        other.answerLooseLink(named: note.title.canonical, with: note)
      }
    }
  }

  /// A text that cannot be written must not hold up the others; if none can, the rest need not be tried.
  private static func followOneByOne(
    _ portion: Followings.Portion,
    in context: NSManagedObjectContext,
    _ outlines: OutlineCache,
    _ followings: Followings
  ) {
    var behind: [(NSManagedObjectID, FollowState.Behind)] = []
    var reason = ""
    for text in portion.texts {
      do {
        try follow(portion, [text], in: context, outlines)
      } catch {
        // A note that cannot even be read does not have a name to report.
        let note = (try? context.existingObject(with: text)) as? Note
        behind.append((text, .init(id: note?.uuid.text ?? "", title: note?.title ?? "")))
        reason =
          (error as? CocoaError).flatMap(StoreTrouble.init)?.sentence
          ?? ImportReason.sentence(error)
      }
    }
    if behind.isEmpty { return }
    followings.fell(
      behind: behind,
      of: portion.note,
      because: reason,
      andAll: behind.count == portion.texts.count
    )
  }

  /// So few that others who write at the same time do not notice.
  private static let portionOfFollowers = 50
}
