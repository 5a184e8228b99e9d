import CoreData
import Foundation

/// Opens the stores of a container.
struct ContainerOpening {
  let configurations: [ModelConfiguration]
  let coordinator: NSPersistentStoreCoordinator
  /// The container that keeps stores in step with a server, if one has an address.
  let syncContainer: NSPersistentCloudKitContainer?
  private let schema: Schema
  private let plan: (any SchemaMigrationPlan.Type)?

  init(
    schema: Schema,
    plan: (any SchemaMigrationPlan.Type)?,
    configurations: [ModelConfiguration]
  ) throws {
    self.schema = schema
    self.plan = plan
    self.configurations = configurations
    try Self.check(configurations, schema)
    let model = schema.makeManagedObjectModel()
    let several = Self.areParts(configurations, of: schema)
    if several { Self.configure(model, configurations) }
    let isSynchronized = configurations.contains { $0.cloudKitDatabase.address != nil }
    syncContainer =
      isSynchronized
      ? NSPersistentCloudKitContainer(name: "SwiftData", managedObjectModel: model) : nil
    coordinator =
      syncContainer?.persistentStoreCoordinator
      ?? NSPersistentStoreCoordinator(managedObjectModel: model)
    syncContainer?.persistentStoreDescriptions = []
    for configuration in configurations {
      do {
        try open(configuration, named: several ? configuration.name : nil)
      } catch {
        throw Self.failure(error, configuration)
      }
    }
  }

  private static func check(_ configurations: [ModelConfiguration], _ schema: Schema) throws {
    if schema.isRead { try checkClasses(of: schema) }
    let twins = Dictionary(grouping: configurations, by: \.name).first { $1.count > 1 }
    if let twins {
      throw SwiftDataError.duplicateConfiguration.because(
        "\(twins.value.count) configurations have the name \(twins.key); give each one of its own"
      )
    }
    for configuration in configurations {
      try configuration.validate()
      try checkServer(of: configuration)
      let own = Set(configuration.schema?.entities.map(\.name) ?? [])
      let missing = own.subtracting(schema.entities.map(\.name)).sorted()
      guard missing.isEmpty else {
        throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.because(
          """
          the configuration \(configuration.name) has \(missing.joined(separator: ", ")), which the container's schema \
          does not have
          """
        )
      }
    }
  }

  /// A schema from a file may be of other classes than the program has.
  private static func checkClasses(of schema: Schema) throws {
    let current = Schema(schema.types.all.map(\.type)).entitiesByName
    for entity in schema.entities {
      if entity.type == nil {
        throw SwiftDataError.unknownSchema.because(
          "the schema was read from a file, and this program has no class for its entity \(entity.name)"
        )
      }
      if current[entity.name] != entity {
        throw SwiftDataError.unknownSchema.because(
          """
          the class \(entity.name) has changed since the schema was saved; create the container for the class, with a \
          migration plan if inference does not suffice
          """
        )
      }
    }
  }

  private static func checkServer(of configuration: ModelConfiguration) throws {
    let name = configuration.name
    guard let address = configuration.cloudKitDatabase.address else {
      guard case .cloudKit(let database) = configuration.cloudKitDatabase.place else { return }
      throw SwiftDataError.loadIssueModelContainer.because(
        """
        the configuration \(name) wants CloudKit's database \(database), which cannot be reached here; name a server of \
        `coredata serve` with .server(…), or in the environment variable COREDATA_SYNC_ADDRESS
        """
      )
    }
    guard !configuration.isStoredInMemoryOnly, configuration.url.isFileURL else {
      throw SwiftDataError.loadIssueModelContainer.because(
        "the store of the configuration \(name) has no file, so that it cannot be kept in step with a server"
      )
    }
    do {
      try NSPersistentCloudKitContainer.check(address: address)
    } catch {
      throw SwiftDataError.loadIssueModelContainer.because(
        "the store of the configuration \(name) cannot be kept in step: \(error)",
        error
      )
    }
  }

  /// Whether the stores have parts of the schema, and not one store all of it.
  private static func areParts(_ configurations: [ModelConfiguration], of schema: Schema) -> Bool {
    guard configurations.count == 1, let own = configurations[0].schema else {
      return configurations.count > 1
    }
    return Set(own.entities.map(\.name)) != Set(schema.entities.map(\.name))
  }

