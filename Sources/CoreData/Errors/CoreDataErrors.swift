// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The codes of Core Data's errors in `NSCocoaErrorDomain`; names and numbers are Apple's.
//
// ```swift
// } catch let error as NSError where error.code == NSValidationMissingMandatoryPropertyError {
// ```
//
// `CocoaError.Code` has the same under shorter names.

// MARK: - Validation

/// The code 1550, for a validation error without a code of its own.
///
/// A value of the wrong type and a failed validation predicate have this code, for example.
public let NSManagedObjectValidationError = 1550
/// The code 1551, for a violated uniqueness constraint that is found during validation.
///
/// This framework reports 133021 during the save instead.
public let NSManagedObjectConstraintValidationError = 1551
/// The code 1560, for several validation errors.
///
/// The errors are in an array under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1560
/// The code 1570, for a mandatory property without a value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// The code 1580, for a to-many relationship with too few objects.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// The code 1590, for a to-many relationship with too many objects.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// The code 1600, for an object that cannot be deleted because a relationship with the delete rule
/// Deny still has objects.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// The code 1610, for a number that is greater than the maximum.
public let NSValidationNumberTooLargeError = 1610
/// The code 1620, for a number that is smaller than the minimum.
public let NSValidationNumberTooSmallError = 1620
/// The code 1630, for a date that is later than the latest one allowed.
public let NSValidationDateTooLateError = 1630
/// The code 1640, for a date that is earlier than the earliest one allowed.
public let NSValidationDateTooSoonError = 1640
/// The code 1650, for a value that is not a valid date.
public let NSValidationInvalidDateError = 1650
/// The code 1660, for a string that is too long.
public let NSValidationStringTooLongError = 1660
/// The code 1670, for a string that is too short.
public let NSValidationStringTooShortError = 1670
/// The code 1680, for a string that does not match the regular expression of the model.
public let NSValidationStringPatternMatchingError = 1680
/// The code 1690, for a URL that cannot be represented as a string.
public let NSValidationInvalidURIError = 1690

// MARK: - Locking

/// The code 132000, for a context whose lock cannot be acquired.
///
/// This framework does not report it.
public let NSManagedObjectContextLockingError = 132_000
/// The code 132010, for a coordinator whose lock cannot be acquired.
///
/// This framework does not report it.
public let NSPersistentStoreCoordinatorLockingError = 132_010

// MARK: - Objects

/// The code 133000, for an object whose row does not exist.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// The code 133010, for a relationship to an object in another store.
public let NSManagedObjectExternalRelationshipError = 133_010
/// The code 133020, for a merge conflict that the merge policy has not resolved.
///
/// The conflicts are in an array under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSManagedObjectMergeError = 133_020
/// The code 133021, for a constraint conflict that the merge policy has not resolved.
///
/// The conflicts are in an array under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSManagedObjectConstraintMergeError = 133_021

// MARK: - Stores

/// The code 134000, for an unknown type of store, or a store with a newer format.
public let NSPersistentStoreInvalidTypeError = 134_000
/// The code 134010, for a store file of another type than the given one.
public let NSPersistentStoreTypeMismatchError = 134_010
/// The code 134020, for a store whose tables do not match the model.
///
/// This framework reports 134100 or 134030 instead.
public let NSPersistentStoreIncompatibleSchemaError = 134_020
/// The code 134030, for a store that cannot be saved.
///
/// The error of SQLite is the underlying error.
public let NSPersistentStoreSaveError = 134_030
/// The code 134040, for a save that succeeded in some of several stores only.
///
/// The stores and objects that were not saved are under `NSAffectedStoresErrorKey` and
/// `NSAffectedObjectsErrorKey`.
public let NSPersistentStoreIncompleteSaveError = 134_040
/// The code 134050, for unresolved conflicts of a save.
///
/// This framework reports 133020 or 133021 instead.
public let NSPersistentStoreSaveConflictsError = 134_050
/// The code 134060, for a Core Data error without a code of its own.
public let NSCoreDataError = 134_060
/// The code 134070, for an operation that a store cannot perform.
public let NSPersistentStoreOperationError = 134_070
/// The code 134080, for a store that cannot be opened.
///
/// The error of SQLite is the underlying error.
public let NSPersistentStoreOpenError = 134_080
/// The code 134090, for a store that others keep locked until the timeout.
///
/// See ``NSPersistentStoreDescription/timeout``.
public let NSPersistentStoreTimeoutError = 134_090
/// The code 134091, for a request, or a part of a request, that the store does not support.
public let NSPersistentStoreUnsupportedRequestTypeError = 134_091
/// The code 134100, for a store that was created with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134_100

// MARK: - Migration and the rest

/// The code 134110, for a migration error without a code of its own.
public let NSMigrationError = 134_110
/// The code 134111, for a migration that would violate constraints of the new model.
public let NSMigrationConstraintViolationError = 134_111
/// The code 134120, for a migration that was canceled.
public let NSMigrationCancelledError = 134_120
/// The code 134130, for a migration whose source model cannot be found.
public let NSMigrationMissingSourceModelError = 134_130
/// The code 134140, for a migration whose mapping model cannot be found.
public let NSMigrationMissingMappingModelError = 134_140
/// The code 134150, for a migration whose source store cannot be read.
public let NSMigrationManagerSourceStoreError = 134_150
/// The code 134160, for a migration whose destination store cannot be written.
public let NSMigrationManagerDestinationStoreError = 134_160
/// The code 134170, for an error in a migration policy.
///
/// The original error is the underlying error.
public let NSEntityMigrationPolicyError = 134_170
/// The code 134180, for an error of SQLite.
///
/// SQLite's code is under `NSSQLiteErrorDomain`.
public let NSSQLiteError = 134_180
/// The code 134190, for a mapping model that cannot be inferred.
///
/// The error contains all reasons and remedies.
public let NSInferredMappingModelError = 134_190
/// The code 134200, for external records that cannot be imported.
///
/// This framework does not report it.
public let NSExternalRecordImportError = 134_200
/// The code 134301, for a history token whose subsequent history was deleted in part.
public let NSPersistentHistoryTokenExpiredError = 134_301
/// The code 134504, for a model of a staged migration that cannot be found.
public let NSManagedObjectModelReferenceNotFoundError = 134_504
/// The code 134505, for a store that is too old for a staged migration.
public let NSStagedMigrationFrameworkVersionMismatchError = 134_505
/// The code 134506, for a store that has a later version than the program.
public let NSStagedMigrationBackwardMigrationError = 134_506
