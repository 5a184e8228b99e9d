public import Foundation

/// What a Core Data error knows beside its code.
///
/// ```swift
/// catch let error as CocoaError where error.code == .validationMissingMandatoryProperty {
///   field(error.validationKey)?.showAsRequired()
/// }
/// ```
extension CocoaError {
  /// The object that is not valid.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property that is not valid.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The condition that the value does not meet.
  public var validationPredicate: NSPredicate? {
    userInfo[NSValidationPredicateErrorKey] as? NSPredicate
  }

  /// The value that is not valid; nil also when it is missing.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The stores concerned.
  public var affectedStores: [AnyObject]? {
    userInfo[NSAffectedStoresErrorKey] as? [AnyObject]
  }

  /// The rows that stood against a save; conflicts of unique values are in `userInfo` only.
  public var persistentStoreSaveConflicts: [NSMergeConflict]? {
    (userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [Any])?
      .compactMap { $0 as? NSMergeConflict }
  }

  /// The objects concerned.
  public var affectedObjects: [AnyObject]? {
    userInfo[NSAffectedObjectsErrorKey] as? [AnyObject]
  }
}
