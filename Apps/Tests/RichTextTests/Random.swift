/// Chance that is the same in every run.
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The bytes with a few of them changed, lost, doubled or moved.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &self) {
      let start = Int.random(in: 0...bytes.count, using: &self)
      let end = min(bytes.count, start + Int.random(in: 0...12, using: &self))
      switch Int.random(in: 0..<4, using: &self) {
      case 0: bytes.replaceSubrange(start..<end, with: [])
      case 1: bytes.insert(UInt8.random(in: 0...255, using: &self), at: start)
      case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
      default: if start < end { bytes[start] = UInt8.random(in: 0...255, using: &self) }
      }
    }
    return bytes
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
