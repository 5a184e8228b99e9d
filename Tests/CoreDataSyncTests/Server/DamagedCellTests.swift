import CoreData
import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Testing

@testable import CoreDataSyncServer

/// Values that something has changed in the file of a server.
struct DamagedCellTests {
  private func file(of server: LocalServer) -> URL { server.folder.appending(path: "zones.sqlite") }

  /// Changes the file of a server while it is stopped.
  private func change(_ server: LocalServer, _ work: (Connection) throws -> Void) throws {
    server.stop()
    try work(try Connection(path: file(of: server).path))
    try server.start()
  }

  /// Flips a bit of each place where a text is in the file of a server.
  private func flip(_ text: String, in server: LocalServer) throws {
    try change(server) { try $0.run("PRAGMA wal_checkpoint(TRUNCATE)" as String) }
    server.stop()
    var bytes = try Data(contentsOf: file(of: server))
    var count = 0
    while let place = bytes.firstRange(of: Data(text.utf8)) {
      bytes[place.lowerBound] ^= 1
      count += 1
    }
    #expect(count > 0)
    try bytes.write(to: file(of: server))
    try server.start()
  }

  private func countOfDamaged(in server: LocalServer) throws -> Int64? {
    try Connection(path: file(of: server).path)
      .integer("SELECT COUNT(*) FROM damaged" as SQLFragment)
  }

  @Test("A value with a flipped bit comes to nobody, and the device that has it sends it again")
  func flippedBit() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds in spring", of: "garden")
    try phone.title("Rain", of: "sky")
    try await phone.syncNow()
    phone.stopSyncing()
    try flip("Seeds in spring", in: server)

    let laptop = try server.container("laptop", address: try server.address())
    defer { laptop.stopSyncing() }
    try await laptop.syncNow()
    #expect(try laptop.titles == ["sky": "Rain"])
    #expect(try countOfDamaged(in: server) == 1)

    try phone.startSyncing(at: try server.address())
    let titles = ["garden": "Seeds in spring", "sky": "Rain"]
    #expect(try await comes { try laptop.titles == titles })
    #expect(try phone.titles == titles && phone.conflicts.isEmpty && laptop.conflicts.isEmpty)
  }

  @Test("A value whose stamp became the latest by a flipped bit is replaced by the next one")
  func flippedStamp() async throws {
    let server = try LocalServer()
    let phone = try server.container("phone", address: try server.address())
    defer { phone.stopSyncing() }
    try phone.title("Seeds", of: "garden")
    try await phone.syncNow()
    phone.stopSyncing()
    try change(server) { connection in
      let rank = [0x7F, 0xFF] + [UInt8](repeating: 0, count: 16)
      try connection.run("UPDATE cell SET rank = \(.blob(rank)) WHERE field <> x'00'")
    }
    try phone.title("Seeds and soil", of: "garden")
    try phone.startSyncing(at: try server.address())
    try await phone.syncNow()
    let laptop = try server.container("laptop", address: try server.address())
    defer { laptop.stopSyncing() }
    #expect(try await comes { try laptop.titles == ["garden": "Seeds and soil"] })
  }

  @Test("A file gets checksums with its next values, and an earlier server can go on with it")
  func olderFile() throws {
    let zone = try TestedZone(.sqlite)
    _ = try zone.pull(zone.phone, snapshot: true)
    _ = try zone.push([zone.life(1, at: 5)], from: zone.phone)
    let connection = try Connection(path: zone.place.folder.appending(path: "zones.sqlite").path)
    func checksum() throws -> Int64? { try connection.integer("SELECT checksum FROM cell") }
    #expect(try checksum() == Int64(zone.life(1, at: 5).checksum))
    // As an older server would.
    try connection.run("UPDATE cell SET payload = x'0D41'" as String)
    #expect(try checksum() == nil)
    #expect(try zone.page(zone.pull(zone.laptop, snapshot: true)).cells.count == 1)

    try connection.run("DROP TRIGGER cell_unchecked" as String)
    try connection.run("ALTER TABLE cell DROP COLUMN checksum" as String)
    let service = ZoneServer(try zone.place.open().zones, era: 78)
    let push = SyncRequest.Push(
      replica: zone.phone,
      cursor: .start,
      seen: .start,
      cells: [zone.life(1, at: 6)]
    )
    _ = try service.answer(.push(push), of: "notes", at: TestedZone.now)
    #expect(try checksum() == Int64(zone.life(1, at: 6).checksum))
  }
}
