import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import Synchronization
import Testing

@testable import CoreDataSyncServer

/// Tests of the rights at a server.
struct SyncServiceTests {
  private let folder: URL
  private let service: SyncService
  private static let time = Atomic<UInt64>(1_700_000_000_000)

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = try SyncService(
      path: folder.appending(path: "zones.sqlite").path,
      era: 5,
      isDurable: false,
      limits: RateLimits(perSecond: 10, atOnce: 20),
      clock: { Self.time.load(ordering: .relaxed) }
    )
  }

  private let phone = SyncID(random: 1, 1)

  private var snapshot: [UInt8] {
    SyncRequest.pull(
      .init(
        replica: phone,
        after: .start,
        seen: .start,
        acknowledged: .start,
        isSnapshot: true,
        limit: 10
      )
    ).bytes
  }

  private var push: [UInt8] {
    let stamp = Stamp(moment: 1, writer: 9)
    let life = Cell(epoch: 1, stamp: stamp, payload: CellValue.entity("Note").payload)
    let cell = KeyedCell(CellKey(SyncID(random: 3, 3), .life), life)
    return SyncRequest.push(.init(replica: phone, cursor: .start, seen: .start, cells: [cell]))
      .bytes
  }

  @Test("a value in a message was larger than what a device takes in a page")
  func largeValues() throws {
    let token = try token(.write)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    let cases: [(size: Int, status: Int?)] = [
      (WireLimits.inline, nil), (WireLimits.inline + 1, 413),
    ]
    for (size, status) in cases {
      let text = Cell(
        epoch: 1,
        stamp: Stamp(moment: 1, writer: 9),
        payload: [UInt8](repeating: 5, count: size)
      )
      let cell = KeyedCell(CellKey(SyncID(random: 3, 3), .value(PropertyID(name: "text"))), text)
      let push = SyncRequest.push(
        .init(replica: phone, cursor: .start, seen: .start, cells: [cell])
      )
      let refused = try refusal {
        _ = try service.answer(push.bytes, zone: "Notes", token: token)
      }
      #expect(refused == status)
    }
  }

  private func token(_ role: TokenRole, zone: String = "Notes") throws -> String {
    try service.tokens.make(zone: zone, role, label: "test", at: 1)
  }

  /// The status of a refusal; `nil` if there was none.
  private func refusal(_ work: () throws -> Void) throws -> Int? {
    do {
      try work()
      return nil
    } catch let refusal as ServiceRefusal {
      return refusal.status
    }
  }

  @Test("one token took all connections by waiting for news")
  func manyListeners() throws {
    let room = WaitingRoom()
    var places = (0..<WaitingRoom.places).map { _ in room.place(forToken: 1) }
    #expect(places.allSatisfy { $0 != nil })
    #expect(room.place(forToken: 1) == nil)
    // Others have places of their own, and a place that is given up is free.
    #expect(room.place(forToken: 2) != nil)
    places.removeLast()
    #expect(room.place(forToken: 1) != nil)
  }

  @Test("a listener keeps a place, and the next but the last is refused with a sentence")
  func listenersHavePlaces() throws {
    let service = try SyncService(
      path: folder.appending(path: "waiting.sqlite").path,
      era: 5,
      isDurable: false,
      clock: { 1 }
    )
    let key = try service.tokens.make(zone: "Notes", .read, label: "test", at: 1)
    func listen(_ client: Client) throws {
      try service.tellNews(of: "Notes", after: nil, token: key, to: client.name) { _ in }
    }
    let clients = (0..<WaitingRoom.places).map { _ in Client() }
    for client in clients { try listen(client) }
    #expect(service.waitingCount == WaitingRoom.places)
    let other = Client()
    #expect(try refusal { try listen(other) } == 429)
    service.stopTelling("Notes", of: clients[7].name)
    #expect(try refusal { try listen(other) } == nil)
  }

  @Test("a token opens its own zone and no other, and none opens nothing")
  func zones() throws {
    let token = try token(.write)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    let cases: [(String, String?)] = [
      ("Recipes", token), ("Notes", nil), ("Notes", ""), ("Notes", String(token.dropLast())),
      ("Notes", String(repeating: "0", count: 32)),
    ]
    for (zone, text) in cases {
      #expect(try refusal { _ = try service.answer(snapshot, zone: zone, token: text) } == 401)
    }
    #expect(try refusal { _ = try service.answer(snapshot, zone: "../x", token: token) } == 404)
  }

  @Test("a token that can only read sends nothing")
  func reading() throws {
    let token = try token(.read)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    #expect(try refusal { _ = try service.answer(push, zone: "Notes", token: token) } == 403)
    #expect(try service.head(of: "Notes", token: token) == 0)
  }

  @Test("a token that was revoked is refused from the next request on, also by another program")
  func revoking() throws {
    let token = try token(.write)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    let book = TokenBook(
      try SQLiteTokenStorage(path: folder.appending(path: "zones.sqlite").path)
    )
    #expect(try book.revoke(1, of: nil))
    #expect(try refusal { _ = try service.answer(snapshot, zone: "Notes", token: token) } == 401)
    #expect(try !book.revoke(7, of: nil))
  }

  @Test("only an administrator makes and revokes tokens, and only those of the zone")
  func administration() throws {
    let admin = try token(.admin)
    let other = try token(.write)
    let foreign = try token(.write, zone: "Recipes")
    let new = try service.makeToken("read", label: "tablet", zone: "Notes", token: admin)
    #expect(SyncAddress.isToken(new))
    #expect(
      try service.tokens(of: "Notes", token: admin).map(\.role) == [.admin, .write, .read]
    )
    #expect(
      try refusal { _ = try service.makeToken("read", label: "", zone: "Notes", token: other) }
        == 403
    )
    #expect(try refusal { try service.revoke(3, zone: "Notes", token: admin) } == 404)
    #expect(
      try refusal { _ = try service.makeToken("king", label: "", zone: "Notes", token: admin) }
        == 400
    )
    _ = try service.answer(snapshot, zone: "Recipes", token: foreign)
  }

  @Test("a label with a line break put a token that is none into the list of tokens")
  func labels() throws {
    let admin = try token(.admin)
    for label in ["phone\n9\tNotes\tadmin\tvalid", "\u{1B}[31mphone", "a\tb"] {
      #expect(
        try refusal {
          _ = try service.makeToken("read", label: label, zone: "Notes", token: admin)
        } == 400
      )
    }
    #expect(try service.tokens(of: "Notes", token: admin).count == 1)
  }

  @Test("an administrator could make tokens without end", arguments: StorageKind.tested)
  func manyTokens(kind: StorageKind) throws {
    let place = try StoragePlace(kind)
    defer { place.remove() }
    let book = TokenBook(try place.open().tokens, most: 3)
    func make(_ label: String, zone: String = "Notes") throws {
      _ = try book.make(zone: zone, .read, label: label, at: 1)
    }
    for label in ["one", "two", "three"] { try make(label) }
    try make("other", zone: "Recipes")
    let full = #expect(throws: ServiceRefusal.self) { try make("four") }
    #expect(full?.status == 409)
    #expect(full?.sentence.contains("has 3 tokens") == true)
    #expect(full?.sentence.contains("Revoke those that nobody uses") == true)
    let second = try #require(try book.all(of: "Notes").first { $0.label == "two" })
    #expect(try book.revoke(second.number, of: "Notes"))
    try make("four")
    #expect(try book.all(of: "Notes").map(\.label) == ["one", "three", "four"])
    #expect(try book.all(of: "Recipes").map(\.label) == ["other"])
  }

  @Test("a token that could not be handed over stayed, and a first start made no other one")
  func lostToken() throws {
    struct Lost: Error {}
    #expect(throws: Lost.self) {
      try service.tokens.make(zone: "Notes", .admin, label: "", at: 1) { _ in throw Lost() }
    }
    #expect(try service.tokens.all(of: nil).isEmpty)
  }

  @Test("a file that can only be read was served, until the first device sent something")
  func readOnlyFile() throws {
    let file = folder.appending(path: "zones.sqlite").path
    let error = #expect(throws: SQLiteError.self) {
      _ = try SQLiteZoneStorage(path: "file:\(file)?mode=ro", isDurable: false)
    }
    #expect(error?.primaryCode == 8)
  }

  @Test("a device that knew a seal was told that a zone is encrypted which is not")
  func noSeal() throws {
    let token = try token(.write)
    let refusal = #expect(throws: ServiceRefusal.self) {
      _ = try service.answer(snapshot, zone: "Notes", token: token, seal: [1, 2, 3])
    }
    #expect(refusal?.status == 412)
    #expect(refusal?.sentence.contains("is not encrypted at this server") == true)
  }

  @Test("the file has no text of a token")
  func hashes() throws {
    let token = try token(.write)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    for file in try FileManager.default.contentsOfDirectory(
      at: folder,
      includingPropertiesForKeys: nil
    ) {
      #expect(try Data(contentsOf: file).range(of: Data(token.utf8)) == nil)
    }
  }

  @Test("whoever asks too often is refused for a while, and nobody else is")
  func rates() throws {
    let (busy, quiet) = (try token(.write), try token(.write))
    var statuses: [Int?] = []
    for _ in 0..<25 {
      statuses.append(
        try refusal { _ = try service.answer(snapshot, zone: "Notes", token: busy) }
      )
    }
    #expect(statuses.filter { $0 == 429 }.count == 5)
    _ = try service.answer(snapshot, zone: "Notes", token: quiet)
  }

  @Test("a body that is no message is refused with a sentence")
  func damage() throws {
    let token = try token(.write)
    #expect(try refusal { _ = try service.answer([1, 1, 5], zone: "Notes", token: token) } == 400)
    #expect(try refusal { _ = try service.answer([], zone: "Notes", token: token) } == 400)
  }

  @Test("A message with a checksum is answered with one, and refused if it was changed on its way")
  func checksums() throws {
    let token = try token(.write)
    let given = try SyncRequest(bytes: snapshot)
    var checked = CheckedMessage.bytes(of: given)
    let answer = try service.answer(checked, zone: "Notes", token: token)
    #expect(CheckedMessage.isChecked(answer))
    let page: SyncResponse = try CheckedMessage.message(answer)
    let plain = try service.answer(snapshot, zone: "Notes", token: token)
    #expect(try page == SyncResponse(bytes: plain))
    checked[10] ^= 1
    #expect(try refusal { _ = try service.answer(checked, zone: "Notes", token: token) } == 422)
  }

  @Test(
    "a message of another protocol was refused with numbers, and nobody knew what to update",
    arguments: [
      (9, 501, "newer than the server"), (0, 400, "older than the server"),
      (1, 501, "newer than the server"),
    ]
  )
  func protocols(version: UInt8, status: Int, words: String) throws {
    let token = try token(.write)
    let refusal = #expect(throws: ServiceRefusal.self) {
      // Of this protocol, a kind that comes later.
      _ = try service.answer([version, 200], zone: "Notes", token: token)
    }
    #expect(refusal?.status == status)
    #expect(refusal?.sentence.contains(words) == true)
    #expect(refusal?.sentence.lowercased().contains("update ") == true)
  }

  @Test("devices were told what SQLite said, with its statements, which only the owner can mend")
  func unusableStorage() throws {
    let told = Mutex<[String]>([])
    let path = folder.appending(path: "broken.sqlite").path
    let service = SyncService(
      try ServerStorage(path: path, isDurable: false),
      era: 5,
      report: { sentence in told.withLock { $0.append(sentence) } },
      clock: { 1 }
    )
    let token = try service.tokens.make(zone: "Notes", .write, label: "", at: 1)
    try Connection(path: path).run("DROP TABLE replica" as String)
    let error = #expect(throws: (any Error).self) {
      _ = try service.answer(snapshot, zone: "Notes", token: token)
    }
    let refusal = service.refusal(for: try #require(error))
    #expect(refusal.status == 500)
    #expect(!refusal.sentence.contains("replica") && !refusal.sentence.contains("SQL"))
    #expect(told.withLock { $0 }.first?.contains("replica") == true)
  }

  @Test("a server whose clock was put back refused everybody until it was as late again")
  func clockPutBack() {
    let limits = RateLimits(perSecond: 10, atOnce: 1)
    #expect(limits.takes(1, at: 5_000_000))
    #expect(!limits.takes(1, at: 1_000))
    #expect(limits.takes(1, at: 1_200))
  }

  /// Deletes what `push` has made.
  private var deletion: [UInt8] {
    let stamp = Stamp(moment: 2, writer: 9)
    let death = Cell(epoch: 2, stamp: stamp, payload: CellValue.entity("Note").payload)
    let cell = KeyedCell(CellKey(SyncID(random: 3, 3), .life), death)
    return SyncRequest.push(.init(replica: phone, cursor: .start, seen: .start, cells: [cell]))
      .bytes
  }

  /// Says that the phone knows of the deletion.
  private var acknowledgement: [UInt8] {
    let head = Cursor(position: 2, era: 5)
    return SyncRequest.pull(
      .init(
        replica: phone,
        after: head,
        seen: head,
        acknowledged: head,
        isSnapshot: false,
        limit: 10
      )
    ).bytes
  }

  @Test("tidying up forgets a deletion that all devices know, and leaves what they need")
  func tidying() throws {
    let token = try token(.write)
    for message in [snapshot, push, deletion] {
      _ = try service.answer(message, zone: "Notes", token: token)
    }
    #expect(try service.tidyUp().cells == 0)
    _ = try service.answer(acknowledgement, zone: "Notes", token: token)
    #expect(try service.tidyUp().cells == 1)
    #expect(try service.head(of: "Notes", token: token) == 2)
  }

  @Test("a zone that could not be tidied up kept those behind it from it, every day")
  func untidyZone() throws {
    let token = try token(.write)
    for message in [snapshot, push, deletion, acknowledgement] {
      _ = try service.answer(message, zone: "Notes", token: token)
    }
    try service.setLimit(nil, of: "Attic")
    // A file where the zone has its folder.
    let assets = folder.appending(path: "assets")
    try FileManager.default.createDirectory(at: assets, withIntermediateDirectories: true)
    let obstacle = assets.appending(path: "Attic")
    try Data("?".utf8).write(to: obstacle)
    #expect(throws: (any Error).self) { try service.tidyUp() }
    try FileManager.default.removeItem(at: obstacle)
    #expect(try service.tidyUp().cells == 0)
  }

  /// A client that waits, and the messages that it has got.
  private final class Client: Sendable {
    private let messages = Mutex<[ZoneNews]>([])
    var heard: [ZoneNews] { messages.withLock { $0 } }
    var name: ObjectIdentifier { ObjectIdentifier(self) }

    func hear(_ news: ZoneNews) { messages.withLock { $0.append(news) } }
  }

  /// A client that has begun to wait for news.
  private func client(
    after known: UInt64?,
    for patience: Duration = .seconds(50),
    token: String
  ) throws -> Client {
    let client = Client()
    try service.tellNews(
      of: "Notes",
      after: known,
      for: patience,
      token: token,
      to: client.name,
      tell: client.hear
    )
    return client
  }

  @Test("a zone that was put back while a server ran woke whoever waits without end")
  func zonePutBack() throws {
    let token = try token(.write)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    // A client that knows a number of before is told once.
    let ahead = try client(after: 9, token: token)
    #expect(ahead.heard == [.head(0)])
    let stream = try client(after: nil, token: token)
    for _ in 0..<3 { service.lookAfter("Notes") }
    #expect(stream.heard == [.head(0), .silence, .silence, .silence])
  }

  @Test("whoever waits is woken by a push, and not before")
  func news() throws {
    let token = try token(.write)
    _ = try service.answer(snapshot, zone: "Notes", token: token)
    let (stream, poll) = (try client(after: nil, token: token), try client(after: 0, token: token))
    #expect(stream.heard == [.head(0)])
    #expect(poll.heard.isEmpty)
    _ = try service.answer(push, zone: "Notes", token: token)
    #expect(stream.heard == [.head(0), .head(1)])
    #expect(poll.heard == [.head(1)])
    // One answer, and then it is not looked after any more.
    #expect(service.waitingCount == 1)
    #expect(try client(after: 0, token: token).heard == [.head(1)])
  }

  @Test("a client that waited for a time was forgotten when it was over")
  func timeOver() throws {
    let token = try token(.read)
    let poll = try client(after: 0, for: .milliseconds(1), token: token)
    Thread.sleep(forTimeInterval: 0.01)
    _ = service.lookAtWaiting()
    #expect(poll.heard == [.silence])
    #expect(service.waitingCount == 0)
  }

  @Test("a stream went on after its token was revoked, or after the server was stopped")
  func endedStreams() throws {
    let (one, other) = (try token(.read), try token(.read))
    let streams = (try client(after: nil, token: one), try client(after: nil, token: other))
    #expect(try service.tokens.revoke(1, of: "Notes"))
    service.lookAfter("Notes")
    #expect(streams.0.heard == [.head(0), .end])
    #expect(streams.1.heard == [.head(0), .silence])
    service.stop()
    #expect(streams.1.heard == [.head(0), .silence, .end])
    #expect(try client(after: nil, token: other).heard == [.end])
    #expect(service.waitingCount == 0)
  }
}
