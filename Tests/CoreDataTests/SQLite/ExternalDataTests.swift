import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Large data in files beside the store, as Apple's framework keeps it.
@Suite struct ExternalDataTests {
  static let model: ModelSchema = {
    var image = AttributeSchema.attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    return .model(.entity("Note", [.text("title"), image]))
  }()

  static func large(_ byte: UInt8) -> Data {
    Data(repeating: byte, count: ExternalFiles.limit + 1)
  }

  static let small = Data(repeating: 7, count: ExternalFiles.limit)

  private func image(_ note: NSManagedObject?) -> Data? { note?.value(forKey: "image") as? Data }

  @Test func `large data goes into a file, and the row has its name (52)`() throws {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      let note = context.new("Note", ["title": "large", "image": Self.large(1)])
      _ = context.new("Note", ["title": "small", "image": Self.small])
      try context.save()
      #expect(image(note) == Self.large(1))
      #expect(note.committedValues(forKeys: nil)["image"] as? Data == Self.large(1))
    }
    let name = try #require(stack.externalFiles.first)
    #expect(stack.externalFiles.count == 1)
    #expect(UUID(uuidString: name)?.uuidString == name)
    #expect(try stack.blob("large") == [2] + [UInt8](name.utf8) + [0])
    #expect(try stack.blob("small") == [1] + [UInt8](Self.small))
    let folder = try #require(stack.file?.deletingLastPathComponent())
    let file = folder.appendingPathComponent(".Notes_SUPPORT/_EXTERNAL_DATA/\(name)")
    #expect(try Data(contentsOf: file) == Self.large(1))
    try ModelStack(Self.model, file: stack.file)
      .work { context in
        let notes = try context.all("Note")
        #expect(notes.map { image($0) } == [Self.large(1), Self.small])
      }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `data of every size comes back in every kind of store (52)`(_ kind: StoreKind) throws {
    let stack = try ModelStack(Self.model, kind)
    try stack.work { context in
      for data in [Data(), Self.small, Self.large(2)] {
        let note = context.new("Note", ["image": data])
        try context.save()
        context.refresh(note, mergeChanges: false)
        #expect(image(note) == data)
        note.setValue(nil, forKey: "image")
        try context.save()
        #expect(image(note) == nil)
      }
    }
    #expect(stack.externalFiles.isEmpty)
  }

