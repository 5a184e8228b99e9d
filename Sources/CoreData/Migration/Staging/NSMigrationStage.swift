public import Foundation

/// A stage of a migration: ``NSLightweightMigrationStage`` or ``NSCustomMigrationStage``.
open class NSMigrationStage: NSObject {
  /// What the stage is for; empty unless set.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var label: String! = ""
}

/// Versions of a model through which a store is brought by lightweight migration, one after the other.
///
/// ```swift
/// NSLightweightMigrationStage([checksumOfNotes1, checksumOfNotes2])
/// ```
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The versions, by the checksums of their models.
  public let versionChecksums: [String]

  /// Makes a stage of versions, named by ``NSManagedObjectModel/versionChecksum``.
  public init(_ checksums: [String]) {
    versionChecksums = checksums
    super.init()
  }
}

/// The way from one version of a model to the next, with work of one's own before and after it.
///
/// ```swift
/// let stage = NSCustomMigrationStage(migratingFrom: second, to: third)
/// stage.willMigrateHandler = { manager, stage in
///   let context = manager.container?.newBackgroundContext()
///   …   // objects of the second version
/// }
/// ```
///
/// The handlers find the store in the manager's ``NSStagedMigrationManager/container``, opened with the
/// model of the stage's beginning before and with that of its end after. What they save is there when
/// they return, whatever comes later: a handler that is called again finds what it did. An error that
/// one of them throws ends the migration; the store then is of one of the stage's two versions.
open class NSCustomMigrationStage: NSMigrationStage {
  public let currentModel: NSManagedObjectModelReference
  public let nextModel: NSManagedObjectModelReference
  /// Called before the store is migrated, with the store as ``currentModel`` knows it.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// Called after the store was migrated, with the store as ``nextModel`` knows it.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}
