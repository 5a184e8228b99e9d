import CoreDataModel

/// The effect of a change on a lightweight migration, from nothing to do to impossible.
///
/// The rules are those of "Migrating your data model automatically" (108). The work that a change means for an SQLite
/// store is distinguished, because on a large store it decides between a moment and minutes.
package enum LightweightVerdict: Hashable, Sendable {
  /// Stores of one version open with the other.
  case notNeeded
  /// Descriptions of tables change, no row is touched.
  case constantTime
  /// Each row of a table is read or written: the time grows with the number of objects.
  case rewritesRows
  case impossible(reason: String, remedy: String)

  package var isImpossible: Bool {
    if case .impossible = self { true } else { false }
  }
}

extension LightweightVerdict: Comparable {
  package static func < (left: LightweightVerdict, right: LightweightVerdict) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .notNeeded: 0
    case .constantTime: 1
    case .rewritesRows: 2
    case .impossible: 3
    }
  }
}

extension LightweightVerdict: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notNeeded: "needs no migration"
    case .constantTime: "lightweight migration does it in constant time"
    case .rewritesRows: "lightweight migration does it and goes through all rows"
    case .impossible(let reason, let remedy):
      "lightweight migration cannot do it: \(reason); \(remedy)"
    }
  }
}
