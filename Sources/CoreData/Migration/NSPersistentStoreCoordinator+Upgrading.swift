import Foundation

/// Opening a store whose model is an earlier version of the coordinator's.
///
/// ```
/// open ─ 134100 ─▶ migrate? ─▶ StoreUpgrade ─▶ open
/// ```
extension NSPersistentStoreCoordinator {
  /// Opens a store; one of another model is migrated first, if the options say so.
  ///
  /// A store that had the coordinator's model before is not migrated back, unless the options allow losses.
  ///
  /// Throws 134100 for such a store, and without `NSMigratePersistentStoresAutomaticallyOption`; and what
  /// ``StoreUpgrade`` throws. The store is as it was then.
  package func openUpgrading(
    _ place: StorePlace,
    _ open: () throws -> NSPersistentStore
  ) throws -> NSPersistentStore {
    if let url = place.url, url.isFileURL, place.migrates, !place.isReadOnly {
      try MappingMigration.tidy(storeAt: url, ofType: place.type)
    }
    do {
      return try open()
    } catch let error as NSError
      where error.code == NSPersistentStoreIncompatibleVersionHashError && place.migrates
    {
      if place.isReadOnly || !place.mayLoseUnknown && error.isOfOlderProgram { throw error }
      try StoreUpgrade(place, to: managedObjectModel).perform()
      return try open()
    }
  }
}

extension NSError {
  /// Whether the store had the program's model before it was migrated.
  fileprivate var isOfOlderProgram: Bool {
    guard let metadata = userInfo[StoreFailure.metadataKey] as? [String: Any],
      let hashes = userInfo[StoreFailure.modelHashesKey] as? [String: Data]
    else { return false }
    return FormerModels.contain(hashes, in: metadata)
  }
}
