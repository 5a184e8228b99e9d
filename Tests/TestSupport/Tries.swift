import Foundation

/// How often a test tries what chance decides: seeds, damaged bytes, moments at which a program is killed.
///
/// `./test` takes the few. `Scripts/long-tests` sets `COREDATA_LONG_TESTS` and takes the many.
public enum Tries {
  /// Whether this is a run of `Scripts/long-tests`, in which tests run that take too long for `./test`.
  public static var areMany: Bool { count(0, long: 1) == 1 }

  /// Returns how many tries a test makes in this run.
  public static func count(_ few: Int, long many: Int) -> Int {
    ProcessInfo.processInfo.environment["COREDATA_LONG_TESTS"] == nil ? few : many
  }

  /// Returns the numbers from 1 to the count of this run, as seeds.
  public static func seeds(_ few: Int, long many: Int) -> ClosedRange<UInt64> {
    1...UInt64(count(few, long: many))
  }

  /// Returns `few` of the numbers below `many`, spread evenly, or all of them in a long run.
  public static func spread(_ few: Int, of many: Int) -> [Int] {
    let count = count(few, long: many)
    return (0..<count).map { $0 * many / count }
  }

  /// Returns by how much a test goes on that makes the n-th of many failures happen, for every n: by
  /// `few`, or by 1 in a long run.
  public static func step(_ few: Int) -> Int {
    count(few, long: 1)
  }

  /// Returns each seed with two of the kinds, in turn, or with all of them in a long run.
  public static func dealt<Kind>(
    _ seeds: some Sequence<UInt64>,
    to kinds: [Kind]
  ) -> [(Kind, UInt64)] {
    seeds.flatMap { seed in
      let first = Int(seed) * 2
      return (0..<count(min(2, kinds.count), long: kinds.count)).map { place in
        (kinds[(first + place) % kinds.count], seed)
      }
    }
  }
}
