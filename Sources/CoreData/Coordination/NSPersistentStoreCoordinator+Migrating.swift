public import Foundation
import Synchronization

// MARK: - Moving a store's content

extension NSPersistentStoreCoordinator {
  /// Copies all data of a store to a new store, possibly of another type, and replaces the store
  /// with the new one.
  ///
  /// ```swift
  /// let copy = try coordinator.migratePersistentStore(store, to: url, type: .sqlite)
  /// ```
  ///
  /// The file of the old store is not deleted, but the coordinator does not use it anymore. The new store has a UUID of
  /// its own, and its objects have other identities: objects in contexts take these, but an identity, a URI or a history
  /// token that you have kept does not lead to the new store. The persistent history is not copied. A relationship to an
  /// object that does not exist is left out of the copy, and the log has a warning.
  ///
  /// Saves wait until the method returns. It costs the statements of a save that inserts all objects, and the memory for
  /// all of them.
  ///
  /// - Parameters:
  ///   - store: A store of this coordinator.
  ///   - storeURL: The location of the new store.
  ///   - options: The options of the new store.
  ///   - storeType: The type of the new store.
  /// - Returns: The new store.
  /// - Throws: 516 if there is a store at the new location; 134080 if `store` belongs to another coordinator; 134000 for
  ///   an unknown type; otherwise the error of a store that cannot be read or written. After an error the old store is
  ///   still in use.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore,
    to storeURL: URL,
    options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType
  ) throws -> NSPersistentStore {
    try migratePersistentStore(store, to: storeURL, options: options, type: storeType) { lost in
      for (name, count) in lost.sorted(by: { $0.key < $1.key }) {
        let number = count == 1 ? "once" : "\(count) times"
        ProgramLog.say(
          "warning: \(name) leads to objects that are not there \(number); these keys were left out"
        )
      }
    }
  }

  /// The same; `leavingOut` is told how many keys of which relationships led to nothing.
  ///
  /// A whole store keeps its UUID, and its history where the new one can have any, so that identities and tokens which
  /// somebody has kept go on meaning what they mean; not where an object has to get another number.
  @discardableResult
  package func migratePersistentStore(
    _ store: NSPersistentStore,
    to storeURL: URL,
    options: [AnyHashable: Any]? = nil,
    type storeType: NSPersistentStore.StoreType,
    isWhole: Bool = false,
    leavingOut: ([String: Int]) -> Void
  ) throws -> NSPersistentStore {
    try requireOwn(store)
    saving.lock()
    defer { saving.unlock() }
    try refuseExisting(storeURL, options, storeType)
    let configuration = store.namedConfiguration
    let isFile = { (url: URL) in url.isFileURL && !url.isInMemory }
    let mode = store.url.flatMap { isFile($0) ? FileMode(of: $0.path) : nil }
    if storeType == .sqlite, isFile(storeURL) {
      // An empty file is as good as none.
      mode?.makeFile(at: storeURL.path)
    }
    var options = options ?? [:]
    if isWhole, store.history != nil { options[NSPersistentHistoryTrackingKey] = true }
    var opened: NSPersistentStore?
    do {
      let target = try open(storeType.rawValue, configuration, at: storeURL, options, for: .copy)
      opened = target
      if isFile(storeURL) { mode?.apply(at: storeURL.path) }
      takeMetadata(of: store, into: target)
      let transfer = try StoreTransfer(from: store, to: target, in: layout, isWhole: isWhole)
      let outcome = try transfer.perform(asking: self)
      try replace(store, by: target, outcome.moved)
      if !outcome.danglingKeys.isEmpty { leavingOut(outcome.danglingKeys) }
      return target
    } catch {
      opened?.leaveCoordinator()
      // An opening that failed has not made anything that would be in the way; an existing file may be another
      // program's.
      if opened != nil {
        // The error that matters is why it failed, not what could not be tidied up.
        try? KindsOfStores.kind(storeType.rawValue, at: storeURL.path)
          .takeBackCopy(at: storeURL, options)
        if isFile(storeURL) { try? FileManager.default.removeItem(at: storeURL) }
      }
      throw FormatProblem.translated(error, path: storeURL.path)
    }
  }

  /// Copies all data of a store to a new store, possibly of another type, and replaces the store
  /// with the new one.
  ///
  /// This is the older form of ``migratePersistentStore(_:to:options:type:)``.
  ///
  /// - Parameters:
  ///   - store: A store of this coordinator.
  ///   - url: The location of the new store.
  ///   - options: The options of the new store.
  ///   - storeType: The type of the new store, such as `NSSQLiteStoreType`.
  /// - Returns: The new store.
  /// - Throws: The errors of the newer form.
  @discardableResult
  public func migratePersistentStore(
    _ store: NSPersistentStore,
    to url: URL,
    options: [AnyHashable: Any]? = nil,
    withType storeType: String
  ) throws -> NSPersistentStore {
    try migratePersistentStore(
      store,
      to: url,
      options: options,
      type: NSPersistentStore.StoreType(rawValue: storeType)
    )
  }

  /// Writes all data of a store into a new file of another type, and leaves the store as it is.
  ///
  /// The file is that of ``migratePersistentStore(_:to:options:type:isWhole:leavingOut:)`` for a whole store, without
  /// the memory for all objects. False, and nothing is done, if the store cannot hand over its rows in parts or files
  /// of the type are not written like this. Throws ``StoreExport/Cancellation`` if `progress` canceled it.
  package func export(
    _ store: NSPersistentStore,
    to url: URL,
    type: NSPersistentStore.StoreType,
    _ progress: @escaping (_ done: Int, _ all: Int) -> Bool = { _, _ in true },
    leavingOut: ([String: Int]) -> Void
  ) throws -> Bool {
    try requireOwn(store)
    guard let kind = try KindsOfStores.kind(type.rawValue, at: url.path) as? any ExportingKind,
      let export = try StoreExport(of: store, in: layout, progress)
    else { return false }
    saving.lock()
    defer { saving.unlock() }
    try refuseExisting(url, nil, type)
    try kind.write(export, to: WholeFile(url: url, steps: FileSteps()))
    if !export.danglingKeys.isEmpty { leavingOut(export.danglingKeys) }
    return true
  }

  private func requireOwn(_ store: NSPersistentStore) throws {
    guard persistentStores.contains(store) else {
      throw StoreFailure(.otherCoordinator, path: store.shownPath).error()
    }
  }

  private func refuseExisting(
    _ url: URL,
    _ options: [AnyHashable: Any]?,
    _ type: NSPersistentStore.StoreType
  ) throws {
    let kind = try KindsOfStores.kind(type.rawValue, at: url.path)
    guard try kind.isThere(at: url, options) else { return }
    let what = url.isFileURL ? "file at \(url.path)" : "store at \(StoreAddress.shown(url))"
    throw FailureText.taken(by: what).error(
      code: CocoaError.fileWriteFileExists.rawValue,
      userInfo: [NSFilePathErrorKey: url.path]
    )
  }

  /// Takes the metadata that users have set; the target has the metadata of a store itself already.
  func takeMetadata(of store: NSPersistentStore, into target: NSPersistentStore) {
    let own: [String: Any] = target.metadata
    target.metadata = store.givenMetadata.merging(own) { _, own in own }
  }

  private func replace(
    _ store: NSPersistentStore,
    by target: NSPersistentStore,
    _ moved: [ObjectKey: StoreTransfer.Moved]
  ) throws {
    let old = store.number
    try release(store)
    stores.withLock { $0.append(target) }
    noteOldRows()
    let table = MovedObjects(moved)
    contexts.tell { $0.follow(table, from: old) }
    let ids = moved.values.compactMap { moved in
      layout[number: moved.entity].map { NSManagedObjectID(key: moved.key, layout: $0) }
    }
    announce(added: [target], removed: [store], uuidChanged: [store, target, ids])
  }
}

