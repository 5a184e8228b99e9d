import CoreData
import CoreDataModel
import Foundation
import TestSupport
import Testing

/// `coredata dump`, run as a process.
struct DumpTests {
  @Test func `all entities come one after the other`() throws {
    let store = try ToolStore()
    let outcome = try Program.run("dump", store.path)
    #expect(outcome.errors == "")
    let titles = outcome.output.split(separator: "\n").filter { !$0.contains(" ") }
    #expect(titles == ["Folder", "Note", "Checklist", "Tag"])
    #expect(outcome.output.hasSuffix("\nno rows: Bin\n"))
    #expect(
      outcome.output.contains(
        """
        Folder
        id  name   cover  parent            children  notes  pinned
        p1  Home                                   1      1       0
        p2  Ideas         Folder/p1 "Home"         0      1       0
        2 rows

        """
      ),
      "\(outcome.output)"
    )
  }

  @Test func `relationships are readable, and subentities are called by their names`() throws {
    let store = try ToolStore()
    let outcome = try Program.run(
      "dump",
      store.path,
      "--entity",
      "Note",
      "--columns",
      "title,folder,folder.parent.name,tags",
      "--where",
      "folder != nil",
      "--sort",
      "-title"
    )
    #expect(
      outcome.output == """
        id            title     folder             folder.parent.name  tags
        Checklist/p3  Trip      Folder/p2 "Ideas"  Home                   0
        p1            Shopping  Folder/p1 "Home"                          2
        2 rows

        """
    )
  }

  @Test func `what a note holds does not control the terminal`() throws {
    let store = try ToolStore()
    for format in ["table", "json", "jsonl"] {
      let outcome = try Program.run("dump", store.path, "--format", format)
      for scalar in ["\u{1B}", "\u{07}", "\u{202E}"] { #expect(!outcome.output.contains(scalar)) }
    }
    let table = try Program.run("dump", store.path, "--entity", "Note", "--columns", "title")
    #expect(table.output.contains("p2            one↵two ␛[2J␇\u{FFFD}end\n"), "\(table.output)")
  }

  @Test func `an object is a line of JSON with exact values`() throws {
    let store = try ToolStore()
    let outcome = try Program.run(
      "dump",
      store.path,
      "--entity",
      "Note",
      "--format",
      "jsonl",
      "--limit",
      "1"
    )
    #expect(
      outcome.output == """
        {"id":"Note/p1","title":"Shopping","created":"2023-03-08T20:26:40.5Z","isFavourite":false,\
        "link":"https://example.org/list","price":12.5,"rating":0,"stars":3,\
        "text":"milk, \\"eggs\\"","uuid":"6B29FC40-CA47-1067-B31D-00DD010662DA","views":null,\
        "image":"AQID","keywords":["a","b"],"covers":null,\
        "folder":{"id":"Folder/p1","name":"Home"},"pinnedIn":null,"related":[],\
        "tags":["Tag/p1","Tag/p2"]}

        """
    )
  }

  @Test func `JSON of all entities is one object with a list for each`() throws {
    let store = try ToolStore()
    let json = try Program.run("dump", store.path, "--json").json
    #expect(json.keys.sorted() == ["Bin", "Checklist", "Folder", "Note", "Tag"])
    #expect((json["Note"] as? [[String: Any]])?.count == 2)
    #expect((json["Bin"] as? [Any])?.isEmpty == true)
    let titles = (json["Note"] as? [[String: Any]])?.compactMap { $0["title"] as? String }
    #expect(titles == ["Shopping", ToolStore.hostile])
  }

  @Test func `CSV has values as they are, in quotation marks where they need them`() throws {
    let store = try ToolStore()
    let outcome = try Program.run(
      "dump",
      store.path,
      "--entity",
      "Note",
      "--format",
      "csv",
      "--columns",
      "title,text,image,folder,isFavourite,tags"
    )
    #expect(
      outcome.output
        == [
          "id,title,text,image,folder,isFavourite,tags",
          "Note/p1,Shopping,\"milk, \"\"eggs\"\"\",AQID,Folder/p1,false,2",
          "Note/p2,\"\(ToolStore.hostile)\",,,,true,0",
          "Checklist/p3,Trip,,,Folder/p2,false,0",
          "",
        ].joined(separator: "\r\n")
    )
  }

  @Test func `an empty text and no value were the same in CSV`() throws {
    let file = ToolStore.temporaryFile("Empty.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      context.note("a").text = ""
      context.note("b").text = nil
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let dump = try Program.run(
      "dump",
      file.path,
      "--entity",
      "Note",
      "--sort",
      "title",
      "--columns",
      "title,text",
      "--format",
      "csv"
    )
    let lines = dump.output.split(separator: "\r\n").map { $0.drop { $0 != "," } }
    #expect(lines == [",title,text", ",a,\"\"", ",b,"], "\(dump.output)\(dump.errors)")
    let query = "SELECT ZTITLE, ZTEXT FROM ZNOTE ORDER BY ZTITLE"
    let sql = try Program.run("sql", file.path, query, "--csv")
    #expect(sql.output == "ZTITLE,ZTEXT\r\na,\"\"\r\nb,\r\n")
  }

  @Test(arguments: ["dump", "sql"])
  func `a text that a spreadsheet takes for a formula could not be escaped`(
    command: String
  ) throws {
    let file = ToolStore.temporaryFile("Formulas.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      for title in ["=1+1", "+49 170", "-x", "@me", "a=b", "\t=2", "=\"a\",b"] {
        let note = context.note(title)
        (note.rating, note.created) = (-1.5, nil)
      }
      try context.save()
    }
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let words =
      command == "dump"
      ? ["dump", file.path, "--entity", "Note", "--columns", "title,rating", "--format", "csv"]
      : ["sql", file.path, "SELECT 'n', ZTITLE, ZRATING FROM ZNOTE ORDER BY Z_PK", "--csv"]
    let plain = try Program.run(words).output
    #expect(plain.contains(",=1+1,-1.5\r\n") && plain.contains(",\"=\"\"a\"\",b\",-1.5\r\n"))
    let escaped = try Program.run(words + ["--escape-formulas"]).output
    let titles = escaped.split(separator: "\r\n").dropFirst()
      .map { $0.drop { $0 != "," }.dropFirst().dropLast(5) }
    #expect(
      titles == ["'=1+1", "'+49 170", "'-x", "'@me", "a=b", "'\t=2", "\"'=\"\"a\"\",b\""],
      "\(titles)"
    )
    let wrong = try Program.run(["dump", file.path, "--escape-formulas"])
    #expect(wrong.status == 2 && wrong.errors.contains("--escape-formulas is for --format csv"))
  }

  @Test func `a formula behind a blank, and one with wide signs, was not escaped`() throws {
    let store = try ToolStore()
    for (title, expected) in [
      ("\u{FEFF}=1", "'\u{FEFF}=1"), ("\u{A0}@x", "'\u{A0}@x"), ("＝1+1", "'＝1+1"),
      ("\n-1", "\"'\n-1\""), ("1 = 1", "1 = 1"), ("\u{A0}a", "\u{A0}a"),
    ] {
      let query = "SELECT '\(title)' AS a"
      let words = ["sql", store.path, query, "--csv", "--escape-formulas"]
      #expect(try Program.run(words).output == "a\r\n\(expected)\r\n", "\(title)")
    }
  }

  @Test func `a limit and an offset are a page, which says whether there are more`() throws {
    let store = try ToolStore(notes: 10)
    let page = ["dump", store.path, "--entity", "Note", "--columns", "title"]
    let first = try Program.run(page + ["--limit", "3"]).output
    #expect(first.hasSuffix("Trip\nfirst 3 rows; there are more; continue with --offset 3\n"))
    let last = try Program.run(page + ["--limit", "3", "--offset", "10"]).output
    #expect(last.hasSuffix("note 9\n3 rows\n"))
    let none = try Program.run(page + ["--limit", "0"]).output
    #expect(none == "not shown because of --limit 0: Note\n")
  }

  @Test(arguments: [
    (["--entity", "Nota"], "the model has no entity 'Nota'; did you mean 'Note'?\n"),
    (
      ["--entity", "Note", "--columns", "titel"],
      "Note has no property 'titel'; did you mean 'title'?\n"
    ),
    (
      ["--entity", "Note", "--columns", "folder.nam"],
      "Folder has no property 'nam'; did you mean 'name'?\n"
    ),
    (
      ["--entity", "Note", "--sort", "stras"], "Note has no property 'stras'; did you mean 'stars'?"
    ),
    (
      ["--entity", "Note", "--columns", "tags.name"],
      "Note.tags.name is not a single stored value; for a to-many relationship use tags.name.@count"
    ),
    (["--entity", "Note", "--columns", "scratch"], "Note.scratch is not a single stored value\n"),
    (["--entity", "Note", "--columns", "@count"], "Note.@count is not a single stored value\n"),
  ])
  func `a wrong name is answered with what may have been meant`(
    words: [String],
    sentence: String
  ) throws {
    let store = try ToolStore()
    let outcome = try Program.run(["dump", store.path] + words)
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix(sentence), "\(outcome.errors)")
  }

  @Test func `a wrong predicate is marked at the place`() throws {
    let store = try ToolStore()
    let base = ["dump", store.path, "--entity", "Note", "--where"]
    let unparsed = try Program.run(base + ["title == )"])
    #expect(unparsed.errors.hasSuffix("\n  title == )\n           ^\n"))
    let refused = try Program.run(base + ["stars > 1 AND tags.name == 'x'"])
    #expect(refused.errors.hasSuffix("\n  stars > 1 AND tags.name == 'x'\n                ^\n"))
    #expect(refused.status == 1)
  }

  @Test func `data in a file beside the store is measured in tables and whole in JSON`() throws {
    let file = ToolStore.temporaryFile("Large.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    let image = Data(repeating: 9, count: 200_000)
    try stack.work { context in
      context.note("large").image = image
      try context.save()
    }
    let page = ["dump", file.path, "--entity", "Note", "--columns", "image"]
    #expect(try Program.run(page).output.contains("p1  200 kB\n"))
    let line = try Program.run(page + ["--format", "jsonl"]).json
    #expect(line["image"] as? String == image.base64EncodedString())
  }

  @Test func `a composite attribute is a column for each element`() throws {
    func attribute(
      _ name: String,
      _ type: NSAttributeDescription.AttributeType
    )
      -> NSAttributeDescription
    {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.type) = (name, type)
      return attribute
    }
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [attribute("latitude", .double), attribute("label", .string)]
    let note = NSEntityDescription()
    note.name = "Note"
    note.properties = [place, attribute("title", .string), attribute("written", .date)]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let file = ToolStore.temporaryFile("Places.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let object = NSManagedObject(entity: note, insertInto: context)
      object.setValue("Trip", forKey: "title")
      object.setValue(["latitude": 47.5, "label": "Lake"], forKey: "place")
      object.setValue(Date(timeIntervalSinceReferenceDate: 0.25), forKey: "written")
      try context.save()
    }
    let table = """
      id  title  place.latitude  place.label  written
      p1  Trip             47.5  Lake         2001-01-01T00:00:00Z
      1 row

      """
    #expect(try Program.run("dump", file.path, "--entity", "Note").output == table)
    let line = try Program.run(
      "dump",
      file.path,
      "--entity",
      "Note",
      "--columns",
      "place.label,written",
      "--format",
      "jsonl"
    )
    #expect(
      line.output
        == #"{"id":"Note/p1","place.label":"Lake","written":"2001-01-01T00:00:00.25Z"}"# + "\n"
    )
    let refused = try Program.run("dump", file.path, "--entity", "Note", "--columns", "place")
    #expect(
      refused.errors.hasPrefix(
        "Note.place is a composite attribute; name one of its elements, place."
      )
    )
  }

  @Test(arguments: [
    ("place.latitud", "Note.place has no element 'latitud'; did you mean 'latitude'?\nIts "),
    ("place.address", "is a composite attribute; name one of its elements, place.address.city"),
    ("place.latitude.x", "Note.place.latitude has the type Double, and no elements"),
  ])
  func `a column that is no element was only called no single value`(
    column: String,
    sentence: String
  ) throws {
    let words = ["dump", try ToolStore.places(), "--entity", "Note", "--columns", column]
    let outcome = try Program.run(words)
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
  }

  @Test(arguments: ["--columns", "--sort"])
  func `another property was proposed to somebody who named the column id`(option: String) throws {
    let words = ["dump", try ToolStore().path, "--entity", "Note"]
    let outcome = try Program.run(words + [option, "id"])
    #expect(outcome.status == 1)
    let sentence = "Note has no property 'id'; the column id is printed anyway, and objectID sorts"
    #expect(outcome.errors.hasPrefix(sentence), "\(outcome.errors)")
    let sorted = try Program.run(words + ["--sort=-objectID", "--columns", "title"])
    #expect(sorted.output.contains("Trip"), "\(sorted.errors)")
  }

  @Test(arguments: [
    ("place", "place: a composite attribute has no order; sort by one of its elements\n"),
    ("place.words", "place.words: a transformed value has no order; sort by another attribute\n"),
  ])
  func `what cannot be sorted by was answered with selectors of a program`(
    key: String,
    sentence: String
  ) throws {
    let words = ["dump", try ToolStore.places(), "--entity", "Note", "--sort"]
    let outcome = try Program.run(words + [key])
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix(sentence), "\(outcome.errors)")
    let sorted = try Program.run(words + ["-place.address.city,place.latitude"])
    #expect(sorted.status == 0, "\(sorted.errors)")
  }

  @Test func `the name of an object stood under that of a property which was not printed`() throws {
    let (identifier, title, note) = (
      NSAttributeDescription(), NSAttributeDescription(), NSEntityDescription()
    )
    identifier.name = "id"
    identifier.attributeType = .UUIDAttributeType
    title.name = "title"
    title.attributeType = .stringAttributeType
    note.name = "Note"
    note.properties = [identifier, title]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let file = ToolStore.temporaryFile("Identifiers.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      NSManagedObject(entity: note, insertInto: context).setValue("Trip", forKey: "title")
      try context.save()
    }
    for columns in ["title", "title,id"] {
      let outcome = try Program.run([
        "dump", file.path, "--entity", "Note", "--columns", columns, "--format", "jsonl",
      ])
      let beginning = #"{"objectID":"Note/p1","title":"Trip""#
      #expect(outcome.output.hasPrefix(beginning), "\(outcome.output)\(outcome.errors)")
    }
  }

  @Test func `an ordered relationship is listed in its order`() throws {
    let file = ToolStore.temporaryFile("Ordered.sqlite")
    let stack = try NotesStack(file: file, options: [:])
    try stack.work { context in
      let notes = ["a", "b", "c"].map { context.note($0) }
      try context.save()
      let tag = context.tag("t")
      for place in [2, 0, 1] { tag.addToNotes(notes[place]) }
      try context.save()
    }
    let titles = try Program.run("dump", file.path, "--json").json
    let notes = try #require(titles["Note"] as? [[String: Any]])
    let named = Dictionary(
      uniqueKeysWithValues: notes.map { ($0["id"] as? String ?? "", $0["title"] as? String ?? "") }
    )
    let tags = try #require(titles["Tag"] as? [[String: Any]])
    let members = try #require(tags.first?["notes"] as? [String])
    #expect(members.compactMap { named[$0] } == ["c", "a", "b"])
  }
}

