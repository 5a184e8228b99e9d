/// How much a property list or an archive may come to when everything in it is gone through.
///
/// An object may be in many places and be written once, so that thirty objects, each of which names
/// the next one twice, are a thousand million values for code that compares, prints or copies them.
///
/// ```
/// 1 [→ 2, → 2]   2 [→ 3, → 3]   3 [→ 4, → 4]   …      2, 4, 8, … values
/// ```
///
/// The unfolded size counts: a value each time it is met, and a long text or data by its length.
struct UnfoldingBudget {
  private(set) var rest: Int
  private let whole: Int

  /// The amount that may be unfolded out of any file, however short; going through it takes less than a second.
  private static let least = 1_000_000
  /// A list that shares nothing has fewer values than bytes.
  private static let factor = 4

  init(forBytes count: Int) {
    whole = max(Self.least, count.multipliedReportingOverflow(by: Self.factor).partialValue)
    rest = whole
  }

  /// Subtracts the cost; returns `false` if not so much is left.
  mutating func covers(_ cost: Int) -> Bool {
    guard cost <= rest else { return false }
    rest -= cost
    return true
  }

  mutating func spend(_ cost: Int) throws(ArchiveError) {
    guard covers(cost) else {
      throw ArchiveError(
        "its objects name each other so often that they come to more than \(whole) values"
      )
    }
  }

  /// The cost of one value, without those in it.
  static func cost(of value: PropertyListValue) -> Int {
    switch value {
    case .text(let text): 1 + text.utf8.count / 16
    case .data(let data): 1 + data.count / 16
    case .null, .boolean, .integer, .unsigned, .real, .date, .uid, .array, .dictionary: 1
    }
  }
}
