import CoreDataSQL

/// A store whose history is in tables: it only has to provide the means of reading and purging them.
package protocol TabledHistory: HistoricStore {
  associatedtype Connection: SQLConnection

  /// The history of the store; `nil` if it does not have one.
  var history: StoreHistory? { get }
  /// The place of the store, for messages.
  var path: String { get }
  /// Runs a block that reads the history on a connection, and reports failures in the store's words.
  func readingHistory<Result>(_ body: (Connection) throws -> Result) throws -> Result
}

extension TabledHistory {
  package var hasHistory: Bool { history != nil }

  package func excerpt(
    _ plan: HistoryPlan,
    of store: NSPersistentStore,
    withChanges: Bool
  ) throws -> HistoryExcerpt {
    let reader = try reader(plan, of: store)
    return try readingHistory { try reader.excerpt(withChanges: withChanges, on: $0) }
  }

  package func changedObjects(
    _ plan: HistoryPlan,
    of store: NSPersistentStore
  ) throws -> [NSManagedObjectID] {
    let reader = try reader(plan, of: store)
    return try readingHistory { try reader.objects(on: $0) }
  }

  package func changeCount(_ plan: HistoryPlan, of store: NSPersistentStore) throws -> Int {
    let reader = try reader(plan, of: store)
    return try readingHistory { try reader.changeCount(on: $0) }
  }

  package func lastTransactionNumber() throws -> Int64? {
    guard let history else { return nil }
    return try readingHistory { try HistoryKeys($0, history.dialect).lastTransaction() }
  }

  private func reader(_ plan: HistoryPlan, of store: NSPersistentStore) throws -> HistoryReader {
    guard let history else { throw HistoryFailure.notKept(store: path).error }
    return HistoryReader(plan, history, store: store.number, identifier: store.identifier ?? "")
  }
}
