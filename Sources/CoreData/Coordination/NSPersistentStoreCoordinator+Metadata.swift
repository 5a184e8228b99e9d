public import Foundation

// MARK: - Metadata of stores

extension NSPersistentStoreCoordinator {
  /// Sets the metadata of a store, which the next save of a context writes.
  ///
  /// The metadata are written even if that save contains no other changes. The store's type, UUID
  /// and model versions are kept unless the new metadata contain them. A new UUID changes the URIs
  /// of the store's objects.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - store: A store of this coordinator.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    let former: String = store.identifier
    let completed = KindsOfStores.completed(metadata, from: store.metadata)
    store.metadata = completed
    // A subclass's own property knows nothing of saves.
    store.hasUnsavedMetadata = true
    if let identifier = completed[NSStoreUUIDKey] as? String, identifier != former {
      if store.identifier != identifier { store.identifier = identifier }
      announce(uuidChanged: [store, store])
    }
  }

  /// Reads the metadata of a store file without opening it as a store.
  ///
  /// - Parameters:
  ///   - storeType: The type of the store.
  ///   - storeURL: The location of the store.
  ///   - options: The options of the store.
  /// - Returns: The metadata, with keys such as `NSStoreUUIDKey` and
  ///   `NSStoreModelVersionHashesKey`.
  /// - Throws: 134000 for an unknown type, 260 if there is no file, 259 if the file is not a store
  ///   of this type.
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType,
    at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try KindsOfStores.kind(storeType.rawValue, at: storeURL.path).metadata(at: storeURL, options)
  }

  /// Writes the metadata of a store file that is not open.
  ///
  /// The store's type, UUID and model versions are kept unless the new metadata contain them.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - storeType: The type of the store.
  ///   - storeURL: The location of the store.
  ///   - options: The options of the store.
  /// - Throws: 134000 for an unknown type, 260 if there is no file, 259 if the file is not a store
  ///   of this type.
  public class func setMetadata(
    _ metadata: [String: Any]?,
    type storeType: NSPersistentStore.StoreType,
    at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try KindsOfStores.kind(storeType.rawValue, at: storeURL.path)
      .setMetadata(metadata, at: storeURL, options)
  }
}

// MARK: - Older spellings

extension NSPersistentStoreCoordinator {
  /// Reads the metadata of a store file without opening it as a store.
  ///
  /// This is the older form of ``metadataForPersistentStore(type:at:options:)``.
  ///
  /// - Parameters:
  ///   - storeType: The type of the store, such as `NSSQLiteStoreType`.
  ///   - url: The location of the store.
  ///   - options: The options of the store.
  /// - Returns: The metadata, with keys such as `NSStoreUUIDKey` and
  ///   `NSStoreModelVersionHashesKey`.
  /// - Throws: 134000 for an unknown type, 260 if there is no file, 259 if the file is not a store
  ///   of this type.
  public class func metadataForPersistentStore(
    ofType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try KindsOfStores.kind(storeType, at: url.path).metadata(at: url, options)
  }

  /// Reads the metadata of a store file without opening it as a store.
  ///
  /// - Parameters:
  ///   - storeType: The type of the store, or `nil` to detect it from the first bytes of the file.
  ///   - url: The location of the store.
  /// - Returns: The metadata, with keys such as `NSStoreUUIDKey` and
  ///   `NSStoreModelVersionHashesKey`.
  /// - Throws: 134000 for an unknown type, 260 if there is no file, 259 if the file is not a store.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:)")
  public class func metadataForPersistentStore(
    ofType storeType: String?,
    at url: URL
  ) throws -> [String: Any] {
    let kind = try storeType.map { try KindsOfStores.kind($0, at: url.path) }
    return try (kind ?? KindsOfStores.kind(ofFileAt: url)).metadata(at: url, nil)
  }

  /// Writes the metadata of a store file that is not open.
  ///
  /// This is the older form of ``setMetadata(_:type:at:options:)``.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - storeType: The type of the store, such as `NSSQLiteStoreType`.
  ///   - url: The location of the store.
  ///   - options: The options of the store.
  /// - Throws: 134000 for an unknown type, 260 if there is no file, 259 if the file is not a store
  ///   of this type.
  public class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreOfType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try KindsOfStores.kind(storeType, at: url.path).setMetadata(metadata, at: url, options)
  }

  /// Writes the metadata of a store file that is not open.
  ///
  /// - Parameters:
  ///   - metadata: The new metadata.
  ///   - storeType: The type of the store, or `nil` to detect it from the first bytes of the file.
  ///   - url: The location of the store.
  /// - Throws: 134000 for an unknown type, 260 if there is no file, 259 if the file is not a store.
  @available(*, deprecated, message: "Use setMetadata(_:type:at:options:)")
  public class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreOfType storeType: String?,
    at url: URL
  ) throws {
    let kind = try storeType.map { try KindsOfStores.kind($0, at: url.path) }
    try (kind ?? KindsOfStores.kind(ofFileAt: url)).setMetadata(metadata, at: url, nil)
  }
}
