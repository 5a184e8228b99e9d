import CoreDataSyncCore
import Testing

struct CompressedMessageTests {
  private static let text = Array(
    (0..<2_000).map { "The note of day \($0) has \($0 * $0 % 97) words. " }.joined().utf8
  )

  @Test("a message is the same after it was compressed")
  func roundTrip() throws {
    let bytes = try #require(CompressedMessage.bytes(of: Self.text))
    #expect(bytes.count < Self.text.count / 3)
    #expect(try CompressedMessage.message(of: bytes, upTo: Self.text.count) == Self.text)
  }

  @Test("a message that does not get smaller by an eighth, or is short, stays as it is")
  func incompressible() {
    var state: UInt64 = 7
    let noise = (0..<10_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    #expect(CompressedMessage.bytes(of: noise) == nil)
    #expect(CompressedMessage.bytes(of: Array(Self.text.prefix(999))) == nil)
    #expect(CompressedMessage.bytes(of: []) == nil)
  }

  @Test("a compressed message that ends too early, goes on or is something else is damaged")
  func damaged() throws {
    let bytes = try #require(CompressedMessage.bytes(of: Self.text))
    var changed = bytes
    changed[bytes.count / 2] ^= 0x10
    let wrongs = [
      Array(bytes.dropLast()), Array(bytes.prefix(5)), bytes + [0], changed, [], Self.text,
    ]
    for wrong in wrongs {
      #expect(throws: CompressedMessage.Failure.damaged) {
        try CompressedMessage.message(of: wrong, upTo: 1 << 20)
      }
    }
  }

  @Test("a small body that becomes large takes no more memory than the limit")
  func growing() throws {
    let zeros = [UInt8](repeating: 0, count: 30 << 20)
    let bytes = try #require(CompressedMessage.bytes(of: zeros))
    #expect(bytes.count < 200_000)
    var taken = 0
    #expect(throws: CompressedMessage.Failure.tooLarge) {
      try CompressedMessage.message(of: bytes, upTo: 2 << 20) {
        taken += $0
        return true
      }
    }
    #expect(taken == (2 << 20) + 1)
    #expect(throws: CompressedMessage.Failure.noRoom) {
      try CompressedMessage.message(of: bytes, upTo: 2 << 20) { _ in false }
    }
    #expect(try CompressedMessage.message(of: bytes, upTo: 30 << 20) == zeros)
  }
}
