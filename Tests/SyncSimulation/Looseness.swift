import CoreData
import CoreDataSync
import Foundation

/// A liberty of a framework's history or metadata that ours does not take.
package enum Looseness: String, CaseIterable, Sendable {
  /// Nobody says which transactions a token means.
  case opaqueTokens
  /// The changes of a transaction come in another order.
  case shuffledChanges
  /// Consecutive saves of one author are one transaction, with the number, the time and the token of the last.
  case mergedSaves
  /// Some updates name attributes that have not changed.
  case broadUpdates
  /// The first request after a save of the program does not find it yet.
  case lateSaves
  /// Every second time, the metadata are not written with the save that follows.
  case lostMetadata

  /// The liberties that Apple's documentation leaves a framework.
  package static let permitted: Set<Looseness> = [.opaqueTokens, .shuffledChanges, .lostMetadata]

  /// The liberties that the engine assumes are not taken.
  package static let refused: Set<Looseness> = [.mergedSaves, .broadUpdates, .lateSaves]

  /// The liberties that the environment variable `COREDATA_SYNC_LOOSE` names, for all simulated devices.
  static let ofEnvironment: Set<Looseness> = {
    let text = ProcessInfo.processInfo.environment["COREDATA_SYNC_LOOSE"] ?? ""
    return Set(text.split(separator: ",").compactMap { Looseness(rawValue: String($0)) })
  }()
}

/// The history and the metadata of a store as a framework that takes liberties keeps them.
final class LooseHistory {
  var looseness = Looseness.ofEnvironment
  /// The numbers of the saves that were asked for once.
  private var awaited: Set<Int64> = []
  /// How often metadata were to be written.
  private var metadataCount = 0

  func read(_ transactions: [any StoreTransaction]) -> [any StoreTransaction] {
    if looseness.isEmpty { return transactions }
    var groups: [[any StoreTransaction]] = []
    for transaction in transactions where !isLate(transaction) {
      if let last = groups.last?.last, isMerged(transaction, into: last) {
        groups[groups.count - 1].append(transaction)
      } else {
        groups.append([transaction])
      }
    }
    return groups.map { LooseTransaction(parts: $0, storeChanges: changes(of: $0)) }
  }

  func leave(
    _ metadata: [String: Any],
    _ coordinator: NSPersistentStoreCoordinator,
    _ store: NSPersistentStore
  ) {
    metadataCount += 1
    if looseness.contains(.lostMetadata), metadataCount.isMultiple(of: 2) { return }
    coordinator.setMetadata(metadata, for: store)
  }

  private func isLate(_ transaction: any StoreTransaction) -> Bool {
    guard looseness.contains(.lateSaves), transaction.contextName == nil else { return false }
    return awaited.insert(transaction.transactionNumber).inserted
  }

  /// Whether two saves are one transaction, wherever a reader begins.
  private func isMerged(_ next: any StoreTransaction, into last: any StoreTransaction) -> Bool {
    looseness.contains(.mergedSaves) && next.author == last.author
      && next.contextName == last.contextName
      && next.transactionNumber / 2 == last.transactionNumber / 2
  }

  private func changes(of parts: [any StoreTransaction]) -> [any StoreChange] {
    let all = parts.flatMap { part in
      looseness.contains(.shuffledChanges) ? part.storeChanges.reversed() : part.storeChanges
    }
    guard looseness.contains(.broadUpdates) else { return all }
    return all.map { change in
      guard let names = change.changedNames else { return change }
      let attributes = change.changedObjectID.entity.attributesByName.keys
      return LooseChange(change: change, changedNames: names.union(attributes))
    }
  }
}

/// Some saves as one transaction.
private struct LooseTransaction: StoreTransaction {
  let parts: [any StoreTransaction]
  let storeChanges: [any StoreChange]

  private var last: any StoreTransaction { parts[parts.count - 1] }
  var transactionNumber: Int64 { last.transactionNumber }
  var timestamp: Date { last.timestamp }
  var author: String? { last.author }
  var contextName: String? { last.contextName }
  var token: NSPersistentHistoryToken { last.token }
}

/// A change that names other properties.
private struct LooseChange: StoreChange {
  let change: any StoreChange
  let changedNames: Set<String>?

  var changedObjectID: NSManagedObjectID { change.changedObjectID }
  var changeType: NSPersistentHistoryChangeType { change.changeType }
}
