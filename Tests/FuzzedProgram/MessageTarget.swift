import CoreDataSyncCore
import CoreDataSyncCrypto
import CoreDataSyncServer
import Foundation

/// The messages between devices and servers, up to a server that performs the requests, and pasted addresses.
struct MessageTarget: FuzzTarget {
  private let messages: [[UInt8]]
  private let server: ZoneServer
  private let address = "http://127.0.0.1:8788/Notes#0123456789abcdefghjkmnpqrstvwxyz"
  private let code: String
  private let seal: [UInt8]
  private let opening: CellSeal

  init() {
    let note = SyncID(random: 5, 6)
    let stamp = Stamp(moment: 99 << 16, writer: .max)
    let property = PropertyID(name: "title")
    let fields: [CellKey.Field] = [
      .life, .value(property), .member(property, note, dot: stamp), .place(property, note),
    ]
    let values: [CellValue] = [
      .entity("Note"), .text("Seeds"), .parts([.init(property, .real(.nan))]), .place("V"),
    ]
    let cells = zip(fields, values).map { field, value in
      KeyedCell(CellKey(note, field), Cell(epoch: 1, stamp: stamp, payload: value.payload))
    }
    let cursor = Cursor(position: 5, era: 6)
    let pull = SyncRequest.Pull(
      replica: note,
      after: .start,
      seen: .start,
      acknowledged: .start,
      isSnapshot: true,
      limit: 9,
      writers: [1, .max]
    )
    let page = SyncResponse.Page(
      cells: cells + cells.compactMap(\.asLost),
      next: cursor,
      isLast: true,
      time: 4,
      watermarks: [stamp.writer: stamp]
    )
    let key = ZoneKey.random()
    let whole = SyncAddress(
      server: "https://example.org",
      zone: "Notes",
      token: "0123456789abcdefghjkmnpqrstvwxyz",
      key: key
    )
    (code, opening) = (whole.pairingCode, CellSeal(key, zone: "Notes"))
    seal = ZoneSeal(key, .random()).bytes
    let time: UInt64 = 1_700_000_000_000
    let pushes = [(nil, nil), (nil, time), (time, nil), (time, time)].map { clock, taken in
      SyncRequest.Push(
        replica: note,
        cursor: .start,
        seen: .start,
        latestTaken: taken,
        clock: clock,
        cells: cells
      )
    }
    let refusals: [SyncResponse.Refusal] = [.resync, .rewound, .clockAhead(1_700_000_000_000)]
    messages =
      pushes.map { SyncRequest.push($0).bytes } + [
        SyncRequest.pull(pull).bytes, SyncResponse.page(page).bytes,
        SyncResponse.pushed(.init(head: cursor, time: 2)).bytes,
      ] + refusals.map { SyncResponse.refused($0).bytes }
    do {
      server = ZoneServer(try SQLiteZoneStorage(path: ":memory:", isDurable: false), era: 1)
    } catch {
      fatalError("A store in memory cannot be opened: \(error)")
    }
  }

  func run(_ dice: inout Dice) {
    let bytes = dice.damaged(dice.one(of: messages), among: messages)
    // Either refused or done; never the end of the program.
    if let request = try? SyncRequest(bytes: bytes) {
      let answer = try? server.answer(request, of: "Notes", at: 1_700_000_000_000)
      _ = answer.flatMap { try? SyncResponse(bytes: $0.bytes) }
    }
    if case .page(let page)? = try? SyncResponse(bytes: bytes) {
      for keyed in page.cells {
        _ = CellValue(payload: keyed.cell.payload)
        _ = try? opening.opened(keyed)
        _ = opening.opened(keyed.key)
      }
    }
    _ = try? ZoneSeal(bytes: dice.damaged(seal))
    pasteAddress(&dice)
  }

  /// Addresses and pairing codes with wrong letters; and codes whose checksum is right, whatever they hold.
  private func pasteAddress(_ dice: inout Dice) {
    for text in [address, code] {
      let damaged = String(decoding: dice.damaged(Array(text.utf8)), as: UTF8.self)
      if let read = try? SyncAddress(damaged) {
        // An address that was understood can be handed on.
        guard (try? SyncAddress(read.pairingCode)) == read else {
          fatalError("The code of \(damaged) is another address.")
        }
      }
    }
    _ = try? SyncAddress(PairingCode.text(of: dice.damaged(PairingCode.contents(of: code))))
  }
}
