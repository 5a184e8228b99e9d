import CoreData
import Foundation

/// How many connections to its server a store may have for each of the things that it does there.
///
/// ```
/// limit   work   moments   keys of new objects   news
///    42     16        24                     1      1    as a rule
///    20      7        11                     1      1
///     8      2         4                     1      1
/// ```
///
/// A store with replicas keeps a tenth of the limit, four at most, for asking how far the server has written; the others
/// share what is left.
struct ConnectionShares: Equatable {
  /// For saves and batches, and for reads of contexts that are not pinned.
  private(set) var work = 16
  /// For pinned contexts: at the store's own server, and as many at each replica.
  private(set) var moments = 24
  /// For the question how far the server has written, which a store with replicas asks.
  private(set) var questions = 4

  /// The shares that the option of a store allows; without the option, the default shares.
  ///
  /// Throws 134091 if it is not a whole number, or outside of `limits`.
  init(_ options: [AnyHashable: Any]?, of url: URL?, asksReplicas: Bool) throws {
    guard let given = options?[PostgreSQLStores.connectionLimitOption] else { return }
    guard let number = (given as? NSNumber)?.doubleValue, let limit = Int(exactly: number),
      Self.limits.contains(limit)
    else {
      let cause = PostgreSQLFailure.Cause.badOption(
        "NSPostgreSQLConnectionLimitOption",
        given: "\(given)",
        expected: "a whole number from \(Self.limits.lowerBound) to \(Self.limits.upperBound)"
      )
      let path = url.map { StoreAddress.shown($0) } ?? ""
      throw PostgreSQLFailure(cause, path: path).error()
    }
    questions = min(questions, max(1, limit / 10))
    // Keys have a connection of their own, and so does the listener.
    let rest = limit - 2 - (asksReplicas ? questions : 0)
    // A program that hands rows over to a batch, which keeps one, may read at the same time.
    work = max(2, rest * 2 / 5)
    moments = rest - work
  }

  private static let limits = 8...1000
}