/// Values of classes that only another program has.
struct ForeignValueTests {
  private func shown(_ title: String?) throws -> (json: [String: Any], bytes: Data) {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.encode(ArchivedCover(title: title), forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    let value = try #require(
      try line(for: archiver.encodedData).json["keywords"] as? [String: Any]
    )
    return (value, archiver.encodedData)
  }

  /// The dump of a note whose keywords are an archive.
  private func line(for archive: Data) throws -> Program.Outcome {
    let store = try ToolStore()
    let hex = archive.map { String(format: "%02x", $0) }.joined()
    let sql = "UPDATE ZNOTE SET ZKEYWORDS = x'\(hex)' WHERE Z_PK = 1"
    try #require(try Program.run("sql", store.path, "--write", sql).status == 0)
    let outcome = try Program.run([
      "dump", store.path, "--entity", "Note", "--columns", "keywords", "--limit", "1", "--format",
      "jsonl",
    ])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  @Test func `elements of an ordered set, and values under keys that are no texts, were left out`()
    throws
  {
    let note: NSDictionary = [
      "ordered": NSOrderedSet(array: ["b", "a"]), "stars": [3: "three"] as NSDictionary,
      "nothing": [NSNull(), "x"] as NSArray,
    ]
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: note,
      requiringSecureCoding: false
    )
    let text = #"{"nothing":[null,"x"],"ordered":["b","a"],"stars":{"3":"three"}}"#
    #expect(try line(for: archive).output == "{\"id\":\"Note/p1\",\"keywords\":\(text)}\n")
  }

