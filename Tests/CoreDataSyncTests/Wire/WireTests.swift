import CoreDataSyncCore
import Testing

@testable import SyncSimulation

struct WireTests {
  static let samples: [CellValue] = [
    .null, .boolean(true), .integer(.min), .real(-0.0), .decimal("3.10"), .text("naïve 🙂"),
    .text(""),
    .bytes([0, 255]), .date(1.5), .uuid(SyncID(random: 1, 2)), .address("https://a.b/c"),
    .parts([.init(PropertyID(name: "a"), .text("b")), .init(PropertyID(name: "c"), .parts([]))]),
    .reference(SyncID(random: 3, 4), place: "V"), .place("A"), .entity("Note"),
  ]

  @Test("a value is the same after it was bytes", arguments: samples)
  func valueAsBytes(value: CellValue) {
    #expect(CellValue(payload: value.payload) == value)
  }

  @Test("a message is the same after it was bytes")
  func messages() throws {
    let stamp = Stamp(moment: 99 << 16, writer: .max)
    let note = SyncID(random: 5, 6)
    let fields: [CellKey.Field] = [
      .life, .value(PropertyID(name: "title")),
      .member(PropertyID(name: "tags"), note, dot: stamp), .place(PropertyID(name: "pinned"), note),
    ]
    let cells = fields.map {
      KeyedCell(CellKey(note, $0), Cell(epoch: 3, stamp: stamp, base: 7, payload: [1, 2]))
    }
    let cursor = Cursor(position: 5, era: 6)
    for (taken, clock): (UInt64?, UInt64?) in [(nil, nil), (8, nil), (nil, 9), (8, 9)] {
      let push = SyncRequest.push(
        .init(
          replica: note,
          cursor: cursor,
          seen: .start,
          latestTaken: taken,
          clock: clock,
          cells: cells
        )
      )
      #expect(try SyncRequest(bytes: push.bytes) == push)
    }
    let pull = SyncRequest.pull(
      .init(
        replica: note,
        after: cursor,
        seen: cursor,
        acknowledged: .start,
        isSnapshot: true,
        limit: 9,
        writers: [1]
      )
    )
    #expect(try SyncRequest(bytes: pull.bytes) == pull)
    let page = SyncResponse.page(
      .init(cells: cells, next: cursor, isLast: true, time: 4, watermarks: [stamp.writer: stamp])
    )
    #expect(try SyncResponse(bytes: page.bytes) == page)
    for other: SyncResponse in [
      .pushed(.init(head: cursor, time: 2)), .refused(.resync), .refused(.rewound),
      .refused(.clockAhead(3)),
    ] {
      #expect(try SyncResponse(bytes: other.bytes) == other)
    }
  }

  @Test("a message of another protocol is refused with the numbers of both")
  func otherProtocol() {
    var bytes = SyncResponse.refused(.resync).bytes
    bytes[0] = 7
    let error = #expect(throws: WireError.self) { try SyncResponse(bytes: bytes) }
    #expect(error?.sentence.contains("of protocol 7, and this program speaks 1") == true)
  }

  @Test("which program is older is told by a message's number, and by a kind that is not known")
  func ages() {
    func sender(_ place: Int, _ number: UInt8) -> WireError.Sender? {
      var bytes = SyncResponse.refused(.resync).bytes
      bytes[place] = number
      return #expect(throws: WireError.self) { try SyncResponse(bytes: bytes) }?.sender
    }
    #expect(sender(0, 7) == .newer && sender(0, 0) == .older && sender(1, 99) == .newer)
    #expect(throws: WireError.self) { try SyncResponse(bytes: []) }
  }