extension NSPersistentStore {
  /// The metadata that users have given the store, without what every store says of itself.
  var givenMetadata: [String: Any] {
    metadata.filter { key, _ in
      !key.hasPrefix("NSStore") && !key.hasPrefix("NSPersistence") && !key.hasPrefix("_NS")
    }
  }

  /// The configuration of the model whose entities the store has; nil for all entities.
  var namedConfiguration: String? {
    configurationName == StorePlace.defaultConfiguration ? nil : configurationName
  }
}

/// Where objects have gone.
private struct MovedObjects: Sendable {
  let table: [ObjectKey: StoreTransfer.Moved]

  init(_ table: [ObjectKey: StoreTransfer.Moved]) {
    self.table = table
  }
}

extension NSManagedObjectContext {
  /// Gives the objects of a store the identities and rows that they have in another.
  fileprivate func follow(_ moved: MovedObjects, from store: StoreNumber) {
    for object in identityMap.objects where object.key.store == store {
      guard let new = moved.table[object.key] else { continue }
      object.rename(to: new.key)
      if object.snapshot != nil || new.snapshot != nil {
        object.snapshot = new.snapshot ?? object.snapshot
      }
    }
  }
}

extension FormatProblem {
  /// A failure to put objects into a file, as an error that names the file.
  static func translated(_ error: any Error, path: String) -> any Error {
    do {
      return try translating(path: path) { throw error }
    } catch {
      return error
    }
  }
}
