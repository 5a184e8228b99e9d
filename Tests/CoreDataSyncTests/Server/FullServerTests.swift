import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

@testable import CoreDataSyncHTTP
@testable import CoreDataSyncServer

/// A server whose disk is full.
struct FullServerTests {
  private let storage: SQLiteZoneStorage
  private let service: SyncService
  private let token: String
  private let told = Told()

  private final class Told: Sendable {
    let sentences = Mutex<[String]>([])
  }

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "full-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: "zones.sqlite").path
    storage = try SQLiteZoneStorage(path: path, isDurable: false)
    let whole = try ServerStorage(path: path, isDurable: false)
    service = SyncService(
      ServerStorage(zones: storage, tokens: whole.tokens, assets: whole.assets),
      era: 5,
      report: { [told] sentence in told.sentences.withLock { $0.append(sentence) } },
      clock: { 1_700_000_000_000 }
    )
    token = try service.tokens.make(zone: "Notes", .write, label: "", at: 1)
  }

  private func setRoom(_ pages: Int) throws {
    // SQLite takes no limit below what there is.
    try storage.connection.withLock {
      try $0.value.run("PRAGMA max_page_count = \(pages)" as String)
    }
  }

  private func answer(to request: SyncRequest) -> HTTPAnswer {
    HTTPRequest(
      method: "POST",
      path: "/v1/zones/Notes/sync",
      authorization: "Bearer \(token)",
      body: request.bytes,
      argument: { _ in nil }
    ).answer(by: service)
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

  @Test("a server on a full disk answered in words of SQLite, and told its owner nothing")
  func fullDisk() throws {
    #expect(answer(to: pull).status == 200)
    #expect(answer(to: push(2)).status == 200)
    try setRoom(1)
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
    // What was refused is in no part there.
    #expect(try page()?.cells.count == 2)
    try setRoom(1_000_000)
    #expect(answer(to: push(40)).status == 200)
    #expect(try page()?.cells.count == 40)
  }
}
