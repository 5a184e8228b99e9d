import CoreDataModel
import CoreDataSQLite
import Foundation
import TestSupport
import Testing

@testable import CoreData

private let rowCount = ProcessInfo.processInfo.environment["COREDATA_MIGRATION_ROWS"]
  .flatMap { Int($0) }

/// How long migrations of large stores take; run with COREDATA_MIGRATION_ROWS=1000000.
@Suite(.enabled(if: rowCount != nil, "needs COREDATA_MIGRATION_ROWS"))
struct MigrationSpeedTests {
  private typealias Notes = LightweightMigrationTests

  @Test(arguments: ["optional", "renamed", "default", "number"])
  func `a large store is migrated`(change: String) throws {
    let changes: [String: ModelSchema] = [
      "optional": Notes.first.changing("Note") { $0.attributes.append(.text("subtitle")) },
      "renamed": Notes.first.changing("Note") {
        $0.change("title") {
          $0.name = "heading"
          $0.renamingIdentifier = "title"
        }
      },
      "default": Notes.first.changing("Note") {
        $0.attributes.append(.attribute("pages", .integer32).with { $0.defaultValue = .integer(1) })
      },
      "number": Notes.first.adding(.entity("Attachment", [.text("name")])),
    ]
    let upgrade = try Upgrade(Notes.first)
    try Connection(path: upgrade.file.path).run(
      """
      WITH RECURSIVE n (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < \(rowCount ?? 1)) \
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSTARS) \
      SELECT k, 2, 1, 'a note with the number ' || k, k % 5 FROM n
      """
    )
    let model = NSManagedObjectModel(schema: try #require(changes[change]).classless)
    let start = ContinuousClock.now
    let report = try StoreMigration(of: upgrade.file, to: model).perform()
    let time = start.duration(to: .now)
    print("\(change): \(time), \(report.bytesBeside) bytes beside the store")
    if ["optional", "renamed"].contains(change) { #expect(time < .seconds(1)) }
  }
}
