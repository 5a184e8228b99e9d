import CoreData
import TestSupport
import Testing

/// Transient properties, which objects have and rows do not.
@Suite struct TransientTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `a transient attribute has its default when the object is read`(kind: StoreKind) throws {
    let coordinator = try CodedModel.coordinator(Self.model(), kind)
    try work(coordinator) { context in
      let draft = context.new("Draft", ["title": "One"])
      expectDefaults(draft)
      try context.save()
      expectDefaults(draft)
      context.reset()
      let found = try #require(try context.all("Draft").first)
      expectDefaults(found)
      found.setValue("Two", forKey: "title")
      try context.save()
      expectDefaults(found)
      context.refresh(found, mergeChanges: true)
      expectDefaults(found)
      context.refresh(found, mergeChanges: false)
      #expect(found.isFault)
      expectDefaults(found)
      found.setValue("Three", forKey: "title")
      context.rollback()
      expectDefaults(found)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a transient value is taken back, refreshed and undone to its default`(
    kind: StoreKind
  ) throws {
    let coordinator = try CodedModel.coordinator(Self.model(), kind)
    try work(coordinator) { context in
      context.undoManager = UndoManager()
      let draft = context.new("Draft", ["title": "One"])
      try context.save()
      draft.setValue(true, forKey: "isOpen")
      draft.setValue(nil, forKey: "word")
      #expect(draft.value(forKey: "isOpen") as? Bool == true)
      #expect(draft.value(forKey: "word") == nil)
      context.refresh(draft, mergeChanges: true)
      #expect(draft.value(forKey: "isOpen") as? Bool == true)
      #expect(draft.value(forKey: "word") == nil)
      context.undo()
      expectDefaults(draft)
      context.redo()
      #expect(draft.value(forKey: "isOpen") as? Bool == true)
      context.refresh(draft, mergeChanges: false)
      expectDefaults(draft)
      draft.setValue(true, forKey: "isOpen")
      context.rollback()
      expectDefaults(draft)
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `a child's save hands transient values to its parent`(kind: StoreKind) throws {
    let coordinator = try CodedModel.coordinator(Self.model(), kind)
    try work(coordinator) { parent in
      let old = parent.new("Draft", ["title": "Old"])
      try parent.save()
      let child = parent.child()
      let ids = try child.performAndWait {
        let new = child.new("Draft", ["title": "New", "isOpen": true, "word": "new"])
        let same = try child.existingObject(with: old.objectID)
        expectDefaults(same)
        same.setValue(7, forKey: "count")
        same.setValue(["a", "b"], forKey: "list")
        same.setValue(NSNull.self, forKey: "anything")
        same.setValue(new, forKey: "neighbour")
        new.mutableSetValue(forKey: "marks").add(same)
        try child.save()
        #expect(same.value(forKey: "count") as? Int == 7)
        #expect(new.value(forKey: "word") as? String == "new")
        return [new.objectID, same.objectID]
      }
      let new = parent.object(with: ids[0])
      #expect(new.value(forKey: "isOpen") as? Bool == true)
      #expect(new.value(forKey: "word") as? String == "new")
      #expect(new.value(forKey: "marks") as? Set<NSManagedObject> == [old])
      #expect(old.value(forKey: "count") as? Int == 7)
      #expect(old.value(forKey: "list") as? [String] == ["a", "b"])
      #expect(old.value(forKey: "anything") != nil)
      #expect(old.value(forKey: "neighbour") as? NSManagedObject === new)
      #expect(old.hasChanges && !old.hasPersistentChangedValues)
      try parent.save()
      #expect(new.value(forKey: "word") as? String == "new")
      #expect(old.value(forKey: "neighbour") as? NSManagedObject === new)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a transient relationship of an object that was read leads nowhere`(kind: StoreKind) throws {
    let coordinator = try CodedModel.coordinator(Self.model(), kind)
    try work(coordinator) { context in
      _ = context.new("Draft", ["title": "One"])
      try context.save()
      context.reset()
      let found = try #require(try context.all("Draft").first)
      #expect(found.value(forKey: "title") as? String == "One")
      #expect(!found.hasFault(forRelationshipNamed: "marks"))
      #expect((found.value(forKey: "marks") as? NSSet)?.count == 0)
      #expect(found.value(forKey: "neighbour") == nil)
    }
  }

  private func expectDefaults(
    _ draft: NSManagedObject,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(draft.value(forKey: "isOpen") as? Bool == false, sourceLocation: sourceLocation)
    #expect(draft.value(forKey: "word") as? String == "none", sourceLocation: sourceLocation)
    #expect(draft.value(forKey: "count") as? Int == 3, sourceLocation: sourceLocation)
    #expect(draft.value(forKey: "share") as? Double == 0.5, sourceLocation: sourceLocation)
    #expect(draft.value(forKey: "day") as? Date == Self.day, sourceLocation: sourceLocation)
    #expect(draft.value(forKey: "list") == nil, sourceLocation: sourceLocation)
  }

  private func work(
    _ coordinator: NSPersistentStoreCoordinator,
    _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    try LivingNotes.work(coordinator, body)
  }

  private static let day = Date(timeIntervalSinceReferenceDate: 86_400)

  private static func model() -> NSManagedObjectModel {
    let transients = [
      CodedModel.attribute("isOpen", .booleanAttributeType, default: false),
      CodedModel.attribute("word", default: "none"),
      CodedModel.attribute("count", .integer64AttributeType, default: 3),
      CodedModel.attribute("share", .doubleAttributeType, default: 0.5),
      CodedModel.attribute("day", .dateAttributeType, default: day),
      CodedModel.attribute("list", .transformableAttributeType),
      CodedModel.attribute("anything", .undefinedAttributeType),
    ]
    let (neighbour, marks) = (NSRelationshipDescription(), NSRelationshipDescription())
    (neighbour.name, marks.name) = ("neighbour", "marks")
    neighbour.maxCount = 1
    let entity = CodedModel.entity("Draft")
    for property in transients + [neighbour, marks] { property.isTransient = true }
    for relationship in [neighbour, marks] { relationship.destinationEntity = entity }
    transients[0].isOptional = false
    entity.properties = [CodedModel.attribute("title")] + transients + [neighbour, marks]
    return CodedModel.model(entity)
  }
}
