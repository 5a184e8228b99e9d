import CoreData
import Dispatch
import Foundation
import Pictures
import RichText
import Testing

@testable import SlipboxLibrary

/// How the store is opened.
struct OpeningTests {
  @Test func `a store that another program had locked kept people waiting for minutes`() throws {
    let box = try Box()
    let store = try #require(box.library.controller.container.persistentStoreDescriptions.first)
    #expect(store.timeout <= 15)
  }

  @Test func `a note was told to be saved before it was on the disk`() throws {
    let box = try Box()
    let coordinator = box.library.controller.container.persistentStoreCoordinator
    let options = try #require(coordinator.persistentStores.first?.options)
    let pragmas = try #require(options[NSSQLitePragmasOption] as? [String: NSObject])
    #expect(pragmas["synchronous"] == "FULL" as NSString)
  }

  @Test(.timeLimit(.minutes(60)))
  func `whoever asked first waited until all was read that searches read`() async throws {
    let box = try Box()
    _ = try await box.note("a note", "with a text")
    let library = box.library
    let isWarm = DispatchSemaphore(value: 0)
    // Asks until the program has warmed up, which would never end if that waited for those who ask.
    let asking = Task { try await library.read { _ in isWarm.wait() } }
    try await library.warmUp()
    isWarm.signal()
    try await asking.value
  }

