/// The tables in which a store's file keeps its history, in the shape that they have in this file.
///
/// ```
/// ATRANSACTION        one row for each save: its time and its origin
/// ACHANGE             one row for each row that the save has written: how it changed
/// ATRANSACTIONSTRING  names of authors, contexts, programs and processes, each once
/// ```
///
/// Files of iOS 11 do not have a third table, but the names in the transactions themselves; such a file goes on in
/// its own shape.
package struct HistoryTables: Hashable, Sendable {
  let shape: Shape
  /// How many columns there are for values of deleted objects.
  package var tombstoneCount: Int

  package init(shape: Shape, tombstoneCount: Int) {
    self.shape = shape
    self.tombstoneCount = tombstoneCount
  }

  package enum Shape: Hashable, Sendable {
    /// Names are in a table of their own.
    case sharedTexts
    /// Names are in the transactions.
    case ownTexts
  }

  /// The tables' entries in `Z_PRIMARYKEY`: numbers and names are Apple's.
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

  package static func tombstone(_ index: Int) -> String { "ZTOMBSTONE\(index)" }
}

// MARK: - In a file

extension HistoryTables {
  /// Whether a file with these tables has, or had, a history.
  static func isAmong(_ names: Set<String>) -> Bool {
    names.contains(Entity.change.table) && names.contains(Entity.transaction.table)
  }
}
