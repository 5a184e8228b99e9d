import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataModelChanges

/// Tests of lightweight migration of relationships, in whatever form a store keeps them.
struct RelationshipMigrationTests {
  /// A model of notes and folders with one pair of relationships.
  private static func model(
    _ note: RelationshipSchema?,
    _ folder: RelationshipSchema? = nil
  ) -> ModelSchema {
    .model(
      .entity("Folder", [.text("name")], [folder].compactMap(\.self)),
      .entity("Note", [.text("title")], [note].compactMap(\.self))
    )
  }

  static let forms: [String: ModelSchema] = [
    "one": model(.one("folder", "Folder")),
    "one, many back": model(
      .one("folder", "Folder", back: "notes"),
      .many("notes", "Note", back: "folder")
    ),
    "one, ordered back": model(
      .one("folder", "Folder", back: "notes"),
      .many("notes", "Note", back: "folder", ordered: true)
    ),
    "one, one back": model(
      .one("folder", "Folder", back: "notes"),
      .one("notes", "Note", back: "folder")
    ),
    "many": model(.many("folder", "Folder")),
    "many, ordered": model(.many("folder", "Folder", ordered: true)),
    "many, one back": model(
      .many("folder", "Folder", back: "notes"),
      .one("notes", "Note", back: "folder")
    ),
    "many, many back": model(
      .many("folder", "Folder", back: "notes"),
      .many("notes", "Note", back: "folder")
    ),
    "many, ordered back": model(
      .many("folder", "Folder", back: "notes"),
      .many("notes", "Note", back: "folder", ordered: true)
    ),
    "ordered, ordered back": model(
      .many("folder", "Folder", back: "notes", ordered: true),
      .many("notes", "Note", back: "folder", ordered: true)
    ),
  ]

  /// Every change that adds or removes an end, makes an end to-many, or gives or takes an order.
  static let changes: [(String, String)] = forms.keys.sorted().flatMap { old in
    forms.keys.sorted().filter { $0 != old }.compactMap { new in
      guard let before = forms[old], let after = forms[new] else { return nil }
      let comparison = ModelComparison(from: before, to: after)
      return comparison.obstacles.isEmpty ? (old, new) : nil
    }
  }

  /// Two notes, each in a folder of its own: every form can hold them.
  static func fill(_ context: NSManagedObjectContext) throws {
    for name in ["a", "b"] {
      let folder = context.make("Folder", ["name": name])
      let note = context.make("Note", ["title": name])
      note.link(only: folder, by: "folder")
      try context.save()
    }
  }

  @Test(arguments: changes)
  func `what was linked stays linked, in every form that it may have (108)`(
    change: (String, String)
  ) throws {
    let (old, new) = try (
      #require(Self.forms[change.0]), #require(Self.forms[change.1])
    )
    let upgrade = try Upgrade(old, Self.fill)
    let lines = try upgrade.lines(new)
    try upgrade.work(with: new) { context in
      for note in try context.every("Note") {
        let names = note.linked(by: "folder").map { $0.value(forKey: "name") as? String }
        #expect(names == [note.value(forKey: "title") as? String], "\(change): \(lines)")
      }
      for folder in try context.every("Folder") { folder.willAccessValue(forKey: nil) }
      #expect(checkInvariants(of: context) == [])
    }
    try upgrade.expectShape(of: new)
    // Migrated objects can be changed.
    try upgrade.work(with: new) { context in
      let (note, folder) = try (context.every("Note")[0], context.every("Folder")[1])
      note.link(only: folder, by: "folder")
      try context.save()
      #expect(checkInvariants(of: context) == [])
    }
  }

  @Test func `there are many such changes`() {
    #expect(Self.changes.count > 40)
  }

  @Test func `a relationship that gets an order has that in which rows were made (108)`() throws {
    let old = try #require(Self.forms["one, many back"])
    let upgrade = try Upgrade(old) { context in
      let folder = context.make("Folder", ["name": "a"])
      for title in ["x", "y", "z"] {
        context.make("Note", ["title": title, "folder": folder])
        try context.save()
      }
    }
    let new = try #require(Self.forms["one, ordered back"])
    #expect(try upgrade.lines(new).contains("Folder/1 notes = 1, 2, 3"))
    let connection = try Connection(path: upgrade.file.path)
    let statement = try connection.statement("SELECT Z_FOK_FOLDER FROM ZNOTE ORDER BY Z_PK")
    var places: [Int64] = []
    while try statement.step() { places.append(statement.integer(0)) }
    #expect(places == [2048, 3072, 4096])
  }

