import CoreDataModel
import CoreDataPredicates
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

struct ValidationFailureTests {
  @Test func `a missing value is told as Apple tells it`() {
    let note = NSObject()
    let error = ValidationFailure(.missingValue, entity: "Note", key: "title")
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
    Rule(1570, "title is a required value.") { .missingValue },
    Rule(1580, "Too few items in title.") { .tooFew(8) },
    Rule(1590, "Too many items in title.") { .tooMany(5) },
    Rule(1600, "Items cannot be deleted from title.") { .deniedDelete },
    Rule(1610, "title is too large.") { .bound("SELF <= 5", 1610) },
    Rule(1620, "title is too small.") { .bound("SELF >= 9", 1620) },
    Rule(1630, "title is too late.") { .bound("SELF <= 5", 1630) },
    Rule(1640, "title is too soon.") { .bound("SELF >= 9", 1640) },
    Rule(1660, "title is too long.") { .bound("length <= 5", 1660) },
    Rule(1670, "title is too short.") { .bound("length >= 9", 1670) },
    Rule(1680, "title does not match its pattern.") { .bound("SELF MATCHES \"a\"", 1680) },
    Rule(1550, "Not seven!") {
      .predicate(NSPredicate(format: "SELF != 7"), .message("Not seven!"))
    },
    Rule(1550, "title is not valid.") { .wrongType(expected: "a String") },
  ])
  func `every rule has its code and its sentence`(rule: Rule) throws {
    let error = ValidationFailure(rule.make(), entity: "Note", key: "title")
      .error(object: NSObject(), value: 7)
    #expect(error.code == rule.code)
    #expect(error.localizedDescription == rule.sentence)
    #expect(error.localizedFailureReason?.contains("Note.title") == true)
    #expect(error.localizedRecoverySuggestion?.isEmpty == false)
    let cocoa = try #require((error as any Error) as? CocoaError)
    #expect(cocoa.code == CocoaError.Code(rawValue: rule.code))
    #expect(cocoa.validationKey == "title")
    #expect(cocoa.validationValue as? Int == 7)
    if case .predicate(let predicate, _) = rule.make() {
      #expect(cocoa.validationPredicate == predicate)
    }
  }

  struct Rule: Sendable, CustomTestStringConvertible {
    let code: Int
    let sentence: String
    let make: @Sendable () -> ValidationFailure.Reason

    init(
      _ code: Int,
      _ sentence: String,
      _ make: @escaping @Sendable () -> ValidationFailure.Reason
    ) {
      self.code = code
      self.sentence = sentence
      self.make = make
    }

    var testDescription: String { "\(code): \(sentence)" }
  }

  @Test func `too many objects are counted`() {
    let failure = ValidationFailure(.tooMany(1), entity: "Note", key: "tags")
    for value: Any in [2, NSSet(array: [1, 2]), NSOrderedSet(array: [1, 2]), [1, 2]] {
      let error = failure.error(object: NSObject(), value: value)
      #expect(error.localizedFailureReason == "Note.tags has 2 objects; the most is 1.")
    }
  }

  @Test func `one error stays alone, several become one that is flat`() throws {
    #expect(ValidationFailure.combined([]) == nil)
    let missing = ValidationFailure(.missingValue, entity: "Note", key: "title")
      .error(object: NSObject(), value: nil)
    #expect(ValidationFailure.combined([missing]) === missing)
    let two = try #require(ValidationFailure.combined([missing, missing]))
    #expect(two.code == NSValidationMultipleErrorsError)
    let other = CocoaError(.fileNoSuchFile) as NSError
    let nested = try #require(ValidationFailure.combined([two, other, two]))
    let details = try #require(nested.userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details.map(\.code) == [1570, 1570, CocoaError.fileNoSuchFile.rawValue, 1570, 1570])
  }

  @Test func `an error is caught by its short name`() {
    let isCaught: Bool
    do {
      throw ValidationFailure(.missingValue, entity: "Note", key: "title")
        .error(object: NSObject(), value: nil)
    } catch CocoaError.validationMissingMandatoryProperty {
      isCaught = true
    } catch {
      isCaught = false
    }
    #expect(isCaught)
  }
}

extension ValidationFailure.Reason {
  fileprivate static func bound(_ format: String, _ code: Int) -> Self {
    .predicate(NSPredicate(format: format), .code(code))
  }
}

