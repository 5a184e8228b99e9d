package import Foundation

/// The SHA-256 digest (FIPS 180-4), fed piece by piece.
///
///     var digest = SHA256()
///     digest.update("abc".utf8)
///     digest.finish()      // ba7816bf 8f01cfea …
///
/// It is our own, and small, because the model compiler runs as a build tool on every platform and
/// must not need one more system library to tell two versions of a model apart.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  private var blocks = DigestBlocks(of: 64)

  package init() {}

  package static func digest(of bytes: some Sequence<UInt8>) -> Data {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    blocks.feed(bytes, into: &state, Self.compress)
  }

  /// The 32 bytes of the digest of everything fed so far.
  package mutating func finish() -> Data {
    blocks.end(lengthSize: 8, into: &state, Self.compress)
    return Data(state.flatMap(\.bigEndianBytes))
  }

  private static func compress(_ block: UnsafeRawPointer, _ state: inout [UInt32]) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { allocation in
      guard let words = allocation.baseAddress else { return }
      expand(block, to: words)
      mix(words, into: &state)
    }
  }

  private static func expand(_ block: UnsafeRawPointer, to words: UnsafeMutablePointer<UInt32>) {
    var index = 0
    while index < 16 {
      let offset = index * MemoryLayout<UInt32>.size
      words[index] = block.loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
      index += 1
    }
    while index < 64 {
      let early = words[index - 15]
      let late = words[index - 2]
      let s0 = early.rotated(7) ^ early.rotated(18) ^ (early &>> 3)
      let s1 = late.rotated(17) ^ late.rotated(19) ^ (late &>> 10)
      words[index] = words[index - 16] &+ s0 &+ words[index - 7] &+ s1
      index += 1
    }
  }

  private static func mix(_ words: UnsafePointer<UInt32>, into state: inout [UInt32]) {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    var index = 0
    while index < 64 {
      let s1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
      let s0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
      index += 1
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1,
    0x923f_82a4, 0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3,
    0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786,
    0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147,
    0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13,
    0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a,
    0x5b9c_ca4f, 0x682e_6ff3, 0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208,
    0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 {
    (self &>> count) | (self &<< (32 &- count))
  }
}
