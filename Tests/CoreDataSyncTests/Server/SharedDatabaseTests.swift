import CoreData
import CoreDataSyncCore
import CoreDataSyncPostgreSQL
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataPostgreSQL
@testable import CoreDataSyncServer

/// Several servers with one database.
@Suite(.enabled(if: PostgreSQLServer.isInstalled))
struct SharedDatabaseTests {
  private let database = PostgreSQLServer.shared.place()
  private static let now: UInt64 = 1_700_000_000_000

  private func server(_ run: UInt64) throws -> ZoneServer {
    ZoneServer(try ServerStorage.postgreSQL(at: database).zones, era: run)
  }

  private func title(of note: UInt64, at moment: UInt64) -> KeyedCell {
    let stamp = Stamp(moment: (Self.now << 16) + moment, writer: 9)
    return KeyedCell(
      CellKey(SyncID(random: note, note), .value(PropertyID(name: "title"))),
      Cell(epoch: 1, stamp: stamp, payload: [7])
    )
  }

  private func push(
    _ cells: [KeyedCell],
    to server: ZoneServer,
    at cursor: Cursor = .start,
    seen: Cursor = .start
  ) throws -> SyncResponse {
    let phone = SyncID(random: 1, 1)
    let push = SyncRequest.Push(replica: phone, cursor: cursor, seen: seen, cells: cells)
    return try server.answer(.push(push), of: "notes", at: Self.now)
  }

  private func pull(
    from server: ZoneServer,
    after cursor: Cursor = .start,
    by replica: SyncID = SyncID(random: 1, 1)
  ) throws -> SyncResponse.Page? {
    let pull = SyncRequest.Pull(
      replica: replica,
      after: cursor,
      seen: cursor,
      acknowledged: cursor,
      isSnapshot: cursor == .start,
      limit: 100
    )
    guard case .page(let page) = try server.answer(.pull(pull), of: "notes", at: Self.now) else {
      return nil
    }
    return page
  }

  private func cursor(_ response: SyncResponse) throws -> Cursor {
    guard case .pushed(let pushed) = response else {
      throw WireError(sentence: "\(response)", offset: 0)
    }
    return pushed.head
  }

