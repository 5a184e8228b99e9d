import CoreData
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

/// `coredata set`, run as a process.
struct SetTests {
  private let store: ToolStore

  init() throws { store = try ToolStore() }

  private func set(
    _ words: String...,
    where condition: String = "title == \"Shopping\""
  ) throws
    -> Program.Outcome
  {
    try Program.run(["set", store.path, "--entity", "Note", "--where", condition] + words)
  }

  private func sql(_ query: String) throws -> String {
    try Program.run("sql", store.path, query, "--csv").output.split(separator: "\r\n")
      .dropFirst().joined(separator: "\n")
  }

  @Test func `a store with a rollback journal got a write-ahead log without a word`() throws {
    try Connection(path: store.file.path).run("PRAGMA journal_mode = DELETE" as String)
    #expect(try set("title=Groceries", "--yes").status == 0)
    let header = try FileHandle(forReadingFrom: store.file).read(upToCount: 20) ?? Data()
    #expect(header.count == 20 && header[18] == 1)
    #expect(try sql("SELECT count(*) FROM ZNOTE WHERE ZTITLE = 'Groceries'") == "1")
  }

  @Test func `a rehearsal shows what would be changed, and changes no byte`() throws {
    let before = try Data(contentsOf: store.file)
    let outcome = try set("title=Groceries", "stars=5", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output
        == """
        Note/p1.title: Shopping → Groceries
          Note/p1.stars: 3 → 5
        1 object found, 1 to change; nothing was changed

        """.replacing("Note/p1.title", with: "  Note/p1.title", maxReplacements: 1)
    )
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `nothing is saved without consent`() throws {
    let outcome = try set("title=Groceries")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "nothing was done: add --yes to save what is shown\n")
    #expect(try sql("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 1") == "Shopping")
  }