  /// Gives each store the entities of its configuration; those of no configuration go to one without a schema.
  private static func configure(
    _ model: NSManagedObjectModel,
    _ configurations: [ModelConfiguration]
  ) {
    let claimed = Set(configurations.flatMap { $0.schema?.entities.map(\.name) ?? [] })
    for configuration in configurations {
      let own = configuration.schema.map { Set($0.entities.map(\.name)) }
      let entities = model.entities.filter { entity in
        let name = entity.name ?? ""
        return own?.contains(name) ?? (!claimed.contains(name) || configurations.count == 1)
      }
      model.setEntities(entities, forConfigurationName: configuration.name)
    }
  }

  /// Gives an older version of the model the entities that a configuration's store has.
  ///
  /// A class that no configuration has any more is in the store whose metadata names it.
  private func configure(_ version: NSManagedObjectModel, as configuration: ModelConfiguration) {
    // A store that does not exist yet is of no older version.
    let metadata = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: Self.type(of: configuration),
      at: configuration.url,
      options: configuration.storeOptions
    )
    let stored = metadata?[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:]
    let current = coordinator.managedObjectModel
    let own = current.entities(forConfigurationName: configuration.name)?.compactMap(\.name) ?? []
    let entities = version.entities.filter { entity in
      let name = entity.name ?? ""
      return own.contains(name) || (current.entitiesByName[name] == nil && stored[name] != nil)
    }
    version.setEntities(entities, forConfigurationName: configuration.name)
  }

  private func open(_ configuration: ModelConfiguration, named name: String?) throws {
    let options = try options(of: configuration, named: name)
    let isFile = configuration.url.isFileURL && !configuration.isStoredInMemoryOnly
    if isFile {
      try FileManager.default.createDirectory(
        at: configuration.url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
    }
    let type = Self.type(of: configuration)
    if configuration.isInDatabase, KindsOfStores.known(type) == nil {
      throw SwiftDataError.loadIssueModelContainer.because(
        """
        this program cannot open PostgreSQL databases; add the product CoreDataPostgreSQL of the package open-core-data to \
        the dependencies of its target
        """
      )
    }
    let store = try coordinator.addPersistentStore(
      ofType: type,
      configurationName: name,
      at: configuration.url,
      options: options
    )
    if isFile, configuration.allowsSave {
      let schema = coordinator.managedObjectModel.currentSchema
      try MissingIndexes(of: schema, named: "_SwiftDataIndexOn").make(in: configuration.url)
    }
    keepInStep(store, configuration)
  }

  private static func type(of configuration: ModelConfiguration) -> String {
    configuration.isInDatabase ? StoreAddress.postgreSQLType : NSSQLiteStoreType
  }

  private func options(
    of configuration: ModelConfiguration,
    named name: String?
  ) throws -> [AnyHashable: Any] {
    var options = configuration.storeOptions
    for key in [
      NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
      NSPersistentHistoryTrackingKey, NSPersistentStoreRemoteChangeNotificationPostOptionKey,
    ] { options[key] = true }
    if !configuration.allowsSave { options[NSReadOnlyPersistentStoreOption] = true }
    if let plan {
      let staged = try StagedPlan(plan) { if name != nil { configure($0, as: configuration) } }
      if let manager = staged.manager {
        options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager
      }
    }
    return options
  }

  /// Begins to exchange an open store's changes with its server, if it has one.
  private func keepInStep(_ store: NSPersistentStore, _ configuration: ModelConfiguration) {
    guard let syncContainer, let address = configuration.cloudKitDatabase.address else { return }
    let description = NSPersistentStoreDescription(url: configuration.url)
    let cloudKitOptions = NSPersistentCloudKitContainerOptions(
      containerIdentifier: configuration.name
    )
    cloudKitOptions.syncAddress = address
    description.cloudKitContainerOptions = cloudKitOptions
    syncContainer.persistentStoreDescriptions.append(description)
    syncContainer.keepInStep(description)
  }

  private static func failure(
    _ error: any Error,
    _ configuration: ModelConfiguration
  ) -> SwiftDataError {
    if let error = error as? SwiftDataError { return error }
    return SwiftDataError.loadIssueModelContainer.because(
      "the store \(configuration.place) cannot be opened: \(SwiftDataError.sentences(of: error))",
      error
    )
  }
}
