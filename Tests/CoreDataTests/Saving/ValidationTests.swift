import CoreData
import TestSupport
import Testing

@Suite struct ValidationTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a missing value is named and nothing is saved`(kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      let folder = context.folder("F")
      folder.setValue(nil, forKey: "name")
      context.note("One")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == NSValidationMissingMandatoryPropertyError)
      #expect(error.localizedDescription == "name is a required value.")
      #expect((error as? CocoaError)?.validationKey == "name")
      #expect((error as? CocoaError)?.validationObject as? Folder === folder)
      #expect(context.insertedObjects.count == 2)
      folder.name = "Mended"
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `each limit of the model has its code`(kind: StoreKind) throws {
    let cases: [(code: Int, key: String, break: (Note, Tag) -> Void)] = [
      (1610, "stars", { note, _ in note.stars = 6 }),
      (1620, "stars", { note, _ in note.stars = -1 }),
      (1660, "title", { note, _ in note.title = String(repeating: "x", count: 41) }),
      (1670, "name", { _, tag in tag.name = "" }),
      (1570, "name", { _, tag in tag.name = nil }),
    ]
    for wrong in cases {
      try NotesStack(kind).work { context in
        let (note, tag) = (context.note("One"), context.tag("t"))
        try context.save()
        wrong.break(note, tag)
        let error = try #require(throws: CocoaError.self) { try context.save() }
        #expect(error.code.rawValue == wrong.code)
        #expect(error.validationKey == wrong.key)
        #expect(context.hasChanges)
      }
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `limits themselves are allowed`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note(String(repeating: "x", count: 40))
      note.stars = 5
      context.note("").stars = 0
      context.tag("x")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `several errors come as 1560 with all of them`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note(String(repeating: "x", count: 50))
      note.stars = 9
      context.tag("")
      context.folder("F").setValue(nil, forKey: "name")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSValidationMultipleErrorsError)
      let parts = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
      #expect(parts.map(\.code).sorted() == [1570, 1610, 1660, 1670])
      let own = try #require(throws: NSError.self) { try note.validateForInsert() }
      #expect((own.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a deleted object is not held against the limits`(kind: StoreKind) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      try context.save()
      note.stars = 9
      context.delete(note)
      try context.save()
      #expect(try context.count(for: Note.fetchRequest()) == 0)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `relationships have least and greatest counts`(kind: StoreKind) throws {
    let coordinator = try CountedNotes.coordinator(kind)
    try LivingNotes.work(coordinator) { context in
      let make = { (name: String) in
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      }
      let list = make("List")
      let required = try #require(throws: NSError.self) { try list.validateForInsert() }
      let parts = required.userInfo[NSDetailedErrorsKey] as? [NSError]
      #expect(parts?.map(\.code).sorted() == [1570, 1580])
      #expect(
        parts?.map(\.localizedDescription).sorted()
          == ["Too few items in lines.", "owner is a required value."]
      )
      list.setValue(make("Line"), forKey: "owner")
      let lines = list.mutableSetValue(forKey: "lines")
      lines.add(make("Line"))
      #expect(errorCode { try list.validateForInsert() } == 1580)
      lines.add(make("Line"))
      try list.validateForInsert()
      lines.addObjects(from: [make("Line"), make("Line")])
      #expect(errorCode { try list.validateForInsert() } == 1590)
      lines.remove(lines.allObjects[0])
      try context.save()
      // An optional relationship may be empty, but not below its least count otherwise.
      let others = list.mutableSetValue(forKey: "others")
      others.add(make("Line"))
      #expect(errorCode { try context.save() } == 1580)
      others.add(make("Line"))
      try context.save()
      others.removeAllObjects()
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a required target that is deleted is missing`(kind: StoreKind) throws {
    try LivingNotes.work(try CountedNotes.coordinator(kind)) { context in
      let make = { (name: String) in
        NSEntityDescription.insertNewObject(forEntityName: name, into: context)
      }
      let (list, owner) = (make("List"), make("Line"))
      list.setValue(owner, forKey: "owner")
      list.setValue(NSSet(array: [make("Line"), make("Line")]), forKey: "lines")
      try context.save()
      context.delete(owner)
      #expect(errorCode { try context.save() } == 1570)
      context.rollback()
      #expect(list.value(forKey: "owner") as? NSManagedObject === owner)
    }
  }
}

struct RelationshipPredicateTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `validation predicates of relationships were not looked at (42)`(kind: StoreKind) throws {
    let list = CodedModel.entity("List")
    let line = CodedModel.entity("Line", NSManagedObject.self, CodedModel.attribute("text"))
    let (lines, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (lines.name, back.name) = ("lines", "list")
    (lines.maxCount, back.maxCount) = (0, 1)
    (lines.destinationEntity, back.destinationEntity) = (line, list)
    (lines.inverseRelationship, back.inverseRelationship) = (back, lines)
    lines.setValidationPredicates(
      [NSPredicate(format: "ALL SELF.text != 'no'")],
      withValidationWarnings: ["a line says no"]
    )
    back.setValidationPredicates(
      [
        NSPredicate { list, _ in
          ((list as? NSManagedObject)?.value(forKey: "lines") as? NSSet)?.count ?? 0 < 3
        }
      ],
      withValidationWarnings: ["the list is full"]
    )
    list.properties = [lines]
    line.properties += [back]
    let coordinator = try CodedModel.coordinator(CodedModel.model(list, line), kind)
    try LivingNotes.work(coordinator) { context in
      let made = NSManagedObject(entity: list, insertInto: context)
      func add(_ text: String) -> NSManagedObject {
        let new = NSManagedObject(entity: line, insertInto: context)
        new.setValue(text, forKey: "text")
        new.setValue(made, forKey: "list")
        return new
      }
      _ = add("yes")
      try context.save()
      let refused = add("no")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == 1550)
      #expect(error.localizedDescription == "a line says no")
      #expect((error as? CocoaError)?.validationKey == "lines")
      #expect((error as? CocoaError)?.validationObject as? NSManagedObject === made)
      var value: AnyObject? = NSSet(object: refused)
      let direct = try #require(throws: CocoaError.self) {
        try made.validateValue(&value, forKey: "lines")
      }
      #expect(direct.validationKey == "lines")
      refused.setValue("yes", forKey: "text")
      try context.save()
      let third = add("yes")
      let full = try #require(throws: CocoaError.self) { try context.save() }
      #expect(full.validationKey == "list")
      #expect(full.validationObject as? NSManagedObject === third)
      context.delete(third)
      try context.save()
    }
  }
}

struct CodedPredicateTests {
  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes))
  func `a block among the validation predicates of an attribute stopped the program (42)`(
    kind: StoreKind
  ) throws {
    let title = CodedModel.attribute("title")
    title.setValidationPredicates(
      [
        NSPredicate(format: "length <= 5"),
        NSPredicate { title, _ in (title as? String)?.hasPrefix("N") == true },
      ],
      withValidationWarnings: ["the title is too long", "the title does not begin with N"]
    )
    let latitude = CodedModel.attribute("latitude", .doubleAttributeType)
    latitude.setValidationPredicates(
      [
        NSCompoundPredicate(
          notPredicateWithSubpredicate: NSPredicate { latitude, _ in
            (latitude as? NSNumber)?.doubleValue ?? 0 > 90
          }
        )
      ],
      withValidationWarnings: ["no such latitude"]
    )
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [latitude]
    let note = CodedModel.entity("Note", NSManagedObject.self, title, place)
    let coordinator = try CodedModel.coordinator(CodedModel.model(note), kind)
    try LivingNotes.work(coordinator) { context in
      let made = NSManagedObject(entity: note, insertInto: context)
      try context.save()
      made.setValue("Diary", forKey: "title")
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code.rawValue == 1550)
      #expect(error.localizedDescription == "the title does not begin with N")
      #expect(error.validationKey == "title")
      var value: AnyObject? = "Diaries" as NSString
      #expect(errorCode { try made.validateValue(&value, forKey: "title") } == 1560)
      made.setValue("Note", forKey: "title")
      made.setValue(["latitude": 91.0], forKey: "place")
      let wrong = try #require(throws: NSError.self) { try context.save() }
      #expect(wrong.localizedDescription == "no such latitude")
      made.setValue(["latitude": 52.5], forKey: "place")
      try context.save()
    }
    #expect(title.validationPredicates.count == 2)
  }
}

struct EmptyRelationshipTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a relationship that is not optional refused an empty set although its minimum is 0`(
    kind: StoreKind
  ) throws {
    for ordered in [false, true] {
      let (list, line) = (CodedModel.entity("List"), CodedModel.entity("Line"))
      let (lines, back) = (NSRelationshipDescription(), NSRelationshipDescription())
      (lines.name, back.name) = ("lines", "list")
      (lines.isOptional, lines.isOrdered) = (false, ordered)
      lines.maxCount = ordered ? 2 : 0
      (back.maxCount, back.isOptional) = (1, true)
      (lines.destinationEntity, back.destinationEntity) = (line, list)
      (lines.inverseRelationship, back.inverseRelationship) = (back, lines)
      list.properties = [lines]
      line.properties = [back]
      let coordinator = try CodedModel.coordinator(CodedModel.model(list, line), kind)
      try LivingNotes.work(coordinator) { context in
        let made = NSManagedObject(entity: list, insertInto: context)
        try made.validateForInsert()
        try context.save()
        var none: AnyObject? = ordered ? NSOrderedSet() : NSSet()
        try made.validateValue(&none, forKey: "lines")
        let one = NSManagedObject(entity: line, insertInto: context)
        one.setValue(made, forKey: "list")
        try context.save()
        context.delete(one)
        try context.save()
      }
    }
  }
}

