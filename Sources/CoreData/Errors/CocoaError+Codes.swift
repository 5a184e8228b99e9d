public import Foundation

/// Core Data's errors under short names: `catch CocoaError.validationMissingMandatoryProperty`.
///
/// The names stand twice, in the code and in the error, because Apple's do.
extension CocoaError.Code {
  public static let managedObjectValidation = Self(rawValue: NSManagedObjectValidationError)
  public static let validationMultipleErrors = Self(rawValue: NSValidationMultipleErrorsError)
  public static let validationMissingMandatoryProperty = Self(
    rawValue: NSValidationMissingMandatoryPropertyError
  )
  public static let validationRelationshipLacksMinimumCount = Self(
    rawValue: NSValidationRelationshipLacksMinimumCountError
  )
  public static let validationRelationshipExceedsMaximumCount = Self(
    rawValue: NSValidationRelationshipExceedsMaximumCountError
  )
  public static let validationRelationshipDeniedDelete = Self(
    rawValue: NSValidationRelationshipDeniedDeleteError
  )
  public static let validationNumberTooLarge = Self(rawValue: NSValidationNumberTooLargeError)
  public static let validationNumberTooSmall = Self(rawValue: NSValidationNumberTooSmallError)
  public static let validationDateTooLate = Self(rawValue: NSValidationDateTooLateError)
  public static let validationDateTooSoon = Self(rawValue: NSValidationDateTooSoonError)
  public static let validationInvalidDate = Self(rawValue: NSValidationInvalidDateError)
  public static let validationStringTooLong = Self(rawValue: NSValidationStringTooLongError)
  public static let validationStringTooShort = Self(rawValue: NSValidationStringTooShortError)
  public static let validationStringPatternMatching = Self(
    rawValue: NSValidationStringPatternMatchingError
  )
  public static let managedObjectContextLocking = Self(rawValue: NSManagedObjectContextLockingError)
  public static let persistentStoreCoordinatorLocking = Self(
    rawValue: NSPersistentStoreCoordinatorLockingError
  )
  public static let managedObjectReferentialIntegrity = Self(
    rawValue: NSManagedObjectReferentialIntegrityError
  )
  public static let managedObjectExternalRelationship = Self(
    rawValue: NSManagedObjectExternalRelationshipError
  )
  public static let managedObjectMerge = Self(rawValue: NSManagedObjectMergeError)
  public static let managedObjectConstraintMerge = Self(
    rawValue: NSManagedObjectConstraintMergeError
  )
  public static let persistentStoreInvalidType = Self(rawValue: NSPersistentStoreInvalidTypeError)
  public static let persistentStoreTypeMismatch = Self(rawValue: NSPersistentStoreTypeMismatchError)
  public static let persistentStoreIncompatibleSchema = Self(
    rawValue: NSPersistentStoreIncompatibleSchemaError
  )
  public static let persistentStoreSave = Self(rawValue: NSPersistentStoreSaveError)
  public static let persistentStoreIncompleteSave = Self(
    rawValue: NSPersistentStoreIncompleteSaveError
  )
  public static let persistentStoreSaveConflicts = Self(
    rawValue: NSPersistentStoreSaveConflictsError
  )
  public static let coreData = Self(rawValue: NSCoreDataError)
  public static let persistentStoreOperation = Self(rawValue: NSPersistentStoreOperationError)
  public static let persistentStoreOpen = Self(rawValue: NSPersistentStoreOpenError)
  public static let persistentStoreTimeout = Self(rawValue: NSPersistentStoreTimeoutError)
  public static let persistentStoreUnsupportedRequestType = Self(
    rawValue: NSPersistentStoreUnsupportedRequestTypeError
  )
  public static let persistentStoreIncompatibleVersionHash = Self(
    rawValue: NSPersistentStoreIncompatibleVersionHashError
  )
  public static let migration = Self(rawValue: NSMigrationError)
  public static let migrationCancelled = Self(rawValue: NSMigrationCancelledError)
  public static let migrationMissingSourceModel = Self(rawValue: NSMigrationMissingSourceModelError)
  public static let migrationMissingMappingModel = Self(
    rawValue: NSMigrationMissingMappingModelError
  )
  public static let migrationManagerSourceStore = Self(rawValue: NSMigrationManagerSourceStoreError)
  public static let migrationManagerDestinationStore = Self(
    rawValue: NSMigrationManagerDestinationStoreError
  )
  public static let entityMigrationPolicy = Self(rawValue: NSEntityMigrationPolicyError)
  public static let sqlite = Self(rawValue: NSSQLiteError)
  public static let inferredMappingModel = Self(rawValue: NSInferredMappingModelError)
  public static let externalRecordImport = Self(rawValue: NSExternalRecordImportError)
}

