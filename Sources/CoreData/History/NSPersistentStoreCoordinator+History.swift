import CoreDataPredicates
import Foundation

// MARK: - Tokens

extension NSPersistentStoreCoordinator {
  /// Returns the current position in the persistent history of stores.
  ///
  /// Runs one SQL statement for each store. A store that keeps no history, or that cannot be read, is left
  /// out of the token.
  ///
  /// - Parameter stores: The stores; `nil`, or an empty array, for all stores of the coordinator.
  /// - Returns: The token of the last transactions, or `nil` if all stores are left out.
  public func currentPersistentHistoryToken(
    fromStores stores: [Any]?
  ) -> NSPersistentHistoryToken? {
    let given = stores?.compactMap { $0 as? NSPersistentStore } ?? []
    var numbers: [String: Int64] = [:]
    for store in given.isEmpty ? persistentStores : given {
      // The place in a store that cannot be read is unknown.
      guard let number = try? store.history?.lastTransactionNumber() else { continue }
      numbers[store.identifier] = number
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }

  /// The same of all stores, and an error if a history cannot be read.
  func wholeHistoryToken() throws -> NSPersistentHistoryToken? {
    var numbers: [String: Int64] = [:]
    for store in persistentStores {
      guard let number = try store.history?.lastTransactionNumber() else { continue }
      numbers[store.identifier] = number
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}

// MARK: - Requests

extension NSPersistentHistoryChangeRequest: ContextExecutable {
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    try context.requiredCoordinator.answer(self)
  }
}

extension NSPersistentStoreCoordinator {
  /// Reads or purges the histories of the stores that a request affects.
  ///
  /// Throws 134091 if a store keeps no history and for conditions that SQL cannot express, 134301 for a token whose
  /// history is incomplete.
  func answer(_ request: NSPersistentHistoryChangeRequest) throws -> NSPersistentHistoryResult {
    let stores = try historicStores(for: request)
    switch request.verb {
    case .fetch(let place):
      let reading = try stores.map { store, history in
        (store, history, try request.plan(from: place, of: store.identifier))
      }
      return try HistoryAnswer(reading, request.resultType).result
    case .delete(let place):
      var count = 0
      for (store, history) in stores {
        guard let purge = place.purge(of: store.identifier) else { continue }
        if store.isReadOnly { throw store.readOnlyError }
        let selected = try request.selected(purge, of: store, history)
        saving.lock()
        defer { saving.unlock() }
        count += try history.purge(selected)
      }
      if request.resultType == .count {
        return NSPersistentHistoryResult(NSNumber(value: count), .count)
      }
      return NSPersistentHistoryResult(NSNumber(value: true), .statusOnly)
    }
  }

  private func historicStores(
    for request: NSPersistentHistoryChangeRequest
  ) throws -> [(NSPersistentStore, any HistoricStore)] {
    if let affected = request.affectedStores {
      return try affected.map { store in
        guard let history = store.history else {
          throw HistoryFailure.notKept(store: store.shownPath).error
        }
        return (store, history)
      }
    }
    let found = persistentStores.compactMap { store in store.history.map { (store, $0) } }
    if found.isEmpty {
      let store = persistentStores.first?.shownPath ?? "A coordinator without stores"
      throw HistoryFailure.notKept(store: store).error
    }
    return found
  }
}

// MARK: - From requests to plans

extension NSPersistentHistoryChangeRequest {
  /// Returns the question for the store with that UUID.
  fileprivate func plan(from place: Place, of identifier: String) throws -> HistoryPlan {
    var plan = HistoryPlan()
    switch place {
    case .none: break
    case .date(let date): plan.start = .time(date.timeIntervalSinceReferenceDate)
    case .token(let token): plan.start = token[identifier].map { .transaction($0) } ?? .beginning
    }
    guard let fetchRequest else { return plan }
    guard let subject = HistoryModel.subject(of: fetchRequest) else {
      throw HistoryFailure.otherEntity(fetchRequest.entityName ?? "no entity").error
    }
    plan.subject = subject
    plan.predicate = fetchRequest.predicate?.tree
    plan.sort = (fetchRequest.sortDescriptors ?? []).map(\.term)
    plan.limit = fetchRequest.fetchLimit > 0 ? fetchRequest.fetchLimit : nil
    plan.offset = max(fetchRequest.fetchOffset, 0)
    return plan
  }
}

// MARK: - What a purge selects

extension NSPersistentHistoryChangeRequest {
  /// Returns the part to delete if the request inside selects transactions: the oldest, up to the first that it does
  /// not select.
  ///
  /// A history with gaps would mislead its readers.
  fileprivate func selected(
    _ purge: HistoryPurge,
    of store: NSPersistentStore,
    _ history: any HistoricStore
  ) throws -> HistoryPurge {
    let selection = try plan(from: .none, of: store.identifier)
    guard selection.isSelective else { return purge }
    guard selection.subject == .transactions else { throw HistoryFailure.purgeOfChanges.error }
    let chosen = try history.excerpt(selection, of: store, withChanges: false).transactions
    let numbers = Set(chosen.map(\.number))
    // Read second, so that transactions that come in between are kept.
    let all = try history.excerpt(HistoryPlan(), of: store, withChanges: false).transactions
    let kept = all.first { !numbers.contains($0.number) || !purge.takes($0) }
    return .beforeTransaction(kept?.number ?? (all.last?.number ?? 0) + 1)
  }
}

extension HistoryPurge {
  fileprivate func takes(_ transaction: HistoryExcerpt.TransactionRow) -> Bool {
    switch self {
    case .all: true
    case .beforeTransaction(let number): transaction.number < number
    case .beforeTime(let time): transaction.time < time
    }
  }
}

extension NSPersistentHistoryChangeRequest.Place {
  /// Returns the part of the history to delete in the store with that UUID; `nil` for nothing.
  fileprivate func purge(of identifier: String) -> HistoryPurge? {
    switch self {
    case .none: .all
    case .date(let date): .beforeTime(date.timeIntervalSinceReferenceDate)
    case .token(let token): token[identifier].map { .beforeTransaction($0) }
    }
  }
}