struct SaveFailureTests {
  @Test func `a merge conflict carries its conflicts`() {
    let error = SaveFailure.mergeConflict(objects: ["x-coredata:///Note/p1"])
      .error(conflicts: ["conflict"])
    #expect(error.code == 133_020)
    #expect(error.userInfo["conflictList"] as? [String] == ["conflict"])
    #expect(error.localizedFailureReason?.contains("x-coredata:///Note/p1") == true)
  }

  @Test(arguments: [
    (SaveFailure.endlessChanges, 134_060, "willSave()"),
    (.noStore(entity: "Note"), 134_030, "Note"),
    (.storeRemoved(object: "x-coredata://A/Note/p1"), 134_030, "x-coredata://A/Note/p1"),
    (.readOnly(store: "/notes.sqlite"), 513, "/notes.sqlite"),
    (.relationshipBetweenStores(entity: "Note", key: "folder"), 133_010, "Note.folder"),
  ])
  func `every failure of a save has its code and names its object`(
    failure: SaveFailure,
    code: Int,
    name: String
  ) {
    #expect(failure.error.code == code)
    #expect(failure.error.localizedFailureReason?.contains(name) == true)
  }

  @Test func `a row that is gone is named by its URI`() {
    let note = NSObject()
    let error = FetchFailure.missingRow(object: "x-coredata:///Note/p1", entity: "Note")
      .error(objects: [note])
    #expect(error.code == 133_000)
    #expect(error.localizedDescription == "The Note does not exist any more.")
    #expect(error.localizedFailureReason?.contains("x-coredata:///Note/p1") == true)
    #expect((error as any Error as? CocoaError)?.affectedObjects?.first === note)
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
    let error = StoreFailure.otherModel(difference, path: "/notes.sqlite")
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
    let error = StoreFailure.opening(sqlite, path: "/notes.sqlite").error
    #expect(error.code == CocoaError.fileReadUnknown.rawValue)
    #expect(error.localizedFailureReason?.contains("unable to open database file") == true)
    #expect(error.localizedFailureReason?.contains("/notes.sqlite") == true)
    #expect(error.userInfo[NSSQLiteErrorDomain] as? Int == 14)
    let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(underlying.domain == NSSQLiteErrorDomain)
    #expect(underlying.code == 14)
  }

  @Test(arguments: [
    (StoreFailure.otherType(found: "SQLite", expected: "InMemory", path: path), 134_010),
    (.missingFile(path: path), 260),
    (.unreadable(path: path), 257),
    (.unwritable(path: path), 513),
    (.notADatabase(path: path), 259),
    (.notAStore(lack: "has no table Z_METADATA", path: path), 259),
    (.unsupportedRequest("a batch delete", path: path), 134_091),
    (.opening(SQLiteError(code: 1, message: "error"), path: path), 134_080),
    (.opening(SQLiteError(code: 26, message: "file is not a database"), path: path), 259),
    (.opening(SQLiteError(code: 8, message: "readonly"), path: path), 513),
    (.opening(SQLiteError(code: 5, message: "locked"), path: path), 134_090),
    (.reading(SQLiteError(code: 1, message: "no such table"), path: path), 134_180),
    (.saving(SQLiteError(code: 2067, message: "unique"), path: path), 134_030),
    (.saving(SQLiteError(code: 13, message: "full"), path: path), 640),
    (.saving(SQLiteError(code: 1032, message: "moved"), path: path), 513),
  ])
  func `every failure of a file has its code, and names the path`(
    failure: StoreFailure,
    code: Int
  ) {
    let error = failure.error
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(error.code == code)
    #expect(error.localizedFailureReason?.contains(Self.path) == true)
    #expect(error.localizedRecoverySuggestion?.isEmpty == false)
    #expect(error.userInfo[NSFilePathErrorKey] as? String == Self.path)
  }

  private static let path = "/notes.sqlite"

  @Test func `what the coordinator does not know is named`() {
    let type = StoreFailure.unknownType("Cloud").error
    #expect(type.code == 134_000)
    #expect(type.localizedDescription == "There is no store type “Cloud”.")
    let configuration = StoreFailure.unknownConfiguration("Cloud").error
    #expect(configuration.code == 134_080)
    #expect(configuration.localizedDescription == "There is no configuration “Cloud”.")
    #expect(StoreFailure.notOfThisCoordinator("/a.sqlite").error.code == 134_070)
  }
}