  @Test(arguments: [
    "Slipbox.mom", "Slipbox 2.mom", "Slipbox 3.mom", "Slipbox 4.mom", "Slipbox 5.mom",
    "Slipbox 6.mom", "Slipbox 7.mom", "Slipbox 8.mom", "Slipbox 9.mom",
  ])
  func `a slip box of an earlier version of the model opens with everything in it`(
    model: String
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(folder, model)
    let library = try Library(folder: folder)
    defer { library.close() }
    let found = try await library.notes(NoteQuery(NoteSearch(text: "zettel")))
    #expect(found.rows.map(\.title) == ["Zettelkasten"])
    #expect(found.rows.first?.folder?.name == "Reading")
    let id = try #require(found.rows.first?.id)
    let picture = try await library.picture(of: try id.uuid)
    #expect(picture.data == SamplePicture.png)
    // The novelties of this version work in the old notes.
    let pdf = try await library.addFile(
      PDFSample.pdf(["Papaya"]),
      name: nil,
      to: try id.uuid,
      by: nil
    )
    #expect(try await library.pages(ofFile: try pdf.id.uuid).pages == 1)
    if PDFFile.textTool != nil {
      try await library.fileTexts.readAll()
      #expect(try await library.notes(NoteQuery(NoteSearch(text: "papaya"))).total == 1)
    }
    let file = try await library.addFile(Data("a".utf8), name: "a.txt", to: try id.uuid, by: nil)
    #expect(try await library.readFile(try file.id.uuid) { facts, _ in facts.name } == "a.txt")
    var edit = NoteEdit()
    edit.aliases = ["Slip box"]
    #expect(try await library.edit(try id.uuid, edit, by: nil).note.aliases == ["Slip box"])
    edit = NoteEdit()
    edit.properties = [PropertyEdit("due", kind: "date", value: "2026-12-01")]
    #expect(try await library.edit(try id.uuid, edit, by: nil).note.properties.count == 1)
    #expect(try await library.notes(NoteQuery(NoteSearch(text: "due:2026"))).total == 1)
    edit = NoteEdit()
    edit.pinned = true
    #expect(try await library.edit(try id.uuid, edit, by: nil).note.pinned)
    #expect(try await library.notes(NoteQuery()).sections.first?.title == "Pinned")
    // The tasks in its text, and missing notes that it names, are found in the next housekeeping.
    #expect(try await library.notes(NoteQuery(NoteSearch(text: "is:task"))).total == 0)
    try await library.purge()
    #expect(try await library.notes(NoteQuery(NoteSearch(text: "is:task"))).total == 1)
    let (search, _) = try await library.keepSearch(name: "Open", text: "is:task", by: nil)
    let last = try await library.keepSearch(name: "Last", text: "tea", by: nil).search
    _ = try await library.edit(search: last.id.uuid, name: nil, text: nil, order: 0, by: nil)
    #expect(try await library.overview().searches == [last, search])
    let new = NewNote(title: "Later")
    _ = try await library.make(new, by: nil)
    #expect(try await library.note(try id.uuid).links.map(\.title) == ["Later"])
    _ = try await library.trash([try #require(UUID(uuidString: id))], by: nil)
    #expect(try await library.emptyTrash(by: nil).count == 1)
  }

  @Test func `a sign that another program wrote while no slip box was open was not found`()
    async throws
  {
    let box = try Box()
    let note = try await box.note("Party", "and cake")
    let other = try await box.note("Other")
    try await box.library.purge()
    func found(_ library: Library) async throws -> [String] {
      try await library.notes(NoteQuery(NoteSearch(text: "🎉"))).rows.map(\.title)
    }
    box.library.close()
    try rename(note, "Party 🎉", in: box.folder)
    let library = try Library(folder: box.folder)
    defer { library.close() }
    try await library.purge()
    #expect(try await found(library) == ["Party 🎉"])
    let revision = try await library.note(try note.id.uuid).revision
    #expect(revision > note.revision)
    #expect(try await library.note(try other.id.uuid).revision == other.revision)
    // Once is enough.
    try await library.purge()
    let again = try Library(folder: box.folder)
    defer { again.close() }
    try await again.purge()
    #expect(try await again.note(try note.id.uuid).revision == revision)
  }

  @Test func `words that another program wrote alone were found, and not shown`() async throws {
    let box = try Box()
    let note = try await box.note("Cake", "Flour and eggs")
    let id = try note.id.uuid
    try await box.library.purge()
    box.library.close()
    try write(["bodyText_": "flour, eggs\nand Sugar"], into: note, in: box.folder)
    let other = try PersistenceController(folder: box.folder).container.newBackgroundContext()
    try await other.perform {
      Note(title: "Made there", context: other).bodyText_ = "only words"
      try other.save()
    }
    let library = try Library(folder: box.folder)
    defer { library.close() }
    try await library.purge()
    let content = try await library.note(id)
    #expect(try RichText(document: content.document).plainText == "flour, eggs\nand Sugar")
    #expect(content.revision > note.revision)
    #expect(try await library.versions(of: id).count == 1)
    #expect(try await library.notes(NoteQuery(NoteSearch(text: "sugar"))).total == 1)
    let made = try #require(try await library.notes(NoteQuery(NoteSearch(text: "only"))).rows.first)
    let text = try RichText(document: try await library.note(try made.id.uuid).document)
    #expect(text.plainText == "only words")
  }

  private func rename(_ note: NoteContent, _ title: String, in folder: URL) throws {
    try write(["title_": title], into: note, in: folder)
  }

  /// As a program does that knows nothing of signs and revisions.
  private func write(_ values: [String: Any], into note: NoteContent, in folder: URL) throws {
    let container = try PersistenceController(folder: folder).container
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.predicate = NSPredicate(format: "uuid_ == %@", try note.id.uuid as NSUUID)
      request.propertiesToUpdate = values
      try context.execute(request)
    }
  }

  private func fill(_ folder: URL, _ model: String) throws {
    let versions = try #require(PersistenceController.modelURL)
    let first = try #require(
      NSManagedObjectModel(contentsOf: versions.appendingPathComponent(model))
    )
    let entity = try #require(first.entitiesByName["Note"])
    #expect(first.entitiesByName["FileText"] == nil)
    // The class is that of the latest version.
    entity.managedObjectClassName = "NSManagedObject"
    let container = NSPersistentContainer(name: "Slipbox", managedObjectModel: first)
    let description = NSPersistentStoreDescription(
      url: folder.appendingPathComponent("Slipbox.sqlite")
    )
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(true as NSNumber, forKey: CoreDataTextSearchOption)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    let context = container.newBackgroundContext()
    try context.performAndWait {
      func insert(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      }
      let reading = insert("Folder")
      reading.setValue("Reading", forKey: "name_")
      let note = insert("Note")
      note.setValue("Zettelkasten", forKey: "title_")
      note.setValue(reading, forKey: "folder")
      note.setValue(UUID(), forKey: "uuid_")
      note.setValue(Date(), forKey: "creationDate_")
      let text = RichText([
        .taskList([.init(isDone: false, [.paragraph([.text("Write [[Later]]")])])])
      ])
      note.setValue(text.json, forKey: "document_")
      note.setValue(text.rtf, forKey: "formattedBodyText_")
      note.setValue(Digest.of(text.rtf), forKey: "documentDigest_")
      note.setValue(text.plainText.lowercased(), forKey: "bodyText_")
      let picture = insert("Attachment")
      picture.setValue(SamplePicture.png, forKey: "fullImageData")
      picture.setValue("image/png", forKey: "type_")
      picture.setValue(note, forKey: "note")
      try context.save()
    }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }
}