/// Lists that need an owner and two or three lines.
enum CountedNotes {
  private static let model: NSManagedObjectModel = {
    let (list, line) = (NSEntityDescription(), NSEntityDescription())
    (list.name, line.name) = ("List", "Line")
    let pairs = [
      relationship("owner", to: line, 0...1, "owns", list),
      relationship("lines", to: line, 2...3, "list", list),
      relationship("others", to: line, 2...0x7fff, "otherList", list),
    ]
    pairs[0].there.isOptional = false
    pairs[1].there.isOptional = false
    list.properties = pairs.map(\.there)
    line.properties = pairs.map(\.back)
    let model = NSManagedObjectModel()
    model.entities = [list, line]
    return model
  }()

  private static func relationship(
    _ name: String,
    to destination: NSEntityDescription,
    _ counts: ClosedRange<Int>,
    _ inverseName: String,
    _ source: NSEntityDescription
  ) -> (there: NSRelationshipDescription, back: NSRelationshipDescription) {
    let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (there.name, back.name) = (name, inverseName)
    (there.minCount, there.maxCount) = (counts.lowerBound, counts.upperBound)
    back.maxCount = 1
    (there.destinationEntity, back.destinationEntity) = (destination, source)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    return (there, back)
  }

  static func coordinator(_ kind: StoreKind) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try kind.add(to: coordinator)
    return coordinator
  }
}
