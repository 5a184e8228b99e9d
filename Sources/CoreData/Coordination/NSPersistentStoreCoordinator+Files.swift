public import Foundation

// MARK: - The files of stores

extension NSPersistentStoreCoordinator {
  /// Empties a store's place: a SQLite file becomes an empty database, any other is removed.
  ///
  /// A store of this coordinator at that place is removed from it first. Other users of a SQLite file
  /// find it empty at their next look; the call waits for those who are reading, as long as
  /// `NSPersistentStoreTimeoutOption` says, and throws 134090 then, unless
  /// `NSPersistentStoreForceDestroyOption` says to remove the file all the same.
  public func destroyPersistentStore(
    at url: URL,
    type storeType: NSPersistentStore.StoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    let files = try StoreFiles(ofType: storeType.rawValue, at: url)
    if let store = persistentStore(for: url), !url.isNowhere { try remove(store) }
    try files.destroy(at: url, options)
  }

  /// Makes the store at one place what the store at another is: a copy, UUID included.
  ///
  /// A SQLite store is copied page by page inside a transaction, with what stands in its write-ahead
  /// log; if that fails the destination is as it was. A store of this coordinator at the destination is
  /// removed from it first. Throws 260 where there is no source.
  public func replacePersistentStore(
    at destinationURL: URL,
    destinationOptions: [AnyHashable: Any]? = nil,
    withPersistentStoreFrom sourceURL: URL,
    sourceOptions: [AnyHashable: Any]? = nil,
    type sourceType: NSPersistentStore.StoreType
  ) throws {
    let files = try StoreFiles(ofType: sourceType.rawValue, at: sourceURL)
    if destinationURL.standardizedFileURL == sourceURL.standardizedFileURL { return }
    if let store = persistentStore(for: destinationURL), !destinationURL.isNowhere {
      try remove(store)
    }
    try files.replace(at: destinationURL, destinationOptions, with: sourceURL, sourceOptions)
  }

  /// Moves a store to another place: whether it worked.
  ///
  /// The next save of an XML or binary store writes the file there. A SQLite store is opened anew at
  /// the new place, where its file must be; objects stay what they are. False where that file cannot
  /// be opened, and for stores in memory.
  public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
    guard persistentStores.contains(store) else { return false }
    saving.lock()
    defer { saving.unlock() }
    switch store.rows {
    case let rows as MemoryStore where rows.file != nil:
      rows.file?.move(to: url)
    case is SQLiteStore:
      guard let moved = SQLiteStore.reopened(store, at: url, in: self) else { return false }
      store.rows.close()
      store.rows = moved
      store.rowCache.removeAll()
    case _ where store is NSAtomicStore || store is NSIncrementalStore:
      break
    case _:
      return false
    }
    store.url = url
    return true
  }
}

extension URL {
  /// Whether stores there are in memory, and have nothing to do with each other.
  var isNowhere: Bool { path == "/dev/null" }
}

// MARK: - Older spellings

extension NSPersistentStoreCoordinator {
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
