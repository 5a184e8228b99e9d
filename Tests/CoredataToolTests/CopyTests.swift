import CoreData
import Foundation
import TestSupport
import Testing

/// `coredata copy`, run as a process.
struct CopyTests {
  private func names(beside file: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .sorted()
  }

  @Test(arguments: [[], ["--compact"]])
  func `a store in use is copied with its log and its large data`(options: [String]) throws {
    let file = ToolStore.temporaryFile("Busy.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    let image = Data(repeating: 5, count: 150_000)
    try stack.work { context in
      context.note("large").image = image
      try context.save()
    }
    #expect(FileManager.default.fileExists(atPath: file.path + "-wal"))
    let copy = ToolStore.temporaryFile("Copy.sqlite")
    let outcome = try Program.run(["copy", file.path, copy.path] + options)
    #expect(outcome.errors == "")
    #expect(outcome.output.hasPrefix("copied to \(copy.path), "))
    #expect(try names(beside: copy) == [".Copy_SUPPORT", "Copy.sqlite"])

    let copied = try NotesStack(reopening: copy)
    try copied.work { context in
      let notes = try context.fetch(Note.fetchRequest())
      #expect(notes.map(\.title) == ["large"])
      #expect(notes.first?.image == image)
    }
    let uuids = [stack, copied].map { $0.coordinator.persistentStores.first?.identifier }
    #expect(uuids[0] == uuids[1])
    try stack.work { try $0.save() }
  }

  @Test func `a copy without a value whose file was lost was called whole`() throws {
    let file = ToolStore.temporaryFile("Lost.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("large").image = Data(repeating: 5, count: 150_000)
      context.note("other").image = Data(repeating: 6, count: 150_000)
      try context.save()
    }
    let folder = file.deletingLastPathComponent().appending(path: ".Lost_SUPPORT/_EXTERNAL_DATA")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let lost = try #require(names.first)
    try FileManager.default.removeItem(at: folder.appending(path: lost))
    let copy = ToolStore.temporaryFile("Copy.sqlite")
    let outcome = try Program.run("copy", file.path, copy.path, "--json")
    #expect(outcome.status == 1)
    #expect(try outcome.json["missingFiles"] as? Int == 1)
    #expect(outcome.errors.contains("1 value is missing in the copy"), "\(outcome.errors)")
    #expect(outcome.errors.contains(lost), "\(outcome.errors)")
    // All the rest is there.
    let copied = try NotesStack(reopening: copy)
    try copied.work { context in
      let titles = try context.titles()
      #expect(titles.sorted() == ["large", "other"])
    }
  }

  @Test func `a copy took the place of a device`() throws {
    let store = try ToolStore()
    let pipe = ToolStore.temporaryFile("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    let outcome = try Program.run("copy", store.path, pipe.path, "--force")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("is not a regular file and was not replaced"))
    let type = try FileManager.default.attributesOfItem(atPath: pipe.path)[.type]
    #expect(type as? FileAttributeType != .typeRegular)
  }

  @Test func `a file that is there stays, unless it shall be replaced with all that belongs to it`()
    throws
  {
    let (store, other) = (try ToolStore(), try ToolStore(notes: 5))
    let before = try Data(contentsOf: other.file)
    let refused = try Program.run("copy", store.path, other.path)
    #expect(refused.status == 1)
    #expect(refused.errors == "\(other.path) already exists; --force replaces it\n")
    #expect(try Data(contentsOf: other.file) == before)
    try Data("old".utf8).write(to: URL(filePath: other.path + "-wal"))
    let forced = try Program.run("copy", "--force", store.path, other.path)
    #expect(forced.status == 0, "\(forced.errors)")
    #expect(try names(beside: other.file) == ["Notes.sqlite"])
    let counts = try [store, other].map { try Program.run("inspect", "--json", $0.path).json }
    #expect(counts[0]["entities"] as? NSArray == counts[1]["entities"] as? NSArray)
  }

  @Test(arguments: ["xml", "binary"])
  func `a copy of another type has the same objects`(type: String) throws {
    let store = try ToolStore()
    let copy = ToolStore.temporaryFile("Notes.\(type)")
    let outcome = try Program.run("copy", store.path, copy.path, "--as", type, "--json")
    #expect(outcome.errors == "")
    #expect(try outcome.json["type"] as? String == type)
    #expect(try names(beside: copy) == ["Notes.\(type)"])
    let stack = try NotesStack(type: type == "xml" ? NSXMLStoreType : NSBinaryStoreType, at: copy)
    try stack.work { context in
      #expect(try context.titles() == ["Shopping", "Trip", ToolStore.hostile])
      let trip = try #require(try context.fetch(Checklist.fetchRequest()).first)
      #expect(trip.folder?.parent?.name == "Home")
    }
  }

  @Test func `a compact copy of an XML store was one like every other`() throws {
    let (xml, copy) = (ToolStore.temporaryFile("Notes.xml"), ToolStore.temporaryFile("Copy.xml"))
    #expect(try Program.run("copy", ToolStore().path, xml.path, "--as", "xml").status == 0)
    let outcome = try Program.run("copy", xml.path, copy.path, "--compact")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("--compact is for SQLite stores"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: copy.path))
  }

  @Test func `what fails leaves nothing behind`() throws {
    let file = ToolStore.temporaryFile("Damaged.sqlite")
    var bytes = try Data(contentsOf: ToolStore(notes: 2000).file)
    for page in 6..<bytes.count / 4096 {
      bytes.replaceSubrange(page * 4096..<page * 4096 + 64, with: Data(repeating: 0xEE, count: 64))
    }
    try bytes.write(to: file)
    let copy = ToolStore.temporaryFile("Copy.sqlite")
    let outcome = try Program.run("copy", file.path, copy.path)
    #expect(outcome.status == 1)
    #expect(!outcome.errors.isEmpty)
    #expect(try names(beside: copy) == [])
    #expect(try Data(contentsOf: file) == bytes)
  }

  @Test func `a folder, the store itself and a place that is not there are refused`() throws {
    let store = try ToolStore()
    let folder = store.file.deletingLastPathComponent().path
    let intoFolder = try Program.run("copy", store.path, folder)
    #expect(intoFolder.errors.contains("is a folder; name the file, such as"))
    let ontoItself = try Program.run("copy", "--force", store.path, "\(folder)/./Notes.sqlite")
    #expect(ontoItself.errors.contains("would be copied onto itself"))
    let nowhere = try Program.run("copy", store.path, "\(folder)/no/Copy.sqlite")
    #expect(nowhere.errors.hasSuffix("no: there is no such folder\n"))
    #expect([intoFolder, ontoItself, nowhere].map(\.status) == [1, 1, 1])
  }
}