  @Test(
    "a moment that no clock gives was negative in databases, and the latest of all here",
    arguments: [UInt64(Int64.max) + 1, .max]
  )
  func endlessMoments(moment: UInt64) throws {
    let note = SyncID(random: 5, 6)
    let (early, late) = (Stamp(moment: 1, writer: 2), Stamp(moment: moment, writer: 2))
    let tag = CellKey.Field.member(PropertyID(name: "tags"), note, dot: late)
    let cells = [
      KeyedCell(CellKey(note, .life), Cell(epoch: 1, stamp: late, payload: [])),
      KeyedCell(CellKey(note, .life), Cell(epoch: 1, stamp: early, base: moment, payload: [])),
      KeyedCell(CellKey(note, tag), Cell(epoch: 1, stamp: early, payload: [])),
    ]
    for cell in cells {
      let push = SyncRequest.push(
        .init(replica: note, cursor: .start, seen: .start, cells: [cell])
      )
      #expect(throws: WireError.self) { try SyncRequest(bytes: push.bytes) }
    }
    let page = SyncResponse.Page(
      cells: [],
      next: .start,
      isLast: true,
      time: 1,
      watermarks: [2: late]
    )
    #expect(throws: WireError.self) { try SyncResponse(bytes: SyncResponse.page(page).bytes) }
  }

  @Test("a server could give a device what none of its own changes would ever replace")
  func unbeatableCells() throws {
    func page(_ moment: UInt64) throws -> SyncResponse {
      let life = Cell(epoch: 1, stamp: Stamp(moment: moment, writer: 2), payload: [])
      let cells = [KeyedCell(CellKey(SyncID(random: 5, 6), .life), life)]
      let page = SyncResponse.Page(cells: cells, next: .start, isLast: true, time: 1)
      return try SyncResponse(bytes: SyncResponse.page(page).bytes)
    }
    let latest = HybridClock.latestMoment
    #expect(throws: WireError.self) { try page(latest + 1) }
    _ = try page(latest)
    var clock = HybridClock()
    clock.witness(latest)
    let next = clock.stamp(milliseconds: 1, writer: 1).moment
    #expect(next > latest && Int64(bitPattern: next) > 0)
  }

  @Test("a device could tell a server that a value had lost")
  func pushedLoss() throws {
    let stamp = Stamp(moment: 3, writer: 1)
    let key = CellKey(SyncID(random: 5, 6), .lost(PropertyID(name: "title"), stamp))
    let lost = KeyedCell(
      key,
      Cell(epoch: 1, stamp: stamp, payload: CellValue.text("Arena").payload)
    )
    let push = SyncRequest.push(
      .init(replica: SyncID(random: 1, 1), cursor: .start, seen: .start, cells: [lost])
    )
    #expect(throws: WireError.self) { try SyncRequest(bytes: push.bytes) }
    let page = SyncResponse.Page(cells: [lost], next: .start, isLast: true, time: 1)
    let read = try SyncResponse(bytes: SyncResponse.page(page).bytes)
    #expect(read == .page(page))
  }

  @Test("a time that no clock tells stopped the devices that reckoned with it")
  func endlessTime() {
    let time = HybridClock.latest + 1
    for answer: SyncResponse in [
      .pushed(.init(head: .start, time: time)), .refused(.clockAhead(time)),
      .page(.init(cells: [], next: .start, isLast: true, time: time)),
    ] {
      #expect(throws: WireError.self) { try SyncResponse(bytes: answer.bytes) }
    }
  }

  @Test(
    "bytes that are no message are refused, whatever they are",
    arguments: 1...30 as ClosedRange<UInt64>
  )
  func damage(seed: UInt64) throws {
    var chance = Chance(seed: seed)
    let note = SyncID(random: 5, 6)
    let cell = Cell(epoch: 1, stamp: .zero, payload: CellValue.text("title").payload)
    let whole = SyncRequest.push(
      .init(
        replica: note,
        cursor: .start,
        seen: .start,
        cells: [KeyedCell(CellKey(note, .life), cell), KeyedCell(CellKey(note, .life), cell)]
      )
    ).bytes
    for length in 0..<whole.count {
      #expect(throws: WireError.self) { try SyncRequest(bytes: Array(whole.prefix(length))) }
    }
    #expect(throws: WireError.self) { try SyncRequest(bytes: whole + [0]) }
    for _ in 0..<500 {
      var damaged = whole
      for _ in 0..<(1 + chance.number(below: 4)) {
        damaged[chance.number(below: damaged.count)] = UInt8(chance.number(below: 256))
      }
      // Either refused or another message; never the end of the program.
      _ = try? SyncRequest(bytes: damaged)
      _ = CellValue(payload: damaged)
    }
  }
}
