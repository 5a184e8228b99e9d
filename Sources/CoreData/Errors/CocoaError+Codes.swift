public import Foundation

/// The codes of Core Data's errors under short names.
///
/// ```swift
/// do { try context.save() } catch CocoaError.validationMissingMandatoryProperty { … }
/// ```
///
/// As in Apple's framework, each name exists in `CocoaError.Code` and in `CocoaError`.
extension CocoaError.Code {
  /// The code 1550, for a validation error without a code of its own.
  ///
  /// A value of the wrong type and a failed validation predicate have this code, for example.
  public static let managedObjectValidation = Self(rawValue: NSManagedObjectValidationError)
  /// The code 1560, for several validation errors.
  ///
  /// The errors are in an array under `NSDetailedErrorsKey`.
  public static let validationMultipleErrors = Self(rawValue: NSValidationMultipleErrorsError)
  /// The code 1570, for a mandatory property without a value.
  public static let validationMissingMandatoryProperty = Self(
    rawValue: NSValidationMissingMandatoryPropertyError
  )
  /// The code 1580, for a to-many relationship with too few objects.
  public static let validationRelationshipLacksMinimumCount = Self(
    rawValue: NSValidationRelationshipLacksMinimumCountError
  )
  /// The code 1590, for a to-many relationship with too many objects.
  public static let validationRelationshipExceedsMaximumCount = Self(
    rawValue: NSValidationRelationshipExceedsMaximumCountError
  )
  /// The code 1600, for an object that cannot be deleted because a relationship with the delete
  /// rule Deny still has objects.
  public static let validationRelationshipDeniedDelete = Self(
    rawValue: NSValidationRelationshipDeniedDeleteError
  )
  /// The code 1610, for a number that is greater than the maximum.
  public static let validationNumberTooLarge = Self(rawValue: NSValidationNumberTooLargeError)
  /// The code 1620, for a number that is smaller than the minimum.
  public static let validationNumberTooSmall = Self(rawValue: NSValidationNumberTooSmallError)
  /// The code 1630, for a date that is later than the latest one allowed.
  public static let validationDateTooLate = Self(rawValue: NSValidationDateTooLateError)
  /// The code 1640, for a date that is earlier than the earliest one allowed.
  public static let validationDateTooSoon = Self(rawValue: NSValidationDateTooSoonError)
  /// The code 1650, for a value that is not a valid date.
  public static let validationInvalidDate = Self(rawValue: NSValidationInvalidDateError)
  /// The code 1660, for a string that is too long.
  public static let validationStringTooLong = Self(rawValue: NSValidationStringTooLongError)
  /// The code 1670, for a string that is too short.
  public static let validationStringTooShort = Self(rawValue: NSValidationStringTooShortError)
  /// The code 1680, for a string that does not match the regular expression of the model.
  public static let validationStringPatternMatching = Self(
    rawValue: NSValidationStringPatternMatchingError
  )
  /// The code 132000, for a context whose lock cannot be acquired.
  ///
  /// This framework does not report it.
  public static let managedObjectContextLocking = Self(rawValue: NSManagedObjectContextLockingError)
  /// The code 132010, for a coordinator whose lock cannot be acquired.
  ///
  /// This framework does not report it.
  public static let persistentStoreCoordinatorLocking = Self(
    rawValue: NSPersistentStoreCoordinatorLockingError
  )
  /// The code 133000, for an object whose row does not exist.
  public static let managedObjectReferentialIntegrity = Self(
    rawValue: NSManagedObjectReferentialIntegrityError
  )
  /// The code 133010, for a relationship to an object in another store.
  public static let managedObjectExternalRelationship = Self(
    rawValue: NSManagedObjectExternalRelationshipError
  )
  /// The code 133020, for a merge conflict that the merge policy has not resolved.
  ///
  /// The conflicts are in an array under `NSPersistentStoreSaveConflictsErrorKey`.
  public static let managedObjectMerge = Self(rawValue: NSManagedObjectMergeError)
  /// The code 133021, for a constraint conflict that the merge policy has not resolved.
  ///
  /// The conflicts are in an array under `NSPersistentStoreSaveConflictsErrorKey`.
  public static let managedObjectConstraintMerge = Self(
    rawValue: NSManagedObjectConstraintMergeError
  )
  /// The code 134000, for an unknown type of store, or a store with a newer format.
  public static let persistentStoreInvalidType = Self(rawValue: NSPersistentStoreInvalidTypeError)
  /// The code 134010, for a store file of another type than the given one.
  public static let persistentStoreTypeMismatch = Self(rawValue: NSPersistentStoreTypeMismatchError)
  /// The code 134020, for a store whose tables do not match the model.
  ///
  /// This framework reports 134100 or 134030 instead.
  public static let persistentStoreIncompatibleSchema = Self(
    rawValue: NSPersistentStoreIncompatibleSchemaError
  )
  /// The code 134030, for a store that cannot be saved.
  ///
  /// The error of SQLite is the underlying error.
  public static let persistentStoreSave = Self(rawValue: NSPersistentStoreSaveError)
  /// The code 134040, for a save that succeeded in some of several stores only.
  ///
  /// The stores and objects that were not saved are under `NSAffectedStoresErrorKey` and
  /// `NSAffectedObjectsErrorKey`.
  public static let persistentStoreIncompleteSave = Self(
    rawValue: NSPersistentStoreIncompleteSaveError
  )
  /// The code 134050, for unresolved conflicts of a save.
  ///
  /// This framework reports 133020 or 133021 instead.
  public static let persistentStoreSaveConflicts = Self(
    rawValue: NSPersistentStoreSaveConflictsError
  )
  /// The code 134060, for a Core Data error without a code of its own.
  public static let coreData = Self(rawValue: NSCoreDataError)
  /// The code 134070, for an operation that a store cannot perform.
  public static let persistentStoreOperation = Self(rawValue: NSPersistentStoreOperationError)
  /// The code 134080, for a store that cannot be opened.
  ///
  /// The error of SQLite is the underlying error.
  public static let persistentStoreOpen = Self(rawValue: NSPersistentStoreOpenError)
  /// The code 134090, for a store that others keep locked until the timeout.
  ///
  /// See ``NSPersistentStoreDescription/timeout``.
  public static let persistentStoreTimeout = Self(rawValue: NSPersistentStoreTimeoutError)
  /// The code 134091, for a request, or a part of a request, that the store does not support.
  public static let persistentStoreUnsupportedRequestType = Self(
    rawValue: NSPersistentStoreUnsupportedRequestTypeError
  )
  /// The code 134100, for a store that was created with another version of the model.
  public static let persistentStoreIncompatibleVersionHash = Self(
    rawValue: NSPersistentStoreIncompatibleVersionHashError
  )
  /// The code 134110, for a migration error without a code of its own.
  public static let migration = Self(rawValue: NSMigrationError)
  /// The code 134120, for a migration that was canceled.
  public static let migrationCancelled = Self(rawValue: NSMigrationCancelledError)
  /// The code 134130, for a migration whose source model cannot be found.
  public static let migrationMissingSourceModel = Self(rawValue: NSMigrationMissingSourceModelError)
  /// The code 134140, for a migration whose mapping model cannot be found.
  public static let migrationMissingMappingModel = Self(
    rawValue: NSMigrationMissingMappingModelError
  )
  /// The code 134150, for a migration whose source store cannot be read.
  public static let migrationManagerSourceStore = Self(rawValue: NSMigrationManagerSourceStoreError)
  /// The code 134160, for a migration whose destination store cannot be written.
  public static let migrationManagerDestinationStore = Self(
    rawValue: NSMigrationManagerDestinationStoreError
  )
  /// The code 134170, for an error in a migration policy.
  ///
  /// The original error is the underlying error.
  public static let entityMigrationPolicy = Self(rawValue: NSEntityMigrationPolicyError)
  /// The code 134180, for an error of SQLite.
  ///
  /// SQLite's code is under `NSSQLiteErrorDomain`.
  public static let sqlite = Self(rawValue: NSSQLiteError)
  /// The code 134190, for a mapping model that cannot be inferred.
  ///
  /// The error contains all reasons and remedies.
  public static let inferredMappingModel = Self(rawValue: NSInferredMappingModelError)
  /// The code 134200, for external records that cannot be imported.
  ///
  /// This framework does not report it.
  public static let externalRecordImport = Self(rawValue: NSExternalRecordImportError)
}

