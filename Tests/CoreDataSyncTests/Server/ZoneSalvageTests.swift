import CoreDataSQL
import CoreDataSQLite
import CoreDataSyncCore
import Foundation
import SyncSimulation
import Testing

@testable import CoreDataSyncServer

/// Files of a server with damaged pages, and the part of them that is salvaged.
struct ZoneSalvageTests {
  private static let now: UInt64 = 1_700_000_000_000
  private static let phone = SyncID(random: 1, 1)

  private static func cells(_ count: UInt64) -> [KeyedCell] {
    (0..<count).flatMap { number in
      let object = SyncID(random: number &* 0x9E37_79B9_7F4A_7C15, number)
      let stamp = Stamp(moment: (now << 16) + number, writer: 9)
      let text = CellValue.text("Note \(number) " + String(repeating: "x", count: 80))
      return [
        KeyedCell(
          CellKey(object, .life),
          Cell(epoch: 1, stamp: stamp, payload: CellValue.entity("Note").payload)
        ),
        KeyedCell(
          CellKey(object, .value(PropertyID(name: "title"))),
          Cell(epoch: 1, stamp: stamp, payload: text.payload)
        ),
      ]
    }
  }

  private static func pull(_ after: Cursor = .start, limit: Int = 50_000) -> SyncRequest {
    .pull(
      .init(
        replica: phone,
        after: after,
        seen: after,
        acknowledged: .start,
        isSnapshot: after == .start,
        limit: limit
      )
    )
  }

  /// A file with two zones, and the cursor of a device that has read all of the first.
  private static func make(_ file: URL, _ cells: [KeyedCell]) throws -> Cursor {
    let storage = try ServerStorage(path: file.path, isDurable: false)
    let server = ZoneServer(storage.zones, era: 5)
    for zone in ["Notes", "Other"] {
      _ = try server.answer(pull(), of: zone, at: now)
      let push = SyncRequest.Push(replica: phone, cursor: .start, seen: .start, cells: cells)
      _ = try server.answer(.push(push), of: zone, at: now)
    }
    for number in 0..<5 {
      _ = try TokenBook(storage.tokens).make(
        zone: "Notes",
        .write,
        label: "device \(number)",
        at: now
      )
    }
    guard case .page(let page) = try server.answer(pull(), of: "Notes", at: now) else {
      throw WireError(sentence: "no page", offset: 0)
    }
    try storage.zones.settle()
    return page.next
  }

  private enum Damage: CaseIterable {
    case zeros, noise, end

    func apply(to bytes: inout Data, page: Int, size: Int) {
      let range = page * size..<(page + 1) * size
      switch self {
      case .zeros: bytes.replaceSubrange(range, with: Data(count: size))
      case .noise:
        var state: UInt64 = 88_172_645_463_325_252
        for place in range {
          state ^= state << 13
          state ^= state >> 7
          state ^= state << 17
          bytes[place] = UInt8(truncatingIfNeeded: state)
        }
      case .end: bytes.removeSubrange(range.lowerBound...)
      }
    }
  }

  @Test("Each damaged page of a server's file costs what is on it, and devices read all anew")
  func eachPage() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "salvage-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let cells = Self.cells(400)
    let whole = Set(cells)
    let original = folder.appending(path: "original.sqlite")
    let cursor = try Self.make(original, cells)
    let size = 4096
    let sound = try Data(contentsOf: original)
    var whollyKept = 0
    for page in 1..<(sound.count / size) {
      for damage in Damage.allCases {
        let file = folder.appending(path: "zones.sqlite")
        var bytes = sound
        damage.apply(to: &bytes, page: page, size: size)
        try bytes.write(to: file)
        let salvage = ZoneSalvage(of: file)
        let isNeeded = try salvage.isNeeded
        let outcome = try salvage.perform()
        #expect(FileManager.default.contents(atPath: outcome.kept) == bytes)
        let server = ZoneServer(try SQLiteZoneStorage(path: file.path, isDurable: false), era: 6)
        let refused = try server.answer(Self.pull(cursor), of: "Notes", at: Self.now)
        #expect(refused == .refused(.rewound) || refused == .refused(.resync))
        var found = 0
        for zone in ["Notes", "Other"] {
          guard case .page(let answer) = try server.answer(Self.pull(), of: zone, at: Self.now)
          else {
            Issue.record("page \(page), \(damage)")
            continue
          }
          #expect(whole.isSuperset(of: answer.cells), "page \(page), \(damage)")
          found += answer.cells.count
        }
        let isOnePage = damage != .end
        // A page of a tree's middle has those below it; there are few of these.
        if isOnePage, found >= 2 * whole.count - 100 { whollyKept += 1 }
        if !isNeeded { #expect(found == 2 * whole.count, "page \(page), \(damage)") }
        for ending in ["", "-wal", "-shm"] {
          try? FileManager.default.removeItem(atPath: file.path + ending)
        }
        try FileManager.default.removeItem(atPath: outcome.kept)
      }
    }
    let count = 2 * (sound.count / size - 1)
    #expect(whollyKept > count * 8 / 10, "\(whollyKept) of \(count)")
  }

  @Test("A file without a readable beginning is put aside, and a new one begins")
  func noBeginning() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "salvage-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "zones.sqlite")
    for bytes in [Data(repeating: 7, count: 20_000), Data(), Data([1])] {
      try bytes.write(to: file)
      let outcome = try ZoneSalvage(of: file).perform()
      #expect(outcome.zones.isEmpty && outcome.tokens == 0)
      #expect(try Data(contentsOf: URL(filePath: outcome.kept)) == bytes)
      #expect(try SQLiteZoneStorage(path: file.path, isDurable: false).zones().isEmpty)
      for ending in ["-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: file.path + ending)
      }
    }
  }

  @Test("The values of an encrypted zone without its seal are left out, so that it is sealed again")
  func lostSeal() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "salvage-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "zones.sqlite")
    let sealed = Self.cells(3).map { keyed in
      var keyed = keyed
      keyed.cell.payload = [CellValue.Envelope.seal] + keyed.cell.payload
      return keyed
    }
    _ = try Self.make(file, sealed)
    let outcome = try ZoneSalvage(of: file).perform()
    #expect(outcome.leftOut == 12 && outcome.zones.isEmpty && outcome.tokens == 5)
    let server = ZoneServer(try SQLiteZoneStorage(path: file.path, isDurable: false), era: 6)
    #expect(try server.seal("Notes", with: [1, 2]) == [1, 2])
  }
}
