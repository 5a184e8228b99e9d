import CoreData
import Foundation
import Synchronization

/// Reads what other programs have written to the stores of a container.
///
/// The history names the changed models. A save of this container is told to its contexts by itself. It is read here once
/// more if it came together with others: merging it again changes nothing.
final class RemoteMail: Sendable {
  private let last: Mutex<NSPersistentHistoryToken?>

  init(_ coordinator: NSPersistentStoreCoordinator) {
    last = Mutex(coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  /// The changes since the last look, as those of a save; `token` is that of the write that was announced.
  func changes(
    in coordinator: NSPersistentStoreCoordinator,
    _ token: NSPersistentHistoryToken?
  ) -> [[AnyHashable: Any]] {
    if let token, token.isOfOwnSave, passes(token) { return [] }
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return last.withLock { last in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: last)
      let result = context.performAndWait {
        // If it cannot be read now, it is read with the next write.
        try? context.execute(request) as? NSPersistentHistoryResult
      }
      let found = result?.result as? [NSPersistentHistoryTransaction] ?? []
      guard let newest = found.last else { return Handover<[[AnyHashable: Any]]>([]) }
      var numbers = last?.allNumbers ?? [:]
      for transaction in found { numbers[transaction.storeID] = transaction.transactionNumber }
      numbers[newest.storeID] = newest.transactionNumber
      last = NSPersistentHistoryToken(numbers: numbers)
      return Handover(found.compactMap { $0.objectIDNotification().userInfo })
    }.value
  }

  /// Goes on to the place of a save of this container, if nothing else was written before.
  private func passes(_ token: NSPersistentHistoryToken) -> Bool {
    last.withLock { last in
      let isNext = token.allNumbers.allSatisfy { store, number in
        number == (last?[store] ?? 0) + 1
      }
      guard isNext else { return false }
      let numbers = (last?.allNumbers ?? [:]).merging(token.allNumbers) { _, new in new }
      last = NSPersistentHistoryToken(numbers: numbers)
      return true
    }
  }
}
