import Foundation

/// The number by which Evernote's texts name their pictures (RFC 1321); not a protection against forgers.
enum MD5 {
  /// In hexadecimal, as the texts have it.
  static func text(of data: Data) -> String {
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476]
    let whole = data.count / 64 * 64
    data.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: whole, by: 64) { mix(&state, bytes, start) }
    }
    var end = Array(data.suffix(data.count - whole))
    end.append(0x80)
    while end.count % 64 != 56 { end.append(0) }
    for index in 0..<8 { end.append(UInt8(truncatingIfNeeded: (data.count * 8) >> (8 * index))) }
    end.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 64) { mix(&state, bytes, start) }
    }
    return state.map { word in
      (0..<4).map { index in
        let byte = UInt8(truncatingIfNeeded: word >> (8 * UInt32(index)))
        return (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }.joined()
    }.joined()
  }

  private static func mix(_ state: inout [UInt32], _ bytes: UnsafeRawBufferPointer, _ start: Int) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      var (mixed, word): (UInt32, Int)
      switch step / 16 {
      case 0: (mixed, word) = ((b & c) | (~b & d), step)
      case 1: (mixed, word) = ((d & b) | (~d & c), (5 * step + 1) % 16)
      case 2: (mixed, word) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mixed, word) = (c ^ (b | ~d), 7 * step % 16)
      }
      let input = UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: start + word * 4, as: UInt32.self)
      )
      mixed = mixed &+ a &+ sines[step] &+ input
      let turn = turns[step / 16 * 4 + step % 4]
      (a, d, c, b) = (d, c, b, b &+ ((mixed << turn) | (mixed >> (32 - turn))))
    }
    state = [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
  }

  private static let sines = (0..<64).map { UInt32(sin(Double($0 + 1)).magnitude * 4_294_967_296) }
  private static let turns: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
}
