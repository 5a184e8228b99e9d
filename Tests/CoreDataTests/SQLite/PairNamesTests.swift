import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// Stores whose tables of pairs are not named by the rule: the present names are read.
@Suite struct PairNamesTests {
  /// The entities are Asset 1, Collection 2, Memory 3 and Suggestion 4.
  private static let schema = ModelSchema.model(
    .entity(
      "Asset",
      [.text("name")],
      [
        .many("copies", "Asset", back: "originals"),
        .many("memoriesBeingKeyAssets", "Memory", back: "keyAssets"),
        .many("originals", "Asset", back: "copies", ordered: true),
        .many("suggestionsBeingKeyAssets", "Suggestion", back: "keyAssets"),
        .many("twins", "Asset", back: "twins"),
      ]
    ),
    .entity("Collection", [.text("name")]),
    .entity(
      "Memory",
      below: "Collection",
      [],
      [.many("keyAssets", "Asset", back: "memoriesBeingKeyAssets", ordered: true)]
    ),
    .entity(
      "Suggestion",
      below: "Collection",
      [],
      [.many("keyAssets", "Asset", back: "suggestionsBeingKeyAssets", ordered: true)]
    )
  )
  .withoutOwnClasses

  private static let (memories, suggestions) = (
    "Z_1MEMORIESBEINGKEYASSETS", "Z_1SUGGESTIONSBEINGKEYASSETS"
  )

  /// Names that differ from the rule.
  struct Names: CustomTestStringConvertible {
    let testDescription: String
    let changes: [String]

    init(_ description: String, _ changes: String...) {
      testDescription = description
      self.changes = changes.map { "ALTER TABLE \($0)" }
    }
  }

  static let names = [
    Names("as the rule has it"),
    Names(
      "the other column has the digit",
      "\(memories) RENAME COLUMN Z_1KEYASSETS TO Z_1KEYASSETS1",
      "\(memories) RENAME COLUMN Z_FOK_1KEYASSETS TO Z_FOK_1KEYASSETS1",
      "\(suggestions) RENAME COLUMN Z_1KEYASSETS1 TO Z_1KEYASSETS",
      "\(suggestions) RENAME COLUMN Z_FOK_1KEYASSETS1 TO Z_FOK_1KEYASSETS"
    ),
    Names(
      "both have other digits",
      "\(memories) RENAME COLUMN Z_1KEYASSETS TO Z_1KEYASSETS7",
      "\(memories) RENAME COLUMN Z_FOK_1KEYASSETS TO Z_FOK_1KEYASSETS7",
      "\(suggestions) RENAME COLUMN Z_1KEYASSETS1 TO Z_1KEYASSETS12",
      "\(suggestions) RENAME COLUMN Z_FOK_1KEYASSETS1 TO Z_FOK_1KEYASSETS12"
    ),
    Names(
      "the order is called as without a digit",
      "\(suggestions) RENAME COLUMN Z_FOK_1KEYASSETS1 TO Z_FOK_1KEYASSETS"
    ),
    Names(
      "the columns of subentities have another number",
      "\(memories) RENAME COLUMN Z_3MEMORIESBEINGKEYASSETS TO Z_2MEMORIESBEINGKEYASSETS",
      "\(suggestions) RENAME COLUMN Z_4SUGGESTIONSBEINGKEYASSETS TO Z_2SUGGESTIONSBEINGKEYASSETS"
    ),
    Names(
      "the tables are called after the other relationship",
      "\(memories) RENAME TO Z_3KEYASSETS",
      "\(suggestions) RENAME TO Z_4KEYASSETS",
      "Z_1COPIES RENAME TO Z_1ORIGINALS"
    ),
    Names("the table has a digit", "Z_1COPIES RENAME TO Z_1COPIES1"),
    Names(
      "an entity with itself, with digits",
      "Z_1COPIES RENAME COLUMN Z_1ORIGINALS TO Z_1ORIGINALS2",
      "Z_1COPIES RENAME COLUMN Z_1COPIES TO Z_1COPIES1",
      "Z_1COPIES RENAME COLUMN Z_FOK_1ORIGINALS TO Z_FOK_1ORIGINALS2"
    ),
    Names("its own inverse, with a digit", "Z_1TWINS RENAME COLUMN Z_1TWINS TO Z_1TWINS1"),
    Names("its own inverse, with two names", "Z_1TWINS RENAME COLUMN REFLEXIVE TO Z_1TWINS1"),
  ]

