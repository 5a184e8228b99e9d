import CoreDataPredicates
import Foundation

/// A batch request as a store carries it out: names are resolved, and nothing is said of SQL.
///
/// ```
/// NSBatchUpdateRequest ─▶ Batch ─▶ BatchStore.perform ─▶ BatchReceipt ─▶ NSBatchUpdateResult
/// ```
package struct Batch {
  package unowned(unsafe) let layout: EntityLayout
  package let work: Work
  /// Whether the receipt must name the rows.
  package var namesRows = false
  /// The origin of the request, for histories.
  package var origin = HistoryOrigin()

  package enum Work {
    case insert(BatchRows, NSMergePolicyType)
    case update(BatchUpdate)
    case delete(FetchPlan)
  }

  /// As sentences call it.
  var words: String {
    switch work {
    case .insert: "a batch insertion"
    case .update: "a batch update"
    case .delete: "a batch deletion"
    }
  }
}

/// Where the rows of a batch insertion come from.
package enum BatchRows {
  case dictionaries([[String: Any]])
  case dictionaryHandler((NSMutableDictionary) -> Bool)
  case objectHandler((NSManagedObject) -> Bool)
  /// Takes the next row's values, and says whether there were any.
  case values((any Encoder) throws -> Bool, BatchTargets)
  case filler(any RowFiller)
}

/// Which rows a batch update changes, and how.
package struct BatchUpdate {
  /// The rows, without order or range.
  var rows: FetchPlan
  /// New values, each an `NSExpression` or a constant, by slot.
  var values: [(slot: Int, value: Any?)]
}

/// The result of a batch request in a store.
package struct BatchReceipt {
  let store: StoreNumber
  let count: Int
  /// The rows, if the request wants them.
  let rows: [BatchRow]

  package init(store: StoreNumber, count: Int, rows: [BatchRow]) {
    self.store = store
    self.count = count
    self.rows = rows
  }
}

extension [BatchReceipt] {
  var count: Int { reduce(0) { $0 + $1.count } }

  var objectIDs: [NSManagedObjectID] {
    flatMap { receipt in
      receipt.rows.map { row in
        let root = row.layout.rootNumber
        let key = ObjectKey(store: receipt.store, root: root, number: row.primaryKey)
        return NSManagedObjectID(key: key, layout: row.layout)
      }
    }
  }
}
