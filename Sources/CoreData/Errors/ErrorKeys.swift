// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of what an error carries in its `userInfo`; names and values are Apple's.

// MARK: - Validation

/// The `userInfo` key of an array of errors, in an error that represents several.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The `userInfo` key of the object of a validation error.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The `userInfo` key of the name of the property of a validation error.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The `userInfo` key of the predicate that the value of a validation error does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The `userInfo` key of the value of a validation error.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

// MARK: - Stores and objects

/// The `userInfo` key of an array of the stores that an error concerns.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The `userInfo` key of an array of the objects that an error concerns.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The `userInfo` key of an array of the conflicts of a save: `NSMergeConflict`s and
/// `NSConstraintConflict`s.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of errors of SQLite, and the `userInfo` key of SQLite's code in errors of Core Data.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
