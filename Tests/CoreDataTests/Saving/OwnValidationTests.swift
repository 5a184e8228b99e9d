import CoreData
import TestSupport
import Testing

/// Validation as classes add to it, and the words of its errors.
@Suite struct OwnValidationTests {
  @Test(arguments: StoreKind.with(.everyRequest))
  func `an override of validateValue is asked about every property at a save (40)`(
    kind: StoreKind
  ) throws {
    let entity = CodedModel.entity(
      "Note",
      JudgingNote.self,
      CodedModel.attribute("title"),
      CodedModel.attribute("stars", .integer16AttributeType, default: 0),
      CodedModel.attribute("text")
    )
    let coordinator = try CodedModel.coordinator(CodedModel.model(entity), kind)
    let id = try LivingNotes.work(coordinator) { context in
      let note = JudgingNote(context: context)
      note.setValue("  spaced  ", forKey: "title")
      try context.save()
      #expect(note.asked.prefix(3) == ["stars 0", "text nil", "title   spaced  "])
      #expect(note.value(forKey: "title") as? String == "spaced", "the value it gave is taken")
      note.setValue("forbidden", forKey: "title")
      note.setValue("forbidden", forKey: "text")
      let error = try #require(throws: NSError.self) { try context.save() }
      #expect(error.code == NSValidationMultipleErrorsError)
      let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError]
      #expect(parts?.map(\.domain) == ["Notes", "Notes"])
      #expect(context.updatedObjects == [note])
      context.rollback()
      note.asked = []
      try note.validateForUpdate()
      #expect(note.asked.count == 3, "unchanged ones too")
      return note.objectID
    }
    try LivingNotes.work(coordinator) {
      #expect($0.object(with: id).value(forKey: "title") as? String == "spaced")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `methods for single properties are called after the model's rules (40)`(
    kind: StoreKind
  ) throws {
    let title = CodedModel.attribute("title")
    title.isOptional = false
    let entity = CodedModel.entity("Note", DraftNote.self, title, CodedModel.attribute("text"))
    let special = CodedModel.entity("Special", SpecialDraft.self)
    entity.subentities = [special]
    let coordinator = try CodedModel.coordinator(CodedModel.model(entity, special), kind)
    try LivingNotes.work(coordinator) { context in
      let note = DraftNote(context: context)
      #expect(errorCode { try context.save() } == NSValidationMissingMandatoryPropertyError)
      #expect(note.judged == [])
      note.setValue("Draft of a note", forKey: "title")
      #expect(throws: StillADraft("Draft of a note")) { try context.save() }
      var value: AnyObject? = "Draft" as AnyObject
      #expect(throws: StillADraft("Draft")) { try note.validateValue(&value, forKey: "title") }
      value = "Done" as AnyObject
      try note.validateValue(&value, forKey: "title")
      #expect(value as? String == "done", "it may give another value")
      note.setValue("Note", forKey: "title")
      try context.save()
      #expect(note.value(forKey: "title") as? String == "note")
      let special = SpecialDraft(context: context)
      special.setValue("Draft", forKey: "title")
      #expect(throws: StillADraft("Draft")) { try context.save() }
    }
  }

