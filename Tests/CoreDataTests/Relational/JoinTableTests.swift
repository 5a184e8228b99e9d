import CoreDataModel
import Testing

@testable import CoreData

@Suite struct JoinTableTests {
  @Test func `a subentity earlier in the alphabet makes its superentity's relationship master`() {
    let map = TableMap(
      .model(
        .entity("GenericFolder", [], [.many("lists", "FolderList", back: "folders")]),
        .entity("Archive", below: "GenericFolder"),
        .entity("FolderList", [], [.many("folders", "GenericFolder", back: "lists", ordered: true)])
      )
    )
    #expect(map.joinTables.map(\.name) == ["Z_2LISTS"])
    #expect(map.joinTables.map(\.masterColumn) == ["Z_2FOLDERS"])
    #expect(map.joinTables.map(\.otherColumn) == ["Z_1LISTS"])
    #expect(map.joinTables.map(\.masterOrderColumn) == ["Z_FOK_2FOLDERS"])
    #expect(map.joinTables.map(\.otherOrderColumn) == [nil])
  }

  @Test func `relationships of one name to one entity have columns with numbers`() {
    let map = TableMap(
      .model(
        .entity("Folder", [], [.many("keptBy", "Person", back: "folders")]),
        .entity("Note", [], [.many("keptBy", "Person", back: "notes")]),
        .entity(
          "Person",
          [],
          [.many("folders", "Folder", back: "keptBy"), .many("notes", "Note", back: "keptBy")]
        )
      )
    )
    #expect(map.joinTables.map(\.name) == ["Z_1KEPTBY", "Z_2KEPTBY"])
    #expect(map.joinTables.map(\.otherColumn) == ["Z_3KEPTBY", "Z_3KEPTBY1"])
  }

  private static let following = ModelSchema.model(
    .entity(
      "Person",
      [],
      [
        .many("followedBy", "Person", back: "following"),
        .many("following", "Person", back: "followedBy", ordered: true),
      ]
    )
  )

  @Test func `between two relationships of one entity a new store takes the first by name`() {
    #expect(TableMap(Self.following).joinTables.map(\.name) == ["Z_1FOLLOWEDBY"])
  }

  @Test func `a file that is there decides which relationship is master`() {
    let map = TableMap(Self.following, existingTables: ["ZPERSON", "Z_1FOLLOWING"])
    #expect(map.joinTables.map(\.name) == ["Z_1FOLLOWING"])
    #expect(
      map["Person"]?["following"]
        == .join(
          JoinSide(
            table: "Z_1FOLLOWING",
            ownColumn: "Z_1FOLLOWEDBY",
            otherColumn: "Z_1FOLLOWING",
            orderColumn: "Z_FOK_1FOLLOWING",
            isReflexive: false
          )
        )
    )
  }

  @Test func `a file that has neither table changes nothing`() {
    let map = TableMap(Self.following, existingTables: ["ZPERSON"])
    #expect(map == TableMap(Self.following))
  }
}
