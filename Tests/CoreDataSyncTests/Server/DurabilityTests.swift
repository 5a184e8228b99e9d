import CoreDataSQL
import CoreDataSQLite
import Foundation
import Synchronization
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncServer

/// Files whose contents are on the disk before anybody is told that they are kept.
struct DurabilityTests {
  /// The value of `PRAGMA synchronous` with which each commit waits for the disk.
  private static let full: Int64 = 2

  @Test func `the file of a server is on the disk before a device is answered`() throws {
    let place = try StoragePlace(.sqlite)
    defer { place.remove() }
    let path = place.folder.appending(path: "zones.sqlite").path
    let zones = try #require(try ServerStorage(path: path).zones as? SQLiteZoneStorage)
    let level = try zones.connection.withLock { try $0.value.integer("PRAGMA synchronous") }
    #expect(level == Self.full)
  }

  @Test func `what a device knows of a server is on the disk before the store follows`() throws {
    let place = try StoragePlace(.sqlite)
    defer { place.remove() }
    let sidecar = try Sidecar(path: place.folder.appending(path: "sidecar").path)
    #expect(try sidecar.connection.integer("PRAGMA synchronous") == Self.full)
  }
}