  @Test func `a table with a property that the entity lacks stops the program`() async {
    let result = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let entity = CodedModel.entity("Note", DraftNote.self, CodedModel.attribute("name"))
      _ = try CodedModel.coordinator(CodedModel.model(entity))
    }
    #expect(result.says("DraftNote.propertyValidations has the key title, which Note lacks"))
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `an override of validateForInsert adds its errors to the others (40)`(
    kind: StoreKind
  ) throws {
    let title = CodedModel.attribute("title")
    title.isOptional = false
    let text = CodedModel.attribute("text")
    text.isOptional = false
    let entity = CodedModel.entity("Note", StrictNote.self, title, text)
    let coordinator = try CodedModel.coordinator(CodedModel.model(entity), kind)
    try LivingNotes.work(coordinator) { context in
      let note = StrictNote(context: context)
      note.setValue("T", forKey: "title")
      let one = try #require(throws: NSError.self) { try note.validateForInsert() }
      #expect(one.code == NSValidationMultipleErrorsError)
      _ = StrictNote(context: context)
      let all = try #require(throws: NSError.self) { try context.save() }
      let parts = try #require(all.userInfo[NSDetailedErrorsKey] as? [NSError])
      #expect(parts.map(\.code).sorted() == [1, 1, 1570, 1570, 1570], "the list is flat")
      #expect(!parts.contains { $0.code == NSValidationMultipleErrorsError })
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `one error comes as itself, with object, key, value and predicate (40, 41)`(
    kind: StoreKind
  ) throws {
    try NotesStack(kind).work { context in
      let note = context.note("One")
      note.stars = 9
      let error = try #require(throws: CocoaError.self) { try context.save() }
      #expect(error.code == .validationNumberTooLarge)
      #expect(error.validationObject as? Note === note)
      #expect(error.validationKey == "stars")
      #expect(error.validationValue as? Int == 9)
      let predicate = try #require(error.validationPredicate)
      #expect(!predicate.evaluate(with: 9) && predicate.evaluate(with: 5))
      var value: AnyObject? = NSNumber(value: -1)
      let direct = try #require(throws: CocoaError.self) {
        try note.validateValue(&value, forKey: "stars")
      }
      #expect(direct.code == .validationNumberTooSmall)
      #expect(direct.validationPredicate != nil)
    }
  }

  @Test func `errors speak the language of the model's localization (41)`() throws {
    let title = CodedModel.attribute("title")
    title.isOptional = false
    title.setValidationPredicates(
      [NSPredicate(format: "length >= 3")],
      withValidationWarnings: ["A note needs a title."]
    )
    let text = CodedModel.attribute("text")
    text.isOptional = false
    let model = CodedModel.model(CodedModel.entity("Note", TitledNote.self, title, text))
    model.localizationDictionary = [
      "Property/text/Entity/Note": "Der Text",
      "ErrorString/A note needs a title.": "Eine Notiz braucht einen Titel.",
      "ErrorString/title is a required value.": "Der Titel fehlt.",
    ]
    try LivingNotes.work(try CodedModel.coordinator(model)) { context in
      let note = TitledNote(context: context)
      let texts = { (error: NSError) in
        (error.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.localizedDescription).sorted()
      }
      let missing = try #require(throws: NSError.self) { try note.validateForInsert() }
      #expect(texts(missing) == ["Der Text is a required value.", "Der Titel fehlt."])
      note.setValue("x", forKey: "title")
      note.setValue("y", forKey: "text")
      let short = try #require(throws: NSError.self) { try note.validateForInsert() }
      #expect(short.localizedDescription == "Eine Notiz braucht einen Titel.")
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `every limit of the model editor has its code (42)`(kind: StoreKind) throws {
    let source = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note">
          <attribute name="number" optional="YES" attributeType="Double" \
      minValueString="1" maxValueString="5"/>
          <attribute name="date" optional="YES" attributeType="Date" \
      minDateTimeInterval="0" maxDateTimeInterval="1000"/>
          <attribute name="text" optional="YES" attributeType="String" \
      minValueString="2" maxValueString="4" regularExpressionString="[a-z]*"/>
        </entity>
      </model>
      """
    let folder = TestSupport.TemporaryFolder.file("Limits.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(source.utf8).write(to: folder.appendingPathComponent("contents"))
    let model = try #require(NSManagedObjectModel(contentsOf: folder))
    let date = { Date(timeIntervalSinceReferenceDate: $0) }
    try LivingNotes.work(try CodedModel.coordinator(model, kind)) { context in
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      let wrong: [(key: String, value: Any, code: Int)] = [
        ("number", 5.5, NSValidationNumberTooLargeError),
        ("number", 0.5, NSValidationNumberTooSmallError),
        ("date", date(1001), NSValidationDateTooLateError),
        ("date", date(-1), NSValidationDateTooSoonError),
        ("date", date(.nan), NSValidationInvalidDateError),
        ("text", "abcde", NSValidationStringTooLongError),
        ("text", "a", NSValidationStringTooShortError),
        ("text", "A1", NSValidationStringPatternMatchingError),
      ]
      for wrong in wrong {
        note.setValue(wrong.value, forKey: wrong.key)
        let error = try #require(throws: NSError.self) { try context.save() }
        let codes = (error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]).map(\.code)
        #expect(codes.contains(wrong.code), "\(wrong.code)")
        note.setValue(nil, forKey: wrong.key)
      }
      for (key, value) in [("number", 1.0), ("date", date(1000)), ("text", "ab")] as [(String, Any)]
      {
        note.setValue(value, forKey: key)
      }
      try context.save()
    }
  }

  @Test(arguments: StoreKind.with(.everyRequest))
  func `what is not optional must be there, relationships included (43)`(kind: StoreKind) throws {
    let (list, line) = (CodedModel.entity("List"), CodedModel.entity("Line"))
    let (lines, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (lines.name, back.name) = ("lines", "list")
    (lines.isOptional, back.isOptional) = (false, false)
    lines.minCount = 1
    back.maxCount = 1
    (lines.destinationEntity, back.destinationEntity) = (line, list)
    (lines.inverseRelationship, back.inverseRelationship) = (back, lines)
    list.properties = [lines]
    line.properties = [back]
    let coordinator = try CodedModel.coordinator(CodedModel.model(list, line), kind)
    try LivingNotes.work(coordinator) { context in
      let one = NSManagedObject(entity: list, insertInto: context)
      #expect(errorCode { try context.save() } == 1580)
      let two = NSManagedObject(entity: line, insertInto: context)
      #expect(errorCode { try two.validateForInsert() } == 1570)
      two.setValue(one, forKey: "list")
      try context.save()
      context.delete(two)
      #expect(errorCode { try context.save() } == 1580)
    }
  }
}

/// A note that trims its texts and does not like some.
class JudgingNote: NSManagedObject {
  var asked: [String] = []

  override func validateValue(
    _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
    forKey key: String
  ) throws {
    asked.append("\(key) \(value.pointee.map { "\($0)" } ?? "nil")")
    try super.validateValue(value, forKey: key)
    guard let text = value.pointee as? String else { return }
    if text == "forbidden" { throw NSError(domain: "Notes", code: 1) }
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    if trimmed != text { value.pointee = trimmed as AnyObject }
  }
}

/// A note whose title is judged by a method of its own.
class DraftNote: NSManagedObject {
  var judged: [String] = []
}

/// One of its kind.
class SpecialDraft: DraftNote {}

struct StillADraft: Error, Equatable {
  let title: String

  init(_ title: String) {
    self.title = title
  }
}

extension DraftNote: PropertyValidating {
  static var propertyValidations: [String: PropertyValidation] {
    ["title": PropertyValidation(DraftNote.validateTitle)]
  }

  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let title = value.pointee as? String else { return }
    judged.append(title)
    if title.hasPrefix("Draft") { throw StillADraft(title) }
    if title != title.lowercased() { value.pointee = title.lowercased() as AnyObject }
  }
}

/// A note that has an objection of its own to being inserted.
class StrictNote: NSManagedObject {
  override func validateForInsert() throws {
    var errors: [NSError] = []
    do { try super.validateForInsert() } catch { errors.append(error as NSError) }
    errors.append(NSError(domain: "Notes", code: 1))
    throw errors.count == 1
      ? errors[0]
      : NSError(
        domain: NSCocoaErrorDomain,
        code: NSValidationMultipleErrorsError,
        userInfo: [NSDetailedErrorsKey: errors]
      )
  }
}
