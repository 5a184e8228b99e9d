package import CoreDataSQL

/// A history on its way into another store: transactions keep their numbers, times and texts, and report the same
/// objects, whatever numbers these have there.
///
/// ```
/// from   7 "import"   insert Note/4, delete Note/1
/// to     7 "import"   insert Note/4, delete Note/1
/// ```
package struct CarriedHistory {
  package let excerpt: HistoryExcerpt
  /// The number of the last transaction, also if that was purged.
  package let lastTransaction: Int64
  private let numbers: [ObjectKey: Int64]

  /// The numbers are those that the objects of the excerpt's store get, the deleted ones too.
  init(_ excerpt: HistoryExcerpt, lastTransaction: Int64, _ numbers: [ObjectKey: Int64]) {
    self.excerpt = excerpt
    self.lastTransaction = lastTransaction
    self.numbers = numbers
  }

  /// The key that the last change has.
  package var lastChange: Int64 { excerpt.changes.map(\.key).max() ?? 0 }

  /// The number of the object that a change is of.
  package func number(ofChange index: Int) -> Int64 {
    numbers[excerpt.key(ofChange: index)] ?? excerpt.changes[index].number
  }

  /// The values that a deletion has left, in the order and the forms in which another history keeps them; nil for none.
  package func values(leftBy index: Int, for history: StoreHistory) -> [SQLValue]? {
    guard let values = excerpt.tombstones[index] else { return nil }
    let layout = excerpt.changes[index].layout
    let kept = Dictionary(
      zip(excerpt.history.tombstone(of: layout).map(\.slot), values)
    ) { first, _ in first }
    return history.tombstone(of: layout).map { attribute in
      let kind = layout.kinds[attribute.slot]
      return history.dialect.preserving(kept[attribute.slot] ?? .null, of: kind)
    }
  }
}

/// A transaction whose rows have a history already, which is written instead of one of its own.
package protocol CarryingTransaction: SaveTransaction {
  /// Has `perform` write this history with the rows; called before.
  func carry(_ history: CarriedHistory)
  /// Reserves keys as a part of the transaction, and returns the first: if the transaction fails, nobody has had
  /// them.
  func takeKeys(root: Int32, count: Int) throws -> Int64
}

extension CarryingTransaction {
  func takeKeys(root: Int32, count: Int) throws -> Int64 {
    try reserveKeys(root: root, count: count)
  }
}
