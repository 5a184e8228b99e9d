import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata migrate`, run as a process.
struct MigrateTests {
  private let store: URL
  private let model: URL

  /// A store of notes, and a version of its model with another attribute and without the titles.
  init() throws {
    let stack = try NotesStack(.sqlite)
    store = try #require(stack.file)
    try stack.work { context in
      for title in ["one", "two"] { context.note(title) }
      try context.save()
    }
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    let contents = URL(filePath: Program.model).appending(path: "Notes.xcdatamodel/contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    model = TestSupport.TemporaryFolder.file("Notes 2.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let second = text.replacing(
      /<entity name="Tag"[^>]*>/,
      with: { "\($0.output)<attribute name=\"colour\" optional=\"YES\" attributeType=\"String\"/>" }
    )
    .replacing(/<attribute name="text"[^>]*\/>/, with: "")
    try second.write(to: model.appending(path: "contents"), atomically: true, encoding: .utf8)
  }

  @Test func `a rehearsal says what would be done, and changes no byte`() throws {
    let before = try Data(contentsOf: store)
    let outcome = try Program.run("migrate", store.path, "--to", model.path, "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("would be migrated in"))
    #expect(outcome.output.contains("ZTAG: new column ZCOLOUR"))
    #expect(outcome.output.contains("The store itself was not changed."))
    #expect(try Data(contentsOf: store) == before)
    let json = try Program.run("migrate", store.path, "--to", model.path, "--dry-run", "--json")
      .json
    #expect(json["dryRun"] as? Bool == true && (json["seconds"] as? Double ?? 0) > 0)
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func `a store was migrated from a model that it is not of`() throws {
    let before = try Data(contentsOf: store)
    for words in [
      ["--to", model.path, "--from", model.path], ["--to", Program.model, "--from", model.path],
    ] {
      let outcome = try Program.run(["migrate", store.path, "--yes"] + words)
      #expect(outcome.status == 1)
      #expect(outcome.errors.contains("was not made with the model"), "\(outcome.errors)")
      #expect(outcome.errors.contains("--from"))
    }
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func `the copy from before a migration got a log that was another's`() throws {
    let copy = URL(filePath: store.path + ".before-migration")
    let second = URL(filePath: store.path + ".2.before-migration")
    try Data(repeating: 7, count: 5000).write(to: URL(filePath: copy.path + "-wal"))
    // A copy is made of the data that the migration would lose.
    let text = "UPDATE ZNOTE SET ZTEXT = 'kept'"
    #expect(try Program.run("sql", store.path, text, "--write").status == 0)
    let outcome = try Program.run("migrate", store.path, "--to", model.path, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: copy.path))
    let check = try Program.run("check", second.path)
    #expect(check.status == 0, "\(outcome.output) \(check.errors)")
  }

  @Test func `a store is migrated, and a second time there is nothing to do`() throws {
    let json = try Program.run("migrate", store.path, "--to", model.path, "--json").json
    #expect(json["needed"] as? Bool == true)
    let again = try Program.run("migrate", store.path, "--to", model.path)
    #expect(again.status == 0)
    #expect(again.output == "Notes.sqlite already has that model; nothing to do\n")
    let back = try Program.run("migrate", store.path, "--to", Program.model, "--no-backup")
    #expect(back.status == 0, "\(back.errors)")
    let stack = try NotesStack(reopening: store)
    #expect(try stack.work { try $0.titles() } == ["one", "two"])
  }

  @Test func `what cannot be migrated is told with reason and remedy`() throws {
    let contents = model.appending(path: "contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    let third = text.replacing(
      "name=\"title\" optional=\"YES\" attributeType=\"String\"",
      with: "name=\"title\" optional=\"YES\" attributeType=\"Integer 64\""
    )
    try #require(third != text)
    try third.write(to: contents, atomically: true, encoding: .utf8)
    let outcome = try Program.run("migrate", store.path, "--to", model.path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("title are not converted from String to Integer 64"))
    #expect(try Program.run("migrate", "nowhere.sqlite", "--to", model.path).status == 1)
    #expect(try Program.run("migrate", store.path).status == 2)
  }

  @Test func `a model that shares no entity does not empty the store`() throws {
    let other = TestSupport.TemporaryFolder.file("Other.xcdatamodel")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Planet" syncable="YES">
              <attribute name="mass" optional="YES" attributeType="Double"/>
          </entity>
      </model>
      """
    try text.write(to: other.appending(path: "contents"), atomically: true, encoding: .utf8)
    let before = try Data(contentsOf: store)
    for options in [["--no-backup"], ["--yes"], ["--dry-run"]] {
      let outcome = try Program.run(["migrate", store.path, "--to", other.path] + options)
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errors.contains("share no entity"), "\(outcome.errors)")
      #expect(outcome.errors.contains("the model has Planet."))
    }
    #expect(try Data(contentsOf: store) == before)
  }

  @Test func `what would be lost is not lost without being asked`() throws {
    let stack = try NotesStack(reopening: store)
    try stack.work { context in
      for note in try context.fetch(Note.fetchRequest()) { note.text = "worth keeping" }
      try context.save()
    }
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    let before = try Data(contentsOf: store)
    for options in [[], ["--json"], ["--no-backup"]] {
      let outcome = try Program.run(["migrate", store.path, "--to", model.path] + options)
      #expect(outcome.status == 1 && outcome.output == "")
      #expect(outcome.errors.hasPrefix("Would be lost:\n  Note.text: 2 values\nnothing was done"))
      #expect(outcome.errors.contains("add --yes"))
    }
    #expect(try Data(contentsOf: store) == before)
    let outcome = try Program.run("migrate", store.path, "--to", model.path, "--yes")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("Lost:\n  Note.text: 2 values\n"))
    #expect(outcome.output.contains("The store as it was: Notes.sqlite.before-migration"))
  }
}
