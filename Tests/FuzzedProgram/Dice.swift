/// Chance that is the same for the same seed and number.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64, number: Int) {
    state = (seed &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(number) &* 0xD1B5_4A32_D192_ED03)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// True once in so many times.
  mutating func once(in count: Int) -> Bool { number(0..<count) == 0 }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[number(0..<elements.count)]
  }
}

/// Values at the ends of their types' ranges, and words that mean something to some reader.
enum Nasty {
  static let integers: [Int64] = [
    .max, .min, .max - 1, .max / 2, .max / 2 + 1, -1, 0, 1, 255, 256, 65_535, 65_536, 2_147_483_647,
    2_147_483_648, -2_147_483_648, 4_294_967_295, 4_294_967_296, 1 << 53, 16_001, 1 << 40,
  ]
  static let reals: [Double] = [
    .infinity, -.infinity, .nan, 1e308, -1e308, 1e300, 9.3e18, -9.3e18, 0.5, -0.0,
    .leastNonzeroMagnitude, 1e15,
    63_113_904_000,
  ]
  static let texts = [
    "", "\0", "$null", "NO", "YES", "-1", "9223372036854775807", "-9223372036854775808", "1e999",
    "NaN", "inf", "2.5", "/", "../../..", "Note", "Folder", "title", "folder.name", "notes.@count",
    "NSArray", "NSDictionary", "now()", "SELF", "TRUEPREDICATE", "title MATCHES '(a+)+$'",
    "((((((((",
    "%@", "\u{1B}[31m", "\u{FFFD}", "é", "e\u{301}", "🗒", "<a>", "&amp;", "\\u00", "'\"`",
    "a\nb", "p1", "x-coredata://A/Note/p1", String(repeating: "x", count: 3_000),
    "00000000-0000-0000-0000-000000000000",
  ]
}
