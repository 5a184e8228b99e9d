import CoreData
import Foundation

/// Opens the stores of a container.
struct ContainerOpening {
  let configurations: [ModelConfiguration]
  let coordinator: NSPersistentStoreCoordinator
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
    let several = configurations.count > 1 || configurations.contains { $0.schema != nil }
    if several { Self.configure(model, configurations) }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for configuration in configurations {
      do {
        try open(configuration, named: several ? configuration.name : nil)
      } catch {
        throw Self.failure(error, configuration)
      }
    }
  }

  private static func check(_ configurations: [ModelConfiguration], _ schema: Schema) throws {
    let twins = Dictionary(grouping: configurations, by: \.name).first { $1.count > 1 }
    if let twins {
      throw SwiftDataError.duplicateConfiguration.because(
        "\(twins.value.count) configurations have the name \(twins.key); give each one of its own"
      )
    }
    for configuration in configurations {
      try configuration.validate()
      if let name = configuration.cloudKitDatabase.privateName {
        throw SwiftDataError.loadIssueModelContainer.because(
          "the configuration \(configuration.name) wants CloudKit's database \(name), which cannot be reached here"
        )
      }
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

  private func open(_ configuration: ModelConfiguration, named name: String?) throws {
    var options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      NSPersistentHistoryTrackingKey: true,
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
    if !configuration.allowsSave { options[NSReadOnlyPersistentStoreOption] = true }
    if let plan, let manager = try StagedPlan(plan, schema).manager {
      options[NSPersistentStoreStagedMigrationManagerOptionKey] = manager
    }
    if !configuration.isStoredInMemoryOnly {
      try FileManager.default.createDirectory(
        at: configuration.url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
    }
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: name,
      at: configuration.url,
      options: options
    )
    guard !configuration.isStoredInMemoryOnly, configuration.allowsSave else { return }
    let schema = coordinator.managedObjectModel.currentSchema
    try MissingIndexes(of: schema, named: "_SwiftDataIndexOn").make(in: configuration.url)
  }

  private static func failure(
    _ error: any Error,
    _ configuration: ModelConfiguration
  ) -> SwiftDataError {
    if let error = error as? SwiftDataError { return error }
    return SwiftDataError.loadIssueModelContainer.because(
      "the store \(configuration.url.path) cannot be opened: \(SwiftDataError.sentences(of: error))",
      error
    )
  }
}
