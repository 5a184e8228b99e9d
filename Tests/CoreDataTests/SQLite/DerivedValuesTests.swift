import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Attributes that the file computes, by triggers.
@Suite struct DerivedValuesTests {
  private let context = NSManagedObjectContext(.privateQueue)
  private let coordinator: NSPersistentStoreCoordinator

  init() throws {
    let schema = ModelSchema.model(
      .entity(
        "Folder",
        [.text("name"), .derived("noteCount", .integer64, from: "notes.@count")],
        [.many("notes", "Note", back: "folder")]
      ),
      .entity(
        "Note",
        [
          .text("title"), .derived("folderName", .string, from: "folder.name"),
          .derived("modified", .date, from: "now()"),
        ],
        [.one("folder", "Folder", back: "notes")]
      )
    )
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: .init(schema: schema))
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: TestSupport.TemporaryFolder.file("Notes.sqlite")
    )
    context.persistentStoreCoordinator = coordinator
  }

  private func insert(_ entity: String) -> NSManagedObject {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
  }

  @Test func `they have their values after the save, without another fetch`() throws {
    try context.performAndWait {
      let (folder, note) = (insert("Folder"), insert("Note"))
      folder.setValue("Ideas", forKey: "name")
      note.setValue(folder, forKey: "folder")
      let before = Date()
      try context.save()
      #expect(folder.value(forKey: "noteCount") as? Int == 1)
      #expect(note.value(forKey: "folderName") as? String == "Ideas")
      let modified = try #require(note.value(forKey: "modified") as? Date)
      #expect(abs(modified.timeIntervalSince(before)) < 10)
    }
  }

  @Test func `they follow changes of what they are derived from`() throws {
    try context.performAndWait {
      let (folder, note) = (insert("Folder"), insert("Note"))
      folder.setValue("Ideas", forKey: "name")
      note.setValue(folder, forKey: "folder")
      try context.save()
      let second = insert("Note")
      second.setValue(folder, forKey: "folder")
      try context.save()
      #expect(folder.value(forKey: "noteCount") as? Int == 2)
      context.delete(note)
      try context.save()
      #expect(folder.value(forKey: "noteCount") as? Int == 1)
      second.setValue(nil, forKey: "folder")
      try context.save()
      #expect(folder.value(forKey: "noteCount") as? Int == 0)
      #expect(second.value(forKey: "folderName") == nil)
    }
  }
}
