import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL
@testable import coredata

/// Tests of the tool's advice for cases in which a program would use API.
struct AdviceTests {
  private static let path = "/stores/Notes.sqlite"

  /// The failures that may come to somebody at a terminal, and that a program can do something about.
  private static func failures() throws -> [NSError] {
    let difference = try #require(
      ModelDifference(storeHashes: ["Note": Data([1])], modelHashes: ["Note": Data([2])])
    )
    let states = [
      PostgreSQLError.noneFreeState, PostgreSQLError.overdueState, PostgreSQLError.goneMomentState,
      PostgreSQLError.otherModelState, "53300",
    ]
    let servers = states.map { PostgreSQLError(state: $0, message: "no") }
    let stores: [StoreFailure.Cause] = [
      .newerFormat("metadata of the version 2"), .noModel, .damagedMetadata,
      .damagedModel("it ends too early"), .otherModel(difference),
    ]
    var databases: [PostgreSQLFailure.Cause] = [
      .noPooling("“foo”"), .missingZone("work", of: ["home"]), .missingZone("work", of: []),
      .strangeDatabase("has a table ZNOTE"),
    ]
    let migrations: [MigrationFailure.Cause] = [
      .unknownLoss([]), .backup(path: path, reason: "the disk is full"), .missingSource(difference),
      .sqlite(SQLiteError(code: 13, message: "full", sql: nil)), .readOnly(difference),
    ]
    for server in servers {
      databases += [.server(server, .opening), .server(server, .reading), .server(server, .saving)]
    }
    let objects: [ObjectFailure] = [
      .missingRow(uri: "Note/p1", entity: "Note"), .mergeConflict(uris: ["Note/p1"]),
      .duplicates(["The title is taken."]),
    ]
    var errors = stores.map { StoreFailure($0, path: path).error() }
    errors += databases.map { PostgreSQLFailure($0, path: path).error() }
    errors += migrations.map { MigrationFailure($0).error(path: path) }
    errors += servers.map { MigrationFailure($0, path: path).error(path: path) }
    errors += objects.map { $0.error() }
    let saves: [SaveFailure] = [
      .lateConflicts, .endlessConflicts, .readOnly(store: path),
      .onlyReadOnly(entity: "Note", stores: [path]),
    ]
    errors += saves.map(\.error)
    return errors + [WholeFileFailure(.changedMeanwhile, path: path).error]
  }

  @Test func `somebody at a terminal was told of options that only programs have`() throws {
    for error in try Self.failures() {
      let words = error.wordsOfTheTool
      #expect(!words.contains(/\bNS[A-Z]\w+|\bCoreData[A-Z]\w+|\bmergePolicy|\w\(/), "\(words)")
      #expect(words.hasSuffix("."), "\(words)")
    }
  }

  @Test func `what others have changed is read again, by a command that is run again`() {
    let error = ObjectFailure.missingRow(uri: "Note/p1", entity: "Note").error()
    #expect(error.localizedRecoverySuggestion?.contains("fetch again") == true)
    #expect(error.wordsOfTheTool.hasSuffix("never saved. Run the command again."))
  }

  @Test func `a migration that failed gave the advice of a save`() {
    let full = SQLiteError(code: 13, message: "database or disk is full", sql: nil)
    let words = MigrationFailure(.sqlite(full)).error(path: Self.path).wordsOfTheTool
    #expect(words.hasPrefix("The store cannot be migrated."))
    #expect(words.hasSuffix("The file is as it was; mend the cause and try again."), "\(words)")
  }

  @Test func `a server's advice stands behind what is said of its tables`() {
    let error = PostgreSQLError(state: PostgreSQLError.otherModelState, message: "other tables")
    let migration = MigrationFailure(error, path: Self.path).error(path: Self.path)
    #expect(
      migration.localizedRecoverySuggestion?
        .hasPrefix("The tables are as they were. Open the store again, with") == true
    )
    #expect(
      migration.wordsOfTheTool.hasSuffix("The tables are as they were. Run the command again.")
    )
  }

  @Test func `what the system refuses to write was told of without its place`() {
    let place = "/nowhere/at/all"
    let error = #expect(throws: CocoaError.self) { try Data().write(to: URL(filePath: place)) }
    let words = (error as NSError?)?.wordsOfTheTool
    #expect(words?.hasPrefix("\(place): ") == true, "\(words ?? "")")
  }

  @Test func `a reason goes on behind a file that was named`() {
    let damaged = StoreFailure(.damagedModel("it ends too early"), path: Self.path).error()
    #expect(damaged.reasonAlone == "the file has a damaged model cache: it ends too early")
    #expect(
      damaged.localizedFailureReason
        == "/stores/Notes.sqlite has a damaged model cache: it ends too early."
    )
    let other = StoreFailure(.unreadable, path: Self.path).error()
    #expect(other.reasonAlone == "/stores/Notes.sqlite may not be read by this user")
  }

  @Test func `a store of a format to come was to be opened with options of a program`() throws {
    let store = try ToolStore()
    let change = try Program.run(
      "sql",
      store.path,
      "UPDATE Z_METADATA SET Z_VERSION = 2",
      "--write"
    )
    #expect(change.status == 0, "\(change.errors)")
    let refused = try Program.run("dump", store.path)
    #expect(refused.status == 1)
    #expect(
      refused.errors.contains(
        "Use a newer version of coredata; coredata dump --without-model prints the rows as they are."
      ),
      "\(refused.errors)"
    )
    let shown = try Program.run("dump", store.path, "--without-model")
    #expect(shown.status == 0 && shown.output.contains("Shopping"), "\(shown.errors)")
  }

  @Test func `a manner of pooling is corrected where it was written`() throws {
    let outcome = try Program.run("dump", "postgresql://nobody@127.0.0.1:1/notes?pooling=foo")
    #expect(outcome.status == 1)
    #expect(
      outcome.errors.contains(
        "Write ?pooling=transaction or ?pooling=session at the end of the address, or neither"
      ),
      "\(outcome.errors)"
    )
  }
}
