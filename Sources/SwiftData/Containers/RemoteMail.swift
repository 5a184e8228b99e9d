import CoreData
import Foundation
import Synchronization

/// Reads what other programs have written to the stores of a container.
///
/// The history names the changed models. A save of this program is told to its contexts by itself, and is read here once
/// more: merging it again changes nothing.
final class RemoteMail: Sendable {
  private let last: Mutex<NSPersistentHistoryToken?>

  init(_ coordinator: NSPersistentStoreCoordinator) {
    last = Mutex(coordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  /// The changes since the last look, as those of a save.
  func changes(in coordinator: NSPersistentStoreCoordinator) -> [[AnyHashable: Any]] {
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
}
