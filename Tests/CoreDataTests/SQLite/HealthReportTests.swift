import ChildPrograms
import CoreDataSQL
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

/// The answer to a load balancer.
@Suite struct HealthReportTests {
  private static func stack(_ kind: StoreKind) throws -> NotesStack {
    let stack = try NotesStack(kind)
    try stack.work { context in
      context.note("Seeds", in: context.folder("Garden"))
      try context.save()
    }
    return stack
  }

  @Test(arguments: [StoreKind.memory, .sqlite])
  func `a store that is well can serve`(kind: StoreKind) async throws {
    let report = try await Self.stack(kind).coordinator.healthReport()
    #expect(report.canServe && report.statusCode == 200 && report.stores.count == 1)
    let copy = try JSONDecoder().decode(HealthReport.self, from: JSONEncoder().encode(report))
    #expect(copy == report)
  }

  @Test func `a program without a store was able to serve`() async {
    let report = await NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
      .healthReport()
    #expect(report.statusCode == 503 && report.reasons == ["No store is open."])
  }

  @Test func `a program whose tables another one had migrated was told to be well`() async throws {
    let stack = try Self.stack(.sqlite)
    let other = try Connection(path: try #require(stack.file).path, mode: .readWrite)
    try other.run("ALTER TABLE ZNOTE RENAME COLUMN ZTITLE TO ZHEADING")
    let report = await stack.coordinator.healthReport()
    #expect(!report.canServe && report.statusCode == 503)
    #expect(report.reasons.contains { $0.hasPrefix("It cannot be read:") }, "\(report.reasons)")
    try other.run("ALTER TABLE ZNOTE RENAME COLUMN ZHEADING TO ZTITLE")
    #expect(await stack.coordinator.healthReport().canServe)
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `a program whose database another one had migrated was told to be well`() async throws {
    let place = try #require(URL(string: DatabaseServer.shared.makeDatabase()))
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    #expect(await stack.coordinator.healthReport().canServe)
    func rename(_ old: String, to new: String) throws {
      let change = "ALTER TABLE \"ZNOTE\" RENAME \"\(old)\" TO \"\(new)\""
      _ = try PostgreSQLShell.rows(change, at: place)
    }
    try rename("ZTITLE", to: "ZHEADING")
    let report = await stack.coordinator.healthReport()
    #expect(report.statusCode == 503 && !report.reasons.isEmpty, "\(report.reasons)")
    try rename("ZHEADING", to: "ZTITLE")
    let after = await stack.coordinator.healthReport()
    #expect(after.canServe, "\(after.reasons)")
  }

  @Test(.enabled(if: PostgreSQLServer.isInstalled))
  func `a database that stood still held up the answer for as long as it stood still`() async throws
  {
    let place = try #require(URL(string: DatabaseServer.shared.makeDatabase()))
    let stack = try NotesStack(type: NSPostgreSQLStoreType, at: place)
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(place, options: nil))
    try other.run("BEGIN; LOCK TABLE \"ZNOTE\" IN ACCESS EXCLUSIVE MODE")
    let report = await stack.coordinator.healthReport(within: .milliseconds(300))
    #expect(report.statusCode == 503)
    #expect(report.reasons.contains { $0.contains("has not answered within") })
    try other.run("COMMIT")
    _ = await stack.coordinator.healthReport(within: .seconds(60))
    #expect(await stack.coordinator.healthReport(within: .seconds(60)).canServe)
  }

  @Test func `a store that stood still held up the answer for as long as it stood still`()
    async throws
  {
    let stack = try Self.stack(.sqlite)
    let other = try Connection(path: try #require(stack.file).path, mode: .readWrite)
    try other.run("BEGIN IMMEDIATE")
    // On a busy machine, the store's own patience may be over first.
    var report = await stack.coordinator.healthReport(within: .milliseconds(100))
    for _ in 0..<10 where !report.reasons.contains(where: { $0.contains("has not answered") }) {
      report = await stack.coordinator.healthReport(within: .milliseconds(100))
    }
    #expect(report.reasons.contains { $0.contains("has not answered within") })
    #expect(!report.canServe)
    try other.run("ROLLBACK")
    #expect(await stack.coordinator.healthReport(within: .seconds(60)).stores.count == 1)
    #expect(await stack.coordinator.healthReport(within: .seconds(60)).canServe)
  }
}
