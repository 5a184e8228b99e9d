import Foundation

/// What every kind of store can do with rows; contexts and coordinators speak to it alone.
///
/// Called from any thread; a store sees to its own order.
package protocol RowStore: AnyObject {
  /// The rows that match, in the plan's order and range.
  func rows(for plan: FetchPlan) throws -> [Row]
  /// How many rows match, the plan's range considered.
  func count(for plan: FetchPlan) throws -> Int
  /// The row with that key; nil when there is none.
  func row(for number: Int64, of layout: EntityLayout) throws -> Row?
  /// The rows that a to-many relationship leads to, in its order if it has one.
  func members(of number: Int64, in layout: EntityLayout, at slot: Int) throws -> [Row]
  /// Begins to write; other writers wait until the transaction ends.
  func beginSave() throws -> any SaveTransaction
  /// Lets go of files; nothing is asked of the store afterwards.
  func close()
}

extension RowStore {
  package func close() {}
}

/// One save in one store: reserve, perform, and commit or roll back.
package protocol SaveTransaction: AnyObject {
  /// Reserves keys that no row ever had, and gives the first.
  func reserveKeys(root: Int32, count: Int) throws -> Int64
  /// Puts data into a file beside the store, and gives the file's name; nil where it shall stand in the
  /// row. A rollback removes the file.
  func keepInFile(_ data: Data) throws -> String?
  /// Writes the plan. Throws ``SaveConflicts`` when rows have other versions than expected.
  func perform(_ plan: SavePlan) throws -> SaveReceipt
  func commit() throws
  /// Undoes everything since the transaction began; never fails.
  func rollback()
}

extension SaveTransaction {
  package func keepInFile(_ data: Data) throws -> String? { nil }
}
