import Foundation
import Testing

@testable import Pictures

struct `A picture that harms its reader` {
  @Test(arguments: [".png[interlace=true]", ".png", ".jpg[interlace=true]", ".gif", ".webp"])
  func `was found out at the first look only, and looked at again and again`(
    ending: String
  )
    async throws
  {
    let data = try await Sample.picture(ending, width: 1_200, height: 900)
    let kind = try #require(PictureKind(of: data))
    #expect(try await Picture.size(of: data) == PictureSize(width: 1_200, height: 900))
    for part in [data.count * 2 / 3, data.count / 2] {
      // Asking for its size reads it to its end.
      await #expect(throws: PictureError.damaged(kind)) {
        try await Picture.size(of: data.prefix(part))
      }
    }
  }

  /// A PNG with texts that are much larger when they are unpacked.
  private static func bomb(texts: Int) async throws -> Data {
    let picture = try await Sample.picture(".png")
    // An empty text of zlib that says the same byte again and again: made by the tool that tests have.
    let packed = try #require(Bomb.packed(megabytes: 32))
    let chunk = Bomb.chunk("zTXt", Array("Comment\0\0".utf8) + packed)
    return picture.prefix(33) + Array(repeating: chunk, count: texts).joined()
      + picture.dropFirst(33)
  }

  @Test(.timeLimit(.minutes(60)))
  func `by texts that unpack to gigabytes ends its reader, and nothing else`() async {
    // In a process where nothing else takes memory at the same time.
    await #expect(processExitsWith: .success) {
      let data = try await Self.bomb(texts: 20)
      #expect(data.count < 8 << 20)
      // It is a picture, or is refused; this process has not grown by it.
      let before = try Self.mostMegabytes()
      do {
        _ = try await Picture.thumbnail(of: data, longestSide: 20)
      } catch let error as PictureError {
        #expect([.damaged(.png), .tooDear(.png)].contains(error))
      }
      #expect(try Self.mostMegabytes() < before + 200)
    }
  }

  /// The most memory that this process has had at once.
  private static func mostMegabytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
    return try #require(
      line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
    )
      / 1024
  }

  @Test func `is not read any more when nobody waits for it`() async throws {
    let data = try await Sample.picture(".png", width: 6_000, height: 6_000)
    let task = Task { try await Picture.size(of: data) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}

/// Deflated data without a library: stored and repeated blocks are enough.
enum Bomb {
  /// So many megabytes of one byte, as zlib packs them: about a thousandth.
  static func packed(megabytes: Int) -> [UInt8]? {
    // One block with fixed codes: a zero byte, then matches of length 258 at distance 1.
    var bits = Bits()
    bits.add(1, 1)
    bits.add(1, 2)
    bits.addCode(0x30, 8)
    let count = megabytes << 20
    for _ in 0..<(count / 258) {
      bits.addCode(0xC5, 8)
      bits.addCode(0, 5)
    }
    bits.addCode(0, 7)
    let size = 1 + count / 258 * 258
    return [0x78, 0x01] + bits.bytes + sum(zeros: size)
  }

  /// Adler-32 of zeros.
  private static func sum(zeros: Int) -> [UInt8] {
    let high = UInt32(zeros % 65_521)
    return [UInt8(high >> 8), UInt8(high & 0xFF), 0, 1]
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> Data {
    let named = Array(name.utf8) + content
    let sum = ~named.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1
      }
    }
    func bytes(_ number: UInt32) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    return Data(bytes(UInt32(content.count)) + named + bytes(sum))
  }

  private struct Bits {
    var bytes: [UInt8] = []
    private var count = 0

    /// The lowest bit first, as numbers are packed.
    mutating func add(_ number: Int, _ width: Int) {
      for bit in 0..<width { add(bit: (number >> bit) & 1) }
    }

    /// The highest bit first, as codes are packed.
    mutating func addCode(_ code: Int, _ width: Int) {
      for bit in (0..<width).reversed() { add(bit: (code >> bit) & 1) }
    }

    private mutating func add(bit: Int) {
      if count % 8 == 0 { bytes.append(0) }
      if bit == 1 { bytes[count / 8] |= 1 << UInt8(count % 8) }
      count += 1
    }
  }
}
