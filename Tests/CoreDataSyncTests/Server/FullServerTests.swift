import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreDataPostgreSQL
@testable import CoreDataSyncHTTP
@testable import CoreDataSyncServer

/// A server whose disk is full.
struct FullServerTests {
  @Test("a server on a full disk answered in words of SQLite, and told its owner nothing")
  func fullDisk() throws {
    let place = try StoragePlace(.sqlite)
    defer { place.remove() }
    let path = place.folder.appending(path: "zones.sqlite").path
    let storage = try SQLiteZoneStorage(path: path, isDurable: false)
    let whole = try place.open()
    let server = try FullServer(
      ServerStorage(zones: storage, tokens: whole.tokens, assets: whole.assets)
    )
    func setRoom(_ pages: Int) throws {
      // SQLite takes no limit below what there is.
      try storage.connection.withLock {
        try $0.value.run("PRAGMA max_page_count = \(pages)" as String)
      }
    }
    try server.check(filling: { try setRoom(1) }, makingRoom: { try setRoom(1_000_000) })
  }

  @Test(
    "a server whose database has no room answered in words of the database",
    .enabled(if: PostgreSQLServer.isInstalled)
  )
  func fullDatabase() throws {
    let place = try StoragePlace(.postgreSQL)
    let database = try #require(place.database)
    let server = try FullServer(try place.open())
    // The database's message if it cannot make a file longer.
    let fill = """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
      RAISE 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$; \
      CREATE TRIGGER refuse BEFORE INSERT ON sync_cell FOR EACH ROW EXECUTE FUNCTION refuse()
      """
    try server.check(
      filling: { try PostgreSQLShell.run(fill, at: database) },
      makingRoom: { try PostgreSQLShell.run("DROP TRIGGER refuse ON sync_cell", at: database) }
    )
  }
}

/// A server that runs out of room, and gets some.
private struct FullServer {
  private let service: SyncService
  private let token: String
  private let told = Told()

  private final class Told: Sendable {
    let sentences = Mutex<[String]>([])
  }

  init(_ storage: ServerStorage) throws {
    service = SyncService(
      storage,
      era: 5,
      report: { [told] sentence in told.sentences.withLock { $0.append(sentence) } },
      clock: { 1_700_000_000_000 }
    )
    token = try service.tokens.make(zone: "Notes", .write, label: "", at: 1)
  }

  private func answer(to request: SyncRequest) -> HTTPAnswer {
    HTTPRequest(
      method: "POST",
      path: "/v1/zones/Notes/sync",
      authorization: "Bearer \(token)",
      body: request.bytes,
      arguments: [:]
    ).answer(by: Answering(service, BodyRoom(), WorkTurns(), connectionsForToken: 1))
  }

  private let phone = SyncID(random: 1, 1)

  private var pull: SyncRequest {
    .pull(
      .init(
        replica: phone,
        after: .start,
        seen: .start,
        acknowledged: .start,
        isSnapshot: true,
        limit: 1_000
      )
    )
  }

  /// Notes with long texts.
  private func push(_ count: UInt64) -> SyncRequest {
    let cells = (1...count).map { number in
      let stamp = Stamp(moment: number, writer: 9)
      let text = CellValue.text(String(repeating: "soil ", count: 1_000))
      let field = CellKey.Field.value(PropertyID(number: 7))
      let cell = Cell(epoch: 1, stamp: stamp, payload: text.payload)
      return KeyedCell(CellKey(SyncID(random: 3, number), field), cell)
    }
    return .push(.init(replica: phone, cursor: .start, seen: .start, cells: cells))
  }

  private func page() throws -> SyncResponse.Page? {
    let answer = answer(to: pull)
    guard case .page(let page) = try SyncResponse(bytes: answer.body) else { return nil }
    return page
  }

  /// Sends notes before the disk is full, while it is, and when there is room again.
  func check(filling fill: () throws -> Void, makingRoom makeRoom: () throws -> Void) throws {
    #expect(answer(to: pull).status == 200)
    #expect(answer(to: push(2)).status == 200)
    try fill()
    for _ in 0..<2 {
      let answer = answer(to: push(40))
      #expect(answer.status == 507)
      let words = String(decoding: answer.body, as: UTF8.self)
      #expect(words.contains("The server's disk is full"))
      #expect(words.contains("nothing of it is lost"))
    }
    #expect(
      told.sentences.withLock { $0 } == [
        """
        The disk with what the server keeps is full. Make room on it; what devices could not send is with them, and \
        comes then.
        """
      ]
    )
    // No part of a refused message is there.
    #expect(try page()?.cells.count == 2)
    try makeRoom()
    #expect(answer(to: push(40)).status == 200)
    #expect(try page()?.cells.count == 40)
  }
}
