import Foundation
import Synchronization

// MARK: - Batch requests

extension NSPersistentStoreCoordinator {
  /// Carries out a batch in each store it concerns, a transaction in each.
  ///
  /// A failure in one store does not prevent the work in the others; the error contains all failures.
  func perform(_ batch: Batch, in affected: [NSPersistentStore]?) throws -> [BatchReceipt] {
    if admitsWritersBesideEachOther {
      return try saving.beside { _ in try performInTurn(batch, in: affected) }
    }
    saving.lock()
    defer { saving.unlock() }
    return try performInTurn(batch, in: affected)
  }

  private func performInTurn(
    _ batch: Batch,
    in affected: [NSPersistentStore]?
  ) throws -> [BatchReceipt] {
    let stores = try stores(for: batch, among: affected ?? persistentStores)
    var receipts: [BatchReceipt] = []
    var failures: [(store: NSPersistentStore, error: NSError)] = []
    for store in stores {
      do {
        receipts.append(try perform(batch, in: store))
      } catch {
        failures.append((store, error as NSError))
      }
    }
    if let failure = failures.first {
      throw stores.count == 1 ? failure.error : BatchFailure.error(of: failures, among: stores)
    }
    return receipts
  }

  /// New rows go into one store, the first that can take them; changes are made in all.
  private func stores(
    for batch: Batch,
    among candidates: [NSPersistentStore]
  ) throws -> [NSPersistentStore] {
    let numbers: ClosedRange<Int32> =
      switch batch.work {
      case .insert: batch.layout.number...batch.layout.number
      case .update(let update): update.rows.entityNumbers
      case .delete(let rows): rows.entityNumbers
      }
    let holders = candidates.filter { $0.holdsSome(of: numbers, in: batch.layout.model) }
    guard let first = holders.first else {
      throw SaveFailure.homeless(batch.layout, among: candidates)
    }
    switch batch.work {
    case .update, .delete: return holders
    case .insert:
      return [holders.first { !$0.isReadOnly && $0.backend is any BatchStore } ?? first]
    }
  }

  private func perform(_ batch: Batch, in store: NSPersistentStore) throws -> BatchReceipt {
    let path = store.shownPath
    guard let backend = store.backend as? any BatchStore else {
      let request = "\(batch.words) of \(batch.layout.name), which SQLite stores alone can answer"
      throw StoreFailure(.unsupportedRequest(request), path: path).error()
    }
    if store.isReadOnly { throw store.readOnlyError }
    let receipt = try backend.perform(batch)
    if receipt.count > 0 { store.forgetRows() }
    return receipt
  }
}
