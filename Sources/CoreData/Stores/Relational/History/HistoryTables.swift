/// The tables in which a store's file keeps its history, in the shape that they have in this file.
///
/// ```
/// ATRANSACTION        one row for each save: when, and who
/// ACHANGE             one row for each row that the save has written: what became of it
/// ATRANSACTIONSTRING  names of authors, contexts, programs and processes, each once
/// ```
///
/// Files of iOS 11 have no third table, and the names in the transactions themselves; such a file goes on
/// in its own shape.
package struct HistoryTables: Hashable, Sendable {
  let shape: Shape
  /// How many columns there are for values of deleted objects.
  package var tombstoneCount: Int

  package init(shape: Shape, tombstoneCount: Int) {
    self.shape = shape
    self.tombstoneCount = tombstoneCount
  }

  package enum Shape: Hashable, Sendable {
    /// Names stand in a table of their own.
    case sharedTexts
    /// Names stand in the transactions.
    case ownTexts
  }

  /// What `Z_PRIMARYKEY` knows the tables as: numbers and names are Apple's.
  enum Entity: Int64, CaseIterable, Sendable {
    case change = 16001
    case transaction = 16002
    case text = 16003

    var name: String {
      switch self {
      case .change: "CHANGE"
      case .transaction: "TRANSACTION"
      case .text: "TRANSACTIONSTRING"
      }
    }

    var table: String { "A\(name)" }
  }

  /// The columns of a transaction that say who it was.
  package static let origins = ["AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID"]

  package static func tombstone(_ index: Int) -> String { "ZTOMBSTONE\(index)" }
}

// MARK: - In a file

extension HistoryTables {
  /// Whether a file with these tables has, or had, a history.
  static func isAmong(_ names: Set<String>) -> Bool {
    names.contains(Entity.change.table) && names.contains(Entity.transaction.table)
  }
}