  @Test func `a file goes when its data is replaced or its row deleted, after the commit (52)`()
    throws
  {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      let note = context.new("Note", ["title": "a", "image": Self.large(1)])
      let other = context.new("Note", ["title": "b", "image": Self.large(2)])
      try context.save()
      let first = stack.externalFiles
      note.setValue("c", forKey: "title")
      try context.save()
      #expect(stack.externalFiles == first)
      note.setValue(Self.large(3), forKey: "image")
      #expect(stack.externalFiles == first)
      try context.save()
      #expect(stack.externalFiles.count == 2)
      #expect(image(note) == Self.large(3))
      context.delete(other)
      try context.save()
      #expect(stack.externalFiles.count == 1)
      note.setValue(Self.small, forKey: "image")
      try context.save()
      #expect(stack.externalFiles.isEmpty)
    }
  }

  /// Leaves what a process leaves that is killed in the middle of a transaction.
  private func leavePending(
    _ names: [String],
    _ stack: ModelStack,
    of store: String? = nil
  ) throws
    -> URL
  {
    let file = try #require(stack.file)
    let folder = ExternalFiles.folder(besides: file)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let list = folder.deletingLastPathComponent().appendingPathComponent(".pending-\(getpid())-1")
    let text = ([store ?? file.lastPathComponent] + names).map { $0 + "\n" }.joined()
    try text.write(to: list, atomically: true, encoding: .utf8)
    for name in names {
      let place = folder.appendingPathComponent(name)
      if !FileManager.default.fileExists(atPath: place.path) { try Self.large(9).write(to: place) }
    }
    return list
  }

  @Test func `files that a killed program has written for no row stayed for ever`() throws {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      _ = context.new("Note", ["title": "a", "image": Self.large(1)])
      try context.save()
    }
    let named = try #require(stack.externalFiles.first)
    let (lost, other) = (UUID().uuidString, UUID().uuidString)
    let folder = ExternalFiles.folder(besides: try #require(stack.file))
    // Nobody has it in a list: it may be the only copy of something.
    try Self.large(3).write(to: folder.appendingPathComponent(other))
    try Self.large(3).write(to: folder.appendingPathComponent(".\(lost)"))
    let list = try leavePending([named, lost], stack)
    try ModelStack(Self.model, file: stack.file)
      .work { context in
        let notes = try context.all("Note")
        #expect(notes.map { image($0) } == [Self.large(1)])
      }
    #expect(Set(stack.externalFiles) == [named, other])
    #expect(!FileManager.default.fileExists(atPath: list.path))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files) == [named, other])
  }

  @Test func `files of a list of another store, or in a shared folder, stay`() throws {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      _ = context.new("Note", ["title": "a"])
      try context.save()
    }
    let lost = UUID().uuidString
    var list = try leavePending([lost], stack, of: "Other.sqlite")
    _ = try ModelStack(Self.model, file: stack.file)
    #expect(stack.externalFiles == [lost])
    list = try leavePending([lost], stack)
    let file = try #require(stack.file)
    let twin = file.deletingPathExtension().appendingPathExtension("backup")
    try FileManager.default.copyItem(at: file, to: twin)
    _ = try ModelStack(Self.model, file: stack.file)
    #expect(stack.externalFiles == [lost])
    try FileManager.default.removeItem(at: twin)
    _ = try ModelStack(Self.model, file: stack.file)
    #expect(stack.externalFiles.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: list.path))
  }

  @Test func `a transaction leaves no list of its files behind`() throws {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      let note = context.new("Note", ["title": "a", "image": Self.large(1)])
      try context.save()
      note.setValue(Self.large(2), forKey: "image")
      try context.save()
      context.delete(note)
      try context.save()
    }
    let folder = ExternalFiles.folder(besides: try #require(stack.file)).deletingLastPathComponent()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["_EXTERNAL_DATA"])
  }

  @Test func `data that is too large to be read again was written into a file`() throws {
    let size = ExternalFiles.greatestSize + 1
    // Addresses alone: no byte of it is read, and so none takes memory.
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
    let bytes = try #require(mmap(nil, size, PROT_READ, flags, -1, 0))
    try #require(bytes != MAP_FAILED)
    defer { munmap(bytes, size) }
    let store = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let error = #expect(throws: NSError.self) {
      let data = Data(bytesNoCopy: bytes, count: size, deallocator: .none)
      _ = try ExternalFiles(besides: store).write(data)
    }
    #expect(error?.code == NSPersistentStoreSaveError)
    #expect(error?.localizedFailureReason?.contains("2147483648 bytes") == true)
    let folder = ExternalFiles.folder(besides: store)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `the n-th step of a save fails, for every n, and nothing is lost (52)`() throws {
    var place = 1
    while try refusing(place) { place += 1 }
    #expect(place > 10)
  }

  /// Whether there was such a step, of files and statements alike.
  private func refusing(_ place: Int) throws -> Bool {
    let stack = try ModelStack(Self.model)
    let context = stack.context()
    let rows = try #require(stack.coordinator.persistentStores.first?.backend as? SQLiteStore)
    let files = try #require(rows.files)
    return try context.performAndWait {
      let (one, other) = (
        context.new("Note", ["title": "one", "image": Self.large(1)]),
        context.new("Note", ["title": "other", "image": Self.large(2)])
      )
      try context.save()
      let (before, blobs) = (stack.externalFiles, try ["one", "other"].map(stack.blob))
      one.setValue(Self.large(3), forKey: "image")
      context.delete(other)
      _ = context.new("Note", ["title": "new", "image": Self.large(4)])
      let refusal = Refusal(ofStatement: place)
      rows.pool.observe { sql throws(SQLiteError) in try refusal.observe(sql) }
      files.observe { step in try refusal.observe("\(step)") }
      let error = errorCode { try context.save() }
      rows.pool.observe(nil)
      files.observe(nil)
      if error != nil {
        #expect(refusal.happened)
        #expect(stack.externalFiles == before, "step \(place)")
        #expect(try ["one", "other"].map(stack.blob) == blobs, "step \(place)")
        #expect(image(one) == Self.large(3) && context.hasChanges)
        try context.save()
      }
      // A file that could not be removed after the commit stays, and harms nothing.
      let named = try stack.namedFiles()
      #expect(named.isSubset(of: stack.externalFiles), "step \(place)")
      #expect(named.count == 2)
      if !refusal.happened || error != nil { #expect(named == Set(stack.externalFiles)) }
      try ModelStack(Self.model, file: stack.file)
        .work { context in
          let images = try context.all("Note").map { image($0) }
          #expect(images == [Self.large(3), Self.large(4)], "step \(place)")
        }
      return refusal.happened
    }
  }

  @Test func `a conflict leaves the files as they were (52)`() throws {
    let stack = try ModelStack(Self.model)
    let id = try stack.work { context in
      let note = context.new("Note", ["title": "a", "image": Self.large(1)])
      try context.save()
      return note.objectID
    }
    let late = stack.context()
    try late.performAndWait {
      let note = late.object(with: id)
      note.setValue(Self.large(2), forKey: "image")
      try stack.work { context in
        context.object(with: id).setValue("b", forKey: "title")
        try context.save()
      }
      let before = stack.externalFiles
      #expect(errorCode { try late.save() } == NSManagedObjectMergeError)
      #expect(stack.externalFiles == before)
    }
  }

  @Test func `a name that is none of ours is not read (52)`() throws {
    let stack = try ModelStack(Self.model)
    let store = try #require(stack.coordinator.persistentStores.first)
    #expect(store.externalData(named: "../../Notes.sqlite") == nil)
    #expect(store.externalData(named: UUID().uuidString) == nil)
  }

  @Test(arguments: [
    "image == %@", "image > %@", "image CONTAINS %@", "image IN {%@}", "image BEGINSWITH %@",
  ]) func `predicates cannot look into such data (52)`(_ format: String) throws {
    let stack = try ModelStack(Self.model)
    try stack.work { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: format, argumentArray: [Data([1])])
      let error = #expect(throws: CocoaError.self) { try context.fetch(request) }
      let reason = (error as NSError?)?.localizedFailureReason ?? ""
      #expect(reason.contains("image"), "\(reason)")
    }
  }
}

// MARK: - Looking

extension ModelStack {
  /// The names of the files beside the store, those without a name yet included.
  fileprivate var externalFiles: [String] {
    guard let file else { return [] }
    let folder = ExternalFiles.folder(besides: file).path
    // There is no folder before the first file.
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  fileprivate func blob(_ title: String) throws -> [UInt8]? {
    let file = try #require(file)
    let connection = try Connection(path: file.path, mode: .readOnly)
    let statement = try connection.statement(
      "SELECT ZIMAGE FROM ZNOTE WHERE ZTITLE = \(.text(title))"
    )
    defer { statement.reset() }
    return try statement.step() ? [UInt8](statement.blobBytes(0)) : nil
  }

  /// The files that rows name.
  fileprivate func namedFiles() throws -> Set<String> {
    let file = try #require(file)
    let connection = try Connection(path: file.path, mode: .readOnly)
    let statement = try connection.statement("SELECT ZIMAGE FROM ZNOTE")
    defer { statement.reset() }
    var names: Set<String> = []
    while try statement.step() {
      if let name = ExternalData.fileName(statement.blobBytes(0)) { names.insert(name) }
    }
    return names
  }
}
