import CoreData
import TestSupport
import Testing

@Suite struct ObjectValuesTests {
  private func filled(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let top = context.folder("Top")
      let shelf = context.folder("Shelf", in: top)
      for number in 1...3 {
        let note = context.note("Note \(number)", in: number < 3 ? shelf : nil)
        note.stars = Int16(number)
        note.isFavourite = number == 1
        note.created = Date(timeIntervalSince1970: 0)
        note.price = number == 1 ? 1.5 : nil
      }
      let tag = context.tag("red")
      tag.notes = NSOrderedSet(
        array: try context.fetch(Note.fetchRequest()).sorted { ($0.title ?? "") > ($1.title ?? "") }
      )
      try context.save()
    }
    return stack
  }

  private func json(_ values: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return String(decoding: try encoder.encode(values), as: UTF8.self)
  }

  private var request: NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test(arguments: StoreKind.allCases)
  func `objects become JSON with the names of the shape`(kind: StoreKind) throws {
    let stack = try filled(kind)
    let shape = ObjectShape("title", "stars", "isFavourite", "created", "price", "folder.name")
    let text = try json(try stack.work { try $0.values(of: request, as: shape) })
    #expect(
      text == """
        [{"created":"1970-01-01T00:00:00Z","folder.name":"Shelf","isFavourite":true,"price":1.5,"stars":1,\
        "title":"Note 1"},{"created":"1970-01-01T00:00:00Z","folder.name":"Shelf","isFavourite":false,\
        "price":null,"stars":2,"title":"Note 2"},{"created":"1970-01-01T00:00:00Z","folder.name":null,\
        "isFavourite":false,"price":null,"stars":3,"title":"Note 3"}]
        """
    )
  }

  @Test func `a shape was of texts, which no compiler checks`() throws {
    let stack = try filled(.sqlite)
    let written = ObjectShape(of: Note.self, \.title, \.stars, \.folder?.name)
      .following(\Note.folder, as: ObjectShape(of: Folder.self, \.name))
    let spelled = ObjectShape("title", "stars", "folder.name")
      .following("folder", as: ObjectShape("name"))
    let (one, other) = try stack.work { context in
      (
        try json(try context.values(of: request, as: written)),
        try json(try context.values(of: request, as: spelled))
      )
    }
    #expect(one == other && one.contains("\"folder.name\":\"Shelf\""))
    // A property that computes something is not in the model.
    let strange = ObjectShape(of: Note.self, \.titleLength)
    let error = try stack.work { context in
      #expect(throws: NSError.self) { try context.values(of: request, as: strange) }
    }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(error?.localizedFailureReason?.contains("does not lead to a property") == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `relationships become objects and lists`(kind: StoreKind) throws {
    let stack = try filled(kind)
    let shape = ObjectShape("name")
      .following("parent", as: ObjectShape("name"))
      .following("notes", as: ObjectShape("title"))
    let folders = NSFetchRequest<Folder>(entityName: "Folder")
    folders.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let text = try json(try stack.work { try $0.values(of: folders, as: shape) })
    #expect(
      text == """
        [{"name":"Shelf","notes":[{"title":"Note 1"},{"title":"Note 2"}],"parent":{"name":"Top"}},\
        {"name":"Top","notes":[],"parent":null}]
        """
    )
    let tags = try stack.work { context in
      try context.values(
        of: NSFetchRequest<Tag>(entityName: "Tag"),
        as: ObjectShape("name").following("notes", as: ObjectShape("title"))
      )
    }
    #expect(
      try json(tags) == """
        [{"name":"red","notes":[{"title":"Note 3"},{"title":"Note 2"},{"title":"Note 1"}]}]
        """
    )
  }

  @Test(arguments: StoreKind.allCases)
  func `unsaved changes are among the values, and the URI if it is wanted`(kind: StoreKind) throws {
    try filled(kind).work { context in
      let note = try context.fetch(request)[0]
      note.title = "Changed"
      let values = try note.values(as: ObjectShape("title").identity(as: "id"))
      #expect(values["title"] as? String == "Changed")
      #expect(values["id"] as? URL == note.objectID.uriRepresentation())
      #expect(values["nothing"] == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a shape of everything ends at its depth, and follows no inverse back`(
    kind: StoreKind
  ) throws {
    let stack = try filled(kind)
    let entity = try #require(NotesStack.model.entitiesByName["Folder"])
    let shape = ObjectShape(allOf: entity, depth: 2)
    let folders = NSFetchRequest<Folder>(entityName: "Folder")
    let text = try json(try stack.work { try $0.values(of: folders, as: shape) })
    #expect(
      text.contains(#""title":"Note 1""#) && !text.contains("keywords") && !text.contains("scratch")
    )
    #expect(!text.contains(#""folder":"#))
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `many objects are handed over in groups, in order`(kind: StoreKind) throws {
    let stack = try filled(kind)
    try stack.work { context in
      for number in 0..<1_234 { context.note("Many \(10_000 + number)") }
      try context.save()
    }
    try stack.work { context in
      let many = self.request
      many.predicate = NSPredicate(format: "title BEGINSWITH 'Many'")
      var titles: [String] = []
      try context.forEachValues(of: many, as: ObjectShape("title", "folder.name"), groupSize: 100) {
        values in
        titles.append(values["title"] as? String ?? "")
      }
      #expect(titles == (0..<1_234).map { "Many \(10_000 + $0)" })
      #expect(context.registeredObjects.filter { !$0.isFault }.count < 200)
    }
  }

  @Test(arguments: ["titel", "tags", "folder", "folder.tags", "tags.name", "keywords.x", ""])
  func `a shape that does not fit says what is wrong`(path: String) throws {
    let error = #expect(throws: NSError.self) {
      try filled(.memory).work { try $0.values(of: request, as: ObjectShape(path)) }
    }
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(error?.localizedFailureReason?.contains("Note") == true || path.hasPrefix("folder."))
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a shape with all of an entity failed where an attribute is composite`(
    kind: StoreKind
  ) throws {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [
      CodedModel.attribute("latitude", .doubleAttributeType), CodedModel.attribute("city"),
    ]
    let title = CodedModel.attribute("title")
    let note = CodedModel.entity("Note", NSManagedObject.self, title, place)
    let next = NSRelationshipDescription()
    (next.name, next.maxCount, next.destinationEntity) = ("next", 1, note)
    note.properties += [next]
    let coordinator = try CodedModel.coordinator(CodedModel.model(note), kind)
    let text = try LivingNotes.work(coordinator) { context in
      let (one, two) = (
        NSManagedObject(entity: note, insertInto: context),
        NSManagedObject(entity: note, insertInto: context)
      )
      one.setValue("One", forKey: "title")
      one.setValue(["latitude": 52.5, "city": "Berlin"], forKey: "place")
      two.setValue("Two", forKey: "title")
      two.setValue(one, forKey: "next")
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let all = try json(context.values(of: request, as: ObjectShape(allOf: note)))
      let cities = try json(context.values(of: request, as: ObjectShape("next.place.city")))
      let wrong = ObjectShape("place.street")
      #expect(errorCode { try context.values(of: request, as: wrong) } == 134_091)
      return all + cities
    }
    #expect(
      text == """
        [{"place.city":"Berlin","place.latitude":52.5,"title":"One"},\
        {"place.city":null,"place.latitude":null,"title":"Two"}]\
        [{"next.place.city":null},{"next.place.city":"Berlin"}]
        """
    )
  }
}

extension Note {
  fileprivate var titleLength: Int { (title ?? "").count + 1 }
}
