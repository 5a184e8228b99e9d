public import Foundation

// MARK: - The files of stores

extension NSPersistentStoreCoordinator {
  /// Deletes the contents of a store.
  ///
  /// A SQLite file becomes an empty database; an XML or binary file is removed. In a PostgreSQL database, the rows of
  /// the zone are deleted, and other zones and the tables stay. If the location lacks a SQLite file, an empty one is
  /// made. If this coordinator has opened the store, the store is removed from it first. Other users of a
  /// SQLite file find it empty at their next access; the method waits for readers, as long as
  /// `NSPersistentStoreTimeoutOption` says.
  ///
  /// - Parameters:
  ///   - url: The location of the store.
  ///   - storeType: The type of the store.
  ///   - options: The options of the store. With `NSPersistentStoreForceDestroyOption` the file is
  ///     removed even if others are using it.
  /// - Throws: 134090 if others use the file until the timeout; 134000 for an unknown type; 513 if the file
  ///   may not be written; otherwise an error of the file system.
  public func destroyPersistentStore(
    at url: URL,
    type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    let files = try KindsOfStores.kind(storeType.rawValue, at: url.path)
    let store = persistentStores.first {
      $0.url?.standardizedFileURL == url.standardizedFileURL
        && files.meanSameStore($0.options, options)
    }
    if let store, !url.isNowhere { try remove(store) }
    try files.destroy(at: url, options)
  }

  /// Replaces a store with a copy of another one, including its UUID.
  ///
  /// A SQLite store is copied page by page in one transaction, together with the contents of its
  /// write-ahead log; if that fails, the destination is unchanged. If this coordinator has opened
  /// the store at the destination, the store is removed from it first. If both locations are the same, nothing
  /// happens. Stores in memory or in a PostgreSQL database cannot be replaced.
  ///
  /// - Parameters:
  ///   - destinationURL: The location of the store to replace. There need not be one.
  ///   - destinationOptions: The options of the store to replace.
  ///   - sourceURL: The location of the store to copy.
  ///   - sourceOptions: The options of the store to copy.
  ///   - sourceType: The type of both stores.
  /// - Throws: 260 if there is no file at the source; 259 if it is not a store of this type; 134090 if others use a file
  ///   until the timeout; 134000 for an unknown type; 134091 for a store in memory or in a PostgreSQL database; otherwise
  ///   the error of a file that cannot be read or written.
  public func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    type sourceType: NSPersistentStore.StoreType
  ) throws {
    let files = try KindsOfStores.kind(sourceType.rawValue, at: sourceURL.path)
    if destinationURL.standardizedFileURL == sourceURL.standardizedFileURL { return }
    if let store = persistentStore(for: destinationURL), !destinationURL.isNowhere {
      try remove(store)
    }
    try files.replace(at: destinationURL, destinationOptions, with: sourceURL, sourceOptions)
  }

  /// Changes the location of a store.
  ///
  /// An XML or binary store is written to the new location by the next save. A SQLite store is
  /// reopened at the new location, where its file must already be; objects stay valid.
  ///
  /// - Parameters:
  ///   - url: The new location.
  ///   - store: A store of this coordinator.
  /// - Returns: `true` if the store is at the new location; `false` if the file there cannot be
  ///   opened, for stores in memory or in a PostgreSQL database, and for a store of another coordinator.
  @discardableResult
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(store) else { return false }
    saving.lock()
    defer { saving.unlock() }
    guard let moved = (store.backend as? any MovableStore)?.moved(store, to: url, in: self) else {
      return false
    }
    if moved !== store.backend {
      store.backend.close()
      store.backend = moved
      store.rowCache.removeAll()
    }
    store.url = url
    return true
  }
}

extension URL {
  /// Whether stores there are in memory, and have nothing to do with each other.
  var isNowhere: Bool { path == "/dev/null" }

  /// Whether SQLite stores there are in memory; those with one name below `/dev/null` share what they have.
  var isInMemory: Bool { isNowhere || path.hasPrefix("/dev/null/") }
}

// MARK: - Older spellings

extension NSPersistentStoreCoordinator {
  /// Deletes the contents of a store.
  ///
  /// This is the older form of ``destroyPersistentStore(at:type:options:)``.
  ///
  /// - Parameters:
  ///   - url: The location of the store.
  ///   - storeType: The type of the store, such as `NSSQLiteStoreType`.
  ///   - options: The options of the store. With `NSPersistentStoreForceDestroyOption` the file is
  ///     removed even if others are using it.
  /// - Throws: 134090 if others use the file until the timeout; 134000 for an unknown type; 513 if the file
  ///   may not be written; otherwise an error of the file system.
  public func destroyPersistentStore(
    at url: URL,
    ofType storeType: String,
    options: [AnyHashable: Any]? = nil
  ) throws {
    try destroyPersistentStore(
      at: url,
      type: NSPersistentStore.StoreType(rawValue: storeType),
      options: options
    )
  }

  /// Replaces a store with a copy of another one, including its UUID.
  ///
  /// This is the older form of
  /// ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)``.
  ///
  /// - Parameters:
  ///   - destinationURL: The location of the store to replace. There need not be one.
  ///   - destinationOptions: The options of the store to replace.
  ///   - sourceURL: The location of the store to copy.
  ///   - sourceOptions: The options of the store to copy.
  ///   - storeType: The type of both stores, such as `NSSQLiteStoreType`.
  /// - Throws: The errors of the newer form.
  public func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    ofType storeType: String
  ) throws {
    try replacePersistentStore(
      at: destinationURL,
      destinationOptions: destinationOptions,
      withPersistentStoreFrom: sourceURL,
      sourceOptions: sourceOptions,
      type: NSPersistentStore.StoreType(rawValue: storeType)
    )
  }
}
