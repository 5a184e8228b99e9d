import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Histories and whatever else happens in a save.
@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct HistorySavingTests {
  @Test func `a derived value that changes is an update of its row (50, 97)`() throws {
    let model = ModelSchema.model(
      .entity(
        "Folder",
        [.text("name"), .derived("noteCount", .integer64, from: "notes.@count")],
        [.many("notes", "Note", back: "folder")]
      ),
      .entity(
        "Note",
        [
          .text("title"), .derived("folderName", .string, from: "folder.name"),
          .derived("quiet", .string, from: "lowercase:(title)"),
        ],
        [.one("folder", "Folder", back: "notes")]
      )
    )
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(schema: model)
    )
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: TestSupport.TemporaryFolder.file("Derived.sqlite"),
      options: HistoryStack.options
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let make = { NSEntityDescription.insertNewObject(forEntityName: $0, into: context) }
      let (folder, note) = (make("Folder"), make("Note"))
      note.setValue(folder, forKey: "folder")
      note.setValue("One", forKey: "title")
      try context.save()
      folder.setValue("Home", forKey: "name")
      try context.save()
      note.setValue("Two", forKey: "title")
      try context.save()
      note.setValue(nil, forKey: "folder")
      try context.save()
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let all = try #require(result?.result as? [NSPersistentHistoryTransaction])
      #expect(
        all.map { $0.picture.sorted() } == [
          ["1 insert Folder/1", "1 insert Note/1"],
          ["2 update Folder/1 name", "2 update Note/1 folderName"],
          ["3 update Note/1 quiet title"],
          ["4 update Folder/1 noteCount notes", "4 update Note/1 folder folderName"],
        ]
      )
    }
  }

  private func history(_ file: URL) throws -> [String] {
    try SQLiteShell.run(
      "SELECT * FROM ACHANGE; SELECT * FROM ATRANSACTION; SELECT * FROM ATRANSACTIONSTRING;"
        + " SELECT * FROM Z_PRIMARYKEY; SELECT Z_PK, ZTITLE FROM ZNOTE;",
      on: file.path
    )
  }

  @Test func `the n-th statement fails, and there is no history of what was not saved`() throws {
    var (place, isRefused) = (1, true)
    while isRefused {
      let stack = try HistoryStack()
      try stack.save(author: "first") { for title in ["One", "Two"] { $0.note(title) } }
      let before = try history(stack.file)
      let pool = try #require(stack.coordinator.pool)
      let context = stack.context("name", author: "second")
      try context.performAndWait {
        let notes = try context.fetch(Note.fetchRequest())
        notes.first?.title = "changed"
        notes.last.map(context.delete)
        context.note("new")
        // Delete rules read; a property that cannot be read stops the program.
        context.processPendingChanges()
        let refusal = Refusal(ofStatement: place)
        pool.observe { sql throws(SQLiteError) in try refusal.observe(sql) }
        let code = errorCode { try context.save() }
        pool.observe(nil)
        isRefused = refusal.happened
        guard isRefused else { return }
        #expect(code == CocoaError.fileWriteOutOfSpace.rawValue, "statement \(place)")
        #expect(try history(stack.file) == before, "statement \(place)")
        try context.save()
      }
      #expect(
        try stack.picture().sorted() == [
          "1 insert Note/1", "1 insert Note/2", "2 delete Note/2", "2 insert Note/3",
          "2 update Note/1 title",
        ]
      )
      place += 1
    }
    #expect(place > 15)
  }

  @Test func `a row costs one statement more`() throws {
    let count = { (options: [String: Any]) throws -> Int in
      let stack = try NotesStack(
        file: TestSupport.TemporaryFolder.file("Notes.sqlite"),
        options: options
      )
      let pool = try #require(stack.coordinator.pool)
      return try stack.work { context in
        context.note("first")
        try context.save()
        for number in 0..<100 { context.note("\(number)") }
        let statements = Counter()
        pool.observe { _ throws(SQLiteError) in statements.count += 1 }
        try context.save()
        pool.observe(nil)
        return statements.count
      }
    }
    let (plain, kept) = (try count([:]), try count(HistoryStack.options))
    #expect((plain + 100...plain + 120).contains(kept))
  }
}

/// Safety: counts on the thread that saves.
private final class Counter: @unchecked Sendable {
  var count = 0
}
