import CoreData
import Foundation
import Testing

@testable import SlipboxLibrary

/// How the store is opened.
struct OpeningTests {
  @Test func `a store that another program had locked kept people waiting for minutes`() throws {
    let box = try Box()
    let store = try #require(box.library.controller.container.persistentStoreDescriptions.first)
    #expect(store.timeout <= 15)
  }

  @Test func `a slip box of the model's first version opens with everything in it`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("slipbox-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try fill(folder)
    let library = try Library(folder: folder)
    defer { library.close() }
    let found = try await library.notes(NoteQuery(NoteSearch(text: "zettel")))
    #expect(found.rows.map(\.title) == ["Zettelkasten"])
    #expect(found.rows.first?.folder?.name == "Reading")
    let id = try #require(found.rows.first?.id)
    _ = try await library.trash([try #require(UUID(uuidString: id))], by: nil)
    #expect(try await library.emptyTrash(by: nil).count == 1)
  }

  private func fill(_ folder: URL) throws {
    let versions = try #require(PersistenceController.modelURL)
    let first = try #require(
      NSManagedObjectModel(contentsOf: versions.appendingPathComponent("Slipbox.mom"))
    )
    #expect(first.entitiesByName["Note"]?.attributesByName["erasedDate_"] == nil)
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
      try context.save()
    }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }
}
