import CoreData
import TestSupport
import Testing

@Suite struct ValueValidationTests {
  private func failure(_ value: AnyObject?, _ key: String, of note: Note) throws -> CocoaError {
    var value = value
    return try #require(throws: CocoaError.self) { try note.validateValue(&value, forKey: key) }
  }

  @Test func `a value is turned into the property's type, or refused`() throws {
    let context = try NotesStack().context()
    try context.performAndWait {
      let note = Note(context: context)
      var value: AnyObject? = NSNumber(value: 3.0)
      try note.validateValue(&value, forKey: "stars")
      #expect(value as? Int16 == 3)
      #expect(note.stars == 0)
      value = NSNull()
      try note.validateValue(&value, forKey: "title")
      #expect(value == nil)
      #expect(
        try failure("x" as NSString, "stars", of: note).errorCode == NSManagedObjectValidationError
      )
      #expect(
        try failure(NSNumber(value: 6), "stars", of: note).errorCode
          == NSValidationNumberTooLargeError
      )
      #expect(
        try failure(NSNumber(value: -1), "stars", of: note).errorCode
          == NSValidationNumberTooSmallError
      )
      let long = String(repeating: "x", count: 41) as NSString
      #expect(try failure(long, "title", of: note).errorCode == NSValidationStringTooLongError)
      let missing = try failure(nil, "isFavourite", of: note)
      #expect(missing.errorCode == NSValidationMissingMandatoryPropertyError)
      #expect(missing.userInfo[NSValidationObjectErrorKey] as? Note === note)
      #expect(missing.userInfo[NSValidationKeyErrorKey] as? String == "isFavourite")
      #expect(
        try failure("x" as NSString, "tags", of: note).errorCode == NSManagedObjectValidationError
      )
    }
  }

  @Test func `a path leads to the object that has the key`() throws {
    let context = try NotesStack().context()
    try context.performAndWait {
      let note = Note(context: context)
      note.folder = Folder(context: context)
      var name: AnyObject? = nil
      #expect(throws: CocoaError.self) { try note.validateValue(&name, forKeyPath: "folder.name") }
      name = "Ideas" as NSString
      try note.validateValue(&name, forKeyPath: "folder.name")
      note.setValue(name, forKeyPath: "folder.name")
      #expect(note.folder?.name == "Ideas")
    }
  }

  @Test func `key-value operators have their names`() {
    let sum = NSKeyValueOperator.sumKeyValueOperator.rawValue
    let notes = [["stars": 1], ["stars": 4]]
    let value = NSExpression(forKeyPath: "@\(sum).stars").expressionValue(with: notes, context: nil)
    #expect(value as? Int == 5)
  }
}
