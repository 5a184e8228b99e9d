import CoreDataSyncCore
import Testing

@testable import CoreDataSyncServer
@testable import SyncSimulation

/// Tests of the behaviour that every database shares.
struct ZoneServerTests {
  @Test("a device that nobody knows begins with a snapshot", arguments: StorageKind.tested)
  func unknownDevice(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    #expect(try zone.push([zone.life(1, at: 1)], from: zone.phone) == .refused(.resync))
    #expect(try zone.pull(zone.phone) == .refused(.resync))
    let first = try zone.page(zone.pull(zone.phone, snapshot: true))
    #expect(first.cells.isEmpty && first.isLast)
    #expect(
      try zone.push([zone.life(1, at: 1)], from: zone.phone)
        == .pushed(.init(head: Cursor(position: 1, era: 77), time: TestedZone.now))
    )
  }

  @Test(
    "a push that is repeated changes nothing, and an earlier cell does not replace a later one",
    arguments: StorageKind.tested
  )
  func repeatedPush(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    for _ in 0..<3 { _ = try zone.push([zone.life(1, at: 5)], from: zone.phone) }
    _ = try zone.push([zone.life(1, at: 4)], from: zone.phone)
    let all = try zone.page(zone.pull(zone.laptop, snapshot: true))
    #expect(all.cells == [zone.life(1, at: 5)])
    #expect(all.next == Cursor(position: 1, era: 77))
    #expect(all.watermarks == [9: zone.life(1, at: 5).cell.stamp])
  }

  @Test("a device got back all that it had sent", arguments: StorageKind.tested)
  func echo(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    _ = try zone.pull(zone.laptop, snapshot: true)
    func cell(_ number: UInt64) -> KeyedCell {
      KeyedCell(CellKey(SyncID(random: 3, number), .life), zone.life(1, at: number).cell)
    }
    func answer(_ request: SyncRequest) throws -> SyncResponse {
      try zone.server.answer(request, of: "notes", at: TestedZone.now)
    }
    func push(_ number: UInt64, from replica: SyncID, seen: Cursor = .start) throws -> Cursor {
      let push = SyncRequest.Push(
        replica: replica,
        cursor: .start,
        seen: seen,
        cells: [cell(number)]
      )
      guard case .pushed(let pushed) = try answer(.push(push)) else { return .start }
      return pushed.head
    }
    func numbers(_ replica: SyncID, seen: Cursor) throws -> ([UInt64], Cursor) {
      let page = try zone.page(
        answer(
          .pull(
            .init(
              replica: replica,
              after: .start,
              seen: seen,
              acknowledged: .start,
              isSnapshot: false,
              limit: 100
            )
          )
        )
      )
      return (page.cells.map { $0.cell.stamp.moment & 0xFFFF }, page.next)
    }
    // Two pushes, one after the other.
    let first = try push(1, from: zone.phone)
    let second = try push(2, from: zone.phone, seen: first)
    #expect(try numbers(zone.phone, seen: second) == ([], second))
    #expect(try numbers(zone.laptop, seen: .start) == ([1, 2], second))
    // One that has lost an answer, or was put back to a backup of before, gets what it has sent.
    #expect(try numbers(zone.phone, seen: first).0 == [1, 2])
    #expect(try numbers(zone.phone, seen: .start).0 == [1, 2])
    // Another device is between two pushes, or behind them.
    _ = try push(3, from: zone.laptop, seen: .start)
    #expect(try numbers(zone.phone, seen: second) == ([3], Cursor(position: 3, era: 77)))
    let fourth = try push(4, from: zone.phone, seen: second)
    #expect(try numbers(zone.phone, seen: fourth).0 == [1, 2, 3, 4])
  }

  @Test("a stamp that is too late is refused with the server's time", arguments: StorageKind.tested)
  func wrongClock(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    let late = (ZoneServer.tolerance + 1) << 16
    #expect(
      try zone.push([zone.life(1, at: late)], from: zone.phone)
        == .refused(.clockAhead(TestedZone.now))
    )
    #expect(try zone.page(zone.pull(zone.laptop, snapshot: true)).cells.isEmpty)
  }

  @Test(
    "a stamp of a clock that is ahead was refused, and allowed once the server's clock was near enough",
    arguments: StorageKind.tested
  )
  func clockOfTheDevice(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    let ahead = ZoneServer.tolerance
    func push(_ moment: UInt64, byClock clock: UInt64) throws -> SyncResponse {
      let life = zone.life(1, at: moment << 16)
      return try zone.push([life], from: zone.phone, clock: TestedZone.now + clock)
    }
    #expect(try push(1, byClock: ahead + 1) == .refused(.clockAhead(TestedZone.now)))
    for (moment, clock) in [(0, ahead + 1), (ahead, ahead), (ahead, 0)] {
      guard case .pushed = try push(moment, byClock: clock) else {
        Issue.record("\(moment) ms ahead is refused of a clock that is ahead by \(clock) ms.")
        return
      }
    }
  }

  @Test(
    "a server whose clock was ahead for an hour refused everything for an hour",
    arguments: StorageKind.tested
  )
  func clockThatWasAhead(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    let hour: UInt64 = 3_600_000
    let ahead = hour << 16
    let first = SyncRequest.Push(
      replica: zone.phone,
      cursor: .start,
      seen: .start,
      cells: [zone.life(1, at: ahead)]
    )
    _ = try zone.server.answer(.push(first), of: "notes", at: TestedZone.now + hour)
    guard case .pushed = try zone.push([zone.life(2, at: ahead + 1)], from: zone.phone) else {
      Issue.record("What comes after a change that is there is refused.")
      return
    }
    let later = ahead + ((ZoneServer.tolerance + 1) << 16)
    #expect(
      try zone.push([zone.life(3, at: later)], from: zone.phone)
        == .refused(.clockAhead(TestedZone.now))
    )
  }

  @Test(
    "a restored server refused what it had taken itself from clocks that were ahead",
    arguments: StorageKind.tested
  )
  func stampsOfBeforeTheBackup(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    let hour: UInt64 = 3_600_000
    func push(_ moment: UInt64) throws -> SyncResponse {
      try zone.push([zone.life(1, at: moment)], from: zone.phone, taken: TestedZone.now + hour)
    }
    let later = (hour + ZoneServer.tolerance + 1) << 16
    #expect(try push(later) == .refused(.clockAhead(TestedZone.now)))
    guard case .pushed = try push(hour << 16) else {
      Issue.record("What the server had before its backup is refused.")
      return
    }
  }

  @Test(
    "a device that spoke of a time of the server's in the far future was believed",
    arguments: StorageKind.tested
  )
  func unbelievableStamps(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    let far = ZoneServer.belief + ZoneServer.tolerance
    func push(_ ahead: UInt64) throws -> SyncResponse {
      try zone.push([zone.life(1, at: ahead << 16)], from: zone.phone, taken: HybridClock.latest)
    }
    #expect(try push(far + 1) == .refused(.clockAhead(TestedZone.now)))
    #expect(
      try push(HybridClock.latest - TestedZone.now) == .refused(.clockAhead(TestedZone.now))
    )
    #expect(try zone.page(zone.pull(zone.laptop, snapshot: true)).cells.isEmpty)
    guard case .pushed = try push(far) else {
      Issue.record("What a server can have had whose clock was years ahead is refused.")
      return
    }
  }

  @Test(
    "a device that has seen more than the server has is told so, also by a server that knows nothing",
    arguments: StorageKind.tested
  )
  func backup(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    let seen = Cursor(position: 4, era: 5)
    #expect(try zone.push([], from: zone.phone, seen: seen) == .refused(.rewound))
    #expect(try zone.pull(zone.phone, after: seen) == .refused(.rewound))
    _ = try zone.pull(zone.phone, snapshot: true)
    _ = try zone.push([zone.life(1, at: 1)], from: zone.phone)
    #expect(
      try zone.push([], from: zone.phone, seen: Cursor(position: 2, era: 77)) == .refused(.rewound)
    )
    #expect(
      try zone.push([], from: zone.phone, seen: Cursor(position: 1, era: 78)) == .refused(.rewound)
    )
  }

  @Test(
    "a deletion is forgotten once every device has acknowledged it, and whoever was away begins anew",
    arguments: StorageKind.tested
  )
  func forgetting(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    _ = try zone.pull(zone.laptop, snapshot: true)
    _ = try zone.push([zone.life(1, at: 1)], from: zone.phone)
    let before = try zone.page(zone.pull(zone.laptop)).next
    _ = try zone.push([zone.life(2, at: 2)], from: zone.phone)
    let head = try zone.page(zone.pull(zone.phone)).next
    _ = try zone.pull(zone.phone, after: head, acknowledged: head)
    #expect(try zone.server.purge("notes", silentSince: 0) == 0)
    _ = try zone.pull(zone.laptop, after: before, acknowledged: before)
    #expect(try zone.server.purge("notes", silentSince: 0) == 0)
    _ = try zone.pull(zone.laptop, after: head, acknowledged: head)
    #expect(try zone.server.purge("notes", silentSince: 0) == 1)
    #expect(try zone.pull(zone.laptop, after: before) == .refused(.resync))
    #expect(try zone.push([], from: zone.laptop, at: before) == .refused(.resync))
    #expect(try zone.page(zone.pull(SyncID(random: 4, 4), snapshot: true)).cells.isEmpty)
  }

  @Test(
    "a value that was replaced unseen was gone for whoever asked only after the next one was written",
    arguments: StorageKind.tested
  )
  func lostUnseen(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    for replica in [zone.phone, zone.laptop] { _ = try zone.pull(replica, snapshot: true) }
    let life = zone.life(1, at: 1)
    let first = zone.title("Rome", at: 2, by: 1, over: 0)
    _ = try zone.push([life, first], from: zone.phone)
    let before = try zone.page(zone.pull(zone.phone)).next
    let unseen = zone.title("Arena", at: 3, by: 1, over: 2)
    let winner = zone.title("Forum", at: 4, by: 2, over: 2)
    _ = try zone.push([unseen], from: zone.phone)
    for _ in 0..<2 { _ = try zone.push([winner], from: zone.laptop) }
    let lost = try #require(unseen.asLost)
    #expect(try zone.page(zone.pull(zone.phone, after: before)).cells == [lost, winner])
    // A value that was seen has not lost, and no device loses to itself.
    let last = zone.title("Baths", at: 6, by: 2, over: 4)
    let again = zone.title("Circus", at: 7, by: 2, over: 1)
    for title in [last, again] { _ = try zone.push([title], from: zone.laptop) }
    let page = try zone.page(zone.pull(zone.phone, after: before))
    #expect(page.cells == [lost, again])
    // All know it.
    #expect(try zone.server.purge("notes", silentSince: 0) == 0)
    for replica in [zone.phone, zone.laptop] {
      _ = try zone.pull(replica, after: page.next, acknowledged: page.next)
    }
    #expect(try zone.server.purge("notes", silentSince: 0) == 1)
    let all = try zone.page(zone.pull(SyncID(random: 4, 4), snapshot: true)).cells
    #expect(all == [life, again])
  }

  @Test(
    "who was silent while others were not is given up, and nobody because nothing happened",
    arguments: StorageKind.tested
  )
  func silence(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    _ = try zone.pull(zone.phone, snapshot: true)
    _ = try zone.pull(zone.laptop, snapshot: true)
    _ = try zone.push([zone.life(1, at: 1)], from: zone.phone)
    _ = try zone.push([zone.life(2, at: 2)], from: zone.phone)
    let head = try zone.page(zone.pull(zone.phone)).next
    _ = try zone.pull(zone.phone, after: head, acknowledged: head)
    #expect(try zone.server.purge("notes", patience: 0, at: TestedZone.now) == 0)
    // The clock alone gives nobody up.
    let later = TestedZone.now + 1_000
    #expect(try zone.server.purge("notes", patience: 0, at: later) == 0)
    _ = try zone.pull(zone.phone, after: head, acknowledged: head, at: later)
    #expect(try zone.server.purge("notes", patience: 1_000, at: later) == 0)
    #expect(try zone.server.purge("notes", patience: 999, at: later) == 1)
    #expect(try zone.push([], from: zone.laptop) == .refused(.resync))
    #expect(try zone.push([], from: zone.phone, at: head, seen: head) != .refused(.resync))
  }

  @Test(
    "one device that was heard of while the server's clock was years ahead made all others begin anew",
    arguments: StorageKind.tested
  )
  func clockWasAhead(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    let (now, ahead) = (TestedZone.now, TestedZone.now + 1_000_000)
    _ = try zone.pull(zone.laptop, snapshot: true, at: ahead)
    _ = try zone.pull(zone.phone, snapshot: true, at: now)
    _ = try zone.push([zone.life(1, at: 1)], from: zone.phone)
    _ = try zone.push([zone.life(2, at: 2)], from: zone.phone)
    #expect(try zone.server.purge("notes", patience: 1_000, at: now) == 0)
    #expect(try zone.push([], from: zone.phone) != .refused(.resync))
    // And the one that was heard of then is given up as others are.
    let head = try zone.page(zone.pull(zone.phone)).next
    _ = try zone.pull(zone.phone, after: head, acknowledged: head, at: now + 1_001)
    #expect(try zone.server.purge("notes", patience: 1_000, at: now + 1_001) == 1)
    #expect(try zone.push([], from: zone.laptop) == .refused(.resync))
  }

  @Test(
    "of two cells the storage keeps the one that devices keep, whichever comes first",
    arguments: StorageKind.tested
  )
  func sameOrder(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
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
    let keys = (1...1_000 as ClosedRange<UInt64>).map { CellKey(SyncID(random: $0, $0), .life) }
    let firsts = keys.map { KeyedCell($0, cell()) }
    let seconds = keys.map { KeyedCell($0, cell()) }
    let kept = zip(firsts, seconds).filter { $0.0.cell.loses(to: $0.1.cell) }.map(\.1)
    try zone.storage.transact(on: "notes") { transaction in
      let begun = try transaction.put(firsts, after: 0, isMeasured: true)
      #expect(begun == KeptCells(count: 1_000, growth: firsts.map(\.size).reduce(0, +)))
      let changed = try transaction.put(seconds, after: 1_000, isMeasured: true)
      #expect(changed.count == UInt64(kept.count))
      #expect(try transaction.countSize() == begun.growth + changed.growth)
      let later = try transaction.cells(after: 1_000, limit: 2_000, bytes: .max)
      #expect(later.map(\.keyed) == kept)
      #expect(later.map(\.number) == (1_001..<1_001 + UInt64(kept.count)).map { $0 })
      // A page ends with the cell that makes it full.
      let page = try transaction.cells(after: 0, limit: 2_000, bytes: 1)
      #expect(page.count == 1)
    }
  }

  @Test("what a request did is taken back where it fails", arguments: StorageKind.tested)
  func atomicity(kind: StorageKind) throws {
    let zone = try TestedZone(kind)
    #expect(throws: WireError.self) {
      try zone.storage.transact(on: "notes") { transaction in
        _ = try transaction.put([zone.life(1, at: 1)], after: 0, isMeasured: false)
        throw WireError(sentence: "refused", offset: 0)
      }
    }
    try zone.storage.transact(on: "notes") { transaction in
      let kept = try transaction.cells(after: 0, limit: 10, bytes: .max)
      #expect(kept.isEmpty)
    }
  }
}

