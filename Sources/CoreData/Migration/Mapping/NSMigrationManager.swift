public import Foundation

/// Carries out a mapping model: reads one store and writes another.
///
/// ```swift
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// try manager.migrateStore(from: file, type: .sqlite, mapping: mapping, to: copy, type: .sqlite)
/// ```
///
/// A manager works on the thread that calls it and is used by one thread at a time. While it migrates,
/// its policies may use both contexts directly.
open class NSMigrationManager: NSObject {
  public let sourceModel: NSManagedObjectModel
  public let destinationModel: NSManagedObjectModel

  /// Whether the migration may be handed over to a way that the type of the stores has of its own; true
  /// unless set.
  ///
  /// It is only when nothing of the developer's own would be missed: no policy, and the mappings are
  /// those that would be inferred.
  public var usesStoreSpecificMigrationManager = true

  /// Whatever the developer and the policies keep with the migration; `$manager.userInfo` in expressions.
  public var userInfo: [AnyHashable: Any]?

  /// What is going on; after a migration into memory, its end.
  var work: MappingWork?
  var associations = Associations()
  /// Why the migration shall end.
  var cancellation: (any Error)?
  var observations = KeyValueObservations()
  /// A way of migrating that a type of stores has of its own.
  var storeSpecificMigration: StoreSpecificMigration? = { try $0.migrateInPlace() }
  /// Objects of the source of which the last migration has made nothing.
  var leftOutCount = 0
  private(set) var progress: Float = 1

  /// Makes a manager for stores of these models.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    super.init()
  }

  /// The mapping model of the migration; outside of one this stops the program.
  open var mappingModel: NSMappingModel { required.mapping }

  /// The entity mapping that is at work; it comes three times, once in each pass, and can be observed.
  ///
  /// Outside of a migration this stops the program.
  open var currentEntityMapping: NSEntityMapping {
    guard let current = required.current else { stopWithoutMigration() }
    return current.mapping
  }

  /// The context that reads the source; outside of a migration this stops the program.
  open var sourceContext: NSManagedObjectContext { required.source.context }

  /// The context that writes the destination; outside of a migration this stops the program.
  ///
  /// After a migration into a store in memory it is there as long as the manager is.
  open var destinationContext: NSManagedObjectContext { required.destination.context }

  /// How much is done, from 0 to 1, and can be observed; 1 where no migration takes place.
  open var migrationProgress: Float { progress }

  /// Ends the migration as soon as the policy that is at work returns; it throws this error then.
  ///
  /// Can be called from policies, expressions and observers.
  open func cancelMigrationWithError(_ error: any Error) {
    cancellation = error
  }

  /// Forgets what was made of what.
  ///
  /// The contexts are left as they are.
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
  /// The entity of the source that a mapping speaks of; nil when it names none.
  public func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    guard let work else {
      return mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
    }
    return work.source.layout(mEntity.sourceEntityName)?.description
  }

  /// The entity of the destination that a mapping speaks of; nil when it names none.
  public func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    guard let work else {
      return mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
    }
    return work.destination.layout(mEntity.destinationEntityName)?.description
  }
}

/// What a migration works with.
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
