import CoreData
import TestSupport
import Testing

struct BatchInsertTests {
  @Test(arguments: storesWithBatches)
  func `rows come from dictionaries, with the model's defaults (92)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let ids = try context.insert(
        "Note",
        [["title": "First", "stars": 3, "created": Date(timeIntervalSinceReferenceDate: 1)], [:]]
      )
      #expect(context.registeredObjects.isEmpty)
      #expect(!context.hasChanges)
      let notes = ids.map { context.find($0) }
      #expect(notes[0].title == "First")
      #expect(notes[0].stars == 3)
      #expect(notes[0].created == Date(timeIntervalSinceReferenceDate: 1))
      #expect(notes[1].title == nil)
      #expect(notes[1].stars == 0)
      #expect(notes[1].views == nil)
      #expect(!notes[1].isFavourite)
      #expect(notes[0].objectID.entity.name == "Note")
    }
  }

  @Test(arguments: storesWithBatches)
  func `a handler of dictionaries is called until it returns true (93)`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    var calls = 0
    let request = NSBatchInsertRequest(entity: Note.entity()) { (row: NSMutableDictionary) in
      calls += 1
      #expect(row.count == 0)
      row["title"] = "note \(calls)"
      row["views"] = NSNumber(value: calls)
      return calls == 4
    }
    request.resultType = .count
    try stack.work { context in
      let result = try #require(try context.execute(request) as? NSBatchInsertResult)
      #expect(result.result as? Int == 3)
      #expect(result.resultType == .count)
      #expect(try context.titles() == ["note 1", "note 2", "note 3"])
      #expect(try context.note(titled: "note 2")?.views == 2)
    }
    #expect(calls == 4)
  }

  @Test(arguments: storesWithBatches)
  func `a handler of objects gets one with the model's defaults each time (93)`(
    _ kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    var number = 0
    var kept: [NSManagedObject] = []
    let request = NSBatchInsertRequest(entityName: "Checklist") { (object: NSManagedObject) in
      guard let list = object as? Checklist else { return true }
      #expect(list.title == nil)
      #expect(list.itemCount == 0)
      #expect(list.managedObjectContext == nil)
      number += 1
      list.title = "list \(number)"
      if number == 2 { list.itemCount = 7 }
      if number == 1 { kept.append(list) }
      return number == 4
    }
    try stack.work { context in
      let result = try #require(try context.execute(request) as? NSBatchInsertResult)
      #expect(result.result as? Bool == true)
      #expect(try context.titles() == ["list 1", "list 2", "list 3"])
      let second = try #require(try context.note(titled: "list 2") as? Checklist)
      #expect(second.itemCount == 7)
      #expect(second.storedVersion == 1)
    }
    #expect((kept.first as? Checklist)?.title == "list 1")
  }

  @Test func `a row's dictionary is a dictionary in every other way`() throws {
    let stack = try NotesStack(.sqlite)
    var isFirst = true
    let request = NSBatchInsertRequest(entityName: "Note") { (row: NSMutableDictionary) in
      defer { isFirst = false }
      guard isFirst else { return true }
      row["title"] = "gone"
      row["text"] = NSNull()
      row.setObject("x", forKey: "title" as NSString)
      #expect(row["title"] as? String == "x")
      #expect(row.allKeys.compactMap { $0 as? String }.sorted() == ["text", "title"])
      row.removeObject(forKey: "title")
      #expect(row["title"] == nil)
      row.addEntries(from: ["title": "kept", "nonsense": 1])
      #expect(row.count == 3)
      row["nonsense"] = nil
      row["stars"] = 4 as Int?
      #expect(row.allValues.compactMap { $0 as? String } == ["kept"])
      return false
    }
    try stack.work { context in
      _ = try context.execute(request)
      #expect(try context.note(titled: "kept")?.stars == 4)
    }
  }

  @Test func `the last value of a key counts, whatever type each had`() throws {
    let stack = try NotesStack(.sqlite)
    var row = 0
    let request = NSBatchInsertRequest(entityName: "Note") { (values: NSMutableDictionary) in
      row += 1
      guard row < 4 else { return true }
      values["title"] = "note \(row)"
      switch row {
      case 1:
        values["stars"] = NSNumber(value: 2)
        values["stars"] = 3
      case 2:
        values["stars"] = 3
        values["stars"] = NSNumber(value: 2)
      case _:
        values["stars"] = 5
        values.removeObject(forKey: "stars")
      }
      #expect(values.count == (row < 3 ? 2 : 1))
      #expect(values["stars"] as? Int == [3, 2, nil][row - 1])
      return false
    }
    try stack.work { context in
      _ = try context.execute(request)
      #expect(try (1...3).map { try context.note(titled: "note \($0)")?.stars } == [3, 2, 0])
    }
  }

  @Test func `a dictionary that the handler has kept is its own`() throws {
    let stack = try NotesStack(.sqlite)
    var kept: [NSMutableDictionary] = []
    let request = NSBatchInsertRequest(entityName: "Note") { (row: NSMutableDictionary) in
      kept.first?["title"] = "changed"
      guard kept.count < 2 else { return true }
      row["title"] = "note \(kept.count + 1)"
      row["stars"] = NSNumber(value: kept.count)
      kept.append(row)
      return false
    }
    try stack.work { context in
      _ = try context.execute(request)
      #expect(try context.titles() == ["note 1", "note 2"])
    }
    #expect(kept.map { $0["title"] as? String } == ["changed", "note 2"])
    #expect(kept.map { $0["stars"] as? Int } == [0, 1])
  }

  @Test(arguments: storesWithBatches)
  func `every kind of value goes in and comes out`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    let uuid = UUID()
    let link = try #require(URL(string: "https://example.com/a?b=c#d"))
    let image = Data([0, 1, 2, 255])
    let values: [String: Any] = [
      "created": Date(timeIntervalSinceReferenceDate: 123.25), "image": image,
      "isFavourite": NSNumber(value: true), "keywords": ["a", "b"] as NSArray, "link": link,
      "price": NSDecimalNumber(string: "12.50"), "rating": 2.5, "stars": Int16(5),
      "text": "O'Brien said \"no\";\(kind.has(.zeroInText) ? "\0" : "") 👩‍👩‍👧 é", "title": "all",
      "uuid": uuid,
      "views": NSNumber(value: Int64.max),
    ]
    try stack.work { context in
      try context.insert("Note", [values])
      let note = try #require(try context.note(titled: "all"))
      for (name, value) in values {
        #expect("\(note.value(forKey: name) ?? "–")" == "\(value)", "\(name)")
      }
    }
  }

  @Test(arguments: storesWithBatches)
  func `a to-one relationship takes an identity, and the other end has the row`(
    _ kind: StoreKind
  ) throws {
    let stack = try NotesStack(kind)
    let folder = try stack.saved { $0.folder("Ideas") }
    try stack.work { context in
      let list = try stack.saved { context -> NSManagedObject in
        let list = Checklist(context: context)
        list.title = "list"
        return list
      }
      try context.insert(
        "Note",
        [
          ["title": "a", "folder": folder, "pinnedIn": folder],
          ["title": "b", "folder": folder, "pinnedIn": folder],
          ["title": "c", "folder": NSNull()],
        ]
      )
      try context.insert("Note", [["title": "d", "pinnedIn": folder]])
      let ideas = context.find(folder, as: Folder.self)
      #expect(ideas.titles == ["a", "b"])
      #expect(ideas.pinnedTitles == ["a", "b", "d"])
      #expect(words { try context.insert("Note", [["folder": list]]) }.hasSuffix("is no Folder."))
    }
    try stack.work { context in
      let ideas = context.find(folder, as: Folder.self)
      ideas.insertIntoPinned(context.note("first"), at: 0)
      try context.save()
      #expect(ideas.pinnedTitles == ["first", "a", "b", "d"])
    }
  }

  @Test func `what no row can have is refused with a sentence, and nothing is inserted`() throws {
    let stack = try NotesStack(.sqlite)
    let refused: [([String: Any], Int, String)] = [
      (["titel": "x"], NSCoreDataError, "row 2 has a value for “titel”"),
      (["stars": "many"], NSManagedObjectValidationError, "row 2 has the String many"),
      (["stars": 70_000], NSManagedObjectValidationError, "Note.stars takes"),
      (["title": 1], NSManagedObjectValidationError, "row 2 has the Int 1"),
      (["created": "today"], NSManagedObjectValidationError, "Note.created takes"),
      (["tags": Set<Int>()], NSCoreDataError, "Note.tags is to many"),
      (["scratch": "x"], NSCoreDataError, "Note.scratch is never stored"),
      (["covers": NSNull()], NSCoreDataError, "Note.covers is to one at both ends"),
      (["folder": "Ideas"], NSManagedObjectValidationError, "NSManagedObjectID"),
    ]
    try stack.work { context throws in
      let unsaved = context.folder("unsaved")
      for (row, code, part) in refused + [
        (["folder": unsaved], NSManagedObjectValidationError, "was never saved")
      ] {
        let rows = [["title": "fine"], row]
        #expect(errorCode { try context.insert("Note", rows) } == code, "\(row)")
        #expect(words { try context.insert("Note", rows) }.contains(part), "\(row)")
      }
      context.delete(unsaved)
      #expect(try context.titles().isEmpty)
    }
  }

  @Test func `an abstract entity has no rows`() throws {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.isAbstract = true
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try NotesStack(model: model, .sqlite)
    try stack.work { context throws in
      #expect(errorCode { try context.insert("Thing", [[:]]) } == NSCoreDataError)
    }
  }

  @Test(arguments: storesWithBatches)
  func `keys are given once, before and after objects are saved`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.saved { $0.note("saved 1") }
    try stack.work { context in
      try context.insert("Note", (1...200).map { ["title": "batch \($0)"] })
    }
    try stack.saved { $0.note("saved 2") }
    try stack.work { context in
      let ids = try context.fetch(Note.fetchRequest()).map(\.objectID)
      #expect(Set(ids).count == 202)
      let last = ids.compactMap { Int($0.uriRepresentation().lastPathComponent.dropFirst()) }.max()
      if kind.has(.keysWithoutGaps) { #expect(last == 202) }
    }
  }

  @Test func `large data goes into a file of its own`() throws {
    let stack = try NotesStack(.sqlite)
    let large = Data(repeating: 7, count: 200_000)
    try stack.work { context in
      try context.insert("Note", [["title": "large", "image": large]])
      #expect(try context.note(titled: "large")?.image == large)
      #expect(stack.externalFiles.count == 1)
      #expect(
        errorCode {
          try context.insert("Note", [["image": large], ["stars": "x"]])
        } == NSManagedObjectValidationError
      )
      #expect(stack.externalFiles.count == 1)
      try context.update("Note", ["image": Data([1])])
      #expect(stack.externalFiles.isEmpty)
      context.reset()
      #expect(try context.note(titled: "large")?.image == Data([1]))
      try context.insert("Note", [["title": "other", "image": large]])
      try context.delete("Note", where: NSPredicate(format: "title == 'other'"))
      #expect(stack.externalFiles.isEmpty)
    }
  }
}
