import Testing

@testable import CoreDataSyncCore

/// Messages with a checksum.
struct CheckedMessageTests {
  private static let cell = KeyedCell(
    CellKey(SyncID(random: 5, 6), .value(PropertyID(name: "title"))),
    Cell(
      epoch: 3,
      stamp: Stamp(moment: 99 << 16, writer: .max),
      base: 7,
      payload: CellValue.text("Seeds").payload
    )
  )

  private static let push = SyncRequest.push(
    .init(replica: SyncID(random: 1, 2), cursor: .start, seen: .start, clock: 9, cells: [cell])
  )

  @Test("A message with a checksum, and the same without one, are read as the same message")
  func read() throws {
    let checked = CheckedMessage.bytes(of: Self.push)
    #expect(CheckedMessage.isChecked(checked))
    #expect(!CheckedMessage.isChecked(Self.push.bytes))
    #expect(try CheckedMessage.message(checked) == Self.push)
    #expect(try CheckedMessage.message(Self.push.bytes) == Self.push)
    let refused = SyncResponse.refused(.resync)
    #expect(try CheckedMessage.message(CheckedMessage.bytes(of: refused)) == refused)
  }

  @Test("A message with a checksum and one flipped bit is refused, and called damaged")
  func flippedBits() {
    let checked = CheckedMessage.bytes(of: Self.push)
    for bit in 0..<(checked.count * 8) {
      var damaged = checked
      damaged[bit / 8] ^= 1 << (bit % 8)
      let error = #expect(throws: WireError.self) {
        let message: SyncRequest = try CheckedMessage.message(damaged)
        return message
      }
      if bit >= 16 { #expect(error?.isDamage == true) }
    }
  }

  @Test("A program of before there were checksums takes the message for a newer one")
  func olderReader() {
    let error = #expect(throws: WireError.self) {
      try SyncRequest(bytes: CheckedMessage.bytes(of: Self.push))
    }
    #expect(error?.sender == .newer)
  }

  @Test("The checksum of a cell is that of its bytes in a message, for each field and length")
  func cells() {
    let note = SyncID(random: 7, 8)
    let stamp = Stamp(moment: 5 << 16, writer: 6)
    let fields: [CellKey.Field] = [
      .life, .value(PropertyID(name: "a")), .member(PropertyID(name: "b"), note, dot: stamp),
      .place(PropertyID(name: "c"), note), .lost(PropertyID(name: "d"), stamp),
    ]
    for field in fields {
      for length in [0, 1, 127, 128, 300_000] {
        let cell = KeyedCell(
          CellKey(note, field),
          Cell(epoch: 1, stamp: stamp, base: 2, payload: Array(repeating: 3, count: length))
        )
        #expect(cell.checksum == cell.bytes.withUnsafeBytes { Checksum.of($0) })
      }
    }
  }
}
