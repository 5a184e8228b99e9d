import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataStoreCare

/// A repair mends what it can, tells what it cannot, and touches nothing else.
@Suite struct StoreRepairTests {
  @Test(arguments: Damage.all)
  func `each damage is mended, or left and said so`(_ damage: Damage) throws {
    let store = try SoundStore()
    let sound = try store.picture()
    try store.run(damage.statements)
    let damaged = try store.picture()
    let outcome = try store.repair().perform()
    let again = try store.report()
    #expect(outcome.wasKept)
    #expect(again == outcome.after)
    switch damage.outcome {
    case .asBefore:
      #expect(again.findings.map(\.words) == [])
      #expect(try store.picture().differences(from: sound) == [])
    case .sound:
      #expect(again.findings.map(\.words) == [])
    case .left:
      #expect(again.findings.contains { $0.check == damage.check })
      #expect(!again.isWorse(than: outcome.before))
      if outcome.performed.isEmpty { #expect(try store.picture() == damaged) }
    }
  }

  @Test func `a sound store is not written`() throws {
    let store = try SoundStore()
    let bytes = try Data(contentsOf: store.file)
    let outcome = try store.repair().perform()
    #expect(outcome.performed.isEmpty && outcome.backup == nil)
    #expect(try Data(contentsOf: store.file) == bytes)
  }

  @Test func `a plan changes nothing`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"])
    let bytes = try Data(contentsOf: store.file)
    let (_, plan) = try store.repair().plan()
    #expect(
      plan.steps.map(\.remedy.sentence) == [
        "takes the key out of them", "computes the values anew",
      ]
        || plan.steps.map(\.remedy.sentence) == ["takes the key out of them"]
    )
    #expect(try Data(contentsOf: store.file) == bytes)
  }

  @Test func `many damages at once are mended together`() throws {
    let store = try SoundStore()
    let replaced = Set(Damage.replaced.map(\.statements))
    let mendable = Damage.all.filter {
      $0.outcome == .asBefore && !replaced.contains($0.statements)
    }
    try store.run(mendable.flatMap(\.statements))
    let outcome = try store.repair().perform()
    #expect(outcome.after.findings.map(\.words) == [])
    #expect(outcome.refused.isEmpty)
  }

  @Test func `the copy is the store as it was`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"])
    let damaged = try store.picture()
    let backup = try #require(try store.repair().perform().backup)
    #expect(backup.lastPathComponent == "Notes-before-repair-19700101-000000.sqlite")
    #expect(try SoundStore(file: backup).picture() == damaged)
    #expect(try store.picture() != damaged)
  }

  @Test func `no copy is made for who wants none`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"])
    var repair = store.repair()
    repair.makesBackup = false
    #expect(try repair.perform().backup == nil)
    let folder = store.file.deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("before") })
  }

  @Test func `the program goes on with a store that was mended`() throws {
    let store = try SoundStore()
    try store.run([
      "UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Note'",
      "UPDATE ZNOTE SET ZCOVERS = NULL WHERE Z_PK = 1",
    ])
    _ = try store.repair().perform()
    try ModelStack(SoundStore.schema, file: store.file)
      .work { context in
        let notes = try context.all("Note")
        #expect(notes.map { $0.textValue("title") } == (1...8).map { "Note \($0)" })
        #expect(notes[3].value(forKey: "folder") == nil)
        let folder = try #require(try context.all("Folder").first)
        #expect(notes[0].value(forKey: "covers") as? NSManagedObject === folder)
        let new = context.new("Note", ["title": "new", "slug": "new"])
        try context.save()
        #expect(new.objectID.key.number == 9)
      }
    #expect(try store.report().findings == [])
  }
}

// MARK: - Objects that cannot stay

extension StoreRepairTests {
  @Test func `an attachment without its note stays, unless its deletion is asked for`() throws {
    let store = try SoundStore()
    try store.run(["UPDATE ZATTACHMENT SET ZNOTE = 99 WHERE Z_PK = 1"])
    #expect(try store.repair().perform().performed.isEmpty)
    let outcome = try store.repair(deletesBroken: true).perform()
    #expect(outcome.deletedRows == ["Attachment": 1])
    #expect(outcome.after.findings == [])
    #expect(try store.picture().keys.filter { $0.hasPrefix("ZATTACHMENT") }.count == 2)
  }