/// A zone with a phone, a laptop and a note.
final class TestedZone {
  let storage: any ZoneStorage
  let server: ZoneServer
  let phone = SyncID(random: 1, 1)
  let laptop = SyncID(random: 2, 2)
  private let note = SyncID(random: 3, 3)
  let place: StoragePlace
  static let now: UInt64 = 1_700_000_000_000

  init(_ kind: StorageKind) throws {
    place = try StoragePlace(kind)
    storage = try place.open().zones
    server = ZoneServer(storage, era: 77)
  }

  deinit {
    place.remove()
  }

  func life(_ epoch: UInt16, at moment: UInt64) -> KeyedCell {
    let stamp = Stamp(moment: (Self.now << 16) + moment, writer: 9)
    let payload = CellValue.entity("Note").payload
    return KeyedCell(CellKey(note, .life), Cell(epoch: epoch, stamp: stamp, payload: payload))
  }

  /// A title of the note, which a device has written over that of another moment.
  func title(
    _ text: String,
    at moment: UInt64,
    by device: UInt32,
    over base: UInt64
  ) -> KeyedCell {
    let writer = DeviceTag(bits: device).writer(run: 1)
    let stamp = Stamp(moment: (Self.now << 16) + moment, writer: writer)
    let base = base == 0 ? 0 : (Self.now << 16) + base
    let payload = CellValue.text(text).payload
    return KeyedCell(
      CellKey(note, .value(PropertyID(name: "title"))),
      Cell(epoch: 1, stamp: stamp, base: base, payload: payload)
    )
  }

  func push(
    _ cells: [KeyedCell],
    from replica: SyncID,
    at cursor: Cursor = .start,
    seen: Cursor = .start,
    taken: UInt64? = nil,
    clock: UInt64? = nil
  ) throws -> SyncResponse {
    let push = SyncRequest.Push(
      replica: replica,
      cursor: cursor,
      seen: seen,
      latestTaken: taken,
      clock: clock,
      cells: cells
    )
    return try server.answer(.push(push), of: "notes", at: Self.now)
  }

  func pull(
    _ replica: SyncID,
    after: Cursor = .start,
    acknowledged: Cursor = .start,
    snapshot: Bool = false,
    at time: UInt64 = TestedZone.now
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

  func page(_ response: SyncResponse) throws -> SyncResponse.Page {
    guard case .page(let page) = response else {
      throw WireError(sentence: "\(response)", offset: 0)
    }
    return page
  }
}
