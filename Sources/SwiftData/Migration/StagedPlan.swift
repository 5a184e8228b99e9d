import CoreData
import Foundation

/// A migration plan as stages of Core Data.
///
/// Each stage names the models of both versions, as no file of the program has them.
struct StagedPlan {
  /// `nil` if the plan has one version.
  let manager: NSStagedMigrationManager?

  /// Creates the stages of a plan; the closure gets the model of each version before it is used.
  init(_ plan: any SchemaMigrationPlan.Type, _ prepare: (NSManagedObjectModel) -> Void) throws {
    var versions = Versions()
    for type in plan.schemas { try versions.add(type, prepare) }
    let stages = try plan.stages.map { try Self.stage($0, versions) }
    manager = stages.isEmpty ? nil : NSStagedMigrationManager(stages)
  }

  private static func stage(
    _ stage: MigrationStage,
    _ versions: Versions
  ) throws -> NSMigrationStage {
    switch stage {
    case .lightweight(let from, let to):
      return NSCustomMigrationStage(
        migratingFrom: try versions[from].reference,
        to: try versions[to].reference
      )
    case .custom(let from, let to, let willMigrate, let didMigrate):
      let (old, new) = (try versions[from], try versions[to])
      let stage = NSCustomMigrationStage(migratingFrom: old.reference, to: new.reference)
      stage.willMigrateHandler = willMigrate.map { block in
        { manager, _ in try run(block, manager, old.schema) }
      }
      stage.didMigrateHandler = didMigrate.map { block in
        { manager, _ in try run(block, manager, new.schema) }
      }
      return stage
    }
  }

  /// Runs a block of the program's with a context over the store as it is now.
  private static func run(
    _ block: (ModelContext) throws -> Void,
    _ manager: NSStagedMigrationManager,
    _ schema: Schema
  ) throws {
    guard let coordinator = manager.container?.persistentStoreCoordinator else { return }
    let container = ModelContainer(schema: schema, coordinator: coordinator)
    let context = ModelContext(container)
    try block(context)
    if context.hasChanges { try context.save() }
  }
}

/// The versions of a plan, with their models.
private struct Versions {
  private var all: [Version] = []

  struct Version {
    let type: any VersionedSchema.Type
    let schema: Schema
    let reference: NSManagedObjectModelReference
  }

  mutating func add(
    _ type: any VersionedSchema.Type,
    _ prepare: (NSManagedObjectModel) -> Void
  ) throws {
    let schema = Schema(versionedSchema: type)
    let model = schema.makeManagedObjectModel()
    prepare(model)
    let checksum = model.versionChecksum
    if let twin = all.first(where: { $0.reference.versionChecksum == checksum }) {
      throw SwiftDataError.loadIssueModelContainer.because(
        """
        the versions \(twin.type) and \(type) of the migration plan have equal models, so that a store cannot be told \
        apart (duplicate version checksums); remove one, or mark the change with a hash modifier
        """
      )
    }
    all.append(
      Version(
        type: type,
        schema: schema,
        reference: NSManagedObjectModelReference(model: model, versionChecksum: checksum)
      )
    )
  }

  subscript(type: any VersionedSchema.Type) -> Version {
    get throws {
      guard let found = all.first(where: { $0.type == type }) else {
        throw SwiftDataError.loadIssueModelContainer.because(
          "a stage of the migration plan names \(type), which is not among the plan's schemas"
        )
      }
      return found
    }
  }
}
