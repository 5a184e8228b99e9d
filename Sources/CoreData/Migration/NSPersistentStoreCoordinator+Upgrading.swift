import Foundation

/// Opening a store whose model is an earlier version of the coordinator's.
///
/// ```
/// open ─ 134100 ─▶ migrate? ─▶ StoreUpgrade ─▶ open
/// ```
extension NSPersistentStoreCoordinator {
  /// Opens a store; one of another model is migrated first, if the options say so.
  ///
  /// Throws 134100 without `NSMigratePersistentStoresAutomaticallyOption`, and what ``StoreUpgrade``
  /// throws. The store is as it was then.
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
      if place.isReadOnly { throw error }
      try StoreUpgrade(place, to: managedObjectModel).perform()
      return try open()
    }
  }
}
