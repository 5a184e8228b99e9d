import Foundation
import Testing

@testable import CoreDataModel

struct ModelArchiveTests {
  @Test func `a model comes back from its archive and from its cache`() throws {
    for schema in [ModelSchema(), .notes, .everything] {
      #expect(try ModelArchive.decode(ModelArchive.encode(schema)) == schema)
      #expect(try ModelCache.decode(ModelCache.encode(schema)) == schema)
    }
  }

  @Test func `equal schemas make the same bytes, whatever their order`() throws {
    var shuffled = ModelSchema.everything
    shuffled.entities.reverse()
    for index in shuffled.entities.indices { shuffled.entities[index].attributes.reverse() }
    #expect(try ModelArchive.encode(shuffled) == ModelArchive.encode(.everything))
    #expect(try ModelCache.encode(shuffled) == ModelCache.encode(.everything))
  }

  @Test func `the archive has Apple's classes and keys`() throws {
    let archive = try KeyedArchive(ModelArchive.encode(.notes))
    let note = try #require(archive.root["NSEntities"].entries.first { $0.key == "Note" }?.value)
    #expect(archive.root.className == "NSManagedObjectModel")
    #expect(archive.root["NSEntities"].className == "NSMutableDictionary")
    #expect(note["NSSuperentity"]["NSEntityName"].text == "Item")
    #expect(note["NSManagedObjectModel"].number == archive.root.number)
    let properties = Dictionary(uniqueKeysWithValues: note["NSProperties"].entries.map { $0 })
    #expect(properties.keys.sorted() == ["folder", "stars", "title"])
    #expect(properties["title"]?["NSAttributeValueClassName"].text == "NSString")
    #expect(properties["title"]?["_P"].integer == 243)
    let folder = try #require(properties["folder"])
    #expect(folder["NSInverseRelationship"]["NSInverseRelationship"].number == folder.number)
    #expect(folder["NSDestinationEntity"]["NSEntityName"].text == "Folder")
  }

  @Test func `a cache has known keys and copies of inherited properties`() throws {
    let cache = try ModelCache.encode(.notes)
    #expect(throws: ArchiveError.self) { try KeyedArchive(cache) }
    let archive = try KeyedArchive(RawDeflate.inflate(cache))
    let entities = archive.root["NSEntities"]
    #expect(entities.className == "NSKnownKeysDictionary1")
    #expect(entities["searchMapping"]["length"].integer == 3)
    let note = try #require(entities.entries.first { $0.key == "Note" }?.value)
    #expect(note["NSProperties"].entries.map(\.key) == ["created", "stars", "title", "folder"])
    #expect(note["NSProperties"].entries[0].value["NSEntity"].number == note.number)
  }

  @Test func `an enumeration of SwiftData is noted by a text instead of a truth value and a list`()
    throws
  {
    var mood = AttributeSchema(name: "mood", type: .composite)
    mood.elements = ["calm", "glad"].map { AttributeSchema(name: $0, type: .string) }
    mood.userInfo = ["EnumType": "1", "enum": "calm,glad"]
    let schema = ModelSchema.notes.changing("Note") { $0.attributes.append(mood) }
    let data = try ModelArchive.encode(schema)
    let note = try KeyedArchive(data).root["NSEntities"].entries.first { $0.key == "Note" }
    let archived = note?.value["NSProperties"].entries.first { $0.key == "mood" }
    let info = try #require(archived?.value["NSUserInfo"])
    #expect(info.className == "NSDictionary")
    let entries = Dictionary(uniqueKeysWithValues: info.entries.map { $0 })
    #expect(entries["EnumType"]?.value == .boolean(true))
    #expect(entries["enum"]?.className == "NSArray")
    #expect(entries["enum"]?.elements.map(\.text) == ["calm", "glad"])
    let read = try ModelArchive.decode(data).entities.first { $0.name == "Note" }
    #expect(read?.attributes.first { $0.name == "mood" }?.userInfo == mood.userInfo)
  }

  @Test func `an entity without a class got one in the archive`() throws {
    let schema = ModelSchema.notes.changing("Note") { $0.archivesClass.value = false }
    let data = try ModelArchive.encode(schema)
    for entry in try KeyedArchive(data).root["NSEntities"].entries {
      #expect(entry.value["NSClassNameForEntity"].isNull == (entry.key == "Note"))
    }
    let read = try ModelArchive.decode(data)
    #expect(read.entities.map(\.archivesClass.value) == read.entities.map { $0.name != "Note" })
  }

