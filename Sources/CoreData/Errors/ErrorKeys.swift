// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of what an error carries in its `userInfo`; names and values are Apple's.

// MARK: - Validation

/// The errors, when there are several.
public let NSDetailedErrorsKey = "NSDetailedErrors"
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
public let NSValidationValueErrorKey = "NSValidationErrorValue"

// MARK: - Stores and objects

public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The merge conflicts that a save met.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of errors that are SQLite's own, and the key of SQLite's code in ours.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
