public import CoreData
import RichText

// The small examples that previews and tests use.

extension Note {
  /// A note with a text and five keywords.
  public static func example(context: NSManagedObjectContext) -> Note {
    let note = Note(title: "my note", context: context)
    note.formattedBodyText = RichText(
      plainText: "Each slip says one thing, and says where it belongs."
    )
    note.keywords = Set(Keyword.exampleArray(context: context))
    return note
  }

  /// Ten notes, ten hours apart, in all three states.
  public static func exampleArray(context: NSManagedObjectContext) -> [Note] {
    let calendar = Calendar.current
    let now = Date()
    return (0..<10).map { index in
      let note = Note(title: "note \(index)", context: context)
      note.creationDate = calendar.date(byAdding: .hour, value: -(index * 10), to: now) ?? now
      if index > 6 {
        note.status = .review
      } else if index > 3 {
        note.status = .archived
      }
      return note
    }
  }
}

extension Folder {
  /// A folder with two subfolders, of which the second has one.
  public static func nestedFolderExample(context: NSManagedObjectContext) -> Folder {
    let parent = Folder(name: "parent", context: context)
    let first = Folder(name: "child 1", context: context)
    let second = Folder(name: "child 2", context: context)
    let third = Folder(name: "child 3", context: context)
    parent.children.insert(first)
    parent.children.insert(second)
    second.children.insert(third)
    return parent
  }

  /// A folder with ten notes.
  public static func exampleWithNotes(context: NSManagedObjectContext) -> Folder {
    let folder = Folder(name: "my folder", context: context)
    for note in Note.exampleArray(context: context) { note.folder = folder }
    return folder
  }
}

extension Keyword {
  /// Five keywords, from green to white.
  public static func exampleArray(context: NSManagedObjectContext) -> [Keyword] {
    (0...4).map { index in
      let keyword = Keyword(name: "keyword \(index)", context: context)
      let share = Double(index) / 5
      keyword.color = Colour(red: share, green: 0.5, blue: share)
      return keyword
    }
  }
}