  @Test func `a cascade takes those that belong to a broken object, and pairs and keys go too`()
    throws
  {
    let store = try BrokenTree()
    let outcome = try store.repair(rule: .cascade)
    // The branch's tree is missing; its two leaves go with it.
    #expect(outcome.deletedRows == ["Branch": 1, "Leaf": 2])
    #expect(outcome.after.findings == [])
  }

  @Test func `what may not be deleted as long as it has others stays`() throws {
    let outcome = try BrokenTree(rule: .deny).repair(rule: .deny)
    #expect(outcome.deletedRows == [:])
    #expect(outcome.after.findings.map(\.check) == [.danglingKey])
  }

  @Test func `an object that another requires stays`() throws {
    let outcome = try BrokenTree(rule: .nullify, leafNeedsBranch: true)
      .repair(rule: .nullify, leafNeedsBranch: true)
    #expect(outcome.deletedRows == [:])
  }

  @Test func `those that can be without it lose their key`() throws {
    let outcome = try BrokenTree(rule: .nullify).repair(rule: .nullify)
    #expect(outcome.deletedRows == ["Branch": 1])
    #expect(outcome.after.findings == [])
  }
}

/// A branch whose tree is gone, which it must not be without, and two leaves on it.
private struct BrokenTree {
  let file: URL

  static func schema(
    _ rule: CoreDataModel.RelationshipSchema.DeleteRule,
    _ leafNeedsBranch: Bool
  ) -> ModelSchema {
    let branch = RelationshipSchema.one("branch", "Branch", back: "leaves")
    return ModelSchema.model(
      .entity("Tree", [], [.many("branches", "Branch", back: "tree")]),
      .entity(
        "Branch",
        [],
        [
          .one("tree", "Tree", back: "branches").required,
          .many("leaves", "Leaf", back: "branch").deleting(rule),
        ]
      ),
      .entity("Leaf", [], [leafNeedsBranch ? branch.required : branch])
    )
    .withoutOwnClasses
  }

  init(
    rule: CoreDataModel.RelationshipSchema.DeleteRule = .cascade,
    leafNeedsBranch: Bool = false
  ) throws {
    let stack = try ModelStack(Self.schema(rule, leafNeedsBranch))
    try stack.work { context in
      let tree = context.new("Tree")
      let branches = (1...2).map { _ in context.new("Branch", ["tree": tree]) }
      for branch in branches { for _ in 1...2 { _ = context.new("Leaf", ["branch": branch]) } }
      try context.save()
    }
    file = try #require(stack.file)
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    try Connection(path: file.path).run("UPDATE ZBRANCH SET ZTREE = 50 WHERE Z_PK = 1")
  }

  func repair(
    rule: CoreDataModel.RelationshipSchema.DeleteRule,
    leafNeedsBranch: Bool = false
  ) throws -> RepairOutcome {
    var repair = StoreRepair(storeAt: file, model: Self.schema(rule, leafNeedsBranch))
    repair.deletesBroken = true
    return try repair.perform()
  }
}

// MARK: - Files and history

extension StoreRepairTests {
  @Test func `files that no row names are moved, and those that are named stay`() throws {
    let store = try SoundStore()
    let named = ExternalFiles.names(besides: store.file)
    let orphan = UUID().uuidString
    try Data("lost".utf8).write(to: store.externalFolder.appendingPathComponent(orphan))
    let outcome = try store.repair().perform()
    #expect(outcome.movedFiles == [orphan])
    #expect(ExternalFiles.names(besides: store.file) == named)
    let folder = try #require(outcome.lostAndFound)
    #expect(folder.lastPathComponent == "Notes.lost+found")
    #expect(try Data(contentsOf: folder.appendingPathComponent(orphan)) == Data("lost".utf8))
    #expect(outcome.after.findings == [])
  }