  @Test func `an order stays when everything around it changes (108)`() throws {
    let old = try #require(Self.forms["many, ordered back"])
    let upgrade = try Upgrade(old) { context in
      let notes = try ["x", "y", "z"].map { title in
        let note = context.make("Note", ["title": title])
        try context.save()
        return note
      }
      let order = NSOrderedSet(array: [notes[2], notes[0], notes[1]])
      context.make("Folder", ["name": "a", "notes": order])
    }
    let new = old.adding(.entity("Attachment")).changing("Folder") {
      $0.name = "Album"
      $0.renamingIdentifier = "Folder"
      $0.change(relationship: "notes") {
        $0.name = "pages"
        $0.renamingIdentifier = "notes"
      }
    }
    .changing("Note") {
      $0.change(relationship: "folder") {
        $0.destinationName = "Album"
        $0.inverseName = "pages"
      }
    }
    #expect(try upgrade.lines(new).contains("Album/1 pages = 3, 1, 2"))
    try upgrade.expectShape(of: new)
  }

  @Test func `a relationship to several entities keeps theirs (108)`() throws {
    let old = ModelSchema.model(
      .entity("Item", [.text("name")]),
      .entity("Picture", below: "Item"),
      .entity("Note", [.text("title")], [.one("icon", "Item")])
    )
    let upgrade = try Upgrade(old) { context in
      context.make("Note", ["icon": context.make("Picture", ["name": "p"])])
      context.make("Note", ["icon": context.make("Item", ["name": "i"])])
    }
    let new = old.adding(.entity("Attachment"), .entity("Audio", below: "Item"))
    let lines = try upgrade.lines(new)
    #expect(lines.filter { $0.contains("icon = Picture/") }.count == 1)
    #expect(lines.filter { $0.contains("icon = Item/") }.count == 1)
    try upgrade.expectShape(of: new)
  }

  @Test func `an entity gets subentities, and relationships to it learn which (108)`() throws {
    let old = try #require(Self.forms["one, ordered back"])
    let upgrade = try Upgrade(old, Self.fill)
    let new = old.adding(.entity("Album", below: "Folder", [.text("cover")]))
    #expect(try upgrade.lines(new).contains("Note/1 folder = Folder/1"))
    try upgrade.expectShape(of: new)
    #expect(try upgrade.lines(old).contains("Note/2 folder = Folder/2"))
    try upgrade.expectShape(of: old)
  }

  @Test func `links that find no place are counted (108)`() throws {
    let old = try #require(Self.forms["many, many back"])
    let upgrade = try Upgrade(old) { context in
      let folders = ["a", "b"].map { context.make("Folder", ["name": $0]) }
      context.make("Note", ["title": "one", "folder": NSSet(array: folders)])
      context.make("Note", ["title": "two", "folder": NSSet(array: folders)])
    }
    // Without an inverse a folder knows the one note that has it.
    let new = try #require(Self.forms["many"])
    #expect(try upgrade.preview(new).losses.map(\.description) == ["Note.folder: 2 links"])
    _ = try upgrade.lines(new)
    try upgrade.expectShape(of: new)
  }

  @Test func `relationships of one entity with itself are migrated (108)`() throws {
    let old = ModelSchema.model(
      .entity(
        "Note",
        [.text("title")],
        [
          .many("links", "Note", back: "links"), .one("parent", "Note", back: "children"),
          .many("children", "Note", back: "parent"),
        ]
      )
    )
    let upgrade = try Upgrade(old) { context in
      let first = context.make("Note", ["title": "first"])
      try context.save()
      let second = context.make("Note", ["title": "second", "parent": first])
      first.setValue(NSSet(object: second), forKey: "links")
    }
    let new = old.adding(.entity("Folder")).changing("Note") {
      $0.change(relationship: "parent") {
        $0.maxCount = 0
        $0.name = "parents"
        $0.renamingIdentifier = "parent"
      }
      $0.change(relationship: "children") { $0.inverseName = "parents" }
    }
    let lines = try upgrade.lines(new)
    #expect(lines.contains("Note/2 parents = 1") && lines.contains("Note/1 children = 2"))
    #expect(lines.contains("Note/1 links = 2") && lines.contains("Note/2 links = 1"))
    try upgrade.expectShape(of: new)
  }