  @Test func `values are set as a program sets them`() throws {
    let version = try #require(Int(sql("SELECT Z_OPT FROM ZNOTE WHERE Z_PK = 1")))
    let outcome = try set(
      "title=Groceries",
      "stars=5",
      "created=2024-05-10T18:14:11.5Z",
      "isFavourite=yes",
      "price=0.1",
      "uuid=nil",
      "folder=Folder/p2",
      "--yes"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasSuffix("1 object found, 1 to change\nSaved.\n"))
    #expect(
      try sql(
        "SELECT ZTITLE, ZSTARS, ZCREATED, ZISFAVOURITE, ZPRICE, ZUUID IS NULL, ZFOLDER, Z_OPT FROM "
          + "ZNOTE WHERE Z_PK = 1"
      ) == "Groceries,5,737057651.5,1,0.1,1,2,\(version + 1)"
    )
    #expect(try Program.run("check", store.path, "--deep").output == "The store is sound.\n")
    let again = try set("stars=5", "--yes", where: "title == \"Groceries\"")
    #expect(again.output == "1 object found, 0 to change\n" && again.status == 0)
  }

  @Test func `a history that the store keeps has the change`() throws {
    let file = ToolStore.temporaryFile("History.sqlite")
    let stack = try NotesStack(file: file, options: [NSPersistentHistoryTrackingKey: true])
    try stack.work { context in
      context.note("one")
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let outcome = try Program.run([
      "set", file.path, "--entity", "Note", "--where", "TRUEPREDICATE", "title=two", "--yes",
      "--author", "me", "--json",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try outcome.json["isSaved"] as? Bool == true)
    let history = try Program.run("inspect", file.path, "--json").json["history"] as? [String: Any]
    #expect(history?["transactions"] as? Int == 2)
    let authors = (history?["authors"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    #expect(authors == ["me"])
  }

  @Test(arguments: [
    ("stars=many", "Note.stars is a whole number of the type Integer 16; 'many' is not"),
    ("stars=99999", "'99999' is not"), ("created=soon", "Note.created is a date such as"),
    ("image=x", "Note.image is data, written as Base64; 'x' is not"),
    (
      "keywords=food",
      "Note.keywords is the archive of an object, written as Base64; 'food' is not"
    ),
    ("folder=Home", "Note.folder is an object of Folder, and \"Home\" does not name one"),
    ("folder=Folder/p99", "folder: the store has no object Folder/p99\n"),
    ("tags=Tag/p1", "Note.tags is a to-many relationship"),
    ("titel=x", "Note has no property 'titel'; did you mean 'title'?"),
  ])
  func `what cannot be set changes nothing`(word: String, sentence: String) throws {
    let before = try sql("SELECT * FROM ZNOTE")
    let outcome = try set("title=Groceries", word, "--yes")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try sql("SELECT * FROM ZNOTE") == before)
  }

  @Test func `an empty text was told as no value, and Booleans as numbers`() throws {
    let words = ["text=", "isFavourite=yes", "link=nil", "--dry-run"]
    let outcome = try set(words[0], words[1], words[2], words[3])
    #expect(
      outcome.output
        == """
          Note/p1.text: milk, "eggs" → ""
          Note/p1.isFavourite: no → yes
          Note/p1.link: https://example.org/list → nothing
        1 object found, 1 to change; nothing was changed

        """,
      "\(outcome.errors)"
    )
    let json = try set(words[0], words[1], words[3], "--json").output
    for change in [#""old": false"#, #""new": true"#, #""new": """#] {
      #expect(json.contains(change), "\(json)")
    }
  }

  @Test func `a Float was told with digits that it does not have`() throws {
    let file = ToolStore.temporaryFile("Parcels.sqlite")
    let weight = NSAttributeDescription()
    (weight.name, weight.attributeType, weight.isOptional) = ("weight", .floatAttributeType, true)
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("Parcel", [weight])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let added = try coordinator.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let parcel = NSManagedObject(entity: entity, insertInto: context)
      parcel.setValue(Float(0.1), forKey: "weight")
      try context.save()
    }
    try coordinator.remove(added)
    let outcome = try Program.run(
      ["set", file.path, "--entity", "Parcel", "--where", "TRUEPREDICATE", "weight=0.3"]
        + ["--dry-run"]
    )
    #expect(outcome.output.hasPrefix("  Parcel/p1.weight: 0.1 → 0.3\n"), "\(outcome.output)")
  }

  @Test func `digits were promised that the store does not keep`() throws {
    let words = "price=0.12345678901234567890123456789012345678"
    let outcome = try set(words, "--yes")
    #expect(outcome.output.contains("price: 12.5 → 0.123456789012346\n"), "\(outcome.output)")
    #expect(try set(words, "--yes").output == "1 object found, 0 to change\n")
    let whole = try set("price=1234567890123456789", "--yes")
    #expect(whole.output.contains(" → 1234567890123456789\n"), "\(whole.output)")
    #expect(try sql("SELECT ZPRICE FROM ZNOTE WHERE Z_PK = 1") == "1234567890123456789")
  }

  @Test(arguments: ["nan", "inf", "-inf"])
  func `a number that is none became no value`(word: String) throws {
    let before = try Data(contentsOf: store.file)
    let outcome = try set("rating=\(word)", "--yes")
    #expect(outcome.status == 1)
    #expect(try Data(contentsOf: store.file) == before)
  }

  @Test func `of two values for one key the last one won`() throws {
    let outcome = try set("title=a", "title=b", "--dry-run")
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("title is given twice"))
  }

  @Test func `a rehearsal promised what the save refused`() throws {
    let outcome = try set("stars=-1", "--dry-run", where: "TRUEPREDICATE")
    let save = try set("stars=-1", "--yes", where: "TRUEPREDICATE")
    #expect(outcome.status == save.status)
  }

  @Test func `a value that the model does not allow is refused by the model`() throws {
    let outcome = try Program.run([
      "set", store.path, "--entity", "Tag", "--where", "TRUEPREDICATE", "name=nil", "--yes",
    ])
    #expect(outcome.status == 1 && outcome.errors != "")
    #expect(try sql("SELECT COUNT(*) FROM ZTAG WHERE ZNAME IS NULL") == "0")
  }

  // MARK: Rules that prevent a change

  private func run(_ statements: String...) throws {
    let connection = try Connection(path: store.path)
    for statement in statements { try connection.run(statement) }
  }

  @Test(arguments: ["--dry-run", "--yes"])
  func `an object that changes through an inverse was not validated`(option: String) throws {
    try run("UPDATE ZFOLDER SET ZNAME = NULL WHERE Z_PK = 2")
    let outcome = try set("folder=Folder/p2", option)
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(
      outcome.errors == """
        nothing was changed: the model does not allow it
          Folder/p2: Folder.name is not optional and has no value.
        These properties are not being changed; --only-changed saves without validating them.

        """
    )
    #expect(try sql("SELECT ZFOLDER FROM ZNOTE WHERE Z_PK = 1") == "1")
  }

  @Test(arguments: ["--dry-run", "--yes"])
  func `a refusal named no object and pointed at NSDetailedErrorsKey`(option: String) throws {
    let long = String(repeating: "x", count: 41)
    let outcome = try set("title=\(long)", "stars=9", option, where: "TRUEPREDICATE")
    #expect(outcome.status == 1 && outcome.output == "")
    for object in [
      "Note/p1: Note.title", "Note/p2: Note.stars is 9", "Checklist/p3: Checklist.title",
    ] {
      #expect(outcome.errors.contains(object), "\(outcome.errors)")
    }
    #expect(!outcome.errors.contains("NSDetailed") && !outcome.errors.contains("--only-changed"))
  }

  @Test func `an object that broke a rule before could not be changed at all`() throws {
    try run("UPDATE ZNOTE SET ZSTARS = 9 WHERE Z_PK = 1")
    let refused = try set("title=Groceries", "--dry-run")
    #expect(refused.status == 1 && refused.errors.contains("Note/p1: Note.stars is 9"))
    #expect(refused.errors.contains("--only-changed saves without validating them"))
    #expect(try set("title=Groceries", "--only-changed", "--dry-run").status == 0)
    let saved = try set("title=Groceries", "--only-changed", "--yes")
    #expect(saved.status == 0, "\(saved.errors)")
    #expect(try sql("SELECT ZTITLE, ZSTARS FROM ZNOTE WHERE Z_PK = 1") == "Groceries,9")
    let wrong = try set("stars=8", "--only-changed", "--yes", where: "title == \"Groceries\"")
    #expect(wrong.status == 1 && wrong.errors.contains("Note/p1: Note.stars is 8"))
    #expect(!wrong.errors.contains("not being changed"))
  }

  @Test func `objects at the other end of a relationship are shown`() throws {
    let outcome = try set("folder=Folder/p2", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\n  also changed, at the other end: Folder/p1, Folder/p2\n"))
    let json = try set("folder=Folder/p2", "--dry-run", "--json").json
    #expect(json["alsoChanged"] as? [String] == ["Folder/p1", "Folder/p2"])
  }

  @Test(arguments: ["--dry-run", "--yes"])
  func `a value that must be unique was promised to two objects`(option: String) throws {
    let file = ToolStore.temporaryFile("Unique.sqlite")
    let code = NSAttributeDescription()
    (code.name, code.attributeType, code.isOptional) = ("code", .stringAttributeType, true)
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("Ticket", [code])
    entity.uniquenessConstraints = [["code"]]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let added = try coordinator.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for code in ["a", "b"] {
        let ticket = NSManagedObject(entity: entity, insertInto: context)
        ticket.setValue(code, forKey: "code")
      }
      try context.save()
    }
    try coordinator.remove(added)
    let outcome = try Program.run(
      ["set", file.path, "--entity", "Ticket", "--where", "code == \"a\"", "code=b", option]
    )
    #expect(outcome.status == 1 && outcome.output == "")
    #expect(outcome.errors.contains("the same code, which the model wants to be unique"))
  }

  // MARK: Elements of composite attributes

  private func setPlace(_ words: String..., in path: String) throws -> Program.Outcome {
    try Program.run(["set", path, "--entity", "Note", "--where", "TRUEPREDICATE"] + words)
  }

  private func place(in path: String) throws -> Substring? {
    let columns = "place.latitude,place.label,place.address.city"
    let words = ["dump", path, "--entity", "Note", "--columns", columns, "--format", "csv"]
    return try Program.run(words).output.split(separator: "\r\n").last
  }

  @Test func `an element of a composite attribute could not be set`() throws {
    let path = try ToolStore.places()
    let words = ["place.latitude=48.25", "place.address.city=Bern"]
    let rehearsal = try setPlace(words[0], words[1], "--dry-run", in: path)
    #expect(rehearsal.status == 0, "\(rehearsal.errors)")
    #expect(rehearsal.output.contains("  Note/p1.place.latitude: 47.5 → 48.25\n"))
    #expect(rehearsal.output.contains("  Note/p1.place.address.city: Zug → Bern\n1 object found"))
    #expect(try place(in: path) == "Note/p1,47.5,nil,Zug")
    let outcome = try setPlace(words[0], words[1], "--yes", in: path)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try place(in: path) == "Note/p1,48.25,nil,Bern")
    let again = try setPlace(words[0], words[1], "--yes", in: path)
    #expect(again.output == "1 object found, 0 to change\n")
    #expect(try setPlace("place.label=nil", "--yes", in: path).status == 0)
    #expect(try place(in: path) == "Note/p1,48.25,,Bern")
    #expect(try setPlace("place=nil", "--yes", in: path).status == 0)
    #expect(try place(in: path) == "Note/p1,,,")
    #expect(try setPlace("place.latitude=1", "--yes", in: path).status == 0)
    #expect(try place(in: path) == "Note/p1,1,,")
    #expect(try Program.run("check", path, "--deep").output == "The store is sound.\n")
  }

  @Test(arguments: [
    ("place.latitud=1", "Note.place has no element 'latitud'; did you mean 'latitude'?\nIts "),
    ("place.address.street=A", "has no element 'street'\nIts elements are city."),
    ("place.latitude.degrees=1", "Note.place.latitude has the type Double, and no elements"),
    ("place=1", "Note.place is a composite attribute; name one of its elements, place."),
    ("place.address=A", "composite attribute; name one of its elements, place.address.city"),
    ("place.latitude=north", "Note.place.latitude is a number; 'north' is not"),
  ])
  func `a wrong path of an element was only called no property`(
    word: String,
    sentence: String
  ) throws {
    let path = try ToolStore.places()
    let outcome = try setPlace(word, "--yes", in: path)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try place(in: path) == "Note/p1,47.5,nil,Zug")
  }

  @Test func `an attribute and its element cannot be set at once`() throws {
    let path = try ToolStore.places()
    let outcome = try setPlace("place=nil", "place.latitude=1", "--yes", in: path)
    #expect(outcome.status == 2)
    #expect(outcome.errors.contains("set: place.latitude is a part of place; give one of them"))
  }

  // MARK: Triggers of others

  @Test func `a trigger of the file ran without a word`() throws {
    try run(
      "CREATE TABLE diary (line)",
      "CREATE TRIGGER \"tidy up\" AFTER UPDATE OF ZTITLE ON ZNOTE BEGIN "
        + "SELECT 'DELETE FROM ZNOTE'; INSERT INTO diary VALUES (NEW.ZTITLE); END",
      "CREATE TRIGGER Z_DA_chain AFTER INSERT ON diary BEGIN DELETE FROM \"ZTAG\"; END",
      "CREATE TRIGGER idle AFTER DELETE ON ZFOLDER BEGIN DELETE FROM ZNOTE; END"
    )
    let before = try Data(contentsOf: store.file)
    let outcome = try set("title=Groceries", "--dry-run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(
      outcome.output.contains(
        """
          trigger tidy up on ZNOTE: adds rows to diary
          trigger Z_DA_chain on diary: deletes rows of ZTAG
        1 object found, 1 to change; nothing was changed
        """
      ),
      "\(outcome.output)"
    )
    #expect(!outcome.output.contains("idle"))
    #expect(try Data(contentsOf: store.file) == before)
    let json = try set("title=Groceries", "--dry-run", "--json").json
    let triggers = try #require(json["triggers"] as? [[String: Any]])
    #expect(triggers.compactMap { $0["name"] as? String } == ["tidy up", "Z_DA_chain"])
  }

  @Test func `triggers that the model asks for are not announced`() throws {
    let outcome = try set("title=Groceries", "--dry-run", "--json")
    #expect((try outcome.json["triggers"] as? [Any])?.isEmpty == true)
  }
}
