import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata inspect`, run as a process.
struct InspectTests {
  @Test func `a store is told at a glance`() throws {
    let store = try ToolStore()
    let outcome = try Program.run("inspect", store.path)
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
    let uuid = try #require(
      NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.file)[
        NSStoreUUIDKey
      ] as? String
    )
    let text = outcome.output.replacing(uuid, with: "(uuid)")
      .replacing(/\d+ kB \(\d+ pages/) { _ in "(size) ((count) pages" }
    #expect(
      text == """
        \(store.path)
          format      that of iOS 17 or macOS 14 (framework version 1344)
          UUID        (uuid)
          model       in the store
          size        (size) ((count) pages of 4096 bytes)
          journal     write-ahead log, closed: everything is in the file itself, unless the store was copied without its Notes.sqlite-wal

          entities     rows
          Bin             0
          Folder          2
          Note            2  3 with subentities
            Checklist     1
          Tag             2

          history     none
          CloudKit    none
          health      the metadata and the model can be read, and agree; run coredata check to \
        examine every row

        """
    )
  }

  @Test func `programs get the same as JSON`() throws {
    let store = try ToolStore()
    let json = try Program.run("inspect", "--json", store.path).json
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(
      entities.compactMap { $0["name"] as? String } == [
        "Bin", "Folder", "Note", "Checklist", "Tag",
      ]
    )
    #expect(entities.compactMap { $0["rows"] as? Int } == [0, 2, 2, 1, 2])
    #expect(entities.compactMap { $0["exact"] as? Bool } == [true, true, true, true, true])
    #expect(entities[3]["superentity"] as? String == "Note")
    let file = try #require(json["file"] as? [String: Any])
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
    #expect(file["bytes"] as? Int == (attributes[.size] as? NSNumber)?.intValue)
    #expect(file["journal"] as? String == "wal")
    #expect((json["health"] as? [String: Any])?["good"] as? Bool == true)
    #expect(json["history"] is NSNull)
  }

  @Test func `a log, large data and an app's metadata are seen while the store is in use`() throws {
    let file = ToolStore.temporaryFile("Busy.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("large").image = Data(repeating: 7, count: 300_000)
      try context.save()
      let opened = try #require(stack.coordinator.persistentStores.first)
      let metadata = stack.coordinator.metadata(for: opened)
        .merging(["lastSync": "yester\u{1B}day"]) { _, new in new }
      stack.coordinator.setMetadata(metadata, for: opened)
      context.note("another")
      try context.save()
    }
    let text = try Program.run("inspect", file.path).output
    #expect(text.contains(" in Busy.sqlite-wal"))
    #expect(text.contains("large data  1 file, 300 kB, beside the store"))
    #expect(text.contains("metadata    lastSync = \"yester\\u001bday\""))
    #expect(text.contains("  Note            2\n"))
    #expect(stack.coordinator.persistentStores.count == 1)
  }

  @Test func `looking changes no byte`() throws {
    let store = try ToolStore()
    let folder = store.file.deletingLastPathComponent().path
    let before = try Data(contentsOf: store.file)
    for command in ["inspect", "dump"] {
      #expect(try Program.run(command, store.path).status == 0)
    }
    #expect(try Program.run("sql", store.path, "SELECT COUNT(*) FROM ZNOTE").status == 0)
    #expect(try Data(contentsOf: store.file) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Notes.sqlite"])
  }

  @Test func `another model is said to be another, and which entities differ`() throws {
    let note = NSEntityDescription()
    note.name = "Note"
    let model = NSManagedObjectModel()
    model.entities = [note]
    let other = ToolStore.temporaryFile("Other.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: other)
    let store = try ToolStore()
    let inspected = try Program.run("inspect", store.path, "--model", other.path)
    #expect(inspected.output.contains("do not agree: Note differs; Bin, Checklist, Folder and Tag"))
    #expect(inspected.output.contains("; it is not the one the store was made with\n"))
    let dumped = try Program.run("dump", store.path, "--model", other.path)
    #expect(dumped.status == 1)
    #expect(dumped.errors.contains("Note differs; Bin, Checklist, Folder and Tag are only in the"))
    #expect(dumped.errors.contains("leave --model out to use the model inside the store."))
  }

  @Test func `a model of another store gave the entities its names and its version`() throws {
    let store = try ToolStore()
    // Its entities have the same numbers as others have here.
    let shelf = try BookShelf()
    let inspected = try Program.run("inspect", shelf.path, "--model", store.path)
    #expect(inspected.output.contains(#/Author +2\n/#), "\(inspected.output)")
    #expect(!inspected.output.contains("Folder  ") && !inspected.output.contains(" in the file\n"))
    let json = try Program.run("inspect", shelf.path, "--model", store.path, "--json").json
    let names = (json["entities"] as? [[String: Any]])?.map { $0["name"] as? String }
    #expect(names == ["Author", "Book"])
  }

  @Test func `a store without a model was to be checked without one`() throws {
    let store = try ToolStore()
    _ = try Program.run("sql", store.path, "--write", "DELETE FROM Z_MODELCACHE")
    let inspected = try Program.run("inspect", store.path)
    #expect(
      inspected.output.contains("run coredata check with --model MODEL to examine every row"),
      "\(inspected.output)"
    )
    let words = ["set", store.path, "--entity", "Note", "--where", "TRUEPREDICATE", "title=x"]
    let set = try Program.run(words + ["--yes"])
    #expect(set.status == 1 && set.errors.contains("with --model"), "\(set.errors)")
    #expect(!set.errors.contains("or read the tables alone"), "\(set.errors)")
  }

  @Test func `a store without a model is read by its tables, when it is asked for`() throws {
    let store = try ToolStore()
    let emptied = try Program.run("sql", store.path, "--write", "DELETE FROM Z_MODELCACHE")
    #expect(emptied.status == 0)
    let refused = try Program.run("dump", store.path, "--entity", "Tag")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("--without-model"))
    let dumped = try Program.run("dump", store.path, "--entity", "Tag", "--without-model")
    #expect(dumped.errors == "")
    #expect(dumped.output.contains("food"))
    let inspected = try Program.run("inspect", store.path, "--without-model")
    #expect(inspected.output.contains("derived from the tables"))
    #expect(!inspected.output.contains("do not agree"))
    let drawn = try Program.run("model", "print", store.path)
    #expect(drawn.errors.contains("derived from its tables"))
    #expect(drawn.output.contains("Tag"))
  }

  @Test func `a model file and another store serve as models`() throws {
    let (store, same) = (try ToolStore(), try ToolStore())
    for model in [Program.model, same.path] {
      let outcome = try Program.run("dump", store.path, "--model", model, "--entity", "Tag")
      #expect(outcome.errors == "")
      #expect(outcome.output.contains("food"))
    }
  }
}

