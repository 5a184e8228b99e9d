import Foundation

/// A transaction that writes rows, as batches see it.
package protocol RelationalTransaction: AnyObject {
  associatedtype Connection: SQLConnection

  var connection: Connection { get }
  var schema: StoreSchema { get }
  /// The files that the commit makes superfluous, and that go with it.
  var oldFiles: [String] { get set }
  /// Forgets which rows the database itself has changed so far, by triggers.
  func forgetReportedRows()
}

extension RelationalTransaction {
  typealias Failure = Connection.Failure
}

/// A transaction in which rows are inserted one by one.
protocol InsertingTransaction: RelationalTransaction {
  /// Reserves keys that no row ever had, and gives the first.
  func reserveKeys(root: Int32, count: Int) throws -> Int64
  /// Puts data into a file beside the store, and gives the file's name; `nil` if it must stay in the row.
  func keepInFile(_ data: Data) throws -> String?
  /// The columns of each index that keeps values of a table unique.
  func uniqueIndexes(of table: String) throws -> Set<Set<String>>
  /// The key of the row that was inserted last.
  var lastInsertedKey: Int64 { get }
}