  @Test func `changes without a transaction are removed from history`() throws {
    let store = try SoundStore()
    try store.run(StoreCheckerTests.history)
    let outcome = try store.repair().perform()
    #expect(outcome.after.findings == [])
    #expect(!outcome.bypassesHistory)
    let picture = try store.picture()
    #expect(
      picture.keys.filter { $0.hasPrefix("ACHANGE ") }.sorted().prefix(3) == [
        "ACHANGE 1", "ACHANGE 2",
      ]
    )
  }

  @Test func `a repair of rows says that history does not know of it`() throws {
    let store = try SoundStore()
    try store.run(StoreCheckerTests.history + ["UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4"])
    #expect(try store.repair().perform().bypassesHistory)
  }
}

// MARK: - What goes wrong in between

extension StoreRepairTests {
  private static let damages = [
    "UPDATE ZNOTE SET ZFOLDER = 99 WHERE Z_PK = 4", "DROP INDEX Z_Note_byTitle",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Note'",
    "INSERT INTO Z_4TAGS VALUES (1, 99, 9000)",
  ]

  @Test func `a statement that fails, whichever it is, leaves the store as it was`() throws {
    let store = try SoundStore()
    try store.run(Self.damages)
    let damaged = try store.picture()
    var place = 1
    while true {
      var repair = store.repair()
      repair.makesBackup = false
      let counted = Mutex(0)
      let fatal = place
      repair.observer = { _ throws(SQLiteError) in
        let number = counted.withLock { count in
          count += 1
          return count
        }
        if number == fatal { throw SQLiteError(code: 13, message: "the disk is full") }
      }
      do {
        let outcome = try repair.perform()
        // Beyond the last statement nothing fails.
        if counted.withLock({ $0 }) < fatal {
          #expect(outcome.after.findings == [])
          break
        }
      } catch {
        #expect(try store.picture() == damaged, "statement \(place)")
      }
      place += 7
    }
    #expect(place > 50)
  }

  @Test(arguments: [30, 90, 150])
  func `a repair that is killed leaves the store as it was`(_ place: Int) async throws {
    let store = try SoundStore()
    try store.run(Self.damages)
    let damaged = try store.picture()
    let path = store.file.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, place = place as Int] in
      var repair = StoreRepair(storeAt: URL(filePath: path), model: nil)
      repair.makesBackup = false
      let changes = Mutex(0)
      let count = Mutex(0)
      repair.observer = { sql throws(SQLiteError) in
        let isChange = ["UPDATE", "DELETE", "CREATE"].contains { sql.hasPrefix($0) }
        if isChange { changes.withLock { $0 += 1 } }
        let number = count.withLock { count in
          count += 1
          return count
        }
        // At the place that was asked for, or at the last chance before the commit.
        if (number >= place && changes.withLock({ $0 }) > 1) || sql == "COMMIT" {
          kill(getpid(), SIGKILL)
        }
      }
      _ = try repair.perform()
    }
    #expect(try store.picture() == damaged)
    #expect(try store.repair().perform().after.findings == [])
  }

  @Test func `a damaged file is refused, with the words that help`() throws {
    let store = try SoundStore()
    _ = try store.breakPage(of: "ZBIN")
    let bytes = try Data(contentsOf: store.file)
    let error = #expect(throws: NSError.self) { try store.repair().perform() }
    #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
    #expect(error?.localizedRecoverySuggestion?.contains("--salvage") == true)
    #expect(try Data(contentsOf: store.file) == bytes)
  }

  @Test func `more errors than before are worse, and so is another kind of error`() {
    let one = Finding(.error, .pair, .table("A"), "one")
    let other = Finding(.error, .pair, .table("B"), "other")
    let warning = Finding(.warning, .order, .table("A"), "unclear")
    let report = { (findings: [Finding]) in CheckReport(findings, hasCheckedRows: true) }
    #expect(!report([one]).isWorse(than: report([one])))
    #expect(!report([]).isWorse(than: report([one, other])))
    #expect(report([other]).isWorse(than: report([one])))
    #expect(report([one, warning]).isWorse(than: report([one])))
    #expect(!report([warning]).isWorse(than: report([one])))
  }
}

extension SoundStore {
  init(file: URL) { self.file = file }
}

extension [String: String] {
  /// The rows that are others, with both of their values.
  func differences(from other: [String: String]) -> [String] {
    Set(keys).union(other.keys).filter { self[$0] != other[$0] }.sorted()
      .map { "\($0): \(other[$0] ?? "none") → \(self[$0] ?? "none")" }
  }
}
