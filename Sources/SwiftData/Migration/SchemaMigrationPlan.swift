import CoreData
import Foundation

/// The versions of a program's models, and the steps between them.
///
/// ```swift
/// enum NotesPlan: SchemaMigrationPlan {
///   static var schemas: [any VersionedSchema.Type] { [NotesV1.self, NotesV2.self] }
///   static var stages: [MigrationStage] {
///     [.lightweight(fromVersion: NotesV1.self, toVersion: NotesV2.self)]
///   }
/// }
/// ```
public protocol SchemaMigrationPlan: SendableMetatype {
  /// The versions, the oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The steps between neighbours among the versions, in order; none if there is one version.
  static var stages: [MigrationStage] { get }
}

/// A step between two versions.
public enum MigrationStage {
  /// A step that follows from the differences of the versions.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// A step with code of the program's.
  ///
  /// `willMigrate` gets a context over the old version before the step, with the old classes; `didMigrate` one over the
  /// new version after it, with the new classes. Both save themselves what they change.
  case custom(
    fromVersion: any VersionedSchema.Type,
    toVersion: any VersionedSchema.Type,
    willMigrate: ((ModelContext) throws -> Void)?,
    didMigrate: ((ModelContext) throws -> Void)?
  )
}