  @Test func `history follows its entities and properties (108)`() throws {
    let old = try #require(Self.forms["one, many back"]).changing("Note") {
      $0.attributes += [
        .attribute("stars", .integer16),
        .text("key").with { $0.preservesValueInHistoryOnDeletion = true },
      ]
    }
    let upgrade = try Upgrade(old, Self.fill)
    let connection = try Connection(path: upgrade.file.path)
    // To-one folder; attributes key, stars, title: bits 0 to 3. Stars and title have changed.
    for statement in [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE"
        + " INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB,"
        + " ZTOMBSTONE0 BLOB )",
      "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 1, 2, 1, 1, x'30', NULL)",
      "INSERT INTO ACHANGE VALUES (2, 16001, NULL, 2, 2, 1, 1, NULL, 'k')",
      "INSERT INTO ACHANGE VALUES (3, 16001, NULL, 0, 1, 1, 1, NULL, NULL)",
    ] {
      try connection.run(statement)
    }
    let new = old.adding(.entity("Attachment")).changing("Note") {
      $0.attributes.removeAll { $0.name == "stars" }
      $0.attributes += [
        .text("author"), .text("code").with { $0.preservesValueInHistoryOnDeletion = true },
      ]
    }
    _ = try upgrade.lines(new)
    let statement = try connection.statement(
      "SELECT ZENTITY, hex(ZCOLUMNS), ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE ORDER BY Z_PK"
    )
    var rows: [String] = []
    while try statement.step() {
      rows.append((0..<4).map { "\(statement.value(Int32($0)))" }.joined(separator: " "))
    }
    // Now folder; author, code, key, title: of the changes only the title is left.
    #expect(rows == ["3 '08' NULL NULL", "3 '' NULL 'k'", "2 '' NULL NULL"])
  }

  @Test func `a history lost changes of renamed elements, and values beside large data`() throws {
    let old = try #require(Self.forms["one, many back"]).changing("Note") {
      $0.attributes += [
        .attribute("image", .binaryData).with {
          $0.allowsExternalBinaryDataStorage = true
          $0.preservesValueInHistoryOnDeletion = true
        },
        .text("key").with { $0.preservesValueInHistoryOnDeletion = true },
        .attribute("place", .composite).with { $0.elements = [.text("city"), .text("street")] },
      ]
    }
    let upgrade = try Upgrade(old, Self.fill)
    let connection = try Connection(path: upgrade.file.path)
    // To-one folder; attributes image, key, city, street, title: bits 0 to 5. The city has changed.
    for statement in [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE"
        + " INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB,"
        + " ZTOMBSTONE0 BLOB )",
      "INSERT INTO ACHANGE VALUES (1, 16001, NULL, 1, 2, 1, 1, x'10', NULL)",
      "INSERT INTO ACHANGE VALUES (2, 16001, NULL, 2, 2, 1, 1, NULL, 'k')",
    ] {
      try connection.run(statement)
    }
    let new = old.changing("Note") {
      $0.change("image") { $0.preservesValueInHistoryOnDeletion = false }
      $0.change("place") { attribute in
        attribute.elements = [
          .text("city"), .text("street"), .text("town").with { $0.renamingIdentifier = "city" },
        ]
      }
      $0.versionHashModifier = "2"
    }
    _ = try upgrade.lines(new)
    let statement = try connection.statement(
      "SELECT hex(ZCOLUMNS), ZTOMBSTONE0 FROM ACHANGE ORDER BY Z_PK"
    )
    var rows: [String] = []
    while try statement.step() { rows.append("\(statement.value(0)) \(statement.value(1))") }
    // Now folder; image, key, city, street, town, title: the town has the value of the city.
    #expect(rows == ["'04' NULL", "'' 'k'"])
  }
}
