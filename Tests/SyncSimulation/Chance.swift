/// Random numbers that are the same for the same seed.
struct Chance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x2545_F491_4F6C_DD1D &+ 0x9E37_79B9
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from zero on.
  mutating func number(below limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

  mutating func happens(percent: Int) -> Bool { number(below: 100) < percent }

  mutating func one<Element>(of all: [Element]) -> Element? {
    all.isEmpty ? nil : all[number(below: all.count)]
  }
}