  @Test func `a predicate that nobody understands is named`() {
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[1].validations = [
        ValidationSchema(predicateFormat: "title ~ 3", warning: .code(1680))
      ]
    }
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.encode(schema) }
    #expect(
      error?.description == """
        the predicate of Note.title cannot be archived: cannot parse "title ~ 3": expected a \
        comparison, found only a value before "~" at position 6; correct it
        """
    )
  }

  @Test(arguments: ["($x := 1) == 2"])
  func `an expression without an archived form is named`(format: String) {
    let schema = ModelSchema.notes.changing("Note") {
      $0.indexes = [FetchIndexSchema(name: "i", elements: [], partialPredicateFormat: format)]
    }
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.encode(schema) }
    #expect(error?.description.contains("the predicate of Note.i cannot be archived") == true)
    #expect(error?.description.contains("has no archived form; correct it") == true)
  }

  @Test(arguments: [
    "a == 1 AND (b != \"x\" OR (NOT c == nil))", "length >= 3 AND length <= 50",
    "SELF CONTAINS[cd] \"a\"", "SELF MATCHES \"[a-z]\"", "title LIKE[c] \"a*\"",
    "title BEGINSWITH \"a\"", "title ENDSWITH[n] \"a\"", "stars IN {1, 2.5, \"x\"}",
    "stars BETWEEN {1, 3}", "ANY tags.name == $NAME", "ALL tags.stars > a + (b * 2)",
    "SUBQUERY(tags, $t, $t.stars > 2).@count > 0", "TRUEPREDICATE", "FALSEPREDICATE",
    "FUNCTION(title, \"uppercase\") == \"A\"", "created < CAST(12.500000, \"NSDate\")",
    "TERNARY(a == 1, b, c) == 2", "a UNION b == c", "a MINUS b == c INTERSECT d",
    "now() > created", "title == $FETCH_SOURCE.folder.name",
    "id == CAST(\"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"NSUUID\")",
    "link == CAST(\"https://example.com\", \"NSURL\")", "notes[0].stars == notes[LAST].stars",
    "CAST(stars, \"NSString\") == \"3\"", "notes[SIZE] > 2", "ANYKEY CONTAINS \"a\"",
    "stars & 3 == 1", "canonical:(title) == \"a\"", "$note.$attribute == folder.#size",
  ])
  func `a predicate survives its archive`(format: String) throws {
    let schema = ModelSchema.notes.changing("Note") {
      $0.indexes = [
        FetchIndexSchema(
          name: "partial",
          elements: [.init(.property("title"))],
          partialPredicateFormat: format
        )
      ]
    }
    let back = try ModelArchive.decode(ModelArchive.encode(schema))
    #expect(back.entity(named: "Note")?.indexes.first?.partialPredicateFormat == format)
  }

  @Test(arguments: [
    (AttributeType.integer64, SchemaValue.integer(.min)), (.double, .real(0.1)),
    (.boolean, .boolean(false)), (.string, .text("Größe")), (.date, .date(12.25)),
    (.binaryData, .data(Data([1, 2]))), (.uri, .uri("https://example.com/a?b")),
    (.uuid, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
    (.decimal, .decimal(0)), (.decimal, .decimal(Decimal(-1011) / 100)),
    (.decimal, .decimal(.greatestFiniteMagnitude)), (.transformable, .text("plain")),
  ])
  func `a default survives its archive`(type: AttributeType, value: SchemaValue) throws {
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[0] = AttributeSchema(name: "a", type: type)
      $0.attributes[0].defaultValue = value
    }
    let back = try ModelArchive.decode(ModelArchive.encode(schema))
    #expect(back.entity(named: "Note")?.attributes[0].defaultValue == value)
  }

  @Test func `a default of a foreign class is carried as it is`() throws {
    let object = try NSKeyedArchiver.archivedData(
      withRootObject: NSIndexSet(indexesIn: NSRange(location: 2, length: 3)),
      requiringSecureCoding: true
    )
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[0] = AttributeSchema(name: "a", type: .transformable)
      $0.attributes[0].defaultValue = .archived(object)
    }
    let once = try ModelArchive.decode(ModelArchive.encode(schema))
    let value = try #require(once.entity(named: "Note")?.attributes[0].defaultValue)
    guard case .archived(let data) = value else {
      Issue.record("the default became \(value)")
      return
    }
    let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSIndexSet.self, from: data)
    #expect(back == NSIndexSet(indexesIn: NSRange(location: 2, length: 3)))
    #expect(try ModelArchive.decode(ModelArchive.encode(once)) == once)
  }

  @Test func `a damaged archive or cache throws and never traps`() throws {
    let archive = [UInt8](try ModelArchive.encode(.everything))
    let cache = [UInt8](try ModelCache.encode(.everything))
    var dice = Dice(state: 1)
    for _ in 0..<400 {
      var damaged = archive
      for _ in 0..<3 {
        damaged[Int.random(in: 8..<damaged.count, using: &dice)] =
          UInt8.random(in: 0...255, using: &dice)
      }
      // Some damage goes unnoticed, which is not a failure: only a trap would be.
      _ = try? ModelArchive.decode(Data(damaged))
    }
    for length in stride(from: 0, to: cache.count, by: 97) {
      #expect(throws: ArchiveError.self) { try ModelCache.decode(Data(cache[..<length])) }
    }
    #expect(throws: ArchiveError.self) { try ModelArchive.decode(Data(cache)) }
    let other = PropertyListValue.dictionary([
      "$objects": .array([.text("$null"), .text("Note")]), "$top": .dictionary(["root": .uid(1)]),
    ])
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.decode(other.binary) }
    #expect(error?.description == "the archive holds a plain value, not a managed object model")
  }
}

/// Random numbers that are the same in every run.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
