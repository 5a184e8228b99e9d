import Foundation
import TestSupport

@testable import SyncSimulation

/// Which histories are tried.
enum Seeds {
  private static let environment = ProcessInfo.processInfo.environment

  /// Few in `./test`, more in long runs; `Scripts/long-tests histories` takes thousands, with optimization.
  private static var all: ClosedRange<UInt64> {
    guard let text = environment["COREDATA_SYNC_SEEDS"] else { return Tries.seeds(40, long: 130) }
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    return (ends.first ?? 1)...max(ends.last ?? 1, ends.first ?? 1)
  }

  /// The histories, in parts that are tried at the same time.
  static var wanted: [ClosedRange<UInt64>] {
    stride(from: all.lowerBound, through: all.upperBound, by: 20).map { first in
      first...min(first + 19, all.upperBound)
    }
  }

  /// The histories of each theme.
  static let themed = Tries.seeds(3, long: 10)

  /// The histories in which a bug that was put in is looked for.
  static let injected: ClosedRange<UInt64> = 1...200

  static var turns: Int {
    environment["COREDATA_SYNC_TURNS"].flatMap { Int($0) } ?? RandomHistory.usualLength
  }

  /// Kinds of turns that are left out, to test the effects of the others.
  static var excluded: Set<Turn.Kind> {
    let names = Set(
      (environment["COREDATA_SYNC_WITHOUT"] ?? "").split(separator: ",").map(String.init)
    )
    return Set(Turn.Kind.allCases.filter { names.contains("\($0)") })
  }
}
