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

extension StorePlace {
  var migrates: Bool { flag(NSMigratePersistentStoresAutomaticallyOption) }

  var infersMapping: Bool { flag(NSInferMappingModelAutomaticallyOption) }

  var makesBackup: Bool {
    options?[CoreDataMigrationBackupOption] == nil || flag(CoreDataMigrationBackupOption)
  }

  var migrationProgress: Progress? { options?[CoreDataMigrationProgressOption] as? Progress }
}