extension CocoaError {
  public static let managedObjectValidation = Code.managedObjectValidation
  public static let validationMultipleErrors = Code.validationMultipleErrors
  public static let validationMissingMandatoryProperty = Code.validationMissingMandatoryProperty
  public static let validationRelationshipLacksMinimumCount = Code
    .validationRelationshipLacksMinimumCount
  public static let validationRelationshipExceedsMaximumCount = Code
    .validationRelationshipExceedsMaximumCount
  public static let validationRelationshipDeniedDelete = Code.validationRelationshipDeniedDelete
  public static let validationNumberTooLarge = Code.validationNumberTooLarge
  public static let validationNumberTooSmall = Code.validationNumberTooSmall
  public static let validationDateTooLate = Code.validationDateTooLate
  public static let validationDateTooSoon = Code.validationDateTooSoon
  public static let validationInvalidDate = Code.validationInvalidDate
  public static let validationStringTooLong = Code.validationStringTooLong
  public static let validationStringTooShort = Code.validationStringTooShort
  public static let validationStringPatternMatching = Code.validationStringPatternMatching
  public static let managedObjectContextLocking = Code.managedObjectContextLocking
  public static let persistentStoreCoordinatorLocking = Code.persistentStoreCoordinatorLocking
  public static let managedObjectReferentialIntegrity = Code.managedObjectReferentialIntegrity
  public static let managedObjectExternalRelationship = Code.managedObjectExternalRelationship
  public static let managedObjectMerge = Code.managedObjectMerge
  public static let managedObjectConstraintMerge = Code.managedObjectConstraintMerge
  public static let persistentStoreInvalidType = Code.persistentStoreInvalidType
  public static let persistentStoreTypeMismatch = Code.persistentStoreTypeMismatch
  public static let persistentStoreIncompatibleSchema = Code.persistentStoreIncompatibleSchema
  public static let persistentStoreSave = Code.persistentStoreSave
  public static let persistentStoreIncompleteSave = Code.persistentStoreIncompleteSave
  public static let persistentStoreSaveConflicts = Code.persistentStoreSaveConflicts
  public static let coreData = Code.coreData
  public static let persistentStoreOperation = Code.persistentStoreOperation
  public static let persistentStoreOpen = Code.persistentStoreOpen
  public static let persistentStoreTimeout = Code.persistentStoreTimeout
  public static let persistentStoreUnsupportedRequestType = Code
    .persistentStoreUnsupportedRequestType
  public static let persistentStoreIncompatibleVersionHash = Code
    .persistentStoreIncompatibleVersionHash
  public static let migration = Code.migration
  public static let migrationCancelled = Code.migrationCancelled
  public static let migrationMissingSourceModel = Code.migrationMissingSourceModel
  public static let migrationMissingMappingModel = Code.migrationMissingMappingModel
  public static let migrationManagerSourceStore = Code.migrationManagerSourceStore
  public static let migrationManagerDestinationStore = Code.migrationManagerDestinationStore
  public static let entityMigrationPolicy = Code.entityMigrationPolicy
  public static let sqlite = Code.sqlite
  public static let inferredMappingModel = Code.inferredMappingModel
  public static let externalRecordImport = Code.externalRecordImport
}
