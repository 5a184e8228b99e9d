import CoreDataModel
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

struct ValidationFailureTests {
  @Test func `a missing value is told as Apple tells it`() {
    let note = NSObject()
    let error = ValidationFailure(.missingValue, key: "title", entity: "Note")
      .error(object: note, value: nil)
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == NSValidationMissingMandatoryPropertyError)
    #expect(error.localizedDescription == "title is a required value.")
    #expect(error.localizedFailureReason == "Note.title is not optional and has no value.")
    #expect(error.userInfo[NSValidationObjectErrorKey] as? NSObject === note)
    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "title")
    #expect(error.userInfo[NSValidationValueErrorKey] == nil)
  }

  @Test(arguments: [
    (ValidationFailure.Rule.missingValue, 1570, "title is a required value."),
    (.tooFewObjects(count: 0, minimum: 1), 1580, "Too few items in title."),
    (.tooManyObjects(count: 6, maximum: 5), 1590, "Too many items in title."),
    (.deniedDelete(count: 1), 1600, "Items cannot be deleted from title."),
    (.deletedObjects(count: 1), 1550, "Dangling reference to an invalid object."),
    (.predicate("SELF <= 5", .code(1610)), 1610, "title is too large."),
    (.predicate("SELF >= 5", .code(1620)), 1620, "title is too small."),
    (.predicate("SELF <= 5", .code(1630)), 1630, "title is too late."),
    (.predicate("SELF >= 5", .code(1640)), 1640, "title is too soon."),
    (.predicate("length <= 5", .code(1660)), 1660, "title is too long."),
    (.predicate("length >= 5", .code(1670)), 1670, "title is too short."),
    (.predicate("SELF MATCHES \"a\"", .code(1680)), 1680, "title does not match its pattern."),
    (.predicate("SELF != 5", .message("Not five!")), 1550, "Not five!"),
    (.wrongType(expected: "a String"), 1550, "title is not valid."),
  ])
  func `every rule has its code and its sentence`(
    rule: ValidationFailure.Rule,
    code: Int,
    sentence: String
  ) throws {
    let error = ValidationFailure(rule, key: "title", entity: "Note")
      .error(object: NSObject(), value: 7)
    #expect(error.code == code)
    #expect(error.localizedDescription == sentence)
    #expect(error.localizedFailureReason?.contains("Note.title") == true)
    #expect(error.localizedRecoverySuggestion?.isEmpty == false)
    let cocoa = try #require((error as any Error) as? CocoaError)
    #expect(cocoa.code == CocoaError.Code(rawValue: code))
    #expect(cocoa.validationKey == "title")
    #expect(cocoa.validationValue as? Int == 7)
  }

  @Test func `one error stays alone, several become one that is flat`() throws {
    var errors = ValidationErrors()
    #expect(errors.combined == nil)
    let missing = ValidationFailure(.missingValue, key: "title", entity: "Note")
      .error(object: NSObject(), value: nil)
    errors.add(missing)
    #expect(errors.combined === missing)
    errors.add(missing)
    let two = try #require(errors.combined)
    #expect(two.code == NSValidationMultipleErrorsError)
    var nested = ValidationErrors()
    nested.add(two)
    nested.add(CocoaError(.fileNoSuchFile))
    nested.add(two)
    let details = try #require(nested.combined?.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details.map(\.code) == [1570, 1570, CocoaError.fileNoSuchFile.rawValue, 1570, 1570])
  }

  @Test func `an error is caught by its short name`() {
    let isCaught: Bool
    do {
      throw ValidationFailure(.missingValue, key: "title", entity: "Note")
        .error(object: NSObject(), value: nil)
    } catch CocoaError.validationMissingMandatoryProperty {
      isCaught = true
    } catch {
      isCaught = false
    }
    #expect(isCaught)
  }
}

struct ObjectFailureTests {
  @Test func `a merge conflict carries its conflicts`() {
    let error = ObjectFailure.mergeConflict(uris: ["x-coredata:///Note/p1"])
      .error(conflicts: ["conflict"])
    #expect(error.code == 133_020)
    #expect(error.userInfo["conflictList"] as? [String] == ["conflict"])
    #expect(error.localizedFailureReason?.contains("x-coredata:///Note/p1") == true)
  }

  @Test func `a row that is gone is named by its URI`() {
    let note = NSObject()
    let error = ObjectFailure.missingRow(uri: "x-coredata:///Note/p1", entity: "Note")
      .error(objects: [note])
    #expect(error.code == 133_000)
    #expect(error.localizedDescription == "The Note does not exist any more.")
    #expect((error as any Error as? CocoaError)?.affectedObjects?.first === note)
  }

