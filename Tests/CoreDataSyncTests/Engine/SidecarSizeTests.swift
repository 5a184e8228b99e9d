import CoreDataSQL
import CoreDataSQLite
import Foundation
import Testing

@testable import CoreDataSync
@testable import CoreDataSyncCore

/// The room that a sidecar takes on the disk.
final class SidecarSizeTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("coredata-size-\(UUID().uuidString)")
  private var file: String { folder.appendingPathComponent("Notes.sqlite-sync").path }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static let words = "a sentence of words that comes again and again, as texts do; "

  private static func cell(_ number: UInt64, _ payload: [UInt8]) -> KeyedCell {
    KeyedCell(
      CellKey(SyncID(high: number, low: 7), .value(PropertyID(number: 3))),
      Cell(epoch: 1, stamp: Stamp(moment: number, writer: 2), payload: payload)
    )
  }

  private func size(of sidecar: Sidecar) throws -> Int {
    try sidecar.connection.run("PRAGMA wal_checkpoint(TRUNCATE)")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    return try #require(attributes[.size] as? Int)
  }

  @Test("a long payload was kept as it came, though it can be compressed")
  func compressed() throws {
    var state: UInt64 = 65
    let noise = (0..<60_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    for length in [0, 1, 5, 199, 200, 201, 5_000, 16_383, 20_000, 300_000] {
      let text = CellValue.text(String(String(repeating: Self.words, count: 6_000).prefix(length)))
      for payload in [
        text.payload, Array(noise.prefix(length)), [16], [16] + noise, [16] + text.payload,
      ] {
        let kept = KeptPayload.bytes(of: payload)
        #expect(try kept.withUnsafeBytes { try KeptPayload.payload(of: $0) } == payload)
        #expect(kept.count <= payload.count + (payload.first == 16 ? 64 : 0))
      }
      if length > 1_000 {
        #expect(KeptPayload.bytes(of: text.payload).count < text.payload.count / 3)
      }
    }
  }

  @Test("damaged compressed payloads are errors, and take no memory")
  func damaged() throws {
    let kept = KeptPayload.bytes(
      of: CellValue.text(String(repeating: Self.words, count: 50)).payload
    )
    for place in kept.indices {
      var bytes = kept
      bytes[place] ^= 0x55
      if place == 0 { continue }
      #expect(throws: WireError.self) {
        try bytes.withUnsafeBytes { try KeptPayload.payload(of: $0) }
      }
    }
    for length in 1..<kept.count {
      #expect(throws: WireError.self) {
        try kept.prefix(length).withUnsafeBytes { try KeptPayload.payload(of: $0) }
      }
    }
  }

  @Test("the sidecar of an earlier program is compressed when it is opened, and keeps its cells")
  func upgraded() throws {
    let payload = CellValue.text(String(repeating: Self.words, count: 100)).payload
    var before = 0
    do {
      let sidecar = try Sidecar(path: file, isDurable: false)
      for number in 0..<100 as Range<UInt64> {
        try sidecar.put(Self.cell(number, []), isUnsent: false)
        try sidecar.connection.run(
          "UPDATE cell SET payload = \(.blob(payload)) WHERE moment = \(.integer(Int64(number)))"
        )
      }
      try sidecar.setNumber(2, "version")
      before = try size(of: sidecar)
    }
    let sidecar = try Sidecar(path: file, isDurable: false)
    #expect(try size(of: sidecar) < before / 4)
    for number in 0..<100 as Range<UInt64> {
      let cells = try sidecar.cells(of: SyncID(high: number, low: 7))
      #expect(cells?[.value(PropertyID(number: 3))]?.payload == payload)
    }
    #expect(try sidecar.number("version") == SidecarTables.version)
  }

  @Test("the room of a large inbox stayed in the file")
  func givenBack() throws {
    let sidecar = try Sidecar(path: file, isDurable: false)
    let before = try size(of: sidecar)
    try sidecar.transact {
      try sidecar.addToInbox((0..<20_000).map { Self.cell($0, [4, 1, 2, 3]) })
    }
    #expect(try size(of: sidecar) > 4 * before)
    try sidecar.transact { try sidecar.emptyInbox() }
    #expect(try size(of: sidecar) <= before + 16 * 4096)
  }
}
