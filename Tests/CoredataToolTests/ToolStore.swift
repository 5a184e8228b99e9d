import CoreData
import Foundation
import TestSupport

/// A store of notes for the tool to look at; the program that wrote it is gone.
///
/// ```
/// Folder/p1 "Home"   Folder/p2 "Ideas", in Home
/// Note/p1 "Shopping" in Home, tags food, urgent      Note/p2 hostile, without a folder
/// Checklist/p3 "Trip" in Ideas
/// ```
struct ToolStore {
  let file: URL

  var path: String { file.path }

  static func temporaryFile(_ name: String) -> URL { TemporaryFolder.file(name) }

  /// A note's text that would clear the terminal.
  static let hostile = "one\ntwo \u{1B}[2J\u{07}\u{202E}end"

  init(notes: Int = 0) throws {
    file = TemporaryFolder.file("Notes.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      let home = context.folder("Home")
      let shopping = context.note("Shopping", in: home)
      shopping.created = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
      shopping.price = NSDecimalNumber(string: "12.5")
      shopping.stars = 3
      shopping.text = "milk, \"eggs\""
      shopping.uuid = UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")
      shopping.link = URL(string: "https://example.org/list")
      shopping.keywords = ["a", "b"] as NSArray
      shopping.image = Data([1, 2, 3])
      try context.save()
      let note = context.note(Self.hostile)
      note.isFavourite = true
      try context.save()
      let trip = Checklist(context: context)
      trip.title = "Trip"
      trip.folder = context.folder("Ideas", in: home)
      trip.itemCount = 4
      try context.save()
      for name in ["food", "urgent"] { context.tag(name).addToNotes(shopping) }
      for number in 0..<notes { context.note("note \(number)") }
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
  }
}
