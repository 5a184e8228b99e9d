public import CoreData
import Foundation
import Synchronization

/// The stores of a program's models.
///
/// ```swift
/// let container = try ModelContainer(for: Note.self)
/// let context = container.mainContext
/// ```
///
/// Safety: the coordinator may be used on any thread; what changes is behind mutexes.
public final class ModelContainer: Sendable, Equatable {
  let parts: ContainerParts
  private let main: Mutex<Handover<ModelContext>?>

  /// The schema of the container.
  public var schema: Schema { parts.schema }
  /// The versions through which older stores are migrated.
  public var migrationPlan: (any SchemaMigrationPlan.Type)? { parts.migrationPlan }
  /// The configurations of the stores.
  public var configurations: Set<ModelConfiguration> { parts.configurations }
  /// The container of Core Data that keeps stores in step with a server; `nil` if no configuration names one.
  ///
  /// ```swift
  /// if let status = container.syncContainer?.syncStatus {
  ///   print(status.pendingChangeCount, status.problem ?? "in step")
  /// }
  /// ```
  public var syncContainer: NSPersistentCloudKitContainer? { parts.syncContainer }
  var coordinator: NSPersistentStoreCoordinator { parts.coordinator }

  /// Creates a container, and opens its stores or creates them.
  ///
  /// A store of another version of the schema is migrated: through the stages of the plan, or, without a plan, by what
  /// can be inferred from the differences. Indexes that the file does not have are created.
  ///
  /// - Parameters:
  ///   - givenSchema: The schema.
  ///   - migrationPlan: The versions through which older stores are migrated.
  ///   - configurations: The configurations; without any, one with all classes in the file `default.store`.
  /// - Throws: ``SwiftDataError/loadIssueModelContainer`` with the reason if a store cannot be opened;
  ///   ``SwiftDataError/duplicateConfiguration`` if two configurations have one name;
  ///   ``SwiftDataError/configurationSchemaNotFoundInContainerSchema`` if one has other classes than the schema.
  public init(
    for givenSchema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration] = []
  ) throws {
    let opening = try ContainerOpening(
      schema: givenSchema,
      plan: migrationPlan,
      configurations: configurations.isEmpty ? [ModelConfiguration()] : configurations
    )
    parts = ContainerParts(
      schema: givenSchema,
      migrationPlan: migrationPlan,
      configurations: Set(opening.configurations),
      coordinator: opening.coordinator,
      syncContainer: opening.syncContainer
    )
    main = Mutex(nil)
    schema.types.useDetached(coordinator.managedObjectModel)
    PredicateNames.register()
    ContainerList.add(coordinator)
    parts.contexts.listen(to: coordinator)
  }

  /// Creates a container over stores that somebody else has opened.
  init(schema: Schema, coordinator: NSPersistentStoreCoordinator) {
    parts = ContainerParts(schema: schema, coordinator: coordinator)
    main = Mutex(nil)
    PredicateNames.register()
    parts.contexts.listen(to: coordinator)
  }

  /// Creates the container of a main context again, which has ended before the context.
  init(_ parts: ContainerParts, mainContext: ModelContext) {
    self.parts = parts
    let context = Handover(mainContext)
    main = Mutex(context)
  }

  /// Creates a container for a schema.
  ///
  /// - Parameters:
  ///   - givenSchema: The schema.
  ///   - migrationPlan: The versions through which older stores are migrated.
  ///   - configurations: The configurations; without any, one with all classes in the file `default.store`.
  /// - Throws: ``SwiftDataError``, with the reason.
  public convenience init(
    for givenSchema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Creates a container for classes.
  ///
  /// - Parameters:
  ///   - forTypes: The classes; those that their relationships reach need not be listed.
  ///   - migrationPlan: The versions through which older stores are migrated.
  ///   - configurations: The configurations; without any, one with all classes in the file `default.store`.
  /// - Throws: ``SwiftDataError``, with the reason.
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    let version = migrationPlan?.schemas.last?.versionIdentifier ?? Schema.Version(1, 0, 0)
    try self.init(
      for: Schema(forTypes, version: version),
      migrationPlan: migrationPlan,
      configurations: configurations
    )
  }

  /// The context of the main actor; its changes are saved by themselves.
  ///
  /// It shows what other contexts and programs have saved.
  @MainActor
  public var mainContext: ModelContext {
    if let context = main.withLock({ $0 }) { return context.value }
    let context = ModelContext(self, isMain: true)
    main.withLock { $0 = Handover(context) }
    return context
  }

  public static func == (one: ModelContainer, other: ModelContainer) -> Bool {
    one.coordinator === other.coordinator
  }

  /// Removes the stores with their files, and the zones of stores in databases.
  ///
  /// The container cannot be used afterwards.
  ///
  /// - Throws: The error of a file that cannot be removed.
  public func erase() throws {
    for store in coordinator.persistentStores {
      let (url, type, options) = (store.url, store.type, store.options)
      try coordinator.remove(store)
      guard let url, url.path != "/dev/null" else { continue }
      try coordinator.destroyPersistentStore(at: url, ofType: type, options: options)
      guard url.isFileURL else { continue }
      for ending in ["", "-wal", "-shm"] {
        // A file that is not there need not be removed.
        try? FileManager.default.removeItem(atPath: url.path + ending)
      }
    }
  }

  /// Deletes all models in all stores.
  ///
  /// - Throws: The error of a store that cannot be changed.
  public func deleteAllData() throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      for entity in coordinator.managedObjectModel.entities where entity.superentity == nil {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        for object in try context.fetch(request) { context.delete(object) }
      }
      try context.save()
    }
  }

  /// Returns the UUID of a configuration's store.
  ///
  /// - Parameter name: The name of a configuration.
  /// - Returns: The UUID, or `nil` for an unknown name.
  public func storeIdentifier(forConfigurationNamed name: String) -> String? {
    guard let configuration = configurations.first(where: { $0.name == name }) else { return nil }
    return coordinator.persistentStores.first { store in
      store.configurationName == name || store.url == configuration.url
    }?.identifier
  }
}

