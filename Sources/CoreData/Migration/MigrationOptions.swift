// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// The key of the option for a `Progress` that reports the migration of a store and can cancel it.
///
/// ```swift
/// let progress = Progress(totalUnitCount: 0)
/// description.setOption(progress, forKey: CoreDataMigrationProgressOption)
/// ```
///
/// The progress counts the steps of the migration. If it is canceled, the store is unchanged and
/// the error is 134120. Without this option, `Progress.current()` is used. Apple's framework does
/// not have this option.
public let CoreDataMigrationProgressOption = "CoreDataMigrationProgressOption"

/// The key of the option for whether a store is copied before its rows are rewritten.
///
/// The default is `true`.
///
/// The copy is `Notes.sqlite.before-migration` beside `Notes.sqlite`. It is deleted after the migration, unless the
/// new model does not have a place for some objects or values; then it is kept, and the program must delete it.
/// Migrations that rewrite no rows create no copy. Apple's framework does not have this option.
public let CoreDataMigrationBackupOption = "CoreDataMigrationBackupOption"

/// The key of the option for whether a migration from an unknown version of the model may lose
/// data.
///
/// The default is `false`.
///
/// If the program's model does not contain the version with which the store was created, that
/// version is taken from other models of the program or from the store itself. It may be newer than
/// the program's model or belong to another program, so that an older program would delete what a
/// newer one has written. A store that was migrated from the program's model is migrated back only with this option.
/// For other stores, the option is not needed if the program's `.xcdatamodeld` contains all versions. Apple's framework
/// does not migrate such stores and does not have this option.
public let CoreDataMigrationLossOption = "CoreDataMigrationLossOption"

/// The key of the option for whether a lightweight migration postpones time-consuming steps.
///
/// The default is `false`.
///
/// In a SQLite store, the removal of columns of deleted properties can be postponed; other stores have
/// nothing to postpone. If something was postponed, the
/// metadata of the store contain the value `true` for the same key. Call
/// ``NSPersistentStoreCoordinator/finishDeferredLightweightMigration()`` to do the rest.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
  "NSPersistentStoreDeferredLightweightMigrationOptionKey"

extension StorePlace {
  var defersRemovals: Bool { flag(NSPersistentStoreDeferredLightweightMigrationOptionKey) }

  var mayLoseUnknown: Bool { flag(CoreDataMigrationLossOption) }

  var migrates: Bool { flag(NSMigratePersistentStoresAutomaticallyOption) }

  var infersMapping: Bool { flag(NSInferMappingModelAutomaticallyOption) }

  var makesBackup: Bool {
    options?[CoreDataMigrationBackupOption] == nil || flag(CoreDataMigrationBackupOption)
  }

  package var migrationProgress: Progress? {
    options?[CoreDataMigrationProgressOption] as? Progress
  }
}
