import CoreDataSQL
import CoreDataSQLite
import Synchronization

/// The canonical columns of a file that may be searched instead of the texts themselves.
///
/// Another program may have changed a text without its canonical form, or folds some letters in
/// another way. So the first search that could use a column looks once at every row, which costs what
/// the search would have cost without it; from then on each save keeps the column true.
///
/// Safety: the columns are values behind a mutex.
final class TrustedColumns: Sendable {
  private let state: Mutex<Findings>

  private struct Findings {
    /// The columns that were not found wrong.
    var columns: CanonicalColumns
    var verified: Set<CanonicalColumn> = []
  }

  init(_ columns: CanonicalColumns) {
    state = Mutex(Findings(columns: columns))
  }

  /// The columns that were not found wrong.
  var columns: CanonicalColumns { state.withLock { $0.columns } }

  /// Looks at the rows of the columns that nobody has looked at yet, and returns whether all of them are right.
  ///
  /// A condition that names a derived attribute itself means the stored value, right or wrong, and does not have rows
  /// checked.
  func areRight(_ searched: Set<CanonicalColumn>, on pool: Pool) throws -> Bool {
    let doubtful = searched.subtracting(state.withLock { $0.verified })
    for column in doubtful { try verify(column, on: pool) }
    return doubtful.isSubset(of: state.withLock { $0.verified })
  }

  private func verify(_ column: CanonicalColumn, on pool: Pool) throws {
    let isWrong = try pool.read { connection throws(SQLiteError) in
      try connection.integer(column.difference(in: SQLiteDialect())) != nil
    }
    state.withLock { state in
      if isWrong { state.columns.remove(column) } else { state.verified.insert(column) }
    }
  }
}
