public import Foundation

/// The base class of the stages of a migration: ``NSLightweightMigrationStage`` and
/// ``NSCustomMigrationStage``.
nonisolated open class NSMigrationStage: NSObject {
  /// A text that describes the stage.
  ///
  /// The default is empty.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var label: String! = ""
}

/// A stage that migrates a store through several versions of its model by lightweight migrations.
///
/// ```swift
/// NSLightweightMigrationStage([checksumOfNotes1, checksumOfNotes2])
/// ```
nonisolated open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, in the order of the migrations.
  public let versionChecksums: [String]

  /// Creates a stage.
  ///
  /// - Parameter checksums: The checksums of the versions, in the order of the migrations; see
  ///   ``NSManagedObjectModel/versionChecksum``.
  public init(_ checksums: [String]) {
    versionChecksums = checksums
    super.init()
  }
}

/// A stage that migrates a store from one version to the next, with custom work before and after
/// it.
///
/// ```swift
/// let stage = NSCustomMigrationStage(migratingFrom: second, to: third)
/// stage.willMigrateHandler = { manager, stage in
///   let context = manager.container?.newBackgroundContext()
///   …   // objects of the second version
/// }
/// ```
///
/// The handlers access the store through the manager's ``NSStagedMigrationManager/container``, with
/// the current model before and the next model after the migration. The saves of a handler persist
/// even if a later step fails; a handler that is called again finds it. An error that a handler
/// throws ends the migration. The store then has one of the two versions of the stage.
nonisolated open class NSCustomMigrationStage: NSMigrationStage {
  /// The version before the stage.
  public let currentModel: NSManagedObjectModelReference
  /// The version after the stage.
  public let nextModel: NSManagedObjectModelReference
  /// A closure that is called before the store is migrated, while it has the ``currentModel``.
  ///
  /// It is called on the thread that opens the store. An error that it throws ends the migration.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// A closure that is called after the store was migrated to the ``nextModel``.
  ///
  /// It is called on the thread that opens the store. An error that it throws ends the migration; the store keeps
  /// the ``nextModel``.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Creates a stage.
  ///
  /// - Parameters:
  ///   - currentModel: The version before the stage.
  ///   - nextModel: The version after the stage.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}