  @Test func `a relationship into another store names both ends`() {
    let failure = ObjectFailure.otherStore(
      key: "folder",
      entity: "Note",
      uri: "x-coredata://A/Note/p1",
      destination: "x-coredata://B/Folder/p2"
    )
    let error = failure.error()
    #expect(error.code == 133_010)
    #expect(
      error.localizedFailureReason == """
        Note.folder of x-coredata://A/Note/p1 refers to x-coredata://B/Folder/p2, \
        which is in another store.
        """
    )
  }
}

struct StoreFailureTests {
  @Test func `another model is told by the entities that differ`() throws {
    let one = Data([1])
    let two = Data([2])
    let difference = try #require(
      ModelDifference(
        storeHashes: ["Note": one, "Tag": one, "Bin": one, "Item": one],
        modelHashes: ["Note": two, "Tag": two, "Folder": one, "Item": one]
      )
    )
    let error = StoreFailure(.otherModel(difference), path: "/notes.sqlite")
      .error(metadata: [NSStoreTypeKey: NSSQLiteStoreType])
    #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
    #expect(
      error.localizedFailureReason == """
        /notes.sqlite: Note and Tag differ; Folder is only in the model; Bin is only in the store.
        """
    )
    #expect(error.userInfo["storeVersionHashes"] as? [String: Data] == difference.storeHashes)
    #expect(error.userInfo["modelVersionHashes"] as? [String: Data] == difference.modelHashes)
    let metadata = error.userInfo["metadata"] as? [String: Any]
    #expect(metadata?[NSStoreTypeKey] as? String == "SQLite")
    #expect(ModelDifference(storeHashes: ["Note": one], modelHashes: ["Note": one]) == nil)
  }

  @Test func `SQLite's words, code and path are in the error`() throws {
    let sqlite = SQLiteError(code: 14, message: "unable to open database file")
    let error = StoreFailure(.opening(sqlite), path: "/notes.sqlite").error()
    #expect(error.code == CocoaError.fileReadUnknown.rawValue)
    #expect(error.localizedFailureReason?.contains("unable to open database file") == true)
    #expect(error.localizedFailureReason?.contains("/notes.sqlite") == true)
    #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 14)
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.domain == NSSQLiteErrorDomain)
    #expect(underlying.code == 14)
  }

  @Test func `a sum of more than 64 bits was told in SQLite's words alone`() {
    let sqlite = SQLiteError(code: 1, message: "integer overflow")
    let error = StoreFailure(.reading(sqlite), path: "/notes.sqlite").error()
    #expect(error.localizedFailureReason?.contains("a number is too large (SQLite error 1") == true)
    #expect(error.localizedRecoverySuggestion?.contains("Compute with smaller numbers.") == true)
  }

  @Test func `the type of PostgreSQL was told as one for which a class has to be registered`() {
    let error = StoreFailure(.unknownType("PostgreSQL"), path: "/notes").error()
    #expect(error.localizedRecoverySuggestion?.contains("Import CoreDataPostgreSQL") == true)
    let other = StoreFailure(.unknownType("Cloud"), path: "/notes").error()
    #expect(other.localizedRecoverySuggestion?.contains("register a class") == true)
  }

  @Test(arguments: [
    (StoreFailure.Cause.unknownType("Cloud"), 134_000),
    (.otherType(found: "SQLite", expected: "InMemory"), 134_010),
    (.missingFile, 260),
    (.unreadable, 257),
    (.unwritable, 513),
    (.notADatabase, 259),
    (.notAStore("has no table Z_METADATA"), 259),
    (.unsupportedRequest("a batch delete"), 134_091),
    (.opening(SQLiteError(code: 1, message: "error")), 134_080),
    (.opening(SQLiteError(code: 26, message: "file is not a database")), 259),
    (.opening(SQLiteError(code: 8, message: "readonly")), 513),
    (.opening(SQLiteError(code: 5, message: "locked")), 134_090),
    (.reading(SQLiteError(code: 1, message: "no such table")), 134_180),
    (.saving(SQLiteError(code: 2067, message: "unique")), 133_021),
    (.saving(SQLiteError(code: 13, message: "full")), 640),
    (.saving(SQLiteError(code: 1032, message: "moved")), 513),
  ])
  func `every cause has its code, and names the path`(cause: StoreFailure.Cause, code: Int) {
    let error = StoreFailure(cause, path: "/notes.sqlite").error()
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == code)
    #expect(error.localizedFailureReason?.contains("/notes.sqlite") == true)
    #expect(error.localizedRecoverySuggestion?.isEmpty == false)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == "/notes.sqlite")
  }
}
