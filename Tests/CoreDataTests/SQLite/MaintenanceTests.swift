import CoreData
import CoreDataSQL
import CoreDataSQLite
import TestSupport
import Testing

/// Tests of a SQLite store's work on its file when it is opened, if it is asked to.
@Suite struct MaintenanceTests {
  @Test func `a vacuum gives back the room of deleted rows`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    try stack.work { context in
      for number in 0..<2000 { context.note("\(number)").text = String(repeating: "x", count: 500) }
      try context.save()
      for note in try context.fetch(Note.fetchRequest()).dropFirst() { context.delete(note) }
      try context.save()
    }
    try close(stack)
    let size = try pages(of: file)
    let smaller = try NotesStack(file: file, options: [NSSQLiteManualVacuumOption: true])
    #expect(try smaller.work { try $0.titles() }.count == 1)
    try close(smaller)
    #expect(try pages(of: file) < size / 4)
  }

  @Test func `an analysis leaves its table, and the store opens as before`() throws {
    let stack = try NotesStack(.sqlite)
    let file = try #require(stack.file)
    try stack.saved { $0.note("One", in: $0.folder("Home")) }
    try close(stack)
    let analyzed = try NotesStack(file: file, options: [NSSQLiteAnalyzeOption: true])
    try close(analyzed)
    let connection = try Connection(path: file.path, mode: .readOnly)
    let count = try connection.integer(
      "SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'"
    )
    #expect(count == 1)
    #expect(try NotesStack(reopening: file).work { try $0.titles() } == ["One"])
  }

  private func close(_ stack: NotesStack) throws {
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
  }

  private func pages(of file: URL) throws -> Int64 {
    let connection = try Connection(path: file.path, mode: .readOnly)
    return try #require(try connection.integer("PRAGMA page_count"))
  }
}
