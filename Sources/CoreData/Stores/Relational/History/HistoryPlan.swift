import CoreDataPredicates

/// A request for one store's history.
package struct HistoryPlan: Sendable {
  var start = Start.beginning
  /// The subject of the condition and the order.
  var subject = Subject.transactions
  var predicate: CoreDataPredicates.PredicateTree?
  var sort: [SortTerm] = []
  /// How many of the subject at most; nil for all.
  var limit: Int?
  var offset = 0

  /// The place in front of the requested transactions, itself excluded.
  enum Start: Hashable, Sendable {
    case beginning
    case transaction(Int64)
    /// Seconds since 1 January 2001.
    case time(Double)
  }

  enum Subject: Hashable, Sendable {
    case transactions
    case changes
  }

  /// Whether some of the subject are left out.
  var isSelective: Bool { predicate != nil || limit != nil || offset > 0 }
}

/// How much of a history goes.
package enum HistoryPurge: Hashable, Sendable {
  case all
  case beforeTransaction(Int64)
  /// Seconds since 1 January 2001.
  case beforeTime(Double)
}
