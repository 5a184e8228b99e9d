import CoreData
public import Foundation

// MARK: - History

extension ModelContext {
  /// Returns transactions of the history, in the order of the saves unless the descriptor has another.
  ///
  /// One SQL statement for the transactions of each store, and one for their changes.
  ///
  /// - Parameter descriptor: Which transactions.
  /// - Returns: The transactions.
  /// - Throws: ``SwiftDataError/historyTokenExpired`` if the predicate names a token after which transactions were deleted;
  ///   otherwise the error of the store, or of the predicate.
  public func fetchHistory(
    _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>
  ) throws -> [DefaultHistoryTransaction] {
    let token = descriptor.predicate.flatMap { TokenInPredicate($0)?.token }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token?.coreDataToken)
    var found = try transactions(request).map(DefaultHistoryTransaction.init)
    if let predicate = descriptor.predicate { found = try found.filter(predicate.evaluate) }
    if !descriptor.sortBy.isEmpty { found.sort(using: descriptor.sortBy) }
    if descriptor.fetchLimit > 0 {
      found = Array(found.prefix(Int(clamping: descriptor.fetchLimit)))
    }
    return found
  }

  /// Deletes transactions from the history, up to the last that the descriptor describes.
  ///
  /// A history is without gaps: all before that transaction is deleted, too. Tokens of deleted transactions expire.
  ///
  /// - Parameter descriptor: Which transactions.
  /// - Throws: The error of the store, or of the predicate.
  public func deleteHistory(_ descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws {
    let found = try fetchHistory(descriptor)
    var last: [String: Int64] = [:]
    for transaction in found {
      last[transaction.storeIdentifier] = max(
        last[transaction.storeIdentifier] ?? 0,
        transaction.transactionIdentifier
      )
    }
    guard !last.isEmpty else { return }
    let token = DefaultHistoryToken(last.mapValues { $0 + 1 })
    try objects.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token.coreDataToken))
  }

  private func transactions(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> [NSPersistentHistoryTransaction] {
    do {
      let result = try objects.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
      throw SwiftDataError.historyTokenExpired.following(error)
    }
  }
}

/// The token in a predicate's `$0.token > token`.
private struct TokenInPredicate {
  let token: DefaultHistoryToken

  init?(_ predicate: Predicate<DefaultHistoryTransaction>) {
    guard let found = (predicate.expression as? any TokenHolding)?.token else { return nil }
    token = found
  }
}

/// A part of a predicate that every transaction must meet.
private protocol TokenHolding {
  var token: DefaultHistoryToken? { get }
}

extension PredicateExpressions.Conjunction: TokenHolding {
  fileprivate var token: DefaultHistoryToken? {
    (lhs as? any TokenHolding)?.token ?? (rhs as? any TokenHolding)?.token
  }
}

extension PredicateExpressions.Comparison: TokenHolding {
  fileprivate var token: DefaultHistoryToken? {
    guard case .greaterThan = op,
      LHS.self
        == PredicateExpressions.KeyPath<
          PredicateExpressions.Variable<DefaultHistoryTransaction>, DefaultHistoryToken
        >.self
    else { return nil }
    return (rhs as? PredicateExpressions.Value<DefaultHistoryToken>)?.value
  }
}
