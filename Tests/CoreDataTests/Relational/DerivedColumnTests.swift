import CoreDataModel
import Testing

@testable import CoreData

@Suite struct DerivedColumnTests {
  private func triggers(of model: ModelSchema) -> [Substring] {
    schemaText(model).split(separator: "\n").filter { $0.hasPrefix("CREATE TRIGGER") }
  }

  @Test func `now is set by each insert and update`() {
    let model = ModelSchema.model(
      .entity("Item", [.derived("updatedAt", .date, from: "now()")])
    )
    #expect(
      triggers(of: model) == [
        "CREATE TRIGGER Z_DA_ZITEM_Item_updatedAt_INSERT AFTER INSERT ON ZITEM FOR EACH ROW WHEN (NEW.Z_OPT NOT NULL) BEGIN UPDATE ZITEM SET ZUPDATEDAT = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZITEM', Z_ENT, Z_PK, 'updatedAt', ZUPDATEDAT) FROM ZITEM WHERE Z_PK = NEW.Z_PK; END",
        "CREATE TRIGGER Z_DA_ZITEM_Item_updatedAt_UPDATE AFTER UPDATE OF Z_OPT ON ZITEM FOR EACH ROW BEGIN UPDATE ZITEM SET ZUPDATEDAT = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZITEM', Z_ENT, Z_PK, 'updatedAt', ZUPDATEDAT) FROM ZITEM WHERE Z_PK = NEW.Z_PK; END",
      ]
    )
  }

  @Test func `a value at the end of a to-one relationship is copied`() {
    let model = ModelSchema.model(
      .entity("ManagedAccount", [.text("serverId")]),
      .entity(
        "ManagedChat",
        [.derived("otherAccountId", .string, from: "otherAccount.serverId")],
        [.one("otherAccount", "ManagedAccount")]
      )
    )
    #expect(
      triggers(of: model) == [
        "CREATE TRIGGER Z_DA_ZMANAGEDCHAT_ManagedChat_otherAccountId_SOURCE_INSERT AFTER INSERT ON ZMANAGEDCHAT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = (SELECT ZSERVERID FROM ZMANAGEDACCOUNT WHERE Z_PK = NEW.ZOTHERACCOUNT) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE Z_PK = NEW.Z_PK; END",
        "CREATE TRIGGER Z_DA_ZMANAGEDCHAT_ManagedChat_otherAccountId_SOURCE_UPDATE AFTER UPDATE OF ZOTHERACCOUNT ON ZMANAGEDCHAT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = (SELECT ZSERVERID FROM ZMANAGEDACCOUNT WHERE Z_PK = NEW.ZOTHERACCOUNT) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE Z_PK = NEW.Z_PK; END",
        "CREATE TRIGGER Z_DA_ZMANAGEDACCOUNT_ManagedChat_otherAccountId_PARAMETER_INSERT AFTER INSERT ON ZMANAGEDACCOUNT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = NEW.ZSERVERID WHERE ZOTHERACCOUNT = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE ZOTHERACCOUNT = NEW.Z_PK; END",
        "CREATE TRIGGER Z_DA_ZMANAGEDACCOUNT_ManagedChat_otherAccountId_PARAMETER_UPDATE AFTER UPDATE OF ZSERVERID ON ZMANAGEDACCOUNT FOR EACH ROW BEGIN UPDATE ZMANAGEDCHAT SET ZOTHERACCOUNTID = NEW.ZSERVERID WHERE ZOTHERACCOUNT = NEW.Z_PK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZMANAGEDCHAT', Z_ENT, Z_PK, 'otherAccountId', ZOTHERACCOUNTID) FROM ZMANAGEDCHAT WHERE ZOTHERACCOUNT = NEW.Z_PK; END",
      ]
    )
  }

  @Test(arguments: ["pages.@count", "count:(pages)"])
  func `the destinations of a to-many relationship are counted`(expression: String) {
    let model = ModelSchema.model(
      .entity(
        "Book",
        [.derived("pagesCount", .integer64, from: expression)],
        [.many("pages", "Page", back: "book")]
      ),
      .entity("Page", [], [.one("book", "Book", back: "pages")])
    )
    #expect(
      triggers(of: model) == [
        "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END",
        "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT + 1 WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END",
        "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END",
        "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END",
        "CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END",
      ]
    )
  }

  @Test(arguments: [
    ("now()", Derivation.now),
    ("folder.name", .copy(relationship: "folder", attribute: "name")),
    ("notes.@count", .count(relationship: "notes")),
    ("count:(notes)", .count(relationship: "notes")),
    ("notes.@sum.stars", .total(.sum, relationship: "notes", attribute: "stars")),
    ("max:(notes.stars)", .total(.maximum, relationship: "notes", attribute: "stars")),
    ("canonical:(title)", nil),
    ("title", nil),
    ("folder.parent.name", nil),
    ("notes.@count.stars", nil),
    ("(", nil),
  ]) func `a derivation is read from its expression`(expression: String, expected: Derivation?) {
    #expect(Derivation(expression) == expected)
  }

  @Test func `what no trigger computes is left to the store`() {
    var favorites = AttributeSchema.derived("favorites", .integer64, from: "notes.@count")
    favorites.derivationFilterFormat = "stars > 3"
    let model = ModelSchema.model(
      .entity("Folder", [favorites], [.many("notes", "Note", back: "folder")]),
      .entity(
        "Note",
        [.text("title"), .derived("plain", .string, from: "canonical:(title)")],
        [.one("folder", "Folder", back: "notes")]
      )
    )
    let map = TableMap(model)
    #expect(triggers(of: model).isEmpty)
    #expect(
      map.tables.flatMap(\.derivedColumns).map(\.source) == [
        .unassisted(expression: "notes.@count"), .unassisted(expression: "canonical:(title)"),
      ]
    )
  }
}