  private func store(_ names: Names) throws -> (file: URL, lines: [String]) {
    let upgrade = try Upgrade(Self.schema) { context in
      let assets = (1...6).map { context.make("Asset", ["name": "asset \($0)"]) }
      for (name, numbers) in [("Memory", [4, 0, 2]), ("Suggestion", [5, 1, 3])] {
        let collection = context.make(name, ["name": name])
        collection.setValue(NSOrderedSet(array: numbers.map { assets[$0] }), forKey: "keyAssets")
      }
      assets[0].setValue(NSOrderedSet(array: [assets[3], assets[1]]), forKey: "originals")
      assets[4].setValue(NSOrderedSet(array: [assets[0]]), forKey: "originals")
      assets[2].setValue(NSSet(array: [assets[4], assets[5]]), forKey: "twins")
    }
    let lines = try upgrade.lines(Self.schema)
    let connection = try Connection(path: upgrade.file.path)
    for change in names.changes { try connection.run(SQLFragment(stringLiteral: change)) }
    try connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    return (upgrade.file, lines)
  }

  @Test(arguments: names)
  func `what stands in a column with another number is read`(names: Names) throws {
    let (file, lines) = try store(names)
    #expect(lines.contains("Memory/1 keyAssets = 5, 1, 3"))
    #expect(try Upgrade(of: file).lines(Self.schema) == lines)
  }

  @Test(arguments: names)
  func `what is saved stands in the columns that are there`(names: Names) throws {
    let (file, _) = try store(names)
    let shape = try FilePicture(file)
    try Upgrade(of: file).work(with: Self.schema) { context in
      let (assets, memory) = try (context.every("Asset"), context.every("Memory")[0])
      memory.mutableOrderedSetValue(forKey: "keyAssets").insert(assets[1], at: 1)
      assets[1].mutableSetValue(forKey: "copies").add(assets[5])
      assets[1].mutableSetValue(forKey: "twins").add(assets[5])
      try context.save()
    }
    let lines = try Upgrade(of: file).lines(Self.schema)
    #expect(lines.contains("Memory/1 keyAssets = 5, 2, 1, 3"))
    #expect(lines.contains("Asset/6 originals = 2"))
    #expect(lines.contains("Asset/6 twins = 2, 3"))
    #expect(try FilePicture(file) == shape)
  }

