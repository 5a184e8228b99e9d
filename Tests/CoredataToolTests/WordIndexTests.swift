import CoreData
import Foundation
import TestSupport
import Testing

/// No command stumbles over an index of words, and those that read use it.
struct WordIndexTests {
  private let store: URL
  private let model: URL

  /// Notes whose titles and texts are in an index, as a program has left them.
  init() throws {
    let contents = URL(filePath: Program.model).appending(path: "Notes.xcdatamodel/contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let marked = text.replacing(
      /<attribute name="(title|text)"/,
      with: { "\($0.output.0) spotlightIndexingEnabled=\"YES\"" }
    )
    try #require(marked != text)
    model = ToolStore.temporaryFile("Notes.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try marked.write(to: model.appending(path: "contents"), atomically: true, encoding: .utf8)
    store = try ToolStore(notes: 3).file
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try #require(NSManagedObjectModel(contentsOf: model))
    )
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: store,
      options: [CoreDataTextSearchOption: true]
    )
    try coordinator.remove(opened)
  }

  private func tables(_ file: URL) throws -> String {
    try Program.run("sql", file.path, "SELECT group_concat(name) FROM sqlite_master").output
  }

  @Test func `explain shows the question to the index`() throws {
    let outcome = try Program.run([
      "explain", "--predicate", "title CONTAINS[cdw] 'Tríp'", "--model", model.path, "--entity",
      "Note", "--store", store.path,
    ])
    #expect(outcome.errors == "")
    #expect(outcome.output.contains(#""COREDATA_ZNOTE_TEXT" MATCH ?1)"#))
    #expect(outcome.output.contains(#"{"ZTITLE"} : "trip"*"#))
    #expect(outcome.output.contains("SCAN COREDATA_ZNOTE_TEXT VIRTUAL TABLE"))
  }

  @Test func `inspect and check have nothing to say of it`() throws {
    let plain = try ToolStore(notes: 3)
    for command in [["check", "--deep"], ["inspect", "--exact"]] {
      let outcome = try Program.run(command + [store.path])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(!outcome.output.contains("COREDATA"))
      let expected = try Program.run(command + [plain.path])
      #expect(
        outcome.output.split(separator: "\n").count == expected.output.split(separator: "\n").count
      )
    }
  }

  @Test func `dump finds words`() throws {
    let outcome = try Program.run([
      "dump", store.path, "--model", model.path, "--entity", "Note", "--where",
      "text CONTAINS[cdw] 'EGG mil'", "--columns", "title", "--format", "csv",
    ])
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("Shopping"))
    #expect(!outcome.output.contains("Trip"))
  }

  @Test func `copies have it and stores of other types do not need it`() throws {
    for options in [[], ["--compact"], ["--as", "xml"]] {
      let copy = ToolStore.temporaryFile("Copy")
      let outcome = try Program.run(["copy", store.path, copy.path] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      guard options != ["--as", "xml"] else { continue }
      #expect(try tables(copy).contains("COREDATA_ZNOTE_TEXT"))
      let found = try Program.run(
        "sql",
        copy.path,
        "SELECT COUNT(*) FROM COREDATA_ZNOTE_TEXT WHERE COREDATA_ZNOTE_TEXT MATCH 'egg*'",
        "--csv"
      )
      #expect(found.output.hasSuffix("\r\n1\r\n"), "\(found.output)\(found.errors)")
    }
  }

  @Test func `repair mends rows and their words stay right`() throws {
    _ = try Program.run(
      "sql",
      store.path,
      "UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 1",
      "--write"
    )
    let outcome = try Program.run("repair", store.path, "--yes", "--no-backup")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let found = try Program.run([
      "sql", store.path, "--write",
      "INSERT INTO COREDATA_ZNOTE_TEXT (COREDATA_ZNOTE_TEXT, rank) VALUES ('integrity-check', 1)",
    ])
    #expect(found.status == 0, "\(found.errors)")
  }

  @Test func `migrate removes it and says so`() throws {
    let contents = model.appending(path: "contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let second = text.replacing(/<attribute name="text"[^>]*\/>/, with: "")
    try #require(second != text)
    let later = ToolStore.temporaryFile("Later.xcdatamodel")
    try FileManager.default.createDirectory(at: later, withIntermediateDirectories: true)
    try second.write(to: later.appending(path: "contents"), atomically: true, encoding: .utf8)
    let outcome = try Program.run("migrate", store.path, "--to", later.path, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("the index of words goes"))
    #expect(try !tables(store).contains("COREDATA"))
  }
}
