public import Foundation

/// An object that migrates a store to another version of its model with a mapping model.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(from: file, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
/// ```
///
/// A manager works on the thread that calls it. Use it on one thread at a time. While it migrates,
/// its policies can use both contexts directly.
nonisolated open class NSMigrationManager: NSObject {
  /// The model of the store to migrate.
  public let sourceModel: NSManagedObjectModel
  /// The model to which the store is migrated.
  public let destinationModel: NSManagedObjectModel

  /// A Boolean value that indicates whether a faster migration that is specific to the type of the
  /// stores may be used.
  ///
  /// The default is `true`.
  ///
  /// It is used only if the mapping model is without custom policies and equal to the one that would be inferred.
  public var usesStoreSpecificMigrationManager = true

  /// A dictionary for values that you want to keep with the migration.
  ///
  /// In expressions it is `$manager.userInfo`.
  public var userInfo: [AnyHashable: Any]?

  /// The migration that is running; after a migration into memory, its result.
  var work: MappingWork?
  var associations = Associations()
  /// The reason why the migration must end.
  var cancellation: (any Error)?
  var observations = KeyValueObservations()
  /// A way of migrating that a type of stores has of its own.
  var storeSpecificMigration: StoreSpecificMigration? = { try $0.migrateInPlace() }
  /// Objects of the source of which the last migration has made nothing.
  var leftOutCount = 0
  private(set) var progress: Float = 1

  /// Creates a manager that migrates stores from one model to another.
  ///
  /// - Parameters:
  ///   - sourceModel: The model of the stores to migrate.
  ///   - destinationModel: The model to which the stores are migrated.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    super.init()
  }

  /// The mapping model of the current migration.
  ///
  /// Reading it at other times stops the program.
  open var mappingModel: NSMappingModel { required.mapping }

  /// The entity mapping that is being performed.
  ///
  /// Reading it outside a migration stops the program.
  ///
  /// The property can be observed. Each mapping is performed three times, once in each pass.
  open var currentEntityMapping: NSEntityMapping {
    guard let current = required.current else { stopWithoutMigration() }
    return current.mapping
  }

  /// The context that reads the source.
  ///
  /// Reading this property outside a migration stops the program.
  open var sourceContext: NSManagedObjectContext { required.source.context }

  /// The context that writes the destination.
  ///
  /// Reading this property outside a migration stops the program.
  ///
  /// After a migration to a store in memory, the context exists as long as the manager.
  open var destinationContext: NSManagedObjectContext { required.destination.context }

  /// The progress of the migration, from 0 to 1.
  ///
  /// It is 1 outside a migration. The property can be observed.
  open var migrationProgress: Float { progress }

  /// Ends the migration as soon as the current method of a policy returns.
  ///
  /// You can call this method in policies, expressions and observers. If you call it before a migration begins, the
  /// next migration of this manager ends with the error at once.
  ///
  /// - Parameter error: The error that the migration throws.
  open func cancelMigrationWithError(_ error: any Error) {
    cancellation = error
  }

  /// Records that a destination object was created from a source object.
  ///
  /// An object can be associated with several others. Only associated objects are found by
  /// relationships and passed to `createRelationships(forDestination:in:manager:)`.
  ///
  /// Policies call this method for each object that they make. An override calls the method of the
  /// superclass.
  ///
  /// - Parameters:
  ///   - sourceInstance: The source object.
  ///   - destinationInstance: The destination object.
  ///   - entityMapping: The entity mapping that created the object.
  open func associate(
    sourceInstance: NSManagedObject,
    withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.associate(sourceInstance, destinationInstance, by: entityMapping.name)
  }

  /// Removes the associations between source and destination objects.
  ///
  /// The contexts are not changed.
  open func reset() {
    associations = Associations()
  }
}

// MARK: - State

extension NSMigrationManager {
  private var required: MappingWork {
    guard let work else { stopWithoutMigration() }
    return work
  }

  private func stopWithoutMigration() -> Never {
    stop(
      "the migration manager was asked for what is there during a migration only; ask it in a policy, "
        + "or in an observer of its progress"
    )
  }

  func enter(_ step: MappingWork.Step) {
    announceChange(
      of: "currentEntityMapping",
      from: work?.current?.mapping,
      to: step.mapping
    ) { work?.current = step }
  }

  func report(_ progress: Float) {
    guard progress != self.progress else { return }
    announceChange(of: "migrationProgress", from: self.progress, to: progress) {
      self.progress = progress
    }
  }

  func checkCancelled() throws {
    if let cancellation { throw cancellation }
  }
}

// MARK: - Entities

extension NSMigrationManager {
  /// Returns the source entity of a mapping.
  ///
  /// - Parameter mEntity: The entity mapping.
  /// - Returns: The entity, or `nil` if the mapping does not have one.
  public func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    guard let work else {
      return mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }
    return work.source.layout(mEntity.sourceEntityName)?.description
  }

  /// Returns the destination entity of a mapping.
  ///
  /// - Parameter mEntity: The entity mapping.
  /// - Returns: The entity, or `nil` if the mapping does not have one.
  public func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    guard let work else {
      return mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }
    return work.destination.layout(mEntity.destinationEntityName)?.description
  }
}

/// The models and stacks with which a migration works.
struct MappingWork {
  let mapping: NSMappingModel
  let source: MappingStack
  let destination: MappingStack
  var current: Step?

  /// An entity mapping at work, with its policy.
  struct Step {
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy
    /// The property whose value is being found.
    var property: NSPropertyMapping?
  }
}
