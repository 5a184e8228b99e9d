import CoreData

/// Fetches of a history since a token against plain SQL that reads the same columns into values.
///
///     Scripts/benchmark history [count] [rounds]
///
/// The history has as many changes before the token as after it, a hundred in each transaction; a third
/// of them are updates. The bar is 2.
struct HistoryFetching {
  let count: Int
  let rounds: Int
  let model: NSManagedObjectModel
  private let transactionSize = 100

  init(count: Int, rounds: Int, model: NSManagedObjectModel) {
    self.count = count
    self.rounds = rounds
    self.model = model
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("coredata-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("ours.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)]
    )
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    try fill(context)
    let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    let plain = PlainSQLite(path: file.path)
    let last = plain.integer("SELECT MAX(Z_PK) FROM ATRANSACTION")
    try fill(context)
    print("\(count) changes since a token, \(rounds) rounds; least / median")
    for type in Self.types {
      var comparison = Comparison(name: type.name)
      for _ in 0..<rounds {
        var (read, ours) = (0, 0)
        comparison.plain.append(.of { read = type.plain(plain, last) })
        comparison.ours.append(try .of { ours = try type.ours(fetched(type.type, token, context)) })
        precondition(read == ours, "\(type.name): both must have read the same, \(read), \(ours)")
      }
      print(comparison.line)
    }
  }

  private func fetched(
    _ type: NSPersistentHistoryResultType,
    _ token: NSPersistentHistoryToken?,
    _ context: NSManagedObjectContext
  ) throws -> Any? {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.resultType = type
    return (try context.execute(request) as? NSPersistentHistoryResult)?.result
  }

  /// Two thirds of the changes insert rows, and the last third changes the first half of them.
  private func fill(_ context: NSManagedObjectContext) throws {
    let transactions = max(count / transactionSize, 3)
    let inserting = transactions * 2 / 3
    var items: [NSManagedObjectID] = []
    for number in 0..<inserting {
      let rows = (0..<transactionSize).map {
        ["i2": number * transactionSize + $0, "name": "item"]
      }
      let request = NSBatchInsertRequest(entityName: "Item", objects: rows)
      request.resultType = .objectIDs
      let result = try context.execute(request) as? NSBatchInsertResult
      items += result?.result as? [NSManagedObjectID] ?? []
    }
    for number in 0..<(transactions - inserting) {
      let first = number * transactionSize
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.predicate = NSPredicate(
        format: "SELF IN %@",
        Array(items[first..<first + transactionSize])
      )
      request.propertiesToUpdate = ["d1": Double(number), "title": "changed"]
      try context.execute(request)
    }
  }
}

// MARK: - What is compared

extension HistoryFetching {
  private struct Kind {
    let name: String
    let type: NSPersistentHistoryResultType
    /// Reads the same with SQLite's own calls; returns a number that depends on the rows.
    let plain: (PlainSQLite, Int64) -> Int
    let ours: (Any?) throws -> Int
  }

  private static var types: [Kind] {
    [
      Kind(name: "count of changes", type: .count) { plain, last in
        Int(plain.integer("SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID > \(last)"))
      } ours: {
        ($0 as? NSNumber)?.intValue ?? 0
      },
      Kind(name: "identities, each once", type: .objectIDs) { plain, last in
        plain.changedObjects(after: last).count
      } ours: {
        ($0 as? [NSManagedObjectID])?.count ?? 0
      },
      Kind(name: "transactions alone", type: .transactionsOnly) { plain, last in
        plain.transactions(after: last).count
      } ours: {
        ($0 as? [NSPersistentHistoryTransaction])?.count ?? 0
      },
      Kind(name: "changes alone", type: .changesOnly) { plain, last in
        _ = plain.transactions(after: last)
        return plain.changes(after: last).count
      } ours: {
        ($0 as? [NSPersistentHistoryChange])?.count ?? 0
      },
      Kind(name: "transactions with changes", type: .transactionsAndChanges) { plain, last in
        _ = plain.changes(after: last)
        return plain.transactions(after: last).count
      } ours: {
        ($0 as? [NSPersistentHistoryTransaction])?.count ?? 0
      },
      Kind(name: "the same, each change looked at", type: .transactionsAndChanges) { plain, last in
        _ = plain.transactions(after: last)
        return plain.changes(after: last).reduce(0) { $0 &+ $1.kind }
      } ours: { result in
        (result as? [NSPersistentHistoryTransaction] ?? []).reduce(0) { sum, transaction in
          (transaction.changes ?? []).reduce(sum) { sum, change in
            sum &+ change.changeType.rawValue &+ (change.changedObjectID.isTemporaryID ? 1 : 0)
          }
        }
      },
    ]
  }
}
