import CoreDataModel
import Testing

@testable import CoreData

/// The statements of a store that holds `model`, one a line, without the tables all stores have.
func schemaText(_ model: ModelSchema) -> String {
  let statements = TablesWriter(TableMap(model)).statements
  return statements.dropLast(TablesWriter.bookkeeping.count).joined(separator: "\n")
}

@Suite struct TablesWriterTests {
  /// As in the book whose listing this is; there, the shell's copy lacks the last blank of a table.
  @Test func `the book store has the tables that Apple's framework makes`() {
    let recent = FetchRequestSchema(name: "", entityName: "Book", predicateFormat: "price < 10")
    let model = ModelSchema.model(
      .entity("BookCategory", [.text("name")], [.many("books", "Book", back: "category")]).with {
        $0.fetchedProperties = [FetchedPropertySchema(name: "bargainBooks", request: recent)]
      },
      .entity(
        "Book",
        [.text("title"), .attribute("price", .float)],
        [
          .one("category", "BookCategory", back: "books"),
          .many("pages", "Page", back: "book", ordered: true),
        ]
      ),
      .entity("Page", [.text("text")], [.one("book", "Book", back: "pages")])
    )
    #expect(
      TablesWriter(TableMap(model)).statements.joined(separator: "\n") == """
        CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCATEGORY INTEGER, ZPRICE FLOAT, ZTITLE VARCHAR )
        CREATE TABLE ZBOOKCATEGORY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )
        CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZBOOK INTEGER, Z_FOK_BOOK INTEGER, ZTEXT VARCHAR )
        CREATE INDEX ZBOOK_ZCATEGORY_INDEX ON ZBOOK (ZCATEGORY)
        CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
        """
    )
  }

  @Test func `notes, folders and tags`() {
    #expect(
      schemaText(.notes) == """
        CREATE TABLE ZATTACHMENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNOTE INTEGER, ZPREVIEW INTEGER, Z1_PREVIEW INTEGER, Z_FOK_NOTE INTEGER, ZLENGTH FLOAT, ZNAME VARCHAR, ZCAPTION VARCHAR, ZCAPTION1 VARCHAR )
        CREATE TABLE ZFOLDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, Z_FOK_PARENT INTEGER, ZNAME VARCHAR )
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTARS INTEGER, ZFOLDER INTEGER, ZCREATEDAT TIMESTAMP, ZTITLE VARCHAR )
        CREATE TABLE Z_5LINKS ( Z_5LINKS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_5LINKS, REFLEXIVE) )
        CREATE TABLE Z_5TAGS ( Z_5NOTES INTEGER, Z_6TAGS INTEGER, Z_FOK_6TAGS INTEGER, PRIMARY KEY (Z_5NOTES, Z_6TAGS) )
        CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLABEL VARCHAR )
        CREATE INDEX ZATTACHMENT_ZNOTE_INDEX ON ZATTACHMENT (ZNOTE)
        CREATE INDEX ZATTACHMENT_ZPREVIEW_INDEX ON ZATTACHMENT (ZPREVIEW)
        CREATE INDEX ZATTACHMENT_Z_ENT_INDEX ON ZATTACHMENT (Z_ENT)
        CREATE INDEX ZFOLDER_ZPARENT_INDEX ON ZFOLDER (ZPARENT)
        CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER)
        CREATE INDEX Z_5LINKS_REFLEXIVE_INDEX ON Z_5LINKS (REFLEXIVE, Z_5LINKS)
        CREATE INDEX Z_5TAGS_Z_6TAGS_INDEX ON Z_5TAGS (Z_6TAGS, Z_5NOTES)
        """
    )
  }

  @Test func `columns stand in groups, inside a group by name in code-point order`() {
    let types = AttributeType.allCases.map { AttributeSchema(name: "a\($0)", type: $0) }
    let names = ["zUUID", "zUri"].map { AttributeSchema(name: $0, type: .string) }
    #expect(
      schemaText(.model(.entity("Note", names + types, [.one("b", "Note"), .one("a", "Note")])))
        == """
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZABOOLEAN INTEGER, ZAINTEGER16 INTEGER, ZAINTEGER32 INTEGER, ZAINTEGER64 INTEGER, ZA INTEGER, ZB INTEGER, ZADATE TIMESTAMP, ZADOUBLE FLOAT, ZAFLOAT FLOAT, ZADECIMAL DECIMAL, ZASTRING VARCHAR, ZZUUID VARCHAR, ZZURI VARCHAR, ZAURI VARCHAR, ZAUUID BLOB, ZATRANSFORMABLE BLOB, ZABINARYDATA BLOB )
        CREATE INDEX ZNOTE_ZA_INDEX ON ZNOTE (ZA)
        CREATE INDEX ZNOTE_ZB_INDEX ON ZNOTE (ZB)
        """
    )
  }

  @Test func `a to-many without an inverse is kept with its destinations`() throws {
    let model = ModelSchema.model(
      .entity("Folder", [], [.many("pins", "Note", ordered: true), .many("drafts", "Note")]),
      .entity("Note", [.text("title")], [.one("cover", "Note")])
    )
    #expect(
      schemaText(model) == """
        CREATE TABLE ZFOLDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCOVER INTEGER, Z1DRAFTS INTEGER, Z1PINS INTEGER, Z_FOK_1PINS INTEGER, ZTITLE VARCHAR )
        CREATE INDEX ZNOTE_ZCOVER_INDEX ON ZNOTE (ZCOVER)
        CREATE INDEX ZNOTE_Z1DRAFTS_INDEX ON ZNOTE (Z1DRAFTS)
        CREATE INDEX ZNOTE_Z1PINS_INDEX ON ZNOTE (Z1PINS)
        """
    )
    #expect(
      TableMap(model)["Folder"]?["pins"]
        == .toManyForeignKey(
          ForeignKey(
            table: "ZNOTE",
            column: "Z1PINS",
            entityColumn: nil,
            orderColumn: "Z_FOK_1PINS"
          )
        )
    )
  }

  @Test func `a property named like one of Apple's columns gets a number`() {
    #expect(
      schemaText(.model(.entity("Note", [.text("_ent"), .text("_DKKind")]))) == """
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z_DKKIND VARCHAR, Z_ENT1 VARCHAR )
        """
    )
  }

  @Test func `the elements of a composite attribute have columns of their own, in their order`() {
    var author = AttributeSchema(name: "author", type: .composite)
    author.elements = [.text("name"), .attribute("year", .double), .text("id")]
    let model = ModelSchema.model(.entity("Note", [author, .text("id"), .text("title")]))
    #expect(
      schemaText(model) == """
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZYEAR FLOAT, ZNAME VARCHAR, ZID VARCHAR, ZID1 VARCHAR, ZTITLE VARCHAR )
        """
    )
    #expect(
      TableMap(model)["Note"]?["author"]
        == .composite([
          "name": .attribute(column: "ZNAME"), "year": .attribute(column: "ZYEAR"),
          "id": .attribute(column: "ZID"),
        ])
    )
    #expect(TableMap(model)["Note"]?["id"] == .attribute(column: "ZID1"))
  }

  @Test func `every entity has a row in the table of keys`() {
    let rows = TablesWriter(TableMap(.notes)).primaryKeyRows
    #expect(
      rows.map { "\($0.entity)|\($0.name)|\($0.superentity)|\($0.last)" } == [
        "1|Attachment|0|0", "2|audio|1|0", "3|Drawing|1|0", "4|Folder|0|0", "5|Note|0|0",
        "6|Tag|0|0",
      ]
    )
  }
}
