public import Foundation

// MARK: - Metadata of stores

extension NSPersistentStoreCoordinator {
  /// Gives a store other metadata, which the next save of a context writes, also one without changes.
  ///
  /// Type, UUID and the model's versions are kept unless new ones are among them. A new UUID changes
  /// the URIs of the store's objects.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    let former: String = store.identifier
    let completed = StoreFiles.completed(metadata, from: store.metadata)
    store.metadata = completed
    // A subclass's own property knows nothing of saves.
    store.hasUnsavedMetadata = true
    if let identifier = completed[NSStoreUUIDKey] as? String, identifier != former {
      if store.identifier != identifier { store.identifier = identifier }
      announce(uuidChanged: [store, store])
    }
  }

  /// What a file says of itself, without being opened as a store.
  ///
  /// Throws 134000 for an unknown type, 260 where there is no file and 259 where it is something else.
  public class func metadataForPersistentStore(
    type storeType: NSPersistentStore.StoreType,
    at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFiles(ofType: storeType.rawValue, at: storeURL).metadata(at: storeURL, options)
  }

  /// Writes the metadata of a file at once; type, UUID and versions stay unless new ones are given.
  ///
  /// The file should not be open as a store.
  public class func setMetadata(
    _ metadata: [String: Any]?,
    type storeType: NSPersistentStore.StoreType,
    at storeURL: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFiles(ofType: storeType.rawValue, at: storeURL)
      .setMetadata(metadata, at: storeURL, options)
  }
}

// MARK: - Older spellings

extension NSPersistentStoreCoordinator {
  public class func metadataForPersistentStore(
    ofType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws -> [String: Any] {
    try StoreFiles(ofType: storeType, at: url).metadata(at: url, options)
  }

  /// As above; without a type the file's first bytes tell it.
  @available(*, deprecated, message: "Use metadataForPersistentStore(type:at:options:)")
  public class func metadataForPersistentStore(
    ofType storeType: String?,
    at url: URL
  ) throws -> [String: Any] {
    let type = try storeType ?? StoreFiles.type(ofFileAt: url)
    return try StoreFiles(ofType: type, at: url).metadata(at: url, nil)
  }

  public class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreOfType storeType: String,
    at url: URL,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try StoreFiles(ofType: storeType, at: url).setMetadata(metadata, at: url, options)
  }

  /// As above; without a type the file's first bytes tell it.
  @available(*, deprecated, message: "Use setMetadata(_:type:at:options:)")
  public class func setMetadata(
    _ metadata: [String: Any]?,
    forPersistentStoreOfType storeType: String?,
    at url: URL
  ) throws {
    let type = try storeType ?? StoreFiles.type(ofFileAt: url)
    try StoreFiles(ofType: type, at: url).setMetadata(metadata, at: url, nil)
  }
}