  @Test("whoever follows a zone missed what was pushed to two servers at once")
  func twoServers() throws {
    let servers = [try server(1), try server(2)]
    _ = try pull(from: servers[0])
    let done = Atomic(0)
    let failures = Mutex<[String]>([])
    for (place, server) in servers.enumerated() {
      Thread {
        for number in 1...40 as ClosedRange<UInt64> {
          let note = UInt64(place) * 1_000 + number
          do {
            _ = try push([title(of: note, at: number)], to: server)
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
        done.add(1, ordering: .releasing)
      }.start()
    }
    let laptop = SyncID(random: 2, 2)
    let first = try #require(try pull(from: servers[1], by: laptop))
    var cursor = first.next
    var heard = Set(first.cells.map(\.key))
    var isEnd = false
    while !isEnd {
      isEnd = done.load(ordering: .acquiring) == 2
      let page = try #require(try pull(from: servers[1], after: cursor, by: laptop))
      heard.formUnion(page.cells.map(\.key))
      cursor = page.next
      if !page.isLast { isEnd = false }
    }
    let all = try #require(try pull(from: servers[0], by: SyncID(random: 3, 3))).cells
    #expect(failures.withLock { $0 } == [])
    #expect(all.count == 80)
    #expect(heard == Set(all.map(\.key)))
    #expect(cursor.position == 80)
  }

  @Test("a zone to which two servers write in turns seemed to be put back")
  func turns() throws {
    let servers = [try server(1), try server(2)]
    _ = try pull(from: servers[0])
    var seen = Cursor.start
    for moment in 1...6 as ClosedRange<UInt64> {
      seen = try cursor(
        push([title(of: 1, at: moment)], to: servers[Int(moment % 2)], seen: seen)
      )
    }
    #expect(seen.position == 6)
    #expect(try pull(from: servers[0], after: seen) != nil)
  }

  @Test("a database that was put back while servers ran is noticed by a device that has seen more")
  func backup() throws {
    let server = try server(1)
    _ = try pull(from: server)
    let first = try cursor(push([title(of: 1, at: 1)], to: server))
    try run("CREATE TABLE backup AS SELECT * FROM sync_cell")
    let second = try cursor(push([title(of: 2, at: 2)], to: server, seen: first))
    try putBack(head: 1)
    let other = try cursor(push([title(of: 3, at: 3)], to: server, seen: first))
    #expect(other.position == second.position && other.era != second.era)
    #expect(try push([], to: server, seen: second) == .refused(.rewound))
    #expect(try push([], to: server, seen: other) != .refused(.rewound))
  }

  @Test("what was forgotten once a database was put back hid that it was")
  func forgetting() throws {
    let server = try server(1)
    _ = try pull(from: server)
    _ = try push([life(1, at: 1)], to: server)
    let first = try cursor(push([life(2, at: 2)], to: server))
    _ = try pull(from: server, after: first)
    try run("CREATE TABLE backup AS SELECT * FROM sync_cell")
    let second = try cursor(push([title(of: 2, at: 3)], to: server, at: first, seen: first))
    try putBack(head: first.position)
    #expect(try server.purge("notes", silentSince: 0) == 1)
    let other = try cursor(push([title(of: 3, at: 4)], to: server, at: first, seen: first))
    #expect(other.position == second.position && other.era != second.era)
  }

  private func life(_ epoch: UInt16, at moment: UInt64) -> KeyedCell {
    let stamp = Stamp(moment: (Self.now << 16) + moment, writer: 9)
    return KeyedCell(
      CellKey(SyncID(random: 9, 9), .life),
      Cell(epoch: epoch, stamp: stamp, payload: CellValue.entity("Note").payload)
    )
  }

  /// Makes the cells those of the table `backup`, as who restores a dump does.
  private func putBack(head: UInt64) throws {
    try run(
      """
      TRUNCATE sync_cell; INSERT INTO sync_cell SELECT * FROM backup; UPDATE sync_zone SET head = \(head)
      """
    )
  }

  @Test("whoever waits at one server is woken by what is pushed to another")
  func news() throws {
    let storages = try (0..<2).map { _ in try ServerStorage.postgreSQL(at: database) }
    let rung = DispatchSemaphore(value: 0)
    storages[0].zones.tellOfOthers { zone, number in
      if zone == "notes", number == 1 { rung.signal() }
    }
    let server = ZoneServer(storages[1].zones, era: 2)
    _ = try pull(from: server)
    _ = try push([title(of: 1, at: 1)], to: server)
    #expect(rung.wait(timeout: .now() + 60) == .success)
    withExtendedLifetime(storages) {}
  }

  @Test("of servers that began at once one failed where the user's transactions see one moment")
  func beginning() throws {
    let name = UUID().uuidString
    let settings = "%20-cdefault_transaction_isolation%3Dserializable&application_name=\(name)"
    let url = try #require(URL(string: database.absoluteString + settings))
    let other = try PostgreSQLShell.connect(PostgreSQLAddress(database, options: nil))
    try other.run("BEGIN; SELECT pg_advisory_xact_lock(\(0x636f_7265_7379_6e63))")
    let failures = Mutex<[String]>([])
    let hasEnded = DispatchSemaphore(value: 0)
    for _ in 0..<2 {
      Thread.detachNewThread {
        do {
          _ = try ServerStorage.postgreSQL(at: url)
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
        hasEnded.signal()
      }
    }
    let waits = """
      SELECT 1 FROM pg_stat_activity WHERE application_name = '\(name)' AND wait_event_type = 'Lock'
      """
    try BoundedWait("The servers have not met the lock").until {
      try PostgreSQLShell.rows(waits, at: database).count == 2
    }
    try other.run("COMMIT")
    for _ in 0..<2 { #expect(hasEnded.wait(timeout: .now() + 60) == .success) }
    #expect(failures.withLock { $0 } == [])
  }

  @Test("a database that was started again is asked over new connections, and nobody notices")
  func restart() throws {
    let name = UUID().uuidString
    let url = try #require(URL(string: "\(database.absoluteString)&application_name=\(name)"))
    let server = ZoneServer(try ServerStorage.postgreSQL(at: url).zones, era: 1)
    _ = try pull(from: server)
    try run(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = '\(name)'"
    )
    #expect(try cursor(push([title(of: 1, at: 1)], to: server)).position == 1)
  }

  @Test("a token that one server has made opens the zone at another, until it is revoked")
  func tokens() throws {
    let books = try (0..<2).map { _ in
      TokenBook(try ServerStorage.postgreSQL(at: database).tokens)
    }
    let text = try books[0].make(zone: "notes", .write, label: "Küche", at: 5)
    let token = try #require(try books[1].token(text))
    #expect(token.zone == "notes" && token.role == .write && token.label == "Küche")
    #expect(try books[1].revoke(token.number, of: "notes"))
    #expect(try books[0].token(text)?.isRevoked == true)
    #expect(try books[0].all(of: "recipes").isEmpty && books[0].all(of: nil).count == 1)
  }

  @Test("what a database refuses is told to devices in words that say nothing of its tables")
  func refusing() throws {
    let storage = try ServerStorage.postgreSQL(at: database)
    try run("DROP TABLE sync_writer CASCADE")
    let server = ZoneServer(storage.zones, era: 1)
    _ = try pull(from: server)
    #expect {
      _ = try push([title(of: 1, at: 1)], to: server)
    } throws: { error in
      (error as? ServiceRefusal)?.status == 500 && !"\(error)".contains("sync_writer")
    }
    #expect(try server.head(of: "notes") == 0)
  }

  private func run(_ sql: String) throws { try PostgreSQLShell.run(sql, at: database) }
}
