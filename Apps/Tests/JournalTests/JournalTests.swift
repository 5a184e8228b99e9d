import ChildPrograms
import CoreData
import Foundation
import Testing

/// A program in Xcode's own style, brought over with `coredata port` and the plugin.
struct JournalTests {
  private let folder = URL.temporaryDirectory.appending(component: "journal-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private var store: String { folder.appending(component: "Journal.sqlite").path }

  /// Runs the program, which is beside the tests.
  private func run(_ words: String...) throws -> String {
    let outcome = try ChildProgram.run(.built("journal"), words)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  private var today: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd"
    return formatter.string(from: Date())
  }

  @Test func `entries are added, listed by day and deleted`() throws {
    let first = try run(store, "add", "Walked along the shore", "Harbour")
    #expect(first == "saved 1 new\n\(today)\n  1  Walked along the shore (4) @ Harbour\n")
    _ = try run(store, "add", "Read", "home", "HARBOUR")
    #expect(
      try run(store)
        == "\(today)\n  1  Read (1) @ Harbour, home\n  2  Walked along the shore (4) @ Harbour\n"
    )
    #expect(
      try run(store, "delete", "2") == "saved 0 new\n\(today)\n  1  Read (1) @ Harbour, home\n"
    )
  }

  @Test(arguments: [["add"], ["add", ""], ["ad", "Read"], ["--help"]])
  func `a word that was mistyped, or an entry without a text, was taken for something else`(
    words: [String]
  ) throws {
    let outcome = try ChildProgram.run(.built("journal"), [store] + words)
    #expect(outcome.output == "usage: journal STORE [add TEXT [PLACE …] | delete NUMBER]\n")
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test func `a store of the first version is migrated`() throws {
    try makeStoreOfFirstVersion()
    #expect(try run(store) == "2020-02-29\n  1  An old entry (0)\n")
    #expect(try run(store, "add", "New").hasSuffix("2020-02-29\n  2  An old entry (0)\n"))
  }

  private func makeStoreOfFirstVersion() throws {
    let program = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let location = program.appending(path: "Apps_Journal.resources/Journal.momd/Journal.mom")
    let model = try #require(NSManagedObjectModel(contentsOf: location))
    for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: URL(filePath: store)
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
      entry.setValue("An old entry", forKey: "text")
      entry.setValue("2020-02-29", forKey: "day")
      try context.save()
    }
    try coordinator.remove(file)
  }

  @Test func `the sources are what coredata port makes of those for Xcode`() throws {
    let apps = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let tool = apps.appending(path: "../.build/debug/coredata").standardizedFileURL
    guard FileManager.default.isExecutableFile(atPath: tool.path) else {
      print("the tool coredata is not built; what it makes of the sources is not compared")
      return
    }
    let copy = folder.appending(component: "Journal")
    try FileManager.default.copyItem(at: apps.appending(path: "Xcode/Journal"), to: copy)
    _ = try ChildProgram.run(tool, ["port", copy.path, "--apply"])
    for name in try FileManager.default.contentsOfDirectory(atPath: copy.path)
    where name != "EntriesViewController.swift" {
      let ported = try String(contentsOf: copy.appending(component: name), encoding: .utf8)
      let present = apps.appending(path: "Sources/Journal/\(name)")
      #expect(try String(contentsOf: present, encoding: .utf8) == ported, "\(name)")
    }
  }
}
