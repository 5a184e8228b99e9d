import CoreDataModel
import Foundation

/// Opening a store whose model is an earlier version of the coordinator's.
///
/// ```
/// open ─ 134100 ─▶ migrate? ─▶ infer? ─▶ StoreMigration ─▶ open
/// ```
extension NSPersistentStoreCoordinator {
  /// Opens a SQLite store; one of another model is migrated first, if the options say so.
  ///
  /// Throws 134100 without `NSMigratePersistentStoresAutomaticallyOption`, 134130 where nobody knows
  /// the model that the store was made with, 134140 where no mapping model is there and none may be
  /// inferred, 134190 with all reasons where none can be, and 134111 where objects stand against a
  /// new uniqueness constraint. The file is as it was then.
  func openUpgrading(_ place: StorePlace) throws -> NSPersistentStore {
    do {
      return try SQLiteStore.open(place, for: self)
    } catch let error as NSError
      where error.code == NSPersistentStoreIncompatibleVersionHashError && place.migrates
    {
      guard !place.isReadOnly else { throw error }
      try upgrade(place)
      return try SQLiteStore.open(place, for: self)
    }
  }

  /// Chooses the way; a mapping model that a program carries would come before an inferred one.
  private func upgrade(_ place: StorePlace) throws {
    guard place.infersMapping else {
      throw MigrationFailure(.missingMapping).error(path: place.path)
    }
    try StoreMigration(place, to: layout).perform()
  }
}
