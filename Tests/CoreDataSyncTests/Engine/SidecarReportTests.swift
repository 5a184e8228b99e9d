import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Testing

@testable import CoreDataSync

/// Looking at a sidecar of any writer changes nothing.
final class SidecarReportTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("coredata-report-\(UUID().uuidString)")
  private var store: String { folder.appendingPathComponent("Notes.sqlite").path }
  private var file: String { SyncSession.sidecar(ofStoreAt: store) }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The bytes of a sidecar that was made by a program of a version, and changed by it then.
  private func make(
    _ version: Int64,
    _ change: (Connection) throws -> Void = { _ in }
  ) throws -> Data {
    let sidecar = try Sidecar(path: file, isDurable: false)
    try sidecar.setNumber(version, "version")
    try change(sidecar.connection)
    try sidecar.connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    return try Data(contentsOf: URL(filePath: file))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("looking at a sidecar made files beside it")
  func untouched() throws {
    let bytes = try make(SidecarTables.version)
    let report = try #require(try SidecarReport(ofStoreAt: store))
    #expect(try report.pending == 0 && report.size() == (0, 0))
    #expect(try names == ["Notes.sqlite-sync"])
    #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
  }

  @Test("looking at the sidecar of an earlier program deleted all that it had")
  func older() throws {
    let bytes = try make(1)
    let error = #expect(throws: SyncFailure.self) { try SidecarReport(ofStoreAt: self.store) }
    #expect(error?.description.contains("Open the store once with its program") == true)
    #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
  }

  @Test("looking at a sidecar whose tables lack a column added that column")
  func lackingColumn() throws {
    let bytes = try make(SidecarTables.version) {
      try $0.run("ALTER TABLE cell DROP COLUMN formerSince")
    }
    #expect(throws: SyncFailure.self) { try SidecarReport(ofStoreAt: self.store) }
    #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
  }

  @Test("a sidecar of a later program got tables before it was refused")
  func newer() throws {
    let bytes = try make(SidecarTables.version + 1) { try $0.run("DROP TABLE drained") }
    for open in [
      { _ = try Sidecar(path: self.file) }, { _ = try SidecarReport(ofStoreAt: self.store) },
    ] {
      let error = #expect(throws: SyncFailure.self) { try open() }
      #expect(error?.description.contains("was written by a newer version") == true)
      #expect(try Data(contentsOf: URL(filePath: file)) == bytes)
    }
  }

  @Test("what is no sidecar is told of in a sentence")
  func damaged() throws {
    try Data("no database, and longer than the head of one".utf8).write(to: URL(filePath: file))
    let error = #expect(throws: SyncFailure.self) { try SidecarReport(ofStoreAt: self.store) }
    #expect(error?.description.contains("cannot be read") == true)
  }

  @Test("what is read while a program begins to write is not told as if it were of one moment")
  func overtaken() throws {
    _ = try make(SidecarTables.version)
    let sidecar = try Sidecar(reading: file, .fromOutside)
    try sidecar.checkIsUnchanged()
    let writer = try Sidecar(path: file, isDurable: false)
    try writer.setNumber(7, "page")
    #expect(throws: SyncFailure.self) { try sidecar.checkIsUnchanged() }
    #expect(try SidecarReport(ofStoreAt: store)?.pending == 0)
  }
}
