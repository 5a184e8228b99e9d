import CoreDataSQLite
import TestSupport
import Testing

@testable import CoreData

/// Faults of a store that cannot be read: a page is damaged, the disk has an error.
@Suite struct UnreadableFaultTests {
  private let stack: NotesStack
  private let container: NSPersistentContainer
  private let id: NSManagedObjectID

  init() throws {
    let file = TestSupport.TemporaryFolder.file("Notes.sqlite")
    let description = NSPersistentStoreDescription(url: file)
    // Blocks read over the connections that the test sees.
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    container = NSPersistentContainer(name: "Notes", managedObjectModel: NotesStack.model)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    stack = try NotesStack(
      file: file,
      options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]]
    )
    id = try stack.saved { $0.note("One", in: $0.folder("F")) }
  }

  private func damage(_ coordinator: NSPersistentStoreCoordinator, _ isDamaged: Bool = true) {
    coordinator.persistentStores.first?.forgetRows()
    coordinator.pool?.observe { sql throws(SQLiteError) in
      if isDamaged, sql.hasPrefix("SELECT"), !sql.contains("Z_METADATA") {
        throw SQLiteError(code: 11, message: "database disk image is malformed")
      }
    }
  }

  @Test func `a damaged page ended the program that read a property`() throws {
    try stack.work { context in
      let note = context.find(id)
      damage(stack.coordinator)
      #expect(note.isFault)
      #expect(note.title == nil)
      #expect(note.folder == nil)
      #expect(note.tags?.count == 0)
      note.stars = 5
      #expect(errorCode { try context.save() } == 259)
      // The store can be read again, and no unread value is written.
      damage(stack.coordinator, false)
      #expect(errorCode { try context.save() } == 259)
      context.rollback()
      #expect(note.title == "One")
      #expect(note.folder?.name == "F")
      note.stars = 4
      try context.save()
    }
    try stack.work { context in
      let note = context.find(id)
      #expect(note.title == "One" && note.stars == 4)
    }
  }

  @Test func `a property that is never nil stopped the program when the store could not be read`()
    async throws
  {
    damage(container.persistentStoreCoordinator)
    let id = id
    let error = await #expect(throws: NSError.self) {
      try await container.write { context in
        guard
          let id = context.persistentStoreCoordinator?.managedObjectID(
            forURIRepresentation: id.uriRepresentation()
          )
        else { return }
        let note = context.object(with: id)
        let title: String = note.required(
          note.value(forKey: "title") as? String,
          ManagedSlot("title")
        )
        let created: Date = note.required(
          note.value(forKey: "created") as? Date,
          ManagedSlot("created")
        )
        #expect(title.isEmpty && created == .distantPast)
        context.note("derived from \(title)")
      }
    }
    #expect(error?.code == 259)
    damage(container.persistentStoreCoordinator, false)
    #expect(try await container.read { try $0.titles() } == ["One"])
  }

  @Test func `members that could not be read ended the program`() throws {
    try stack.work { context in
      let folder = try #require(context.find(id).folder)
      _ = folder.name
      damage(stack.coordinator)
      #expect(folder.notes?.count == 0)
      context.note("Two")
      #expect(errorCode { try context.save() } == 259)
      damage(stack.coordinator, false)
      #expect(folder.notes?.count == 1)
    }
  }

  @Test func `edits were lost with an error that every save threw again`() throws {
    try stack.work { context in
      let folder = context.folder("G")
      try context.save()
      let note = context.find(id)
      damage(stack.coordinator)
      #expect(note.title == nil)
      folder.name = "H"
      context.note("Two")
      #expect(errorCode { try context.save() } == 259)
      damage(stack.coordinator, false)
      try context.save()
      #expect(note.title == "One")
    }
    try stack.work { context in
      #expect(try context.count(for: Note.fetchRequest()) == 2)
      let names = try context.fetch(Folder.fetchRequest()).compactMap(\.name).sorted()
      #expect(names == ["F", "H"])
    }
  }

  @Test func `a context whose error was forgotten by reset goes on`() throws {
    try stack.work { context in
      damage(stack.coordinator)
      #expect(context.find(id).title == nil)
      damage(stack.coordinator, false)
      context.reset()
      context.find(id).stars = 3
      try context.save()
    }
  }

  @Test func `a block got nothing for a value, and wrote what it made of that`() async throws {
    let uri = id.uriRepresentation()
    let coordinator = container.persistentStoreCoordinator
    @Sendable func note(_ context: NSManagedObjectContext) throws -> Note? {
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
      let note = try context.existingObject(with: id) as? Note
      if let note { context.refresh(note, mergeChanges: false) }
      damage(coordinator)
      return note
    }
    let written = await #expect(throws: (any Error).self) {
      try await container.write { context in
        let title = try note(context)?.title ?? "nothing"
        context.note("copy of \(title)")
      }
    }
    #expect((written as NSError?)?.code == 259)
    damage(coordinator, false)
    let read = await #expect(throws: (any Error).self) {
      try await container.read { context in try note(context)?.title }
    }
    #expect((read as NSError?)?.code == 259)
    damage(coordinator, false)
    #expect(try await container.read { try $0.count(for: Note.fetchRequest()) } == 1)
  }
}
