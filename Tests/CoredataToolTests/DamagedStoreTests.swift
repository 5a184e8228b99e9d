import CoreData
import Foundation
import TestSupport
import Testing

/// Tests of the tool with stores that lack something, and if it cannot write.
struct DamagedStoreTests {
  private func sql(_ store: ToolStore, _ statement: String) throws {
    let outcome = try Program.run("sql", store.path, statement, "--write")
    #expect(outcome.errors == "" && outcome.status == 0)
  }

  @Test func `a store without metadata is inspected and copied`() throws {
    let store = try ToolStore()
    try sql(store, "UPDATE Z_METADATA SET Z_PLIST = NULL")
    let text = try Program.run("inspect", store.path)
    #expect(text.status == 0 && text.errors == "")
    #expect(text.output.contains("metadata cannot be read"))
    let json = try Program.run("inspect", store.path, "--json").json
    #expect((json["health"] as? [String: Any])?["good"] as? Bool == false)
    #expect((json["entities"] as? [Any])?.isEmpty == false)
    let copy = ToolStore.temporaryFile("Copy.sqlite")
    #expect(try Program.run("copy", store.path, copy.path).status == 0)
  }

  @Test func `a store whose version hashes are none was said to agree with its model`() throws {
    let store = try ToolStore()
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: .sqlite,
      at: store.file
    )
    metadata[NSStoreModelVersionHashesKey] = "none"
    try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: store.file)
    let text = try Program.run("inspect", store.path)
    #expect(text.output.contains("no version hashes that can be read"), "\(text.output)")
    let check = try Program.run("check", store.path)
    #expect(check.status == 1 && check.output.contains("NSStoreModelVersionHashes"))
    #expect(try Program.run("repair", store.path, "--yes").status == 0)
    #expect(try Program.run("check", store.path).output.contains("The store is sound."))
  }

  @Test func `a file that is no store gives JSON to those who want it`() throws {
    let file = ToolStore.temporaryFile("Other.sqlite")
    try Data("no database".utf8).write(to: file)
    for path in [file.path, file.path + ".missing"] {
      let outcome = try Program.run("inspect", path, "--json")
      #expect(outcome.status == 1)
      #expect((try outcome.json["health"] as? [String: Any])?["good"] as? Bool == false)
      #expect(outcome.errors != "")
    }
  }

  @Test(arguments: ["xml", "binary"])
  func `a key that leads to nothing is left out of a copy, and told of`(type: String) throws {
    let store = try ToolStore()
    try sql(store, "UPDATE ZNOTE SET ZFOLDER = 99 WHERE ZTITLE = 'Shopping'")
    let copy = ToolStore.temporaryFile("Copy.\(type)")
    let outcome = try Program.run("copy", store.path, copy.path, "--as", type)
    #expect(outcome.status == 0)
    #expect(
      outcome.errors == "Note.folder: leads to an object that is not there, which is left out\n"
    )
    #expect(!outcome.errors.contains("unfinished"))
  }

  @Test func `a file of large data that is missing is told of`() throws {
    let file = ToolStore.temporaryFile("Large.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("large").image = Data(repeating: 5, count: 150_000)
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    try FileManager.default.removeItem(
      at: file.deletingLastPathComponent().appendingPathComponent(".Large_SUPPORT")
    )
    let outcome = try Program.run("dump", file.path, "--entity", "Note", "--format", "json")
    #expect(
      outcome.errors.contains("is not there"),
      "\(outcome.errors) \(outcome.output.prefix(600))"
    )
    let target = ToolStore.temporaryFile("Copy.xml")
    let copied = try Program.run("copy", file.path, target.path, "--as", "xml")
    #expect(copied.errors.contains("; copy .Large_SUPPORT from beside"), "\(copied.errors)")
  }

  @Test(arguments: [["dump"], ["sql", "SELECT 1"], ["copy"]])
  func `a damaged log took the newest objects away without a word`(words: [String]) throws {
    let store = try ToolStore()
    let stack = try NotesStack(reopening: store.file)
    try stack.work { context in
      context.note("newest")
      try context.save()
    }
    let copy = ToolStore.temporaryFile("Copy.sqlite")
    for end in ["", "-wal"] {
      try Data(contentsOf: URL(filePath: store.path + end))
        .write(to: URL(filePath: copy.path + end))
    }
    func run() throws -> Program.Outcome {
      let target = words[0] == "copy" ? [ToolStore.temporaryFile("New.sqlite").path] : []
      return try Program.run([words[0], copy.path] + words.dropFirst() + target)
    }
    let whole = try run()
    #expect(whole.status == 0 && whole.errors == "", "\(whole.errors)")
    let place = URL(filePath: copy.path + "-wal")
    var log = try Data(contentsOf: place)
    try log.dropLast(100).write(to: place)
    let cut = try run().errors
    #expect(cut.contains("the -wal file beside it ends inside a frame; if it was cut"), "\(cut)")
    log[5] ^= 0xFF
    try log.write(to: place)
    let broken = try run().errors
    #expect(broken.contains("the -wal file beside it is damaged, and what was"), "\(broken)")
    try stack.work { try $0.save() }
  }

  @Test func `a folder that cannot be made is told of in sentences`() throws {
    let file = ToolStore.temporaryFile("file")
    try Data().write(to: file)
    let compiled = try Program.run(
      "model",
      "compile",
      Program.model,
      "--output",
      file.path + "/x",
      "--module",
      "M"
    )
    #expect(compiled.status == 1)
    #expect(!compiled.errors.contains("Error Domain"), "\(compiled.errors)")
    let store = try ToolStore()
    let migrated = try Program.run(
      "migrate",
      store.path,
      "--to",
      file.path + "/x.momd",
      "--dry-run"
    )
    #expect(migrated.status == 1)
    #expect(!migrated.errors.contains("Error Domain"), "\(migrated.errors)")
  }
}
