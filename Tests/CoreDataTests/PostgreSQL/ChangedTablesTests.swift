import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// Stores that are open while somebody changes their tables by hand, and puts them back.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct ChangedTablesTests {
  /// A change of the tables, and the statement that takes it back.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let change: String
    let back: String
    /// Whether the server refuses what is saved; a text takes any number.
    var stopsSaves = true
  }

  static let changes = [
    Change(
      testDescription: "a text became bytes",
      change: """
        ALTER TABLE "ZNOTE" ALTER "ZTITLE" TYPE BYTEA USING convert_to("ZTITLE", 'UTF8')
        """,
      back: """
        ALTER TABLE "ZNOTE" ALTER "ZTITLE" TYPE TEXT COLLATE "C" USING convert_from("ZTITLE", 'UTF8')
        """
    ),
    Change(
      testDescription: "a text became a number",
      change: "ALTER TABLE \"ZNOTE\" ALTER \"ZTITLE\" TYPE BIGINT USING length(\"ZTITLE\")",
      back: """
        ALTER TABLE "ZNOTE" ALTER "ZTITLE" TYPE TEXT COLLATE "C" \
        USING CASE "ZTITLE" WHEN 6 THEN 'before' END
        """
    ),
    Change(
      testDescription: "a number became a text",
      change: "ALTER TABLE \"ZNOTE\" ALTER \"ZSTARS\" TYPE TEXT USING \"ZSTARS\" || ' stars'",
      back: """
        ALTER TABLE "ZNOTE" ALTER "ZSTARS" TYPE BIGINT \
        USING CAST(split_part("ZSTARS", ' ', 1) AS BIGINT)
        """,
      stopsSaves: false
    ),
    Change(
      testDescription: "a column is gone",
      change: "ALTER TABLE \"ZNOTE\" RENAME \"ZTITLE\" TO gone",
      back: "ALTER TABLE \"ZNOTE\" RENAME gone TO \"ZTITLE\""
    ),
    Change(
      testDescription: "a table is gone",
      change: "ALTER TABLE \"ZNOTE\" RENAME TO gone",
      back: "ALTER TABLE gone RENAME TO \"ZNOTE\""
    ),
  ]

  private func expectChanged(_ body: () throws -> Void) throws {
    let error = try #require(throws: CocoaError.self, performing: body)
    #expect(error.code == .fileReadCorruptFile)
    let reason = try #require((error as NSError).localizedFailureReason)
    #expect(reason.contains("somebody has changed the tables"))
  }

  @Test(arguments: changes)
  func `what was read from tables that somebody had changed was something else`(
    change: Change
  ) throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    let id = try stack.saved { context in
      let note = context.note("before")
      note.stars = 3
      return note
    }
    // Nothing of this one is known yet.
    let other = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    let uri = id.uriRepresentation()
    let same = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
    try PostgreSQLShell.run(change.change, at: place)

    try expectChanged { _ = try stack.work { try $0.fetch(Note.fetchRequest()) } }
    try expectChanged { _ = try other.work { try $0.existingObject(with: same) } }
    let writer = stack.context()
    try writer.performAndWait {
      let note = writer.note("new")
      note.stars = 5
      if change.stopsSaves {
        try expectChanged { try writer.save() }
        #expect(writer.hasChanges && note.objectID.isTemporaryID)
      }
      try PostgreSQLShell.run(change.back, at: place)
      try writer.save()
    }
    for stack in [stack, other] {
      let found = try stack.work { context in
        try context.fetch(Note.fetchRequest()).map { "\($0.title ?? "–") \($0.stars)" }.sorted()
      }
      #expect(found == ["before 3", "new 5"])
    }
    #expect(try other.work { try ($0.existingObject(with: same) as? Note)?.stars } == 3)
  }

  @Test func `records of a column that became another one were of other values`() throws {
    let place = PostgreSQLServer.shared.place()
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    try stack.saved { $0.note("before") }
    try PostgreSQLShell.run(Self.changes[1].change, at: place)
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    try expectChanged { _ = try stack.work { try $0.fetch(request) } }
  }

  @Test(arguments: ["42804", "42883"])
  func `a changed table was told as a request that PostgreSQL does not sort or compute`(
    state: String
  ) {
    let error = PostgreSQLError(state: state, message: "column \"ZTITLE\" is of type bigint")
    for act in [PostgreSQLError.Act.saving, .opening] {
      #expect(error.code(act) == CocoaError.fileReadCorruptFile.rawValue)
      #expect(error.reason(act).contains("somebody has changed the tables"))
    }
    #expect(error.code(.reading) == NSPersistentStoreUnsupportedRequestTypeError)
  }
}
