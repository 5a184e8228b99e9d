import Foundation

/// Whether work that met a conflict is worth another run, and after which pause.
struct ConflictRepetition {
  private var runs = 0
  private var hasMetDuplicate = false

  /// Enough for eight writers of other processes that meet at one row; the pauses come to a quarter of a
  /// second on average.
  private static let mostRuns = 8

  /// Notes a failed run, and says whether another one may succeed.
  mutating func mayFollow(_ error: any Error) -> Bool {
    runs += 1
    guard runs < Self.mostRuns else { return false }
    switch (error as NSError).code {
    case _ where (error as NSError).domain != NSCocoaErrorDomain:
      return false
    case NSManagedObjectMergeError:
      return true
    case NSManagedObjectConstraintMergeError:
      // The second time it is the work itself that makes the duplicate.
      defer { hasMetDuplicate = true }
      return !hasMetDuplicate
    default:
      return false
    }
  }

  /// How long to wait before the next run: a random time below 4 ms at first, doubled for each run.
  var pause: Duration {
    .microseconds(Int.random(in: 0...(2_000 << runs)))
  }
}