/// The stores of a container, which its contexts keep open.
struct ContainerParts: Sendable {
  let schema: Schema
  /// Whether a class has constants, which its models keep themselves.
  let hasConstants: Bool
  var migrationPlan: (any SchemaMigrationPlan.Type)?
  var configurations: Set<ModelConfiguration> = []
  let coordinator: NSPersistentStoreCoordinator
  var syncContainer: NSPersistentCloudKitContainer?
  let contexts = ContextMail()

  init(
    schema: Schema,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: Set<ModelConfiguration> = [],
    coordinator: NSPersistentStoreCoordinator,
    syncContainer: NSPersistentCloudKitContainer? = nil
  ) {
    self.schema = schema
    hasConstants = schema.types.all.contains(where: \.hasConstants)
    self.migrationPlan = migrationPlan
    self.configurations = configurations
    self.coordinator = coordinator
    self.syncContainer = syncContainer
  }
}

/// The coordinators of all containers, for identifiers that were decoded.
enum ContainerList {
  private static let places = Mutex<[Handover<Place>]>([])

  private struct Place {
    weak let coordinator: NSPersistentStoreCoordinator?
  }

  static func add(_ coordinator: NSPersistentStoreCoordinator) {
    let place = Handover(Place(coordinator: coordinator))
    places.withLock { places in
      places.removeAll { $0.value.coordinator == nil }
      places.append(place)
    }
  }

  static func objectID(for uri: URL) -> NSManagedObjectID? {
    let coordinators = places.withLock { $0 }.compactMap(\.value.coordinator)
    return coordinators.lazy.compactMap { $0.managedObjectID(forURIRepresentation: uri) }.first
  }
}
