import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Whatever goes wrong in a batch, the file and the folder beside it are as before.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct BatchFaultTests {
  enum Kind: CaseIterable {
    case insert, update, delete
  }

  private let large = Data(repeating: 3, count: 120_000)

  private func stack() throws -> NotesStack {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      let folder = context.folder("Ideas")
      for index in 1...3 {
        let note = context.note("note \(index)", in: context.folder("inner", in: folder))
        note.image = large
        note.addToTags(context.tag("tag \(index)"))
        folder.addToPinned(note)
      }
      try context.save()
    }
    return stack
  }

  private func perform(_ kind: Kind, _ context: NSManagedObjectContext) throws {
    switch kind {
    case .insert:
      let folder = try #require(try context.fetch(Folder.fetchRequest()).first).objectID
      try context.insert(
        "Note",
        (1...3).map { ["title": "new \($0)", "pinnedIn": folder, "image": large] }
      )
    case .update:
      try context.update(
        "Note",
        ["image": Data([1]), "title": NSExpression(format: "folder.name")]
      )
    case .delete:
      try context.delete("Folder", where: NSPredicate(format: "name == 'Ideas'"))
    }
  }

  @Test(arguments: Kind.allCases)
  func `the n-th statement fails, for every n`(_ kind: Kind) throws {
    var place = 1
    while try refusing(place, kind) { place += 1 }
    #expect(place > 4)
  }

  private func refusing(_ place: Int, _ kind: Kind) throws -> Bool {
    let stack = try stack()
    let (file, files) = (try picture(of: stack), stack.externalFiles.sorted())
    let context = stack.context()
    return try context.performAndWait {
      let folder = try context.fetch(Folder.fetchRequest())
      let pool = try #require(stack.coordinator.pool)
      let refusal = Refusal(ofStatement: place)
      pool.observe { sql throws(SQLiteError) in try refusal.observe(sql) }
      let code = errorCode { try perform(kind, context) }
      pool.observe(nil)
      #expect(!folder.isEmpty)
      guard refusal.happened else {
        #expect(code == nil)
        return false
      }
      #expect(code == CocoaError.fileWriteOutOfSpace.rawValue, "statement \(place)")
      #expect(try picture(of: stack) == file, "statement \(place)")
      #expect(stack.externalFiles.sorted() == files, "statement \(place)")
      try perform(kind, context)
      return true
    }
  }

  private func picture(of stack: NotesStack) throws -> [String] {
    try SQLiteShell.run(".dump", on: try #require(stack.file).path)
  }
}
