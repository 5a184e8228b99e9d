import CoreDataModel
import Testing

@testable import CoreData

@Suite struct TableMapTests {
  @Test func `entities are numbered down each tree, case aside`() {
    let map = TableMap(.notes)
    #expect(
      map.entities.map { "\($0.number) \($0.name) < \($0.superNumber) in \($0.tableName)" } == [
        "1 Attachment < 0 in ZATTACHMENT",
        "2 audio < 1 in ZATTACHMENT",
        "3 Drawing < 1 in ZATTACHMENT",
        "4 Folder < 0 in ZFOLDER",
        "5 Note < 0 in ZNOTE",
        "6 Tag < 0 in ZTAG",
      ]
    )
  }

  @Test func `an entity is found by name and by number`() throws {
    let map = TableMap(.notes)
    let attachment = try #require(map["Attachment"])
    #expect(attachment.numbers == 1...3)
    #expect(attachment.rootNumber == 1)
    #expect(map[number: 3]?.name == "Drawing")
    #expect(map[number: 3]?.rootNumber == 1)
    #expect(map[number: 0] == nil)
    #expect(map[number: 7] == nil)
    #expect(map["Author"] == nil)
  }

  @Test func `names compare by their code points below the case`() {
    let map = TableMap(
      .model(
        .entity("ComputeSyncAttributes"),
        .entity("ComputedAssetAttributes"),
        .entity("SyncFeature"),
        .entity("SyncableSettings")
      )
    )
    #expect(
      map.entities.map(\.name) == [
        "ComputedAssetAttributes", "ComputeSyncAttributes", "SyncableSettings", "SyncFeature",
      ]
    )
  }

  @Test func `each property says where it is kept`() throws {
    let map = TableMap(.notes)
    let note = try #require(map["Note"])
    #expect(note["title"] == .attribute(column: "ZTITLE"))
    #expect(note["folder"] == .toOne(column: "ZFOLDER", entityColumn: nil, orderColumn: nil))
    #expect(
      note["attachments"]
        == .toManyInverse(
          of: ForeignKey(
            table: "ZATTACHMENT",
            column: "ZNOTE",
            entityColumn: nil,
            orderColumn: "Z_FOK_NOTE"
          )
        )
    )
    let drawing = try #require(map["Drawing"])
    #expect(drawing["name"] == .attribute(column: "ZNAME"))
    #expect(drawing["caption"] == .attribute(column: "ZCAPTION1"))
    #expect(map["audio"]?["caption"] == .attribute(column: "ZCAPTION"))
    #expect(
      drawing["preview"]
        == .toOne(column: "ZPREVIEW", entityColumn: "Z1_PREVIEW", orderColumn: nil)
    )
    #expect(map["Attachment"]?["caption"] == nil)
  }

  @Test func `a join table looks different from its two sides`() {
    let map = TableMap(.notes)
    #expect(
      map["Note"]?["tags"]
        == .join(
          JoinSide(
            table: "Z_5TAGS",
            ownColumn: "Z_5NOTES",
            otherColumn: "Z_6TAGS",
            orderColumn: "Z_FOK_6TAGS",
            isReflexive: false
          )
        )
    )
    #expect(
      map["Tag"]?["notes"]
        == .join(
          JoinSide(
            table: "Z_5TAGS",
            ownColumn: "Z_6TAGS",
            otherColumn: "Z_5NOTES",
            orderColumn: nil,
            isReflexive: false
          )
        )
    )
    #expect(
      map["Note"]?["links"]
        == .join(
          JoinSide(
            table: "Z_5LINKS",
            ownColumn: "Z_5LINKS",
            otherColumn: "REFLEXIVE",
            orderColumn: nil,
            isReflexive: true
          )
        )
    )
  }

  @Test func `what is not stored has no column`() throws {
    var draft = AttributeSchema(name: "draft", type: .string)
    draft.isTransient = true
    var neighbour = RelationshipSchema.one("neighbour", "Note")
    neighbour.isTransient = true
    let schema = ModelSchema.model(
      .entity("Note", [draft, .attribute("place", .undefined)], [neighbour]).with {
        let request = FetchRequestSchema(name: "", entityName: "Note")
        $0.fetchedProperties = [FetchedPropertySchema(name: "recent", request: request)]
      }
    )
    let map = TableMap(schema)
    let note = try #require(map["Note"])
    #expect(note.properties.count == 4)
    #expect(note.properties.values.allSatisfy { $0 == .none })
    #expect(map.tables[0].columns.isEmpty)
  }

  @Test func `a model gives the same map in whatever order its parts are written`() {
    var shuffled = ModelSchema.notes
    shuffled.entities.reverse()
    for index in shuffled.entities.indices {
      shuffled.entities[index].attributes.reverse()
      shuffled.entities[index].relationships.reverse()
    }
    #expect(TableMap(shuffled) == TableMap(.notes))
  }

  @Test func `a superentity must be in the model`() async {
    await #expect(processExitsWith: .failure) {
      _ = TableMap(.model(.entity("Drawing", below: "Attachment")))
    }
  }

  @Test func `no two entities share a name`() async {
    await #expect(processExitsWith: .failure) {
      _ = TableMap(.model(.entity("Note"), .entity("Note")))
    }
  }

  @Test func `no entity is below itself`() async {
    await #expect(processExitsWith: .failure) {
      _ = TableMap(.model(.entity("Note", below: "Letter"), .entity("Letter", below: "Note")))
    }
  }
}
