// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

/// Key for a `Progress` that follows the migration of a store, and can cancel it.
///
/// An addition to Apple's options. The progress counts the migration's steps; cancelling it leaves the
/// file as it was, with the error 134120. Without the option, `Progress.current()` is followed.
///
/// ```swift
/// let progress = Progress(totalUnitCount: 0)
/// description.setOption(progress, forKey: CoreDataMigrationProgressOption)
/// ```
public let CoreDataMigrationProgressOption = "CoreDataMigrationProgressOption"

/// Key for whether a store is copied before its rows are rewritten; true unless set to false.
///
/// An addition to Apple's options. The copy is `Notes.sqlite.before-migration` beside the store; it is
/// removed after the migration, unless the new model has no place for some objects or values: then it
/// stays, and is the program's to remove. Migrations that only change descriptions make no copy.
public let CoreDataMigrationBackupOption = "CoreDataMigrationBackupOption"

/// Key for whether a migration may lose objects or values although the program's model has no version
/// that the store was made with; false unless set.
///
/// An addition to Apple's options, as is migrating such a store at all: its model is taken from another of
/// the program's models, or from the file. It may be another program's, or newer than the program's, so
/// that a program of yesterday would drop what one of today has written. With all versions in the
/// program's `.xcdatamodeld` the option is not needed.
public let CoreDataMigrationLossOption = "CoreDataMigrationLossOption"

/// Key for whether a lightweight migration leaves for later what takes time and can wait.
///
/// False unless set. What can wait is removing the columns of properties that are gone. The metadata of a store of which something is left have the same key, with true;
/// ``NSPersistentStoreCoordinator/finishDeferredLightweightMigration()`` does the rest.
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

  var migrationProgress: Progress? { options?[CoreDataMigrationProgressOption] as? Progress }
}
