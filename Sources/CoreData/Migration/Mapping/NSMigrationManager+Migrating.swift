import CoreDataModel
public import Foundation

/// A way of migrating that a type of stores has of its own: whether it has brought the store, a copy of
/// the source, to the new model.
typealias StoreSpecificMigration = (StoreSpecificWork) throws -> Bool

/// A store to migrate in its place.
struct StoreSpecificWork {
  let url: URL
  let type: String
  let options: [AnyHashable: Any]?
  let sourceModel: NSManagedObjectModel
  let destinationModel: NSManagedObjectModel

  /// Has SQLite do it in one transaction; a migration that it cannot do goes object by object.
  func migrateInPlace() throws -> Bool {
    guard type == NSSQLiteStoreType else { return false }
    var options = options ?? [:]
    // It is a copy that is migrated.
    options[CoreDataMigrationBackupOption] = false
    try StoreMigration(of: url, to: destinationModel, options: options)
      .perform(from: sourceModel.layout.schema)
    return true
  }
}

// MARK: - Migrating

extension NSMigrationManager {
  /// Migrates a store to another location, as a mapping model specifies.
  ///
  /// The result is first written to a temporary file beside the destination, which then replaces
  /// the destination at once. The source is only read. After an error both are unchanged. If there
  /// already is a store at the destination, the objects are added to it.
  ///
  /// The contents of a store in memory cannot be migrated. If the destination is a store in memory,
  /// it exists as long as the manager, in its ``destinationContext``.
  ///
  /// - Parameters:
  ///   - sourceURL: The location of the store to migrate.
  ///   - sourceType: The type of the store to migrate.
  ///   - sourceOptions: The options of the store to migrate.
  ///   - mapping: The mapping model, which must match the manager's models.
  ///   - destinationURL: The location of the resulting store.
  ///   - destinationType: The type of the resulting store.
  ///   - destinationOptions: The options of the resulting store.
  /// - Throws: 134110 if the mapping model does not match, an expression has an unsuitable value, or both
  ///   locations are the same; 134111 if objects violate rules of the destination model; 134150 if the
  ///   source is in memory or cannot be read; 134160 if the destination cannot be written; 134170 if a policy is missing or throws
  ///   an error; or the error that was passed to ``cancelMigrationWithError(_:)``. The original
  ///   error is the underlying error.
  public func migrateStore(
    from sourceURL: URL,
    type sourceType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel,
    to destinationURL: URL,
    type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrate(
      from: MappingEnd(url: sourceURL, type: sourceType.rawValue, options: sourceOptions),
      mapping,
      to: MappingEnd(
        url: destinationURL,
        type: destinationType.rawValue,
        options: destinationOptions
      )
    )
  }

  /// The same with types as texts.
  @available(
    *,
    deprecated,
    message: "Use migrateStore(from:type:options:mapping:to:type:options:)"
  )
  /// Migrates a store to another location, as a mapping model specifies.
  ///
  /// This is the older form of ``migrateStore(from:type:options:mapping:to:type:options:)``.
  ///
  /// - Parameters:
  ///   - sourceURL: The location of the store to migrate.
  ///   - sStoreType: The type of the store to migrate.
  ///   - sOptions: The options of the store to migrate.
  ///   - mappings: The mapping model, which must match the manager's models.
  ///   - dURL: The location of the resulting store.
  ///   - dStoreType: The type of the resulting store.
  ///   - dOptions: The options of the resulting store.
  /// - Throws: 134140 without a mapping model; otherwise the errors of the newer form.
  public func migrateStore(
    from sourceURL: URL,
    sourceType sStoreType: String,
    options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?,
    toDestinationURL dURL: URL,
    destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let mappings else { throw MappingFailure.missingMapping.error() }
    try migrate(
      from: MappingEnd(url: sourceURL, type: sStoreType, options: sOptions),
      mappings,
      to: MappingEnd(url: dURL, type: dStoreType, options: dOptions)
    )
  }
}

/// A store at one end of a migration.
struct MappingEnd {
  let url: URL
  let type: String
  var options: [AnyHashable: Any]?

  var isInMemory: Bool { type == NSInMemoryStoreType || url.isInMemory }
}

// MARK: - The story