/// Stores that Apple's Core Data made.
@Suite(.enabled(if: !AppleStores.names.isEmpty, "needs ../shared/fixtures/stores"))
struct AppleStoresTests {
  @Test(arguments: AppleStores.names)
  func `every store is inspected, dumped and copied, and stays as it was`(name: String) throws {
    let file = try AppleStores.copy(name)
    let before = try Data(contentsOf: file)
    let inspected = try Program.run("inspect", file.path, "--json")
    #expect(inspected.status == 0, "\(inspected.errors)")
    let json = try inspected.json
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(!entities.isEmpty)

    let copy = ToolStore.temporaryFile("Copy.sqlite")
    let copied = try Program.run("copy", file.path, copy.path)
    #expect(copied.status == 0, "\(copied.errors)")
    let again = try Program.run("inspect", copy.path, "--json").json
    #expect(again["entities"] as? NSArray == json["entities"] as? NSArray)
    #expect(try Data(contentsOf: file) == before)

    guard !(json["model"] is NSNull) else { return }
    let dumped = try Program.run("dump", file.path, "--json")
    #expect(dumped.status == 0, "\(dumped.errors)")
    #expect(dumped.errors == "")
    for (name, objects) in try dumped.json {
      let entity = entities.first { $0["name"] as? String == name }
      #expect((objects as? [Any])?.count == entity?["rows"] as? Int)
    }
    #expect(try Data(contentsOf: file) == before)
  }
}

enum AppleStores {
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../../../shared/fixtures/stores")
    .standardizedFileURL

  /// The stores that were handed out beside the package; none elsewhere.
  static let names: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".sqlite") }.sorted()
  }()

  /// Bytes, not permissions: the originals may not be written.
  static func copy(_ name: String) throws -> URL {
    let file = ToolStore.temporaryFile(name)
    for end in ["", "-wal"] {
      let original = folder.appending(path: name + end)
      guard FileManager.default.fileExists(atPath: original.path) else { continue }
      try Data(contentsOf: original).write(to: URL(filePath: file.path + end))
    }
    return file
  }
}
