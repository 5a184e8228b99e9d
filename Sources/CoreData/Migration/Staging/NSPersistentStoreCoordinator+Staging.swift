import Foundation

/// Opening a store that stages of the developer's own bring to the coordinator's model.
extension NSPersistentStoreCoordinator {
  /// Migrates the store at a place if its options have an ``NSStagedMigrationManager``; a look at the
  /// options otherwise.
  func migrateInStages(
    _ type: String,
    _ configuration: String?,
    at url: URL?,
    _ options: [AnyHashable: Any]?
  ) throws {
    guard let options, let url, type != NSInMemoryStoreType, !url.isInMemory,
      let manager = options[NSPersistentStoreStagedMigrationManagerOptionKey]
        as? NSStagedMigrationManager
    else { return }
    let isOn = { (key: String) in (options[key] as? NSNumber)?.boolValue ?? false }
    guard isOn(NSMigratePersistentStoresAutomaticallyOption),
      isOn(NSInferMappingModelAutomaticallyOption), !isOn(NSReadOnlyPersistentStoreOption)
    else { return }
    let place = StorePlace(
      number: .none,
      type: type,
      configuration: configuration,
      url: url,
      options: options
    )
    if try isOlder(thanStoreAt: place) { return }
    try StagedMigration(manager: manager, place: place, destination: managedObjectModel).perform()
  }

  /// Whether the store had the coordinator's model before: opening it says whether this program can go on.
  private func isOlder(thanStoreAt place: StorePlace) throws -> Bool {
    let kind = try KindsOfStores.kind(place.type, at: place.path)
    guard let metadata = try kind.versionMetadata(of: place) else { return false }
    let hashes = StoreMetadata.versionHashes(of: layout, in: place.configuration)
    return FormerModels.contain(hashes, in: metadata)
  }
}