  @Test func `the whole archive of a colour was shown instead of its components`() throws {
    var builder = ArchiveBuilder()
    // As macOS archives it, with a long profile of its colour space.
    let profile = builder.value(.data(Data(count: 3_000)))
    let colour = builder.object(
      "NSColor",
      [
        "NSComponents": .data(Data("1 0.5 0 1".utf8)), "NSColorSpace": .integer(1),
        "NSCustomColorSpace": profile,
      ]
    )
    let archive = builder.data(root: colour)
    let text = #"{"class":"NSColor","space":"rgb","components":[1,0.5,0,1]}"#
    let shown = try line(for: archive).output
    #expect(shown == "{\"id\":\"Note/p1\",\"keywords\":\(text)}\n")
  }

  @Test func `the values in an object of a foreign class are not left out`() throws {
    let json = try shown("one").json
    #expect((json["class"] as? String)?.hasSuffix("Cover") == true)
    let values = try #require(json["values"] as? [String: Any])
    #expect(values["title"] as? String == "one")
    // An object that leads back to its origin is shown once.
    #expect(values["circle"] as? [String] == ["…"])
  }

  @Test func `an object without values that can be read is shown by its bytes`() throws {
    let (json, bytes) = try shown(nil)
    #expect((json["class"] as? String)?.hasSuffix("Cover") == true)
    #expect(json["data"] as? String == bytes.base64EncodedString())
  }

