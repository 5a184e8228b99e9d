import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Writing a store into a file of another type, object by object.
@Suite struct StoreExportTests {
  private static let kinds = StoreKind.with(.wholeFile)

  /// A store in SQLite with everything that the model can have, and with gaps between the keys.
  private func desk(seed: UInt64) throws -> NotesStack {
    let stack = try DifferentialDesk(seed: seed).other
    var random = SeededGenerator(state: seed &+ 1000)
    try stack.work { context throws in
      let notes = try context.fetch(Note.fetchRequest()).sorted { $0.key < $1.key }
      for name in ["full", "empty"] {
        let bin = Bin(context: context)
        bin.name = name
        guard name == "full" else { continue }
        bin.kept = NSSet(array: notes.filter { _ in random.chance(1, of: 3) })
        bin.queue = NSOrderedSet(array: notes.filter { _ in random.chance(1, of: 3) }.reversed())
      }
      for note in notes where random.chance(1, of: 4) {
        note.keywords = ["k", "<>"]
        note.image = Data(repeating: 7, count: random.one(of: [10, 200_000]))
      }
      let folders = try context.fetch(Folder.fetchRequest())
      for folder in folders {
        folder.pinned = NSOrderedSet(array: (folder.pinned?.array ?? []).reversed())
      }
      try context.save()
      for note in notes where random.chance(1, of: 6) {
        note.tags = nil
        context.delete(note)
      }
      try context.save()
    }
    stack.coordinator.setMetadata(["author": "me"], for: stack.store)
    try stack.saved { $0.note("last") }
    return stack
  }

  /// A file's content, as text, without the UUID.
  private func picture(_ file: URL, _ kind: StoreKind, _ model: ModelLayout) throws -> String {
    let data = try Data(contentsOf: file)
    var document = try document(data, kind, model)
    document.metadata[NSStoreUUIDKey] = "-"
    var text = Data()
    var bytes = FileBytes { text += $0 }
    let contents = StoreContents(metadata: document.metadata, lastKeys: [:]) {
      for object in document.objects { try $0(object) }
    }
    try XMLStoreWriter(model).write(contents, to: &bytes)
    try bytes.passOn()
    let last = document.lastKeys.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\n" }
    let versions = Set(document.objects.map(\.version))
    return last.joined() + "versions \(versions)\n" + String(decoding: text, as: UTF8.self)
  }

  private func document(
    _ data: Data,
    _ kind: StoreKind,
    _ model: ModelLayout
  ) throws -> StoreDocument {
    try kind == .xml
      ? XMLFormat().document(from: data, in: model) : BinaryFormat().document(from: data, in: model)
  }

