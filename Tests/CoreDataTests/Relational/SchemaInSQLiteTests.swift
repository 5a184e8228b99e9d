import CoreDataModel
import Foundation
import Testing

@testable import CoreData

@Suite(.enabled(if: SQLiteShell.isPresent, "needs the sqlite3 tool"))
struct SchemaInSQLiteTests {
  private static let library = ModelSchema.model(
    .entity(
      "Folder",
      [
        .derived("noteCount", .integer64, from: "notes.@count"),
        .derived("starCount", .integer64, from: "notes.@sum.stars"),
        .derived("most", .integer64, from: "notes.@max.stars"),
        .derived("changedAt", .date, from: "now()"),
        .text("name"),
      ],
      [.many("notes", "Note", back: "folder")]
    ),
    .entity(
      "Note",
      [.attribute("stars", .integer16), .derived("folderName", .string, from: "folder.name")],
      [.one("folder", "Folder", back: "notes")]
    ).with {
      $0.indexes = [
        FetchIndexSchema(
          name: "byStars",
          elements: [.init(.property("stars"))],
          partialPredicateFormat: "stars > 1 AND folder != nil"
        ),
        FetchIndexSchema(
          name: "near",
          elements: [.init(.property("stars"), collation: .rTree)]
        ),
      ]
    }
  )

  private static func script(_ model: ModelSchema) -> String {
    TablesWriter(TableMap(model)).statements.map { $0 + ";\n" }.joined()
  }

  @Test(arguments: [ModelSchema.notes, library])
  func `SQLite takes every statement and keeps its text`(model: ModelSchema) throws {
    let kept = try SQLiteShell.run(
      Self.script(model)
        + "SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'Z_RT_%' ORDER BY rowid;"
    )
    let written = TablesWriter(TableMap(model)).statements.filter { !$0.contains(" Z_RT_") }
    #expect(kept == written)
  }

  @Test func `derived columns follow what they are derived from`() throws {
    let triggers = Self.script(Self.library)
      // The tool lacks the framework's functions: the reports go, and the clock always shows 7.
      .replacing(/SELECT NSCoreDataDATrigger[^;]*;/, with: "")
      .replacing("NSCoreDataNow()", with: "7")
    let look = """
      SELECT Z_PK, ZNOTECOUNT, ZSTARCOUNT, ZMOST, ZCHANGEDAT FROM ZFOLDER ORDER BY Z_PK;
      SELECT Z_PK, ZSTARS, ZFOLDERNAME FROM ZNOTE ORDER BY Z_PK;
      SELECT '';

      """
    let lines = try SQLiteShell.run(
      triggers + """
        INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Home'), (2, 1, 1, 'Work');
        INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZSTARS)
          VALUES (1, 2, 1, 1, 3), (2, 2, 1, 1, 4), (3, 2, 1, 2, 5), (4, 2, 1, NULL, 9);
        \(look)
        UPDATE ZNOTE SET ZFOLDER = 2 WHERE Z_PK = 1;
        UPDATE ZNOTE SET ZSTARS = 1 WHERE Z_PK = 2;
        UPDATE ZFOLDER SET ZNAME = 'Office' WHERE Z_PK = 2;
        \(look)
        DELETE FROM ZNOTE WHERE ZFOLDER = 2;
        \(look)
        """
    )
    #expect(
      lines.joined(separator: "\n") == """
        1|2|7|4|7
        2|1|5|5|7
        1|3|Home
        2|4|Home
        3|5|Work
        4|9|
        1|1|1|1|7
        2|2|8|5|7
        1|3|Office
        2|1|Home
        3|5|Office
        4|9|
        1|1|1|1|7
        2|0|0||7
        2|1|Home
        4|9|
        """
    )
  }
}
