import Foundation

/// One save in one store: reserve, perform, and commit or roll back.
package protocol SaveTransaction: AnyObject {
  /// Whether what is written goes into a history.
  var keepsHistory: Bool { get }
  /// Whether one sequence gives the keys of all entities.
  var sharesKeys: Bool { get }
  /// Notes the writer, for the history.
  func sign(_ origin: HistoryOrigin)
  /// Reserves keys that no row ever had, and gives the first.
  func reserveKeys(root: Int32, count: Int) throws -> Int64
  /// Puts data into a file beside the store, and gives the file's name; `nil` if it must stay in the
  /// row. A rollback removes the file.
  func keepInFile(_ data: Data) throws -> String?
  /// Puts the store's metadata beside the rows; called before `perform`.
  func setMetadata(_ metadata: [String: Any]) throws
  /// The rows that have one of these values where values must be unique.
  func rows(with values: [UniqueValues], in constraint: UniqueConstraint) throws -> [Row]
  /// The rows that have other versions than the plan expects; writes nothing.
  func conflicts(with plan: SavePlan) throws -> [RowConflict]
  /// Writes the plan. Throws ``SaveConflicts`` when rows have other versions than expected.
  func perform(_ plan: SavePlan) throws -> SaveReceipt
  func commit() throws
  /// The transaction's number in the history, if it is known only since the commit.
  var lateHistoryNumber: Int64? { get }
  /// Undoes everything since the transaction began; never fails.
  func rollback()
}

extension SaveTransaction {
  package var keepsHistory: Bool { false }
  package var sharesKeys: Bool { false }
  package var lateHistoryNumber: Int64? { nil }
  package func sign(_ origin: HistoryOrigin) {}

  /// Reserves a key for each new row, of each of which `roots` has the root entity; those of one entity are reserved at
  /// once.
  func reserveKeys(roots: [Int32]) throws -> [Int64] {
    guard let first = roots.first else { return [] }
    if roots.allSatisfy({ $0 == first }) {
      let number = try reserveKeys(root: first, count: roots.count)
      return Array(number..<number + Int64(roots.count))
    }
    var counts: [Int32: Int] = [:]
    for root in roots { counts[root, default: 0] += 1 }
    var next: [Int32: Int64] = [:]
    for (root, count) in counts { next[root] = try reserveKeys(root: root, count: count) }
    return roots.map { root in
      let number = next[root] ?? 0
      next[root] = number + 1
      return number
    }
  }

  package func keepInFile(_ data: Data) throws -> String? { nil }
}
