import CoreDataSyncCore
import Testing

@testable import CoreDataSyncServer

struct ZoneServerTests {
  private let server: ZoneServer
  private let phone = SyncID(random: 1, 1)
  private let laptop = SyncID(random: 2, 2)
  private let note = SyncID(random: 3, 3)
  private static let now: UInt64 = 1_700_000_000_000

  init() throws {
    server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 77)
  }

  private func life(_ epoch: UInt16, at moment: UInt64) -> KeyedCell {
    let stamp = Stamp(moment: (Self.now << 16) + moment, writer: 9)
    let payload = CellValue.entity("Note").payload
    return KeyedCell(CellKey(note, .life), Cell(epoch: epoch, stamp: stamp, payload: payload))
  }

  private func push(
    _ cells: [KeyedCell],
    from replica: SyncID,
    at cursor: Cursor = .start,
    seen: Cursor = .start
  ) throws -> SyncResponse {
    let push = SyncRequest.Push(replica: replica, cursor: cursor, seen: seen, cells: cells)
    return try server.answer(.push(push), of: "notes", at: Self.now)
  }

  private func pull(
    _ replica: SyncID,
    after: Cursor = .start,
    acknowledged: Cursor = .start,
    snapshot: Bool = false,
    at time: UInt64 = ZoneServerTests.now
  ) throws -> SyncResponse {
    let pull = SyncRequest.Pull(
      replica: replica,
      after: after,
      seen: after,
      acknowledged: acknowledged,
      isSnapshot: snapshot,
      limit: 100,
      writers: [9]
    )
    return try server.answer(.pull(pull), of: "notes", at: time)
  }

  private func page(_ response: SyncResponse) throws -> SyncResponse.Page {
    guard case .page(let page) = response else {
      throw WireError(sentence: "\(response)", offset: 0)
    }
    return page
  }

  @Test("a device that nobody knows begins with a snapshot")
  func unknownDevice() throws {
    #expect(try push([life(1, at: 1)], from: phone) == .refused(.resync))
    #expect(try pull(phone) == .refused(.resync))
    let first = try page(pull(phone, snapshot: true))
    #expect(first.cells.isEmpty && first.isLast)
    #expect(
      try push([life(1, at: 1)], from: phone)
        == .pushed(.init(head: Cursor(position: 1, era: 77), time: Self.now))
    )
  }

  @Test("a push that is repeated changes nothing, and an earlier cell does not replace a later one")
  func repeatedPush() throws {
    _ = try pull(phone, snapshot: true)
    for _ in 0..<3 { _ = try push([life(1, at: 5)], from: phone) }
    _ = try push([life(1, at: 4)], from: phone)
    let all = try page(pull(laptop, snapshot: true))
    #expect(all.cells == [life(1, at: 5)])
    #expect(all.next == Cursor(position: 1, era: 77))
    #expect(all.watermarks == [9: life(1, at: 5).cell.stamp])
  }

  @Test("a stamp that is too late is refused with the server's time")
  func wrongClock() throws {
    _ = try pull(phone, snapshot: true)
    let late = (ZoneServer.tolerance + 1) << 16
    #expect(try push([life(1, at: late)], from: phone) == .refused(.clockAhead(Self.now)))
    #expect(try page(pull(laptop, snapshot: true)).cells.isEmpty)
  }

  @Test("a server whose clock was ahead for an hour refused everything for an hour")
  func clockThatWasAhead() throws {
    _ = try pull(phone, snapshot: true)
    let hour: UInt64 = 3_600_000
    let ahead = hour << 16
    let first = SyncRequest.Push(
      replica: phone,
      cursor: .start,
      seen: .start,
      cells: [life(1, at: ahead)]
    )
    _ = try server.answer(.push(first), of: "notes", at: Self.now + hour)
    guard case .pushed = try push([life(2, at: ahead + 1)], from: phone) else {
      Issue.record("What comes after a change that is there is refused.")
      return
    }
    let later = ahead + (ZoneServer.tolerance + 1) << 16
    #expect(try push([life(3, at: later)], from: phone) == .refused(.clockAhead(Self.now)))
  }

  @Test(
    "a device that has seen more than the server has is told so, also by a server that knows nothing"
  )
  func backup() throws {
    let seen = Cursor(position: 4, era: 5)
    #expect(try push([], from: phone, seen: seen) == .refused(.rewound))
    #expect(try pull(phone, after: seen) == .refused(.rewound))
    _ = try pull(phone, snapshot: true)
    _ = try push([life(1, at: 1)], from: phone)
    #expect(try push([], from: phone, seen: Cursor(position: 2, era: 77)) == .refused(.rewound))
    #expect(try push([], from: phone, seen: Cursor(position: 1, era: 78)) == .refused(.rewound))
  }

  @Test(
    "a deletion is forgotten once every device has acknowledged it, and whoever was away begins anew"
  )
  func forgetting() throws {
    _ = try pull(phone, snapshot: true)
    _ = try pull(laptop, snapshot: true)
    _ = try push([life(1, at: 1)], from: phone)
    let before = try page(pull(laptop)).next
    _ = try push([life(2, at: 2)], from: phone)
    let head = try page(pull(phone)).next
    _ = try pull(phone, after: head, acknowledged: head)
    #expect(try server.purge("notes", silentSince: 0) == 0)
    _ = try pull(laptop, after: before, acknowledged: before)
    #expect(try server.purge("notes", silentSince: 0) == 0)
    _ = try pull(laptop, after: head, acknowledged: head)
    #expect(try server.purge("notes", silentSince: 0) == 1)
    #expect(try pull(laptop, after: before) == .refused(.resync))
    #expect(try push([], from: laptop, at: before) == .refused(.resync))
    #expect(try page(pull(SyncID(random: 4, 4), snapshot: true)).cells.isEmpty)
  }

  @Test(
    "who was silent while others were not is given up, and nobody because nothing happened"
  )
  func silence() throws {
    _ = try pull(phone, snapshot: true)
    _ = try pull(laptop, snapshot: true)
    _ = try push([life(1, at: 1)], from: phone)
    _ = try push([life(2, at: 2)], from: phone)
    let head = try page(pull(phone)).next
    _ = try pull(phone, after: head, acknowledged: head)
    #expect(try server.purge("notes", patience: 0) == 0)
    _ = try pull(phone, after: head, acknowledged: head, at: Self.now + 1_000)
    #expect(try server.purge("notes", patience: 1_000) == 0)
    #expect(try server.purge("notes", patience: 999) == 1)
    #expect(try push([], from: laptop) == .refused(.resync))
    #expect(try push([], from: phone, at: head, seen: head) != .refused(.resync))
  }

  @Test("of two cells the storage keeps the one that devices keep, whichever comes first")
  func sameOrder() throws {
    var chance = Chance(seed: 7)
    let numbers: [UInt64] = [0, 256, 1 << 63]
    let payloads: [[UInt8]] = [[], [0], [0, 0], [1], [255]]
    func cell() -> Cell {
      let stamp = Stamp(
        moment: numbers[chance.number(below: numbers.count)],
        writer: numbers[chance.number(below: numbers.count)]
      )
      return Cell(
        epoch: UInt16(chance.number(below: 2)),
        stamp: stamp,
        payload: payloads[chance.number(below: payloads.count)]
      )
    }
    let storage = try SQLiteZoneStorage(path: ":memory:", isDurable: false)
    try storage.transact(on: "notes") { zone in
      for number in 1...1_000 as ClosedRange<UInt64> {
        let key = CellKey(SyncID(random: number, number), .life)
        let (first, second) = (cell(), cell())
        let kept = try [first, second].enumerated().map { place, cell in
          try zone.put(
            [KeyedCell(key, cell)],
            after: 2 * number + UInt64(place),
            isMeasured: false
          )
        }
        #expect(kept.map(\.count) == [1, first.loses(to: second) ? 1 : 0])
      }
    }
  }

  @Test("what a request did is taken back where it fails")
  func atomicity() throws {
    let storage = try SQLiteZoneStorage(path: ":memory:", isDurable: false)
    #expect(throws: WireError.self) {
      try storage.transact(on: "notes") { zone in
        _ = try zone.put([life(1, at: 1)], after: 0, isMeasured: false)
        throw WireError(sentence: "refused", offset: 0)
      }
    }
    try storage.transact(on: "notes") { zone in
      let kept = try zone.cells(after: 0, limit: 10, bytes: .max)
      #expect(kept.isEmpty)
    }
  }
}