  @Test(arguments: Tries.seeds(4, long: 200), kinds)
  func `the file is the one that a store has which was filled with the same objects`(
    seed: UInt64,
    kind: StoreKind
  ) throws {
    let stack = try desk(seed: seed)
    let exported = TestSupport.TemporaryFolder.file("Exported")
    let done = try stack.coordinator.export(stack.store, to: exported, type: kind.storeType) { _ in
      Issue.record("every key leads somewhere")
    }
    #expect(done)
    let identifier = stack.store.identifier
    let migrated = TestSupport.TemporaryFolder.file("Migrated")
    let new = try stack.coordinator.migratePersistentStore(
      stack.store,
      to: migrated,
      type: kind.storeType,
      isWhole: true
    ) { _ in }
    let model = stack.coordinator.layout
    let pictures = try [exported, migrated].map { try picture($0, kind, model) }
    #expect(pictures[0] == pictures[1])
    #expect(pictures[0].contains("<key>author</key>"))
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      type: kind.storeType,
      at: exported
    )
    let keepsUUID = metadata[NSStoreUUIDKey] as? String == identifier
    #expect(keepsUUID == (new.identifier == identifier))
    #expect(keepsUUID == (kind == .binary), "an XML store gives its objects other numbers")
    try NotesStack(type: kind.type, at: exported).work { context throws in
      #expect(try context.titles().contains("last"))
    }
  }

  @Test(arguments: kinds)
  func `keys that lead to nothing are counted and left out`(kind: StoreKind) throws {
    let stack = try NotesStack(.sqlite)
    try stack.work(OtherStoresTests.populate)
    let file = try #require(stack.file)
    let connection = try Connection(path: file.path, mode: .readWrite)
    try connection.run("UPDATE ZNOTE SET ZFOLDER = 99 WHERE ZTITLE = 'a'")
    let exported = TestSupport.TemporaryFolder.file("Exported")
    var lost: [String: Int] = [:]
    _ = try stack.coordinator.export(stack.store, to: exported, type: kind.storeType) { lost = $0 }
    #expect(lost == ["Note.folder": 1])
    try NotesStack(type: kind.type, at: exported).work { context throws in
      let note = try #require(try context.fetch(Note.fetchRequest()).first { $0.title == "a" })
      #expect(note.folder == nil)
    }
  }

  @Test(arguments: kinds)
  func `a Boolean that a database had as 2 was written into a file that could not be read`(
    kind: StoreKind
  ) throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context throws in
      context.note("two").isFavourite = true
      context.note("none").isFavourite = false
      try context.save()
    }
    let file = try #require(stack.file)
    let connection = try Connection(path: file.path, mode: .readWrite)
    try connection.run("UPDATE ZNOTE SET ZISFAVOURITE = 2 WHERE ZTITLE = 'two'")
    let exported = TestSupport.TemporaryFolder.file("Exported")
    _ = try stack.coordinator.export(stack.store, to: exported, type: kind.storeType) { _ in }
    try NotesStack(type: kind.type, at: exported).work { context throws in
      for note in try context.fetch(Note.fetchRequest()) {
        #expect(note.isFavourite == (note.title == "two"))
        #expect(note.value(forKey: "isFavourite") as? Bool == note.isFavourite)
      }
    }
  }

  @Test(arguments: kinds)
  func `a key that leads to an object of another kind is told of, and there is no file`(
    kind: StoreKind
  ) throws {
    let (item, box) = (CodedModel.entity("Item"), CodedModel.entity("Box"))
    let thing = CodedModel.entity("Thing")
    item.subentities = [box, thing]
    let relationship = NSRelationshipDescription()
    relationship.name = "box"
    relationship.destinationEntity = box
    relationship.maxCount = 1
    thing.properties = [relationship]
    let model = CodedModel.model(item, box, thing)
    let stack = try NotesStack(model: model, .sqlite)
    try stack.work { context throws in
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing.setValue(
        NSEntityDescription.insertNewObject(forEntityName: "Box", into: context),
        forKey: "box"
      )
      try context.save()
    }
    let connection = try Connection(path: try #require(stack.file).path, mode: .readWrite)
    try connection.run("UPDATE ZITEM SET ZBOX = Z_PK WHERE ZBOX IS NOT NULL")
    let exported = TestSupport.TemporaryFolder.file("Exported")
    let error = try #require(throws: NSError.self) {
      try stack.coordinator.export(stack.store, to: exported, type: kind.storeType) { _ in }
    }
    #expect(error.localizedFailureReason?.contains("box") == true, "\(error)")
    #expect(error.localizedDescription == "The store could not be copied.")
    #expect(error.userInfo[NSFilePathErrorKey] as? String == stack.file?.path)
    #expect(try beside(exported) == [])
  }

  @Test func `a store that cannot hand over its rows in parts is left to the transfer`() throws {
    let stack = try NotesStack(.memory)
    let exported = TestSupport.TemporaryFolder.file("Exported")
    #expect(
      try !stack.coordinator.export(stack.store, to: exported, type: .xml) { _ in }
    )
    let other = try NotesStack(.sqlite)
    #expect(try !other.coordinator.export(other.store, to: exported, type: .sqlite) { _ in })
    #expect(try beside(exported) == [])
  }

  @Test(arguments: kinds)
  func `a file that is there is not replaced`(kind: StoreKind) throws {
    let stack = try NotesStack(.sqlite)
    let there = TestSupport.TemporaryFolder.file("There")
    try Data("mine".utf8).write(to: there)
    let error = try #require(throws: CocoaError.self) {
      try stack.coordinator.export(stack.store, to: there, type: kind.storeType) { _ in }
    }
    #expect(error.code == .fileWriteFileExists)
    #expect(try Data(contentsOf: there) == Data("mine".utf8))
  }

  @Test func `a thousand rows of a megabyte each were in memory at once`() throws {
    let stack = try NotesStack(.sqlite)
    try stack.work { context in
      for number in 0..<40 {
        context.note("\(number)").text = String(repeating: "x", count: 1 << 20)
      }
      try context.save()
    }
    let exported = TestSupport.TemporaryFolder.file("Exported")
    var steps: [Int] = []
    _ = try stack.coordinator.export(stack.store, to: exported, type: .xml) { done, _ in
      steps.append(done)
      return true
    } leavingOut: { _ in
    }
    #expect(steps == [0, 1, 9, 24, 39])
  }

  // MARK: - What goes wrong on the way

  private func beside(_ file: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      .filter { $0.hasPrefix(file.lastPathComponent) }
  }

  @Test(arguments: kinds)
  func `whoever gives it up has no file`(kind: StoreKind) throws {
    let stack = try desk(seed: 1)
    let exported = TestSupport.TemporaryFolder.file("Exported")
    var asked = 0
    #expect(throws: StoreExport.Cancellation.self) {
      _ = try stack.coordinator.export(stack.store, to: exported, type: kind.storeType) { done, _ in
        asked += 1
        return done == 0
      } leavingOut: { _ in
      }
    }
    #expect(asked > 1)
    #expect(try beside(exported) == [])
  }

  @Test(arguments: kinds)
  func `each step fails once, and there is no file`(kind: StoreKind) throws {
    let stack = try desk(seed: 2)
    let exported = TestSupport.TemporaryFolder.file("Exported")
    let maker = try #require(
      try KindsOfStores.kind(kind.type, at: exported.path) as? any ExportingKind
    )
    var failures = 0
    while failures < 100 {
      let steps = FileSteps()
      let count = Mutex(0)
      let failing = failures + 1
      steps.observe { _ in
        count.withLock { count in
          count += 1
          return count == failing ? ENOSPC : nil
        }
      }
      let export = try #require(
        try StoreExport(of: stack.store, in: stack.coordinator.layout) { _, _ in true }
      )
      do {
        try maker.write(export, to: WholeFile(url: exported, steps: steps))
        break
      } catch let error as NSError {
        #expect(error.code == CocoaError.fileWriteOutOfSpace.rawValue, "\(error)")
        #expect(try beside(exported) == [])
        failures += 1
      }
    }
    #expect(failures >= 4)
    #expect(try beside(exported) == ["Exported"])
  }
}
