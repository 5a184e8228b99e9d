import CoreDataModel
import Testing

struct SlotOrderTests {
  @Test func `a superentity's slots come first, then own properties of all kinds by name`() {
    #expect(ModelSchema.notes.slotNames(of: "Note") == ["created", "folder", "stars", "title"])
    #expect(ModelSchema.notes.slotNames(of: "Item") == ["created"])
  }

  @Test func `capitals come before small letters, as in the store's files`() {
    var schema = ModelSchema.notes
    schema = schema.changing("Folder") { entity in
      entity.attributes = ["personUri", "personUUID", "über", "zoo"]
        .map { AttributeSchema(name: $0, type: .string) }
      entity.fetchedProperties = [
        FetchedPropertySchema(name: "aged", request: .init(name: "aged", entityName: "Note"))
      ]
    }
    #expect(
      schema.slotNames(of: "Folder")
        == ["aged", "notes", "personUUID", "personUri", "zoo", "über"]
    )
  }

  @Test func `an unknown entity has no slots and a circle of parents ends`() {
    #expect(ModelSchema.notes.slotNames(of: "Nothing").isEmpty)
    let circle = ModelSchema.notes.changing("Item") { $0.superentityName = "Note" }
    #expect(circle.entityChain(of: "Note").map(\.name) == ["Note", "Item"])
  }

  @Test(arguments: [
    ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c),
    ("foobar", 0x8594_4171_f739_67e8),
  ])
  func `a property hash is the published FNV-1a`(name: String, hash: UInt64) {
    #expect(PropertyHash.of(name) == hash)
  }

  @Test func `inheritance can be asked for in both directions`() {
    let schema = ModelSchema.notes
    #expect(schema.subentities(of: "Item").map(\.name) == ["Note"])
    #expect(schema.rootEntity(of: "Note")?.name == "Item")
    #expect(schema.isEntity("Note", kindOf: "Item"))
    #expect(!schema.isEntity("Item", kindOf: "Note"))
    #expect(schema.property("created", of: "Note")?.name == "created")
  }
}
