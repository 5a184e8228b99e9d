import CoreDataSQLite
import Synchronization

@testable import CoreData

/// The statements that a store's connections run, in their order.
final class StatementLog: Sendable {
  private let texts = Mutex<[String]>([])

  var statements: [String] { texts.withLock { $0 } }

  var count: Int { statements.count }

  /// Hears of every statement of the coordinator's only store from now on.
  init(_ coordinator: NSPersistentStoreCoordinator) {
    coordinator.pool?.observe { [self] sql throws(SQLiteError) in
      texts.withLock { $0.append(sql) }
    }
  }

  /// The statements that `body` leads to.
  func during(_ body: () throws -> Void) rethrows -> [String] {
    texts.withLock { $0 = [] }
    try body()
    return statements
  }
}
