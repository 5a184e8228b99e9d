public import Foundation

/// The values that a Core Data error contains in addition to its code.
///
/// ```swift
/// catch let error as CocoaError where error.code == .validationMissingMandatoryProperty {
///   field(error.validationKey)?.showAsRequired()
/// }
/// ```
extension CocoaError {
  /// The object of a validation error.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property of a validation error.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The predicate that the value of a validation error does not satisfy.
  public var validationPredicate: NSPredicate? {
    userInfo[NSValidationPredicateErrorKey] as? NSPredicate
  }

  /// The value of a validation error, or `nil` if it is missing.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The stores that the error concerns.
  public var affectedStores: [AnyObject]? {
    userInfo[NSAffectedStoresErrorKey] as? [AnyObject]
  }

  /// The merge conflicts of a save.
  ///
  /// Constraint conflicts are found only in `userInfo`, under
  /// `NSPersistentStoreSaveConflictsErrorKey`.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    (userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any])?
      .compactMap { $0 as? NSMergeConflict }
  }

  /// The objects that the error concerns.
  public var affectedObjects: [AnyObject]? {
    userInfo[NSAffectedObjectsErrorKey] as? [AnyObject]
  }
}
