import CoreData

// MARK: - A store that is written to without pause

extension SyncEngine {
  /// Drains the store at one moment, however much programs write at the same time.
  ///
  /// History and values have to be of the same moment, and only the values can be held: the history is read before and
  /// after the moment until both are the same. That takes no longer than a save does.
  ///
  /// - Returns: Whether it is done; `false` if the store cannot hold a moment.
  func drainAtOneMoment(scans: Bool = true) throws -> Bool {
    guard let found = try findMoment() else { return false }
    let isQuiet = { true }
    var changes = LocalChanges(found.transactions)
    changes.add(try losses(in: changes))
    if changes.token != nil, try !drain(changes, found.reader, isQuiet: isQuiet) { return false }
    guard try scans && sidecar.number("needsScan") == 1 else { return true }
    return try scan(found.reader, upTo: found.token, isQuiet: isQuiet)
  }

  struct Moment {
    let reader: StoreReader
    /// The transactions of the store's history that were not drained, up to the moment.
    let transactions: [any StoreTransaction]
    /// The position from which the history goes on.
    let token: NSPersistentHistoryToken
  }

  /// Nil where the store cannot hold a moment.
  func findMoment() throws -> Moment? {
    guard try StoreReader.canHoldMoment(of: door), let entity = model.inOrder.first else {
      return nil
    }
    let position = try ScanPosition(door, drained: sidecar.token)
    var transactions: [any StoreTransaction] = []
    switch position {
    case .drained(let token, _):
      // A history that is purged just now is noticed the next time.
      guard let kept = try transactionsIfKept(after: token, withChanges: true) else { return nil }
      transactions = kept
    case .current:
      // All objects are looked at, which replaces the missing history.
      try sidecar.setNumber(1, "needsScan")
    }
    return try findMoment(behind: transactions, position, entity)
  }

  /// Reads new transactions until nothing was written between the history and the moment.
  private func findMoment(
    behind known: [any StoreTransaction],
    _ position: ScanPosition,
    _ entity: SyncEntity
  ) throws -> Moment? {
    var transactions = known
    for _ in 0..<Self.patience {
      let last = transactions.last?.token ?? position.beginning
      let reader = try StoreReader(ofNow: door, entity)
      guard let more = try transactionsIfKept(after: last, withChanges: true) else { return nil }
      if more.isEmpty {
        return Moment(
          reader: reader,
          transactions: position.isDrained ? transactions : [],
          token: transactions.last?.token ?? position.afterwards
        )
      }
      transactions += more
    }
    return nil
  }
}

extension ScanPosition {
  /// From where the history has not been looked at.
  fileprivate var beginning: NSPersistentHistoryToken? {
    switch self {
    case .drained(let token, _): token
    case .current(let token): token
    }
  }

  fileprivate var isDrained: Bool {
    switch self {
    case .drained: true
    case .current: false
    }
  }
}
