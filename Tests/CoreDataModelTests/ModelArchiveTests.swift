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

  @Test func `a predicate that nobody understands is named`() {
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[1].validations = [
        ValidationSchema(predicateFormat: "title ~ 3", warning: .code(1680))
      ]
    }
    let error = #expect(throws: ArchiveError.self) { try ModelArchive.encode(schema) }
    #expect(
      error?.description == """
        the predicate "title ~ 3" of Note, title, is not understood and cannot be archived; \
        correct it
        """
    )
  }

  @Test func `another reader of formats can be supplied`() throws {
    struct Tilde: FormatReading {
      func predicate(_ format: String) -> PredicateTree? { .value(true) }
      func expression(_ format: String) -> ExpressionTree? { nil }
    }
    let schema = ModelSchema.notes.changing("Note") {
      $0.attributes[1].validations = [
        ValidationSchema(predicateFormat: "title ~ 3", warning: .code(1680))
      ]
    }
    let back = try ModelArchive.decode(ModelArchive.encode(schema, reader: Tilde()))
    #expect(
      back.entity(named: "Note")?.attributes[1].validations.map(\.predicateFormat)
        == ["TRUEPREDICATE"]
    )
  }

  @Test(arguments: [
    "a == 1 AND (b != \"x\" OR NOT c == nil)", "length >= 3 AND length <= 50",
    "SELF CONTAINS[cd] \"a\"", "SELF MATCHES \"[a-z]\"", "title LIKE[c] \"a*\"",
    "title BEGINSWITH \"a\"", "title ENDSWITH[n] \"a\"", "stars IN {1, 2.5, \"x\"}",
    "stars BETWEEN {1, 3}", "ANY tags.name == $NAME", "ALL tags.stars > a + (b * 2)",
    "SUBQUERY(tags, $t, $t.stars > 2).@count > 0", "TRUEPREDICATE", "FALSEPREDICATE",
    "FUNCTION(title, \"uppercase\") == \"A\"", "created < CAST(12.500000, \"NSDate\")",
    "TERNARY(a == 1, b, c) == 2", "a UNION b == c", "a MINUS b == c INTERSECT d",
    "now() > created", "title == $FETCH_SOURCE.folder.name",
    "id == CAST(\"6F9619FF-8B86-D011-B42D-00C04FC964FF\", \"NSUUID\")",
    "link == CAST(\"https://example.com\", \"NSURL\")", "d == CAST(\"AQI=\", \"NSData\")",
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
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<400 {
      var damaged = archive
      for _ in 0..<3 {
        damaged[Int.random(in: 8..<damaged.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      // Some damage goes unnoticed, which is no failure: only a trap would be.
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

struct CompiledModelTests {
  @Test func `a source is compiled, written and read back`() throws {
    let note = "<entity name=\"Note\"><attribute name=\"title\" attributeType=\"String\"/></entity>"
    let scratch = try ScratchModel(
      [
        "Notes": "<model>\(note)</model>",
        "Notes 2": "<model>\(note)<entity name=\"Tag\"/></model>",
      ],
      current: "Notes 2.xcdatamodel"
    )
    let model = CompiledModel(try ModelSource(contentsOf: scratch.url))
    let folder = scratch.url.deletingLastPathComponent().appending(path: "Notes.momd")
    try model.write(to: folder)
    try model.write(to: folder)
    let back = try CompiledModel(contentsOf: folder)
    #expect(back == model)
    #expect(back.currentVersionName == "Notes 2")
    #expect(back.current.entities.map(\.name) == ["Note", "Tag"])
    let single = try CompiledModel(contentsOf: folder.appending(path: "Notes.mom"))
    #expect(single.current.entities.map(\.name) == ["Note"])

    try Data("damage".utf8).write(to: folder.appending(path: "Notes.mom"))
    let damaged = #expect(throws: ModelError.self) { try CompiledModel(contentsOf: folder) }
    #expect(
      damaged?.description == """
        Notes.momd/Notes.mom: error: the compiled model cannot be read: the data is not a binary \
        property list
        """
    )
    try FileManager.default.removeItem(at: folder.appending(path: "Notes.mom"))
    try FileManager.default.removeItem(at: folder.appending(path: "Notes 2.mom"))
    let empty = #expect(throws: ModelError.self) { try CompiledModel(contentsOf: folder) }
    #expect(empty?.description.contains("the compiled model has no version") == true)
  }

  @Test func `a refused model leaves the folder as it was`() throws {
    let scratch = try ScratchModel(["Notes": "<model/>"])
    let folder = scratch.url.deletingLastPathComponent().appending(path: "Notes.momd")
    let good = CompiledModel(
      name: "Notes",
      versions: [.init(name: "Notes", schema: .notes)],
      currentVersionName: "Notes"
    )
    try good.write(to: folder)
    var bad = good
    bad.versions[0].schema = .notes.changing("Note") {
      $0.attributes[0].validations = [.init(predicateFormat: "?", warning: .code(1))]
    }
    #expect(throws: ArchiveError.self) { try bad.write(to: folder) }
    #expect(try CompiledModel(contentsOf: folder) == good)
  }
}

@Suite(.enabled(if: Fixtures.arePresent, "real models and stores are not beside the package"))
struct RealModelArchiveTests {
  @Test(arguments: Fixtures.compiled)
  func `a compiled model is its source, compiled`(name: String) throws {
    let compiled = try Fixtures.compiledModel(name)
    #expect(compiled == CompiledModel(try Fixtures.source(name)))
    for version in compiled.versions {
      let again = try ModelArchive.decode(ModelArchive.encode(version.schema))
      #expect(again == version.schema)
    }
  }

  @Test(arguments: Fixtures.stores)
  func `a store's model cache has the hashes of its metadata`(store: String) throws {
    guard let cache = try Fixtures.modelCache(of: store) else {
      #expect(store == "TwitterSeed-iOS6")
      return
    }
    let schema = try ModelCache.decode(cache)
    let metadata = try Fixtures.metadata(of: store)
    let hashes = try #require(metadata["NSStoreModelVersionHashes"] as? [String: Data])
    #expect(schema.entityVersionHashes == hashes)
    if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String {
      #expect(schema.versionHashesDigest == digest)
    }
    #expect(try ModelCache.decode(ModelCache.encode(schema)) == schema)
    #expect(try ModelArchive.decode(ModelArchive.encode(schema)) == schema)
    #expect(schema.compiled() == schema)
  }

  @Test func `predicates, rules and fetched properties of a real cache`() throws {
    let schema = try ModelCache.decode(try #require(try Fixtures.modelCache(of: "SampleModel2_V2")))
    let book = try #require(schema.entity(named: "Book"))
    let title = try #require(book.attributes.first { $0.name == "title" })
    #expect(
      title.validations == [
        ValidationSchema(
          predicateFormat: "length >= 3 AND length <= 50",
          warning: .message("Title must have a length between 3 and 50 chars.")
        ),
        ValidationSchema(
          predicateFormat: "SELF CONTAINS \"title\"",
          warning: .message("Title must contain 'title'.")
        ),
      ]
    )
    #expect(
      book.attributes.first { $0.name == "pagesCount" }?.derivationExpression == "count:(pages)"
    )
    #expect(schema.entity(named: "GraphicNovel")?.propertyNames == ["isBlackAndWhite"])
    #expect(
      schema.entity(named: "Author")?.fetchedProperties.map(\.request.predicateFormat) == [
        "authorAlias == $FETCH_SOURCE.alias AND comment CONTAINS[c] $FETCHED_PROPERTY.userInfo.search",
        "authorAlias == $FETCH_SOURCE.alias",
      ]
    )
    #expect(
      schema.entity(named: "Author")?.fetchedProperties[1].request.sortDescriptors
        == [.init(key: "rating")]
    )
    #expect(
      schema.configurations["SampleConfigurationV2Part2"] == ["Feedback"]
    )
  }
}
