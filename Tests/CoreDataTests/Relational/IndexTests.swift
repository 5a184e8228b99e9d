import CoreDataModel
import Testing

@testable import CoreData

@Suite struct IndexTests {
  @Test func `indexes for fetches and for uniqueness`() {
    let model = ModelSchema.model(
      .entity("Folder", [], [.many("notes", "Note", back: "folder")]),
      .entity(
        "Note",
        [.text("title"), .attribute("stars", .integer16)],
        [.one("folder", "Folder", back: "notes")]
      ).with {
        $0.indexes = [
          FetchIndexSchema(
            name: "byStarsAndTitle",
            elements: [
              .init(.property("stars"), isAscending: false), .init(.property("title")),
            ],
            partialPredicateFormat: "stars > 1"
          ),
          // The index of the key serves, so this one is not made.
          FetchIndexSchema(name: "byFolder", elements: [.init(.property("folder"))]),
          FetchIndexSchema(
            name: "byEntity",
            elements: [.init(.expression("entity")), .init(.expression("SELF"))]
          ),
        ]
        $0.uniquenessConstraints = [["folder", "title"]]
      },
      .entity("Letter", below: "Note", [.text("address")]).with {
        $0.indexes = [FetchIndexSchema(name: "byAddress", elements: [.init(.property("address"))])]
        $0.uniquenessConstraints = [["address"]]
      }
    )
    #expect(
      schemaText(model).split(separator: "\n").filter { $0.contains("INDEX") } == [
        "CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER)",
        "CREATE INDEX ZNOTE_Z_ENT_INDEX ON ZNOTE (Z_ENT)",
        "CREATE INDEX Z_Note_byStarsAndTitle ON ZNOTE (ZSTARS COLLATE BINARY DESC, ZTITLE COLLATE BINARY ASC) WHERE ZSTARS > 1",
        "CREATE INDEX Z_Note_byEntity ON ZNOTE (Z_ENT COLLATE BINARY ASC, Z_PK COLLATE BINARY ASC)",
        "CREATE INDEX Z_Letter_byAddress ON ZNOTE (ZADDRESS COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Note_UNIQUE_folder_title ON ZNOTE (ZFOLDER COLLATE BINARY ASC, ZTITLE COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Letter_UNIQUE_address ON ZNOTE (ZADDRESS COLLATE BINARY ASC)",
      ]
    )
  }

  @Test(arguments: [
    ("title != nil", "ZTITLE IS NOT NULL"),
    ("title == NULL", "ZTITLE IS NULL"),
    ("stars = 1", "ZSTARS = 1"),
    ("stars <> 0", "ZSTARS <> 0"),
    ("stars == -1 AND isPinned == YES", "(ZSTARS = -1 AND ZISPINNED = 1)"),
    ("stars == 2 || stars == 4", "(ZSTARS = 2 OR ZSTARS = 4)"),
    ("NOT (stars >= 2 and title == 'it')", "NOT ((ZSTARS >= 2 AND ZTITLE = 'it'))"),
    ("title == \"it's\"", "ZTITLE = 'it''s'"),
  ]) func `a partial index has its predicate as a condition`(format: String, condition: String) {
    #expect(IndexCondition.sql(format, for: Self.note) == condition)
  }

  @Test(arguments: [
    "", "stars", "stars >", "author.name == 'A'", "title LIKE 'a*'", "stars == 1 stars == 2",
    "(stars == 1", "stars < nil", "title == 'open", "stars == other",
  ]) func `a predicate with more in it has no condition`(format: String) {
    #expect(IndexCondition.sql(format, for: Self.note) == nil)
  }

  private static let note: EntityMap = TableMap(
    .model(
      .entity(
        "Note",
        [.text("title"), .attribute("stars", .integer16), .attribute("isPinned", .boolean)]
      )
    )
  ).entities[0]

  @Test func `places have an R-tree and triggers that fill it`() {
    var place = AttributeSchema(name: "place", type: .undefined)
    place.isTransient = true
    place.userInfo = ["_NSLocationAttributeDerivedComponents": "latitude, longitude"]
    let model = ModelSchema.model(
      .entity(
        "Asset",
        [.attribute("latitude", .double), .attribute("longitude", .double), place]
      ).with {
        $0.indexes = [
          FetchIndexSchema(name: "boundedByRect", elements: [.init(.property("place"))])
        ]
      }
    )
    #expect(
      schemaText(model) == """
        CREATE TABLE ZASSET ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT )
        CREATE VIRTUAL TABLE Z_RT_Asset_boundedByRect USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)
        CREATE TRIGGER Z_RT_Asset_boundedByRect_INSERT AFTER INSERT ON ZASSET FOR EACH ROW BEGIN INSERT OR REPLACE INTO Z_RT_Asset_boundedByRect (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END
        CREATE TRIGGER Z_RT_Asset_boundedByRect_UPDATE AFTER UPDATE ON ZASSET FOR EACH ROW BEGIN DELETE FROM Z_RT_Asset_boundedByRect WHERE Z_PK = NEW.Z_PK ; INSERT INTO Z_RT_Asset_boundedByRect (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX) VALUES (NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE) ; END
        CREATE TRIGGER Z_RT_Asset_boundedByRect_DELETE AFTER DELETE ON ZASSET FOR EACH ROW BEGIN DELETE FROM Z_RT_Asset_boundedByRect WHERE Z_PK = OLD.Z_PK ; END
        """
    )
  }
}
