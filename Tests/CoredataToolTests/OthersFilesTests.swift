import ChildPrograms
import CoreData
import Foundation
import TestSupport
import Testing

/// Tests of the tool near files that are not its own: other stores, their logs and their large data.
struct OthersFilesTests {
  private let image = Data(repeating: 5, count: 150_000)

  /// A closed store with a note whose image is in a file of its own.
  private func largeStore(_ name: String = "Large.sqlite") throws -> URL {
    let file = ToolStore.temporaryFile(name)
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("large").image = image
      try context.save()
    }
    try stack.coordinator.remove(stack.coordinator.persistentStores[0])
    return file
  }

  private func showsImage(_ file: URL) throws -> Bool {
    let stack = try NotesStack(reopening: file)
    defer { try? stack.coordinator.remove(stack.coordinator.persistentStores[0]) }
    return try stack.work { context in
      try context.fetch(Note.fetchRequest()).contains { $0.image == image }
    }
  }

  private func beside(_ file: URL, _ name: String) -> URL {
    file.deletingLastPathComponent().appendingPathComponent(name)
  }

  private func names(beside file: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .sorted()
  }

  @Test func `salvaging a file that was called damaged deleted it`() throws {
    let store = try ToolStore()
    let damaged = beside(store.file, "Notes.sqlite.damaged")
    try FileManager.default.moveItem(at: store.file, to: damaged)
    let before = try Data(contentsOf: damaged)
    let outcome = try Program.run("repair", damaged.path, "--salvage", store.path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Data(contentsOf: damaged) == before)
    #expect(try names(beside: store.file) == ["Notes.sqlite", "Notes.sqlite.damaged"])
    #expect(try Program.run("check", store.path).status == 0)
  }

  @Test func `a log that is there already was taken into what was salvaged`() throws {
    let store = try ToolStore()
    let target = beside(store.file, "New.sqlite")
    try Data("old".utf8).write(to: URL(filePath: target.path + "-wal"))
    let outcome = try Program.run("repair", store.path, "--salvage", target.path)
    #expect(outcome.status == 1 && outcome.errors.contains("New.sqlite-wal is there"))
    #expect(!FileManager.default.fileExists(atPath: target.path))
  }

  /// The log of a store with other tables, whose pages are those of something else in a store of notes.
  private func logOfAnother() throws -> (log: URL, writer: NotesStack) {
    let entity = NSEntityDescription()
    entity.name = "Entry"
    let text = NSAttributeDescription()
    text.name = "text"
    text.attributeType = .stringAttributeType
    text.isOptional = true
    entity.properties = [text]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let first = try NotesStack(model: model, .sqlite)
    let file = try #require(first.file)
    func change(_ stack: NotesStack, _ word: String, making count: Int) throws {
      try stack.work { context in
        for _ in 0..<count { _ = NSManagedObject(entity: entity, insertInto: context) }
        let entries = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        for entry in try context.fetch(entries) {
          entry.setValue(String(repeating: word, count: 50), forKey: "text")
        }
        try context.save()
      }
    }
    try change(first, "early", making: 500)
    try first.coordinator.remove(first.coordinator.persistentStores[0])
    try first.coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file
    )
    try change(first, "later", making: 0)
    return (URL(filePath: file.path + "-wal"), first)
  }

  @Test func `the log of another store damaged a sound one, when something was to be written`()
    throws
  {
    let (foreign, writer) = try logOfAnother()
    let store = try ToolStore(notes: 100)
    let log = URL(filePath: store.path + "-wal")
    try FileManager.default.copyItem(at: foreign, to: log)
    #expect(try Data(contentsOf: log).count > 20_000)
    let before = try [store.file, log].map { try Data(contentsOf: $0) }
    let commands = [
      ["repair", store.path, "--yes"], ["sql", store.path, "--write", "SELECT 1"],
      ["set", store.path, "--entity", "Note", "--where", "TRUEPREDICATE", "stars=1", "--yes"],
      ["import", store.path, "/dev/null", "--entity", "Note", "--format", "csv", "--yes"],
      ["migrate", store.path, "--to", Program.model, "--yes"],
    ]
    for words in commands {
      let outcome = try Program.run(words)
      #expect(outcome.status == 1 && outcome.errors.contains("another store's"), "\(words)")
    }
    let check = try Program.run("check", store.path)
    #expect(check.status == 1)
    #expect(check.output.contains("the -wal beside it belongs to another store"))
    #expect(!check.output.contains("--salvage"), "\(check.output)")
    #expect(try [store.file, log].map { try Data(contentsOf: $0) } == before)
    try writer.work { try $0.save() }
  }

  @Test(arguments: ["repair", "copy"])
  func `large data was deleted by a new store whose name differs in its ending alone`(
    verb: String
  ) throws {
    let store = try largeStore()
    let new = beside(store, "Large.rescued")
    let words =
      verb == "copy"
      ? ["copy", store.path, new.path] : ["repair", store.path, "--salvage", new.path]
    let outcome = try Program.run(words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try showsImage(store) && showsImage(new))
  }

  @Test(arguments: [[], ["--force"]])
  func `a copy deleted the large data of a store whose name differs in its ending alone`(
    options: [String]
  ) throws {
    let (store, other) = (try largeStore(), try ToolStore())
    let copy = beside(store, "Large.old")
    if !options.isEmpty { try FileManager.default.copyItem(at: store, to: copy) }
    let outcome = try Program.run(["copy", other.path, copy.path] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try showsImage(store))
    #expect(try Program.run("check", copy.path).status == 0)
  }

  @Test(arguments: [[], ["--compact"]])
  func `a store that was renamed lost its large data when it was copied back`(
    options: [String]
  ) throws {
    let store = try largeStore()
    let old = beside(store, "Old.sqlite")
    try FileManager.default.moveItem(at: store, to: old)
    let outcome = try Program.run(["copy", old.path, store.path] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try showsImage(store))
  }

  @Test func `a repair took the large data of a store whose name differs in its ending alone`()
    throws
  {
    let (store, other) = (try largeStore(), try ToolStore())
    let neighbour = beside(store, "Large.db")
    try FileManager.default.copyItem(at: other.file, to: neighbour)
    let check = try Program.run("check", neighbour.path)
    #expect(check.output.contains("may be of Large.sqlite, which has the same folder"))
    #expect(try Program.run("repair", neighbour.path, "--yes").status == 0)
    #expect(try showsImage(store))
    #expect(try names(beside: store) == [".Large_SUPPORT", "Large.db", "Large.sqlite"])
  }

  @Test func `a store that was destroyed took the large data of another with it`() throws {
    let store = try largeStore()
    let copy = beside(store, "Large.old")
    try FileManager.default.copyItem(at: store, to: copy)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try coordinator.destroyPersistentStore(at: copy, type: .sqlite)
    #expect(try showsImage(store))
  }

  @Test func `names that are no text were read as others`() throws {
    let store = try ToolStore()
    for name in ["\\377", "\\376"] {
      let outcome = try ChildProgram.run(
        URL(filePath: "/bin/sh"),
        [
          "-c", "exec \"$0\" copy \"$1\" \"$(printf '\(name).sqlite')\"",
          try URL.built("coredata").path, store.path,
        ]
      )
      #expect(outcome.status == 2)
    }
    #expect(try names(beside: store.file) == ["Notes.sqlite"])
  }

  @Test func `what a copy that was killed had left stayed for ever`() throws {
    let store = try ToolStore()
    let ended = try ChildProgram.run(URL(filePath: "/bin/sh"), ["-c", "echo $$"])
    let process = ended.output.trimmingCharacters(in: .newlines)
    let folder = ".Copy.sqlite.unfinished-\(process).folder"
    let file = ".Copy.sqlite.unfinished-\(process)"
    try FileManager.default.createDirectory(
      at: beside(store.file, folder),
      withIntermediateDirectories: false
    )
    try Data("half".utf8).write(to: beside(store.file, file))
    #expect(try Program.run("copy", store.path, beside(store.file, "Copy.sqlite").path).status == 0)
    #expect(try names(beside: store.file) == ["Copy.sqlite", "Notes.sqlite"])
  }
}
