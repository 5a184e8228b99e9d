import Foundation
import TestSupport
import Testing

@testable import CoreData

struct BatchDeleteTests {
  @Test(arguments: storesWithBatches)
  func `what leads to deleted rows leads nowhere afterwards (92)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let folder = try stack.saved { context in
      let folder = context.folder("Ideas")
      let tag = context.tag("swift")
      let (gone, stays) = (context.note("gone", in: folder), context.note("stays", in: folder))
      folder.cover = gone
      for note in [gone, stays] {
        folder.addToPinned(note)
        note.addToTags(tag)
      }
      gone.addToRelated(stays)
      stays.addToRelated(context.note("third"))
      return folder
    }
    try stack.work { context in
      let ids = try context.delete("Note", where: NSPredicate(format: "title == 'gone'"))
      #expect(ids.count == 1)
      let ideas = context.find(folder, as: Folder.self)
      #expect(ideas.titles == ["stays"])
      #expect(ideas.pinnedTitles == ["stays"])
      #expect(ideas.cover == nil)
      #expect(ideas.storedVersion == 2)
      let stays = try #require(try context.note(titled: "stays"))
      #expect(stays.related?.count == 1)
      #expect(stays.storedVersion == 1)
      let tag = try #require(try context.fetch(Tag.fetchRequest()).first)
      #expect(tag.notes?.count == 1)
      #expect(errorCode { try context.existingObject(with: ids[0]) } == 133000)
    }
    try expectNothingDangles(in: stack)
  }

  @Test func `a limit held for each of several stores, so that too many rows were deleted`() throws
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    let stores = try (0..<2).map { _ in try StoreKind.sqlite.add(to: coordinator) }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for (index, title) in ["a", "b", "c", "d", "e"].enumerated() {
        context.assign(context.note(title), to: stores[index % 2])
      }
      try context.save()
      context.note("0")
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      request.fetchOffset = 1
      request.fetchLimit = 2
      let deleted = try context.delete(NSBatchDeleteRequest(fetchRequest: request))
      #expect(deleted.count == 2)
      context.reset()
      #expect(try context.titles() == ["a", "d", "e"])
    }
  }

  @Test func `a request for objects was refused where any request should do`() throws {
    try NotesStack(.sqlite).work { context in
      for title in ["a", "b", "c"] { context.note(title) }
      try context.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "title == 'a'")
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      #expect(try context.titles() == ["b", "c"])

      request.predicate = NSPredicate(format: "title == 'b'")
      let any = NSFetchRequest<any NSFetchRequestResult>(request)
      #expect(try context.fetch(any).count == 1)
      try context.execute(NSBatchDeleteRequest(fetchRequest: any))
      #expect(try context.titles() == ["c"])
      #expect(NSFetchRequest<Note>(any) == request)

      try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Folder")))
      try context.execute(NSBatchDeleteRequest(fetchRequest: Note.fetchRequest()))
      #expect(try context.titles().isEmpty)
    }
  }

  @Test(arguments: storesWithBatches)
  func `Cascade takes related rows along, and the result names them`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let top = context.folder("top")
      let inner = context.folder("inner", in: context.folder("middle", in: top))
      context.note("deep", in: inner)
      context.note("high", in: top)
      context.note("outside", in: context.folder("other"))
      try context.save()
      let ids = try context.delete("Folder", where: NSPredicate(format: "name == 'top'"))
      #expect(
        ids.compactMap(\.entity.name).sorted() == ["Folder", "Folder", "Folder", "Note", "Note"]
      )
      let fresh = stack.context()
      try fresh.performAndWait { () throws in
        #expect(try fresh.titles() == ["outside"])
        #expect(try fresh.fetch(Folder.fetchRequest()).map(\.name) == ["other"])
      }
    }
    try expectNothingDangles(in: stack)
  }

  @Test(arguments: storesWithBatches)
  func `Deny refuses, unless the other rows go too`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let note = context.note("tagged")
      note.addToTags(context.tag("used"))
      _ = context.tag("unused")
      try context.save()
      #expect(errorCode { try context.delete("Tag") } == NSValidationRelationshipDeniedDeleteError)
      #expect(words { try context.delete("Tag") }.contains("Tag.notes has the delete rule Deny"))
      #expect(try context.count(for: NSFetchRequest<Tag>(entityName: "Tag")) == 2)
      #expect(try context.delete("Tag", where: NSPredicate(format: "name == 'unused'")).count == 1)
      try context.delete("Note")
      #expect(try context.delete("Tag").count == 1)
    }
  }

  @Test(arguments: storesWithBatches)
  func `order and range of the fetch request say which rows go`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      try context.insert("Note", (1...9).map { ["title": "note \($0)", "stars": 9 - $0] })
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      fetch.sortDescriptors = [NSSortDescriptor(key: "stars", ascending: true)]
      fetch.fetchOffset = 1
      fetch.fetchLimit = 3
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeCount
      fetch.fetchLimit = 1
      #expect(request.fetchRequest.fetchLimit == 3)
      let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
      #expect(result.result as? Int == 3)
      #expect(result.resultType == .resultTypeCount)
      #expect(
        try context.titles() == ["note 1", "note 2", "note 3", "note 4", "note 5", "note 9"]
      )
    }
  }

  @Test(arguments: storesWithBatches)
  func `subentities go too unless they are not wanted`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      try context.insert("Note", [["title": "note"]])
      try context.insert("Checklist", [["title": "list"], ["title": "other"]])
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      fetch.includesSubentities = false
      #expect(try context.delete(NSBatchDeleteRequest(fetchRequest: fetch)).count == 1)
      #expect(try context.titles() == ["list", "other"])
      #expect(try context.delete("Checklist", where: .init(format: "title == 'list'")).count == 1)
      #expect(try context.delete("Note").count == 1)
    }
  }

  @Test(arguments: storesWithBatches)
  func `identities must be of one entity (92)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let notes = try context.insert("Note", [["title": "a"], ["title": "b"], ["title": "c"]])
      let lists = try context.insert("Checklist", [["title": "d"]])
      #expect(
        errorCode { try context.delete(NSBatchDeleteRequest(objectIDs: notes + lists)) }
          == NSCoreDataError
      )
      #expect(
        words { try context.delete(NSBatchDeleteRequest(objectIDs: lists + notes)) }
          .contains("Checklist, Note")
      )
      let request = NSBatchDeleteRequest(objectIDs: Array(notes.prefix(2)))
      #expect(request.fetchRequest.entityName == "Note")
      #expect(Set(try context.delete(request)) == Set(notes.prefix(2)))
      #expect(try context.titles() == ["c", "d"])
      #expect(try context.delete(request).isEmpty)
      #expect(try context.delete(NSBatchDeleteRequest(objectIDs: [])).isEmpty)
    }
  }

  @Test(arguments: storesWithBatches)
  func `members of a relationship without an inverse stay`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let bin = Bin(context: context)
      bin.addToKept(context.note("kept"))
      bin.addToQueue(context.note("queued"))
      try context.save()
      try context.delete("Bin")
      #expect(try context.titles() == ["kept", "queued"])
      let other = Bin(context: context)
      try context.save()
      #expect(other.kept?.count == 0)
    }
    try expectNothingDangles(in: stack)
  }

  @Test func `a relationship that is not optional is not made nil`() throws {
    let stack = try NotesStack(model: Self.pages, .sqlite)
    try stack.work { context in
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      let page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: context)
      page.setValue(book, forKey: "book")
      try context.save()
      #expect(
        errorCode { try context.delete("Book") } == NSValidationMissingMandatoryPropertyError
      )
      #expect(words { try context.delete("Book") }.contains("Page.book is not optional"))
      #expect(try context.delete("Page").count == 1)
      #expect(try context.delete("Book").count == 1)
    }
  }

  @Test func `rows to which nothing leads go by one statement`() throws {
    let entity = NSEntityDescription()
    entity.name = "Line"
    let number = NSAttributeDescription()
    number.name = "number"
    number.type = .integer64
    entity.properties = [number]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try NotesStack(model: model, .sqlite)
    try stack.work { context in
      try context.insert("Line", (1...10).map { ["number": $0] })
      let log = StatementLog(stack.coordinator)
      let statements = try log.during {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Line")
        fetch.predicate = NSPredicate(format: "number > 3")
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        let result = try context.execute(request) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 7)
      }
      #expect(
        statements == [
          "BEGIN IMMEDIATE",
          #"DELETE FROM "ZLINE" AS "t0" WHERE "t0"."ZNUMBER" > ?1"#,
          "COMMIT",
        ]
      )
      let last = NSFetchRequest<any NSFetchRequestResult>(entityName: "Line")
      last.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      last.fetchLimit = 1
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: last))
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Line")) == 2)
    }
  }

  private static let pages: NSManagedObjectModel = {
    let (book, page) = (NSEntityDescription(), NSEntityDescription())
    book.name = "Book"
    page.name = "Page"
    let (up, down) = (NSRelationshipDescription(), NSRelationshipDescription())
    up.name = "book"
    up.destinationEntity = book
    up.maxCount = 1
    up.isOptional = false
    down.name = "pages"
    down.destinationEntity = page
    down.maxCount = 0
    up.inverseRelationship = down
    down.inverseRelationship = up
    page.properties = [up]
    book.properties = [down]
    let model = NSManagedObjectModel()
    model.entities = [book, page]
    return model
  }()
}