  @Test(arguments: names)
  func `without the model the same is read`(names: Names) throws {
    let (file, lines) = try store(names)
    let told = try StoredModel(inStoreAt: file, from: .tables).schema
    let found = try Upgrade.work(
      with: told,
      at: file,
      [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
    ) { try $0.lines(told) }
    // Without the model there are no small letters, and digits may have become part of a name.
    let words = { (lines: [String]) in
      Set(lines.map { $0.lowercased().replacing(#/[0-9]+ = /#, with: " = ") })
    }
    #expect(
      words(found.filter { !$0.hasSuffix("= ") }) == words(lines.filter { !$0.hasSuffix("= ") })
    )
  }

  @Test(arguments: names)
  func `a check finds nothing, and a repair makes no columns`(names: Names) throws {
    let (file, lines) = try store(names)
    let shape = try FilePicture(file)
    let report = try StoreChecker(storeAt: file, model: nil, isDeep: true).report()
    // Their indexes have kept the old order of columns, which is worth a note.
    #expect(report.findings.filter { $0.check != .index }.map(\.words) == [])
    #expect(report.isSound)
    let repair = StoreRepair(storeAt: file, model: nil, now: Date(timeIntervalSince1970: 0))
    #expect(try repair.perform().performed.isEmpty)
    #expect(try FilePicture(file) == shape)
    #expect(try Upgrade(of: file).lines(Self.schema) == lines)
  }

  @Test(arguments: names)
  func `a migration keeps what stands there`(names: Names) throws {
    let (file, lines) = try store(names)
    let new = Self.schema.changing("Asset") { $0.attributes.append(.text("place")) }
    let after = try Upgrade(of: file).lines(new)
    #expect(after.filter { !$0.contains("place") } == lines)
    #expect(try Upgrade(of: file).lines(new) == after)
  }

  @Test func `columns that have the digits the other way round keep them in a migration`() throws {
    let names = try #require(Self.names.first { $0.testDescription.hasPrefix("the other column") })
    let (file, _) = try store(names)
    let new = Self.schema.changing("Asset") { $0.attributes.append(.text("place")) }
    let before = try FilePicture(file)
    _ = try Upgrade(of: file).lines(new)
    let after = try FilePicture(file)
    for table in [Self.memories, Self.suggestions] {
      #expect(after.columns[table] == before.columns[table])
    }
  }
}

// MARK: - Repairs

extension PairNamesTests {
  private func repair(_ changes: [String]) throws -> (RepairOutcome, SoundStore) {
    let store = try SoundStore()
    try store.run(changes)
    return (try store.repair().perform(), store)
  }

  @Test func `a repair does not add a column whose values may stand in another`() throws {
    let (outcome, store) = try repair(["ALTER TABLE ZNOTE RENAME COLUMN ZTITLE TO ZHEADING"])
    #expect(outcome.performed.isEmpty)
    let finding = try #require(outcome.after.findings.first { $0.check == .column })
    #expect(
      finding.advice
        == "the values may stand in the column ZHEADING, which the model does not speak of: give the"
        + " model that the store was made with"
    )
    #expect(try FilePicture(store.file).columns["ZNOTE"]?.contains("ZTITLE VARCHAR") == false)
  }

  @Test func `a repair does not make a table whose rows may stand in another`() throws {
    let (outcome, store) = try repair(["ALTER TABLE ZTAG RENAME TO ZLABEL"])
    #expect(!outcome.performed.contains { $0.remedy.sentence == "makes it anew, empty" })
    let finding = try #require(outcome.after.findings.first { $0.check == .table })
    #expect(finding.advice?.hasPrefix("its rows may stand in the table ZLABEL, ") == true)
    #expect(try FilePicture(store.file).columns["ZTAG"] == nil)
  }

  @Test func `a repair does not make a table of pairs that may stand in another`() throws {
    let (outcome, store) = try repair([
      "ALTER TABLE Z_4RELATED RENAME TO Z_4KIN",
      "ALTER TABLE Z_4KIN RENAME COLUMN Z_4RELATED TO Z_4KIN",
    ])
    let finding = try #require(outcome.after.findings.first { $0.check == .table })
    #expect(finding.advice?.hasPrefix("its rows may stand in the table Z_4KIN, ") == true)
    #expect(try FilePicture(store.file).columns["Z_4RELATED"] == nil)
  }

  @Test func `a repair gives pairs no column of keys, for nobody knows what stood there`() throws {
    let (outcome, store) = try repair([
      "DROP INDEX Z_4TAGS_Z_6TAGS_INDEX", "CREATE TABLE kept AS SELECT Z_4NOTES FROM Z_4TAGS",
      "DROP TABLE Z_4TAGS", "ALTER TABLE kept RENAME TO Z_4TAGS",
    ])
    let finding = try #require(outcome.after.findings.first { $0.check == .column })
    #expect(finding.remedy == nil)
    #expect(try FilePicture(store.file).columns["Z_4TAGS"] == ["Z_4NOTES INT"])
  }

  @Test func `an empty table of pairs without a column of keys is made anew`() throws {
    let (outcome, store) = try repair([
      "DROP INDEX Z_4TAGS_Z_6TAGS_INDEX", "DROP TABLE Z_4TAGS",
      "CREATE TABLE Z_4TAGS (Z_4NOTES INTEGER)",
    ])
    #expect(outcome.after.findings.map(\.words) == [])
    #expect(
      try FilePicture(store.file).columns["Z_4TAGS"]
        == ["Z_4NOTES INTEGER", "Z_6TAGS INTEGER", "Z_FOK_4NOTES INTEGER"]
    )
  }
}
