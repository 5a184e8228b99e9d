import CoreDataPredicates
import Foundation

/// Puts together what the histories of several stores have to say.
///
/// ```
/// store A   1        2     3
/// store B      1  2     3
/// answer    A1 B1 B2 A2 B3 A3     as the clock says, each store's in its own order
/// ```
struct HistoryAnswer {
  private let stores: [(store: NSPersistentStore, history: any HistoricStore, plan: HistoryPlan)]
  private let type: NSPersistentHistoryResultType

  init(
    _ stores: [(NSPersistentStore, any HistoricStore, HistoryPlan)],
    _ type: NSPersistentHistoryResultType
  ) throws {
    self.stores = stores
    self.type = type
    if stores.count > 1, stores.contains(where: { !$0.2.sort.isEmpty || $0.2.offset > 0 }) {
      throw HistoryFailure.severalStores.error
    }
  }

  var result: NSPersistentHistoryResult {
    get throws {
      switch type {
      case .statusOnly:
        for store in stores { _ = try store.history.changeCount(store.plan, of: store.store) }
        return NSPersistentHistoryResult(NSNumber(value: true), type)
      case .count:
        return NSPersistentHistoryResult(NSNumber(value: try count()), type)
      case .objectIDs:
        return NSPersistentHistoryResult(try changedObjects(), type)
      case .transactionsOnly:
        return NSPersistentHistoryResult(try transactions(withChanges: false), type)
      case .transactionsAndChanges:
        return NSPersistentHistoryResult(try transactions(withChanges: true), type)
      case .changesOnly:
        return NSPersistentHistoryResult(try changes(), type)
      }
    }
  }

  private func excerpts(withChanges: Bool) throws -> [HistoryExcerpt] {
    try stores.map { try $0.history.excerpt($0.plan, of: $0.store, withChanges: withChanges) }
  }

  /// Whether a limit holds for what several stores have together: each of them has as much, and may have too much.
  private var isLimitedTogether: Bool { stores.count > 1 && stores.first?.plan.limit != nil }

  /// How many of a subject all stores may have together, each of which has been held to the limit; nil for any number.
  private func sharedLimit(of subject: HistoryPlan.Subject) -> Int? {
    guard isLimitedTogether, let plan = stores.first?.plan, plan.subject == subject else {
      return nil
    }
    return plan.limit
  }
}

// MARK: - In one order

extension HistoryAnswer {
  private func transactions(withChanges: Bool) throws -> [NSPersistentHistoryTransaction] {
    // A limit of changes says which transactions there are.
    let countsChanges = sharedLimit(of: .changes) != nil
    let excerpts = try excerpts(withChanges: withChanges || countsChanges)
    return try merged(excerpts, withChanges: withChanges)
  }

  private func changes() throws -> [NSPersistentHistoryChange] {
    let excerpts = try excerpts(withChanges: true)
    if let only = excerpts.first, excerpts.count == 1 {
      return only.changesInOrder.map { NSPersistentHistoryChange(only, at: $0) }
    }
    return try merged(excerpts, withChanges: true).flatMap { $0.changes ?? [] }
  }

  private func count() throws -> Int {
    if isLimitedTogether { return try changes().count }
    return try stores.reduce(0) { count, store in
      try count + store.history.changeCount(store.plan, of: store.store)
    }
  }

  /// The objects that have changed, each once.
  private func changedObjects() throws -> [NSManagedObjectID] {
    guard isLimitedTogether else {
      return try stores.flatMap { try $0.history.changedObjects($0.plan, of: $0.store) }
    }
    var seen: Set<NSManagedObjectID> = []
    return try changes().map(\.changedObjectID).filter { seen.insert($0).inserted }
  }

  private func merged(
    _ excerpts: [HistoryExcerpt],
    withChanges: Bool
  ) throws -> [NSPersistentHistoryTransaction] {
    if let only = excerpts.first, excerpts.count == 1 {
      return only.transactions.indices.map { NSPersistentHistoryTransaction(only, at: $0) }
    }
    var next = Array(repeating: 0, count: excerpts.count)
    var token = try start
    var all: [NSPersistentHistoryTransaction] = []
    let most = sharedLimit(of: .transactions) ?? .max
    var changesLeft = sharedLimit(of: .changes) ?? .max
    while all.count < most, changesLeft > 0, let place = earliest(among: excerpts, next) {
      let excerpt = excerpts[place]
      let row = excerpt.transactions[next[place]]
      token = token.advanced(to: row.number, in: excerpt.identifier)
      let changes = row.changes.prefix(changesLeft)
      changesLeft -= changes.count
      all.append(
        NSPersistentHistoryTransaction(
          excerpt,
          at: next[place],
          token: token,
          changes: withChanges ? changes : nil
        )
      )
      next[place] += 1
    }
    return all
  }

  /// The store whose next transaction is the oldest.
  private func earliest(among excerpts: [HistoryExcerpt], _ next: [Int]) -> Int? {
    excerpts.indices.filter { next[$0] < excerpts[$0].transactions.count }
      .min { excerpts[$0].transactions[next[$0]].time < excerpts[$1].transactions[next[$1]].time }
  }

  /// The token before the first transaction.
  private var start: NSPersistentHistoryToken {
    get throws {
      var numbers: [String: Int64] = [:]
      for (store, history, plan) in stores {
        switch plan.start {
        case .beginning: continue
        case .transaction(let number): numbers[store.identifier] = number
        case .time(let time):
          let before = try history.excerpt(.last(until: time), of: store, withChanges: false)
          numbers[store.identifier] = before.transactions.first?.number
        }
      }
      return NSPersistentHistoryToken(numbers)
    }
  }
}

extension HistoryPlan {
  /// The last transaction that is not later than a time.
  fileprivate static func last(until time: Double) -> HistoryPlan {
    var plan = HistoryPlan()
    let date = Date(timeIntervalSinceReferenceDate: time)
    plan.predicate = NSPredicate(format: "timestamp <= %@", argumentArray: [date]).tree
    plan.sort = [SortTerm(keyPath: ["transactionNumber"], ascending: false)]
    plan.limit = 1
    return plan
  }
}
