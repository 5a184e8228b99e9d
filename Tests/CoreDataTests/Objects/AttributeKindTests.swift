import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Transient attributes, defaults of every type, and enums over stored numbers.
@Suite struct AttributeKindTests {
  // MARK: Transient attributes

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes, .everyValue))
  func `a transient attribute outlives a save and a rollback undoes it, but no store has it (44)`(
    _ kind: StoreKind
  ) throws {
    var draft = AttributeSchema.text("draft")
    draft.isTransient = true
    draft.validations = [
      ValidationSchema(predicateFormat: "length <= 5", warning: .code(1660))
    ]
    var point = AttributeSchema.attribute("point", .composite)
    point.isTransient = true
    point.elements = [.attribute("x", .double)]
    let stack = try ModelStack(.model(.entity("Note", [.text("title"), draft, point])), kind)
    let id = try stack.work { context in
      let note = context.new("Note", ["title": "a", "draft": "one", "point": ["x": 1]])
      try context.save()
      #expect(note.textValue("draft") == "one")
      #expect(note.value(forKeyPath: "point.x") as? Int == 1)
      note.setValue("two", forKey: "draft")
      context.rollback()
      #expect(note.textValue("draft") != "two")
      note.setValue("too long", forKey: "draft")
      #expect(errorCode { try context.save() } == 1660)
      context.rollback()
      return note.objectID
    }
    try stack.work { context in
      #expect(context.object(with: id).value(forKey: "draft") == nil)
      #expect(context.object(with: id).value(forKey: "point") == nil)
    }
  }

  @Test func `a store is not asked for transient attributes (44)`() throws {
    var draft = AttributeSchema.text("draft")
    draft.isTransient = true
    let stack = try ModelStack(.model(.entity("Note", [.text("title"), draft])))
    try stack.work { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: "draft == 'x'")
      #expect(throws: CocoaError.self) { try context.fetch(request) }
      request.predicate = nil
      request.sortDescriptors = [NSSortDescriptor(key: "draft", ascending: true)]
      #expect(throws: CocoaError.self) { try context.fetch(request) }
    }
  }

  // MARK: Defaults

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes, .everyValue))
  func `defaults of every type are there at once, and stored (45)`(_ kind: StoreKind) throws {
    let date = Date(timeIntervalSinceReferenceDate: 1000)
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let url = try #require(URL(string: "https://swift.org"))
    let defaults: [(NSAttributeType, Any)] = [
      (.integer16AttributeType, Int16(-3)), (.integer32AttributeType, Int32(4)),
      (.integer64AttributeType, Int64.max), (.doubleAttributeType, 2.5),
      (.floatAttributeType, Float(0.5)), (.booleanAttributeType, true),
      (.stringAttributeType, "text"), (.dateAttributeType, date), (.UUIDAttributeType, uuid),
      (.URIAttributeType, url), (.binaryDataAttributeType, Data([1, 2])),
      (.decimalAttributeType, NSDecimalNumber(string: "12.345")),
    ]
    let note = NSEntityDescription()
    note.name = "Note"
    note.properties = defaults.map { type, value in
      let attribute = NSAttributeDescription()
      attribute.name = "a\(type.rawValue)"
      attribute.attributeType = type
      attribute.defaultValue = value
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [note]
    let stack = try ModelStack(model, kind)
    func check(_ object: NSManagedObject) {
      for (type, value) in defaults {
        let found = object.value(forKey: "a\(type.rawValue)") as? NSObject
        #expect(found == value as? NSObject, "\(type)")
      }
    }
    try stack.work { context in
      let object = context.new("Note")
      check(object)
      try context.save()
      check(object)
    }
    try stack.work { context in check(try #require(try context.all("Note").first)) }
  }

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes, .everyValue))
  func `a new object has the very object that is a transformable's default (45)`(
    _ kind: StoreKind
  ) throws {
    let words = NSMutableArray(array: ["a"])
    let (transformable, composite) = (NSAttributeDescription(), NSCompositeAttributeDescription())
    transformable.name = "words"
    transformable.type = .transformable
    transformable.defaultValue = words
    let x = NSAttributeDescription()
    x.name = "x"
    x.type = .double
    composite.name = "point"
    composite.elements = [x]
    composite.defaultValue = ["x": 1.5]
    let note = NSEntityDescription()
    note.name = "Note"
    note.properties = [transformable, composite]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let stack = try ModelStack(model, kind)
    try stack.work { context in
      let object = context.new("Note")
      #expect(object.value(forKey: "words") as? NSMutableArray === words)
      #expect(object.value(forKeyPath: "point.x") as? Double == 1.5)
      try context.save()
    }
    try stack.work { context in
      let object = try #require(try context.all("Note").first)
      #expect(object.value(forKey: "words") as? [String] == ["a"])
      #expect(object.value(forKeyPath: "point.x") as? Double == 1.5)
    }
  }

  // MARK: Enums

  @Test(arguments: StoreKind.with(.everyRequest, .compositeAttributes, .everyValue))
  func `an enum over a stored number is set, searched and sorted by`(_ kind: StoreKind) throws {
    let stack = try NotesStack(kind)
    try stack.work { context in
      for (title, state) in [("a", NoteState.done), ("b", .draft), ("c", .review)] {
        context.note(title).state = state
      }
      try context.save()
      let request = Note.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.state, ascending: false)]
      #expect(try context.fetch(request).map(\.state) == [.done, .review, .draft])
      request.predicate = NSPredicate(format: "stars >= %d", NoteState.review.rawValue)
      #expect(try context.fetch(request).map(\.title) == ["a", "c"])
      request.predicate = NSPredicate(
        format: "%K == %d",
        NSExpression(forKeyPath: \Note.state).keyPath,
        NoteState.draft.rawValue
      )
      #expect(try context.fetch(request).map(\.title) == ["b"])
    }
  }
}

/// The meaning of a note's number of stars, in this test.
private enum NoteState: Int16 {
  case draft, review, done
}

extension Note {
  /// The stored number as an enum; one of a newer program is a draft.
  fileprivate var state: NoteState {
    get { NoteState(rawValue: stars) ?? .draft }
    set { stars = newValue.rawValue }
  }
}