extension CocoaError {
  /// The code 1550, for a validation error without a code of its own.
  ///
  /// A value of the wrong type and a failed validation predicate have this code, for example.
  public static let managedObjectValidation = Code.managedObjectValidation
  /// The code 1560, for several validation errors.
  ///
  /// The errors are in an array under `NSDetailedErrorsKey`.
  public static let validationMultipleErrors = Code.validationMultipleErrors
  /// The code 1570, for a mandatory property without a value.
  public static let validationMissingMandatoryProperty = Code.validationMissingMandatoryProperty
  /// The code 1580, for a to-many relationship with too few objects.
  public static let validationRelationshipLacksMinimumCount = Code
    .validationRelationshipLacksMinimumCount
  /// The code 1590, for a to-many relationship with too many objects.
  public static let validationRelationshipExceedsMaximumCount = Code
    .validationRelationshipExceedsMaximumCount
  /// The code 1600, for an object that cannot be deleted because a relationship with the delete
  /// rule Deny still has objects.
  public static let validationRelationshipDeniedDelete = Code.validationRelationshipDeniedDelete
  /// The code 1610, for a number that is greater than the maximum.
  public static let validationNumberTooLarge = Code.validationNumberTooLarge
  /// The code 1620, for a number that is smaller than the minimum.
  public static let validationNumberTooSmall = Code.validationNumberTooSmall
  /// The code 1630, for a date that is later than the latest one allowed.
  public static let validationDateTooLate = Code.validationDateTooLate
  /// The code 1640, for a date that is earlier than the earliest one allowed.
  public static let validationDateTooSoon = Code.validationDateTooSoon
  /// The code 1650, for a value that is not a valid date.
  public static let validationInvalidDate = Code.validationInvalidDate
  /// The code 1660, for a string that is too long.
  public static let validationStringTooLong = Code.validationStringTooLong
  /// The code 1670, for a string that is too short.
  public static let validationStringTooShort = Code.validationStringTooShort
  /// The code 1680, for a string that does not match the regular expression of the model.
  public static let validationStringPatternMatching = Code.validationStringPatternMatching
  /// The code 132000, for a context whose lock cannot be acquired.
  ///
  /// This framework does not report it.
  public static let managedObjectContextLocking = Code.managedObjectContextLocking
  /// The code 132010, for a coordinator whose lock cannot be acquired.
  ///
  /// This framework does not report it.
  public static let persistentStoreCoordinatorLocking = Code.persistentStoreCoordinatorLocking
  /// The code 133000, for an object whose row does not exist.
  public static let managedObjectReferentialIntegrity = Code.managedObjectReferentialIntegrity
  /// The code 133010, for a relationship to an object in another store.
  public static let managedObjectExternalRelationship = Code.managedObjectExternalRelationship
  /// The code 133020, for a merge conflict that the merge policy has not resolved.
  ///
  /// The conflicts are in an array under `NSPersistentStoreSaveConflictsErrorKey`.
  public static let managedObjectMerge = Code.managedObjectMerge
  /// The code 133021, for a constraint conflict that the merge policy has not resolved.
  ///
  /// The conflicts are in an array under `NSPersistentStoreSaveConflictsErrorKey`.
  public static let managedObjectConstraintMerge = Code.managedObjectConstraintMerge
  /// The code 134000, for an unknown type of store, or a store with a newer format.
  public static let persistentStoreInvalidType = Code.persistentStoreInvalidType
  /// The code 134010, for a store file of another type than the given one.
  public static let persistentStoreTypeMismatch = Code.persistentStoreTypeMismatch
  /// The code 134020, for a store whose tables do not match the model.
  ///
  /// This framework reports 134100 or 134030 instead.
  public static let persistentStoreIncompatibleSchema = Code.persistentStoreIncompatibleSchema
  /// The code 134030, for a store that cannot be saved.
  ///
  /// The error of SQLite is the underlying error.
  public static let persistentStoreSave = Code.persistentStoreSave
  /// The code 134040, for a save that succeeded in some of several stores only.
  ///
  /// The stores and objects that were not saved are under `NSAffectedStoresErrorKey` and
  /// `NSAffectedObjectsErrorKey`.
  public static let persistentStoreIncompleteSave = Code.persistentStoreIncompleteSave
  /// The code 134050, for unresolved conflicts of a save.
  ///
  /// This framework reports 133020 or 133021 instead.
  public static let persistentStoreSaveConflicts = Code.persistentStoreSaveConflicts
  /// The code 134060, for a Core Data error without a code of its own.
  public static let coreData = Code.coreData
  /// The code 134070, for an operation that a store cannot perform.
  public static let persistentStoreOperation = Code.persistentStoreOperation
  /// The code 134080, for a store that cannot be opened.
  ///
  /// The error of SQLite is the underlying error.
  public static let persistentStoreOpen = Code.persistentStoreOpen
  /// The code 134090, for a store that others keep locked until the timeout.
  ///
  /// See ``NSPersistentStoreDescription/timeout``.
  public static let persistentStoreTimeout = Code.persistentStoreTimeout
  /// The code 134091, for a request, or a part of a request, that the store does not support.
  public static let persistentStoreUnsupportedRequestType = Code
    .persistentStoreUnsupportedRequestType
  /// The code 134100, for a store that was created with another version of the model.
  public static let persistentStoreIncompatibleVersionHash = Code
    .persistentStoreIncompatibleVersionHash
  /// The code 134110, for a migration error without a code of its own.
  public static let migration = Code.migration
  /// The code 134120, for a migration that was canceled.
  public static let migrationCancelled = Code.migrationCancelled
  /// The code 134130, for a migration whose source model cannot be found.
  public static let migrationMissingSourceModel = Code.migrationMissingSourceModel
  /// The code 134140, for a migration whose mapping model cannot be found.
  public static let migrationMissingMappingModel = Code.migrationMissingMappingModel
  /// The code 134150, for a migration whose source store cannot be read.
  public static let migrationManagerSourceStore = Code.migrationManagerSourceStore
  /// The code 134160, for a migration whose destination store cannot be written.
  public static let migrationManagerDestinationStore = Code.migrationManagerDestinationStore
  /// The code 134170, for an error in a migration policy.
  ///
  /// The original error is the underlying error.
  public static let entityMigrationPolicy = Code.entityMigrationPolicy
  /// The code 134180, for an error of SQLite.
  ///
  /// SQLite's code is under `NSSQLiteErrorDomain`.
  public static let sqlite = Code.sqlite
  /// The code 134190, for a mapping model that cannot be inferred.
  ///
  /// The error contains all reasons and remedies.
  public static let inferredMappingModel = Code.inferredMappingModel
  /// The code 134200, for external records that cannot be imported.
  ///
  /// This framework does not report it.
  public static let externalRecordImport = Code.externalRecordImport
}
