// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Key for the ``NSStagedMigrationManager`` that brings a store to the coordinator's model.
///
/// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption` have to be
/// true as well, as they are in a new ``NSPersistentStoreDescription``.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Brings a store through the versions of its model, stage by stage, when it is opened.
///
/// ```swift
/// let manager = NSStagedMigrationManager([
///   NSLightweightMigrationStage([first, second]),
///   NSCustomMigrationStage(migratingFrom: secondModel, to: thirdModel),
/// ])
/// description.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// The stages name all versions in one order, from the oldest to the newest. A store enters where its
/// own version stands, what comes before is skipped, and leaves at the version of the coordinator's
/// model. Each step is complete or not begun, so that a migration that ended early goes on from there.
open class NSStagedMigrationManager: NSObject {
  public let stages: [NSMigrationStage]
  let order: StageOrder

  /// The store that is being migrated, for the handlers of custom stages; nil outside of them.
  open internal(set) var container: NSPersistentContainer?

  /// Makes a manager of stages in the order of the versions.
  ///
  /// Stops the program where a version stands at two places of that order: then it is none.
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    order = StageOrder(stages)
    super.init()
  }
}