extension NSMigrationManager {
  func migrate(
    from source: MappingEnd,
    _ mapping: NSMappingModel,
    to destination: MappingEnd
  ) throws {
    try begin()
    defer {
      cancellation = nil
      report(1)
    }
    do {
      try checkCancelled()
      try check(mapping, from: source, to: destination)
      guard !destination.isInMemory else {
        return try carryOut(mapping, from: source, to: destination, isNew: true)
      }
      let draft = try failing(.destination, at: destination) { try StoreDraft(of: destination) }
      defer { draft.discard() }
      if try !handOver(mapping, from: source, to: draft) {
        try carryOut(mapping, from: source, to: draft.end, isNew: draft.isNew)
        try endWork()
      }
      try failing(.destination, at: destination) { try draft.commit() }
    } catch {
      // The error that matters is why it failed.
      try? endWork()
      throw (error as? MappingFailure)?.error() ?? error
    }
  }

  private func begin() throws {
    try endWork()
    associations = Associations()
    leftOutCount = 0
    report(0)
  }

  private func endWork() throws {
    let ended = work
    work = nil
    try ended?.source.close()
    try ended?.destination.close()
  }

  private func check(
    _ mapping: NSMappingModel,
    from source: MappingEnd,
    to destination: MappingEnd
  ) throws {
    guard !source.isInMemory else { throw MappingFailure.sourceInMemory }
    try failing(.source, at: source) {
      guard FileManager.default.fileExists(atPath: source.url.path) else {
        throw StoreFailure(.missingFile, path: source.url.path).error()
      }
    }
    guard source.url.standardizedFileURL != destination.url.standardizedFileURL else {
      throw MappingFailure.unfit(
        place: source.url.path,
        problem: "it is the source and the destination",
        remedy: "Migrate to another file, and put that in its place with replacePersistentStore."
      )
    }
    try MappingCheck.check(
      mapping,
      from: sourceModel.currentSchema,
      to: destinationModel.currentSchema
    )
  }

  /// Lets the type of the stores do it in its own way, if it has one and nothing would be missed.
  private func handOver(
    _ mapping: NSMappingModel,
    from source: MappingEnd,
    to draft: StoreDraft
  ) throws -> Bool {
    guard usesStoreSpecificMigrationManager, let storeSpecificMigration, draft.isNew,
      source.type == draft.end.type,
      mapping.isInferable(from: sourceModel.currentSchema, to: destinationModel.currentSchema)
    else { return false }
    try failing(.source, at: source) {
      try KindsOfStores.kind(source.type, at: source.url.path)
        .replace(at: draft.end.url, draft.end.options, with: source.url, source.options)
    }
    let work = StoreSpecificWork(
      url: draft.end.url,
      type: source.type,
      options: draft.end.options,
      sourceModel: sourceModel,
      destinationModel: destinationModel
    )
    if try storeSpecificMigration(work) { return true }
    try draft.clear()
    return false
  }

  private func carryOut(
    _ mapping: NSMappingModel,
    from source: MappingEnd,
    to destination: MappingEnd,
    isNew: Bool
  ) throws {
    var options = source.options ?? [:]
    options[NSReadOnlyPersistentStoreOption] = true
    let from = try failing(.source, at: source) {
      try MappingStack(
        sourceModel,
        type: source.type,
        at: source.url,
        options: options,
        named: "source of a migration"
      )
    }
    let to: MappingStack
    do {
      to = try failing(.destination, at: destination) {
        try MappingStack(
          destinationModel,
          type: destination.type,
          at: destination.url,
          options: destination.options,
          named: "destination of a migration"
        )
      }
    } catch {
      try from.close()
      throw error
    }
    if isNew { to.coordinator.takeMetadata(of: from.store, into: to.store) }
    let work = MappingWork(mapping: mapping, source: from, destination: to)
    self.work = work
    let run = try MappingRun(self, work)
    try to.context.performAndWait {
      try from.context.performAndWait { try run.perform() }
    }
  }

  private enum End {
    case source
    case destination
  }

  /// Says at which end something has failed.
  private func failing<Result>(
    _ end: End,
    at place: MappingEnd,
    _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      switch end {
      case .source: throw MappingFailure.source(path: place.url.path, error)
      case .destination: throw MappingFailure.destination(path: place.url.path, error)
      }
    }
  }
}
