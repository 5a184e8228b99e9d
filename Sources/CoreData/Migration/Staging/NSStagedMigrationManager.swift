// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The key of the option for the ``NSStagedMigrationManager`` that migrates a store.
///
/// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption` must
/// be `true`, too, as they are in a new ``NSPersistentStoreDescription``.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// An object that migrates a store in stages when it is opened.
///
/// ```swift
/// let manager = NSStagedMigrationManager([
///   NSLightweightMigrationStage([first, second]),
///   NSCustomMigrationStage(migratingFrom: secondModel, to: thirdModel),
/// ])
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// The stages contain all versions in one order, from the oldest to the newest. The migration
/// begins at the version of the store, skips earlier ones, and ends at the version of the
/// coordinator's model. Each step is performed completely or not at all, so that an interrupted
/// migration continues from there.
///
/// Opening a store that does not have the version of the coordinator's model throws 134504 if the stages lack
/// one of the two versions, or if the model of a version on the way is not found; 134506 if the version of the store
/// comes after that of the model; and 134505 if the metadata of the store are too old to show its version.
nonisolated open class NSStagedMigrationManager: NSObject {
  /// The stages, in the order of the versions.
  public let stages: [NSMigrationStage]
  let order: StageOrder

  /// A container with the store that is being migrated, or `nil` outside the handlers of custom
  /// stages.
  open internal(set) var container: NSPersistentContainer?

  /// Creates a manager.
  ///
  /// - Parameter stages: The stages, in the order of the versions. The program stops if a version
  ///   is in two places of this order.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    order = StageOrder(stages)
    super.init()
  }
}
