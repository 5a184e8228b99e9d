import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Random batches, against plain values and against the same done with objects.
struct BatchRandomTests {
  /// A note as plain values.
  struct Plain: Equatable {
    var title: String
    var stars: Int
    var views: Int?
    var folder: Int?
  }

  @Test(arguments: [3, 14, 159, 2653, 58979, 323_846])
  func `random batches do what plain values and saved objects do`(_ seed: UInt64) throws {
    var random = SeededGenerator(state: seed)
    let (batched, saved) = (try NotesStack(.sqlite), try NotesStack(.sqlite))
    let folders = try [batched, saved].map { stack in
      try (0..<3).map { index in try stack.saved { $0.folder("folder \(index)") } }
    }
    var plain: [Plain] = []
    for step in 0..<60 {
      let limit = random.below(6)
      let condition = NSPredicate(format: "stars >= %d", limit)
      switch random.below(5) {
      case 0, 1:
        let new = (0...random.below(4)).map { index in
          Plain(
            title: ["x", "O'Brien", "👩‍👩‍👧", "\u{0}\";--"][random.below(4)] + " \(step).\(index)",
            stars: random.below(6),
            views: random.below(3) == 0 ? nil : random.below(100),
            folder: random.below(4) == 0 ? nil : random.below(3)
          )
        }
        try insert(new, batched, saved, folders)
        plain += new
      case 2:
        let expression = NSExpression(format: "views * 2 + stars")
        try batched.work { try $0.update("Note", ["views": expression], where: condition) }
        try forEach(condition, in: saved) { note in
          note.views = note.views.map { NSNumber(value: $0.intValue * 2 + Int(note.stars)) }
        }
        for index in plain.indices where plain[index].stars >= limit {
          plain[index].views = plain[index].views.map { $0 * 2 + plain[index].stars }
        }
      case 3:
        let target = random.below(4)
        let id = { (stack: Int) in target == 3 ? nil : folders[stack][target] }
        try batched.work {
          try $0.update("Note", ["folder": id(0) ?? NSNull(), "stars": 2], where: condition)
        }
        try forEach(condition, in: saved) { note in
          note.stars = 2
          note.folder =
            id(1).map {
              note.managedObjectContext?.object(with: $0) as? Folder
            } ?? nil
        }
        for index in plain.indices where plain[index].stars >= limit {
          plain[index].stars = 2
          plain[index].folder = target == 3 ? nil : target
        }
      case _:
        let top = 4 + random.below(2)
        let last = NSPredicate(format: "stars == %d", top)
        try batched.work { try $0.delete("Note", where: last) }
        try forEach(last, in: saved) { $0.managedObjectContext?.delete($0) }
        plain.removeAll { $0.stars == top }
      }
      #expect(try picture(of: batched, folders[0]) == picture(of: plain), "step \(step)")
      #expect(try picture(of: saved, folders[1]) == picture(of: plain), "step \(step)")
    }
    try expectNothingDangles(in: batched)
  }

  private func insert(
    _ new: [Plain],
    _ batched: NotesStack,
    _ saved: NotesStack,
    _ folders: [[NSManagedObjectID]]
  ) throws {
    try batched.work { context in
      try context.insert(
        "Note",
        new.map { note in
          [
            "title": note.title, "stars": note.stars,
            "views": note.views.map { $0 as Any } ?? NSNull(),
            "folder": note.folder.map { folders[0][$0] as Any } ?? NSNull(),
          ]
        }
      )
    }
    try saved.work { context in
      for plain in new {
        let note = context.note(plain.title)
        note.stars = Int16(plain.stars)
        note.views = plain.views.map { NSNumber(value: $0) }
        note.folder = plain.folder.map { context.find(folders[1][$0], as: Folder.self) }
      }
      try context.save()
    }
  }

  private func forEach(
    _ condition: NSPredicate,
    in stack: NotesStack,
    _ body: (Note) -> Void
  ) throws {
    try stack.work { context in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = condition
      for note in try context.fetch(request) { body(note) }
      try context.save()
    }
  }

  private func picture(of stack: NotesStack, _ folders: [NSManagedObjectID]) throws -> [String] {
    try stack.work { context in
      picture(
        of: try context.fetch(Note.fetchRequest()).map { note in
          Plain(
            title: note.title ?? "",
            stars: Int(note.stars),
            views: note.views?.intValue,
            folder: note.folder.flatMap { folders.firstIndex(of: $0.objectID) }
          )
        }
      )
    }
  }

  private func picture(of notes: [Plain]) -> [String] { notes.map { "\($0)" }.sorted() }
}

extension SeededGenerator {
  fileprivate mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