  @Test func `entities whose rows were skipped were said to have none`() throws {
    let store = try ToolStore()
    let none = try Program.run("dump", store.path, "--entity", "Note", "--offset", "1000")
    #expect(none.output == "no rows with --offset 1000: Note\n")
    let one = ["dump", store.path, "--entity", "Note", "--offset", "1", "--limit", "1"]
    #expect(
      try Program.run(one).output
        .hasSuffix("\n1 row behind the first 1; there are more; continue with --offset 2\n")
    )
  }

  @Test func `no row is asked for is not said as no rows`() throws {
    let store = try ToolStore()
    let outcome = try Program.run("dump", store.path, "--entity", "Note", "--limit", "0")
    #expect(outcome.output == "not shown because of --limit 0: Note\n")
    let tables = try Program.run("sql", store.path, ".tables")
    #expect(tables.status == 0 && tables.output.contains("ZNOTE\n"), "\(tables.errors)")
  }
}

/// Archived under a name that nothing here has.
final class ArchivedCover: NSObject, NSCoding {
  let title: String?

  init(title: String?) { self.title = title }

  required init?(coder: NSCoder) { return nil }

  func encode(with coder: NSCoder) {
    guard let title else { return }
    coder.encode(title as NSString, forKey: "title")
    coder.encode(NSArray(array: [self]), forKey: "circle")
  }
}
