/// The version of Core Data that wrote a store, and the system it came with.
///
/// ```
/// FrameworkVersion(number: 1344).system      iOS 17 or macOS 14
/// ```
struct FrameworkVersion: Hashable, Sendable {
  let number: Int

  /// Known from stores whose origin is known; numbers between two of them are of a system between.
  private static let systems: [(numbers: ClosedRange<Int>, name: String)] = [
    (241...241, "Mac OS X 10.6"),
    (419...419, "iOS 6"),
    (519...519, "iOS 8"),
    (637...641, "iOS 9"),
    (752...754, "iOS 10"),
    (836...851, "iOS 11"),
    (865...866, "iOS 12"),
    (973...977, "iOS 13 or macOS 10.15"),
    (1042...1048, "iOS 14 or macOS 11"),
    (1132...1145, "iOS 15 or macOS 12"),
    (1239...1251, "iOS 16 or macOS 13"),
    (1321...1347, "iOS 17 or macOS 14"),
    (1403...1448, "iOS 18 or macOS 15"),
    (1509...1522, "iOS 26 or macOS 26"),
  ]

  /// As in "the format of iOS 12".
  var system: String {
    if let known = Self.systems.first(where: { $0.numbers.contains(number) }) { return known.name }
    let before = Self.systems.last { $0.numbers.upperBound < number }?.name
    let after = Self.systems.first { $0.numbers.lowerBound > number }?.name
    switch (before, after) {
    case (let before?, let after?): return "a system between \(before) and \(after)"
    case (let before?, nil): return "a system after \(before)"
    case (nil, let after?): return "a system before \(after)"
    case (nil, nil): return "an unknown system"
    }
  }
}
