import CoreDataSQLite
import Synchronization

@testable import CoreData

/// Refuses the n-th statement that a store runs from now on, as a disk that is full just then.
final class Refusal: Sendable {
  private let place: Int
  private let count = Mutex(0)

  init(ofStatement place: Int) {
    self.place = place
  }

  /// How many statements came by.
  var statementCount: Int { count.withLock { $0 } }

  /// Whether the statement to be refused came.
  var happened: Bool { statementCount >= place }

  func observe(_ sql: String) throws(SQLiteError) {
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number == place {
      throw SQLiteError(code: 13, message: "database or disk is full", sql: sql)
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// The connections of the only store.
  var pool: Pool? { (persistentStores.first?.backend as? SQLiteStore)?.pool }
}
