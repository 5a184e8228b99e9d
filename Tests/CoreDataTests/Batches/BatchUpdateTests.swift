import CoreDataSQLite
import TestSupport
import Testing

@testable import CoreData

struct BatchUpdateTests {
  private func stack(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let (ideas, home) = (context.folder("Ideas"), context.folder("Home"))
      for (index, folder) in [ideas, ideas, home].enumerated() {
        let note = context.note("note \(index + 1)", in: folder)
        note.views = NSNumber(value: index)
        note.stars = Int16(index)
        note.rating = 1.5
      }
      let list = Checklist(context: context)
      list.title = "list"
      list.views = 10
      try context.save()
    }
    return stack
  }

  @Test(arguments: storesWithBatches)
  func `constants and expressions, keys as names or descriptions (94)`(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.work { context in
      let link = try #require(Note.entity().attributesByName["link"])
      let folder = try #require(Note.entity().relationshipsByName["folder"])
      let count = try context.update(
        "Note",
        [
          "views": NSExpression(format: "views + 10 * stars"),
          "text": NSExpression(format: "uppercase(title)"),
          "rating": NSExpression(forConstantValue: 4),
          "price": NSDecimalNumber(string: "0.5"),
          "isFavourite": NSExpression(format: "stars"),
          link: NSNull(),
          folder: NSNull(),
        ],
        where: NSPredicate(format: "folder.name == 'Ideas'")
      )
      #expect(count == 2)
      let second = try #require(try context.note(titled: "note 2"))
      #expect(second.views == 11)
      #expect(second.text == "NOTE 2")
      #expect(second.rating == 4)
      #expect(second.price == NSDecimalNumber(string: "0.5"))
      #expect(second.isFavourite)
      #expect(second.folder == nil)
      #expect(second.storedVersion == 2)
      let first = try #require(try context.note(titled: "note 1"))
      #expect(!first.isFavourite)
      let third = try #require(try context.note(titled: "note 3"))
      #expect(third.views == 2)
      #expect(third.text == nil)
      #expect(third.storedVersion == 1)
    }
  }

  @Test(arguments: storesWithBatches)
  func `subentities are included unless they are not wanted (94)`(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.work { context in
      #expect(try context.update("Note", ["text": "all"]) == 4)
      let request = NSBatchUpdateRequest(entity: Note.entity())
      request.propertiesToUpdate = ["text": "notes"]
      request.includesSubentities = false
      request.resultType = .updatedObjectIDsResultType
      let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
      let ids = try #require(result.result as? [NSManagedObjectID])
      #expect(ids.count == 3)
      #expect(Set(ids.map(\.entity.name)) == ["Note"])
      #expect(try context.note(titled: "list")?.text == "all")
      #expect(try context.update("Checklist", ["itemCount": 3, "text": "lists"]) == 1)
      #expect(try context.note(titled: "list")?.text == "lists")
      #expect(try context.note(titled: "note 1")?.text == "notes")
    }
  }

  @Test(arguments: storesWithBatches)
  func `values of other rows are those from before the update (94)`(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.work { context in
      let count = try context.update(
        "Note",
        [
          "text": NSExpression(format: "folder.name"),
          "views": NSExpression(format: "folder.notes.@sum.views"),
        ],
        where: NSPredicate(format: "ANY folder.notes.stars >= 0")
      )
      #expect(count == 3)
      let notes = try context.fetch(Note.fetchRequest()).filter { $0.folder != nil }
      let pictures = notes.map { "\($0.text ?? "–") \($0.views ?? -1)" }.sorted()
      #expect(pictures == ["Home 2", "Ideas 1", "Ideas 1"])
    }
  }

  @Test(arguments: storesWithBatches)
  func `a whole number got the fraction of one that TERNARY chose`(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    try stack.work { context in
      let chosen = NSExpression(format: "TERNARY(stars > 0, views, rating)")
      try context.update("Note", ["views": chosen], where: NSPredicate(format: "folder != nil"))
      let request = NSFetchRequest<Note>(entityName: "Note")
      // The rating 1.5 of the first, without its fraction.
      request.predicate = NSPredicate(format: "views == 1")
      #expect(try context.fetch(request).compactMap(\.title).sorted() == ["note 1", "note 2"])
    }
  }

  @Test(arguments: storesWithBatches)
  func `a to-one relationship takes an identity`(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let archive = try stack.saved { $0.folder("Archive") }
    try stack.work { context in
      #expect(try context.update("Note", ["folder": archive]) == 4)
      #expect(context.find(archive, as: Folder.self).titles.count == 4)
      let note = try #require(try context.note(titled: "list")).objectID
      #expect(
        words { try context.update("Note", ["folder": note]) }.hasSuffix("is no Folder.")
      )
    }
  }

  @Test func `what cannot be set is refused, and the part named`() throws {
    let stack = try stack(.sqlite)
    let refused: [([AnyHashable: Any], Int, String)] = [
      ([:], NSCoreDataError, "no propertiesToUpdate"),
      (["titel": 1], NSCoreDataError, "“titel”"),
      (["stars": "many"], NSManagedObjectValidationError, "propertiesToUpdate has the String many"),
      (["stars": 100_000], NSManagedObjectValidationError, "Note.stars"),
      (["tags": NSNull()], NSCoreDataError, "Note.tags is to many"),
      (["scratch": "x"], NSCoreDataError, "never stored"),
      (["covers": NSNull()], NSCoreDataError, "to one at both ends"),
      (
        ["stars": NSExpression(format: "title")], NSPersistentStoreUnsupportedRequestTypeError,
        "title is a text"
      ),
      (
        ["folder": NSExpression(format: "pinnedIn")],
        NSPersistentStoreUnsupportedRequestTypeError, "pinnedIn is an object"
      ),
      (
        ["title": NSExpression(format: "tags.name")],
        NSPersistentStoreUnsupportedRequestTypeError, "tags.name is many values"
      ),
      (
        ["title": NSExpression(format: "scratch")],
        NSPersistentStoreUnsupportedRequestTypeError, "scratch of Note is not kept"
      ),
      (
        ["views": NSExpression(block: { _, _, _ in 1 }, arguments: nil)],
        NSPersistentStoreUnsupportedRequestTypeError, "the database has no equivalent"
      ),
    ]
    try stack.work { context throws in
      for (values, code, part) in refused {
        #expect(errorCode { try context.update("Note", values) } == code, "\(values)")
        let sentence = words { try context.update("Note", values) }
        #expect(sentence.contains(part), "\(sentence)")
      }
      #expect(try context.note(titled: "note 1")?.storedVersion == 1)
      let block = NSPredicate { _, _ in true }
      #expect(
        errorCode { try context.update("Note", ["stars": 1], where: block) }
          == NSPersistentStoreUnsupportedRequestTypeError
      )
    }
  }

  @Test func `names and values are never read as SQL`() throws {
    let stack = try stack(.sqlite)
    let text = "'; DROP TABLE ZNOTE; -- \"\u{0}👩‍👩‍👧"
    try stack.work { context throws in
      #expect(try context.update("Note", ["text": text]) == 4)
      #expect(
        try context.update("Note", ["title": text], where: NSPredicate(format: "text == %@", text))
          == 4
      )
      #expect(try context.fetch(Note.fetchRequest()).allSatisfy { $0.title == text })
      #expect(errorCode { try context.update("Note", [text: 1]) } == NSCoreDataError)
      #expect(errorCode { try context.insert("Note", [[text: 1]]) } == NSCoreDataError)
      #expect(
        try context.delete("Note", where: NSPredicate(format: "title == %@", text)).count == 4
      )
    }
  }

  @Test func `a plain update is one statement`() throws {
    let stack = try stack(.sqlite)
    let log = StatementLog(stack.coordinator)
    try stack.work { context in
      let statements = try log.during {
        try context.update(
          "Note",
          ["views": NSExpression(format: "views + 1"), "title": "same"],
          where: NSPredicate(format: "stars > 0")
        )
      }
      #expect(
        statements == [
          "BEGIN IMMEDIATE",
          #"UPDATE "ZNOTE" AS "t0" SET "Z_OPT" = COALESCE("t0"."Z_OPT", 0) + 1, "#
            + #""ZVIEWS" = ("t0"."ZVIEWS" + ?1), "ZTITLE" = ?2 WHERE "t0"."ZSTARS" > ?3"#,
          "COMMIT",
        ]
      )
    }
  }

  @Test func `the place in an order stays as it is`() throws {
    let stack = try stack(.sqlite)
    let ideas = try stack.saved { context in
      let folder = context.folder("Pins")
      for title in ["b", "a"] { folder.addToPinned(context.note(title)) }
      return folder
    }
    try stack.work { context in
      try context.update("Note", ["title": NSExpression(format: "uppercase(title)")])
      #expect(context.find(ideas, as: Folder.self).pinnedTitles == ["B", "A"])
    }
  }

  @Test func `a request that knows a name alone knows its entity when it was executed`() throws {
    let stack = try stack(.sqlite)
    try stack.work { context in
      let request = NSBatchUpdateRequest(entityName: "Note")
      request.propertiesToUpdate = ["stars": 1]
      #expect(request.entityName == "Note")
      let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
      #expect(result.result as? NSNumber == true)
      #expect(request.entity.name == "Note")
    }
  }

  @Test func `asking such a request for its entity before stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = NSBatchUpdateRequest(entityName: "Note").entity
    }
  }
}
