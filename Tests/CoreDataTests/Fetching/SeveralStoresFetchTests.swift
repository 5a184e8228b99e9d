import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Which stores a fetch asks, and which unsaved objects it counts to them.
@Suite struct SeveralStoresFetchTests {
  private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test(arguments: StoreKind.evaluators)
  func `a store whose configuration has subentities alone was not asked for their superentity`(
    kind: StoreKind
  ) throws {
    let note = CodedModel.entity("Note", NSManagedObject.self, CodedModel.attribute("title"))
    let checklist = CodedModel.entity("Checklist")
    note.isAbstract = true
    note.subentities = [checklist]
    let model = CodedModel.model(note, checklist)
    model.setEntities([checklist], forConfigurationName: "Lists")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try CodedModel.addStore(kind, to: coordinator, configuration: "Lists")
    let context = context(coordinator)
    try context.performAndWait {
      let list = NSEntityDescription.insertNewObject(forEntityName: "Checklist", into: context)
      list.setValue("a", forKey: "title")
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      #expect(try context.fetch(request) == [list])
      #expect(try context.count(for: request) == 1)
      request.includesSubentities = false
      #expect(try context.count(for: request) == 0)
      guard kind == .sqlite else { return }
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.includesSubentities = true
      update.propertiesToUpdate = ["title": "b"]
      update.resultType = .updatedObjectsCountResultType
      let result = try context.execute(update) as? NSBatchUpdateResult
      #expect(result?.result as? Int == 1)
    }
  }

  @Test func `a limit was lost where a store was added after the context was pinned (66)`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try StoreKind.sqlite.add(to: coordinator)
    let context = context(coordinator)
    try context.performAndWait {
      for title in ["a", "b", "c"] { context.note(title) }
      try context.save()
      try context.setQueryGenerationFrom(.current)
      try StoreKind.sqlite.add(to: coordinator)
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.fetchOffset = 1
      request.fetchLimit = 1
      #expect(try context.fetch(request).map(\.title) == ["b"])
      #expect(try context.count(for: request) == 1)
      let ids = request.retyped(NSManagedObjectID.self)
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids).map { context.find($0).title } == ["b"])
    }
  }

  @Test(arguments: StoreKind.evaluators)
  func `a new object that goes to another store was found in the one that was asked`(
    kind: StoreKind
  ) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let stores = try (0..<2).map { _ in try kind.add(to: coordinator) }
    let context = context(coordinator)
    try context.performAndWait {
      context.note("unassigned")
      for (store, title) in zip(stores, ["first", "second"]) {
        context.assign(context.note(title), to: store)
      }
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      func titles(_ store: NSPersistentStore) throws -> [String?] {
        request.affectedStores = [store]
        return try context.fetch(request).map(\.title)
      }
      for _ in 0..<2 {
        #expect(try titles(stores[0]) == ["first", "unassigned"])
        #expect(try titles(stores[1]) == ["second"])
        #expect(try context.count(for: request) == 1)
        try context.save()
      }
    }
  }
}
