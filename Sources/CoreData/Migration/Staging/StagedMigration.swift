import CoreDataModel
import Foundation

/// A store on its way through the stages of an ``NSStagedMigrationManager``.
///
/// ```
/// metadata ─▶ version ─▶ its place in the order ─▶ step ─▶ step ─▶ the coordinator's version
/// ```
struct StagedMigration {
  let manager: NSStagedMigrationManager
  let place: StorePlace
  let destination: NSManagedObjectModel
  var stepping: any StoreStepping = InferredStepping()

  private var url: URL { place.url ?? URL(fileURLWithPath: place.path) }

  /// Brings the store to the destination; does nothing to one that is there, or not there at all.
  func perform() throws {
    do {
      guard let version = try version(), version != destination.versionChecksum else { return }
      let models = VersionShelf(manager, destination, place)
      for move in try moves(from: version) { try perform(move, models) }
    } catch let failure as StagingFailure {
      throw failure.error()
    }
  }

  private func moves(from version: String) throws(StagingFailure) -> [StageOrder.Move] {
    let order = manager.order
    let goal = destination.versionChecksum
    guard let start = order.versions.firstIndex(of: version) else {
      throw .unknownStore(path: place.path, checksum: version)
    }
    guard let end = order.versions.firstIndex(of: goal) else {
      throw .unknownDestination(checksum: goal)
    }
    guard start < end else { throw .backward(path: place.path) }
    return order.moves(from: start, to: end)
  }

  private func perform(_ move: StageOrder.Move, _ models: VersionShelf) throws {
    let (from, to) = (try models.model(move.from), try models.model(move.to))
    if let custom = move.custom { try call(custom.willMigrateHandler, custom, from) }
    try stepping.migrate(place, from: from, to: to)
    if let custom = move.custom { try call(custom.didMigrateHandler, custom, to) }
  }
}

// MARK: - Handlers

extension StagedMigration {
  /// Calls a handler with the store open in the manager's container.
  private func call(
    _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?,
    _ stage: NSCustomMigrationStage,
    _ model: NSManagedObjectModel
  ) throws {
    guard let handler else { return }
    let container = try openContainer(model)
    manager.container = container
    defer { manager.container = nil }
    do {
      try handler(manager, stage)
    } catch {
      // The error that matters is the handler's.
      try? close(container)
      throw error
    }
    try close(container)
  }

  private func openContainer(_ model: NSManagedObjectModel) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(
      name: url.deletingPathExtension().lastPathComponent,
      managedObjectModel: model
    )
    try container.persistentStoreCoordinator.addPersistentStore(
      ofType: place.type,
      configurationName: place.configuration,
      at: url,
      options: place.options?.withoutMigrating
    )
    return container
  }

  private func close(_ container: NSPersistentContainer) throws {
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }
}

// MARK: - The store's version

extension StagedMigration {
  /// The checksum of the model that the store was made with; `nil` if the store does not exist yet.
  private func version() throws -> String? {
    let kindOfStore = try KindsOfStores.kind(place.type, at: place.path)
    guard let metadata = try kindOfStore.versionMetadata(of: place) else { return nil }
    let kind = (metadata[NSStoreModelVersionHashesVersionKey] as? NSNumber)?.intValue ?? 0
    guard let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], kind >= 3 else {
      throw StagingFailure.oldMetadata(path: place.path)
    }
    guard place.configuration != nil else { return ModelDigest.checksum(of: hashes) }
    // A configuration is a part of a model, and the version is that of the whole.
    let models = VersionShelf(manager, destination, place).all
    return models.first { $0.versionHashes(ofConfiguration: place.configuration) == hashes }?
      .versionChecksum ?? ModelDigest.checksum(of: hashes)
  }
}

/// The models that a staged migration can choose from, by their checksums.
struct VersionShelf {
  private var models: [String: NSManagedObjectModel] = [:]
  private var missing: [String: StagingFailure] = [:]

  /// The coordinator's, those of custom stages, all that the program carries, and the store's own.
  init(
    _ manager: NSStagedMigrationManager,
    _ destination: NSManagedObjectModel,
    _ place: StorePlace
  ) {
    models[destination.versionChecksum] = destination
    let customs = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
    for reference in customs.flatMap({ [$0.currentModel, $0.nextModel] }) {
      do {
        let model = try reference.resolve()
        if models[reference.versionChecksum] == nil { models[reference.versionChecksum] = model }
      } catch {
        missing[reference.versionChecksum] = error
      }
    }
    let wanted = Set(manager.order.versions).subtracting(models.keys)
    if wanted.isEmpty { return }
    // A file that cannot be read does not have any of the versions.
    var schemas = ModelFile.compiled(in: ProgramBundles.all)
      .flatMap { (try? ModelFile(contentsOf: $0))?.versions ?? [] }
    if let stored = KindsOfStores.known(place.type)?.storedModel(of: place) {
      schemas.append(stored)
    }
    for schema in schemas where wanted.contains(schema.versionChecksum) {
      models[schema.versionChecksum] = NSManagedObjectModel(schema: schema)
    }
  }

  var all: [NSManagedObjectModel] { Array(models.values) }

  func model(_ checksum: String) throws(StagingFailure) -> NSManagedObjectModel {
    if let model = models[checksum] { return model }
    throw missing[checksum] ?? .unknownVersion(checksum: checksum)
  }
}
