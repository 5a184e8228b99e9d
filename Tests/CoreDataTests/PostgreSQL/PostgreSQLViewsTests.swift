import CoreDataModel
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// The views of a database's tables, which were readable by this framework alone.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct PostgreSQLViewsTests {
  private let database = PostgreSQLUpgrade()
  private let schema = "views_" + UUID().uuidString.prefix(8).lowercased()

  private var options: [String: Any] { [NSPostgreSQLViewsOption: schema] }

  private static let model = ModelSchema.model(
    .entity("Folder", [.text("name")], [.many("notes", "Note", back: "folder")]),
    .entity(
      "Note",
      [
        .text("title"), .attribute("createdAt", .date), .attribute("isDone", .boolean),
        .attribute("price", .decimal), .attribute("order", .integer16), .attribute("key", .uuid),
        .attribute("URLString", .uri), .attribute("ratio", .double),
        .attribute("image", .binaryData),
        .text("folderID"),
      ],
      [.one("folder", "Folder", back: "notes"), .many("tags", "Tag", back: "notes")]
    ),
    .entity("Tag", [.text("name")], [.many("notes", "Note", back: "tags")]),
    .entity("Checklist", [.attribute("openItems", .integer32)], []).with {
      $0.superentityName = "Note"
    }
  )

  private static let key = "6F9619FF-8B86-D011-B42D-00C04FC964FF"

  private static func fill(_ context: NSManagedObjectContext) throws {
    let folder = context.make("Folder", ["name": "Home"])
    let tag = context.make("Tag", ["name": "swift"])
    context.make(
      "Note",
      [
        "title": "one", "createdAt": Date(timeIntervalSince1970: 1_700_000_000.25), "isDone": true,
        "price": NSDecimalNumber(string: "12.50"), "order": 3, "folder": folder,
        "key": UUID(uuidString: key) ?? UUID(), "URLString": URL(filePath: "/notes"),
        "ratio": 0.5, "image": Data([1, 2]), "tags": NSSet(object: tag),
      ]
    )
    try context.save()
    context.make("Checklist", ["title": "two", "openItems": 4])
  }

  private func rows(_ sql: String) throws -> [[String?]] {
    try PostgreSQLShell.rows(sql.replacing("$", with: schema), at: database.place)
  }

  private func columns(_ view: String) throws -> [String] {
    try rows(
      """
      SELECT column_name || ' ' || data_type FROM information_schema.columns
      WHERE table_schema = '\(schema)' AND table_name = '\(view)' ORDER BY ordinal_position
      """
    )
    .compactMap { $0[0] }
  }

  @Test func `an entity has a view with the names and types of SQL`() throws {
    try database.make(Self.model, options: options, Self.fill)
    #expect(
      try columns("note") == [
        "id bigint", "entity text", "url_string text", "created_at timestamp with time zone",
        "folder_id text", "image bytea", "is_done boolean", "key uuid", "order bigint",
        "price numeric", "ratio double precision", "title text", "folder_id_2 bigint",
      ]
    )
    #expect(try columns("checklist").suffix(2) == ["open_items bigint", "folder_id_2 bigint"])
    #expect(try columns("note_tags") == ["note_id bigint", "tag_id bigint"])
    let note = """
      SELECT n.title, n.created_at AT TIME ZONE 'UTC', n.is_done, n.price, n."order", n.key, n.url_string,
      encode(n.image, 'hex'), f.name, t.name, n.entity
      FROM $.note n LEFT JOIN $.folder f ON f.id = n.folder_id_2
      LEFT JOIN $.note_tags p ON p.note_id = n.id LEFT JOIN $.tag t ON t.id = p.tag_id ORDER BY n.id
      """
    let found = try rows(note)
    #expect(
      found.first == [
        "one", "2023-11-14 22:13:20.25", "t", "12.5", "3", Self.key.lowercased(),
        "file:///notes", "0102", "Home", "swift", "Note",
      ]
    )
    #expect(found.last?.first == "two" && found.last?.last == "Checklist")
    #expect(try rows("SELECT title, open_items FROM $.checklist") == [["two", "4"]])
  }

  @Test func `a view shows one zone, or all with their names`() throws {
    try database.make(Self.model, zone: "o'neill", options: options) { context in
      context.make("Tag", ["name": "mine"])
    }
    try database.make(Self.model, zone: "other") { context in
      context.make("Tag", ["name": "theirs"])
    }
    #expect(try rows("SELECT name FROM $.tag") == [["mine"]])
    let all = DatabaseViewsOf(database, in: schema + "_all")
    _ = try all.views().make(ofAllZones: true)
    let names = try rows("SELECT zone, name FROM $_all.tag ORDER BY name")
    #expect(names == [["o'neill", "mine"], ["other", "theirs"]])
  }

  @Test func `a migration failed because of the views, and left them behind the model`() throws {
    try database.make(Self.model, options: options, Self.fill)
    let role = "reader_" + schema
    try PostgreSQLShell.run(
      "CREATE ROLE \(role); GRANT SELECT ON \(schema).note TO \(role) WITH GRANT OPTION",
      at: database.place
    )
    let second = Self.model.changing("Note") {
      $0.attributes.removeAll { $0.name == "order" }
      $0.attributes.append(.text("subtitle"))
    }
    // A program without the option migrates, too.
    _ = try database.lines(second)
    let columns = try columns("note")
    #expect(columns.contains("subtitle text") && !columns.contains("order bigint"))
    #expect(try rows("SELECT title FROM $.note ORDER BY id") == [["one"], ["two"]])
    let rights = "SELECT has_table_privilege('\(role)', '$.note', 'SELECT WITH GRANT OPTION')"
    #expect(try rows(rights) == [["t"]])
    try database.work(with: second, options: options) { _ in }
    try PostgreSQLShell.run("DROP OWNED BY \(role); DROP ROLE \(role)", at: database.place)
  }

  @Test func `a view that somebody has built upon is not removed by a migration`() throws {
    try database.make(Self.model, options: options, Self.fill)
    try PostgreSQLShell.run(
      "CREATE VIEW \(schema)_titles AS SELECT title FROM \(schema).note",
      at: database.place
    )
    let second = Self.model.changing("Note") { $0.attributes.append(.text("subtitle")) }
    let error = try #require(throws: NSError.self) { try database.lines(second) }
    #expect("\(error.userInfo)".contains("views of others depend"))
    #expect(try rows("SELECT count(*) FROM $.note") == [["2"]])
    #expect(
      try database.lines(Self.model).filter { $0.hasPrefix("Note/1 title") }.count == 1
    )
  }

  @Test func `a schema with something else in it is left alone`() throws {
    try database.make(Self.model, Self.fill)
    let place = database.place
    try PostgreSQLShell.run(
      "CREATE SCHEMA \(schema); CREATE TABLE \(schema).mine (a int)",
      at: place
    )
    let error = try #require(throws: NSError.self) {
      try database.work(with: Self.model, options: options) { _ in }
    }
    #expect(error.code == NSPersistentStoreOpenError)
    #expect(error.localizedFailureReason?.contains("has a table or view mine already") == true)
    #expect(try rows("SELECT count(*) FROM pg_views WHERE schemaname = '$'") == [["0"]])
  }

  @Test(arguments: ["", "pg_views", String(repeating: "é", count: 32)])
  func `a text that cannot be the name of a schema is refused`(name: String) throws {
    let error = try #require(throws: NSError.self) {
      try database.work(with: Self.model, options: [NSPostgreSQLViewsOption: name]) { _ in }
    }
    #expect(error.code == NSPersistentStoreOpenError)
    #expect(error.localizedFailureReason?.contains("begins with pg_") == true)
  }

  @Test func `views that are current are not made again, and go without what others have made`()
    throws
  {
    try database.make(Self.model, options: options, Self.fill)
    let oid = "SELECT '$.note'::regclass::oid"
    let before = try rows(oid)
    try database.work(with: Self.model, options: options) { _ in }
    #expect(try rows(oid) == before)
    let views = try DatabaseViewsOf(database, in: schema).views()
    #expect(try views.make(ofAllZones: false).count == 5)
    #expect(try rows(oid) != before)
    try PostgreSQLShell.run("CREATE TABLE \(schema).mine (a int)", at: database.place)
    #expect(try views.remove().sorted() == ["checklist", "folder", "note", "note_tags", "tag"])
    #expect(
      try rows("SELECT relname FROM pg_class WHERE relnamespace = '$'::regnamespace") == [["mine"]]
    )
    #expect(throws: NSError.self) { try views.remove() }
    try PostgreSQLShell.run("DROP TABLE \(schema).mine", at: database.place)
    _ = try views.make(ofAllZones: false)
    _ = try views.remove()
    #expect(try rows("SELECT to_regnamespace('$') IS NULL") == [["t"]])
  }

  @Test func `a value that SQL cannot show hid all others`() throws {
    try database.make(Self.model, options: options) { context in
      for (title, time) in [("first", 0), ("far", 1e18), ("never", -1e18), ("last", 60)] {
        context.make(
          "Note",
          ["title": title, "createdAt": Date(timeIntervalSinceReferenceDate: time)]
        )
        try context.save()
      }
    }
    let times = try rows("SELECT title, created_at AT TIME ZONE 'UTC' FROM $.note ORDER BY id")
    #expect(
      times == [
        ["first", "2001-01-01 00:00:00"], ["far", nil], ["never", nil],
        ["last", "2001-01-01 00:01:00"],
      ]
    )
  }
}

/// The views of an upgraded database.
private struct DatabaseViewsOf {
  private let database: PostgreSQLUpgrade
  private let schema: String

  init(_ database: PostgreSQLUpgrade, in schema: String) {
    self.database = database
    self.schema = schema
  }

  func views() throws -> DatabaseViews {
    try DatabaseViews(in: schema, at: database.place, options: nil)
  }
}
