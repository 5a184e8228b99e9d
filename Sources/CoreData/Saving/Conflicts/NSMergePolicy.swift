// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// A policy that resolves conflicts between a context's changes and the store during a save.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// try context.save()   // for each property, the context's change wins
/// ```
///
/// A merge conflict occurs if someone else has changed or deleted the row of a changed object.
/// These are the values of a property after the save:
///
/// | Policy | changed here | changed there | changed at both | row deleted there | object deleted here |
/// | --- | --- | --- | --- | --- | --- |
/// | error | nothing is saved | nothing is saved | nothing is saved | nothing is saved | nothing is saved |
/// | store trump | mine | theirs | theirs | the object is removed | the deletion is canceled |
/// | object trump | mine | theirs | mine | the row is inserted again | the deletion wins |
/// | overwrite | mine | my old value | mine | the row is inserted again | the deletion wins |
/// | rollback | theirs | theirs | theirs | the object is removed | the deletion is canceled |
///
/// To-many relationships are merged member by member by all policies except rollback.
///
/// A constraint conflict occurs if another object already has a value that must be unique:
///
/// | Policy | new object | saved object |
/// | --- | --- | --- |
/// | error | nothing is saved | nothing is saved |
/// | store trump | becomes the existing object, with the existing values | keeps its previous unique value |
/// | object trump | its values are written to the existing row ("upsert") | the other row is deleted |
/// | overwrite | so are the defaults that it did not change | the other row is deleted |
/// | rollback | is removed | loses its changes |
///
/// If the context already holds the existing object, that object stays and the new one is removed
/// from the context; otherwise the new object takes the identity of the existing row. Except for
/// rollback, the relationships of the removed object are transferred. Several objects of one save
/// with the same value are treated as if they had been saved one after the other.
///
/// A subclass overrides one of the `resolve` methods, changes the objects or calls `super`, and
/// throws an error to refuse the save, which leaves the context as it was. The methods are called
/// on the context's queue and outside a transaction. Afterwards the save is repeated. If a conflict is still
/// there, the save throws 133020, or 133021 if all conflicts are constraint conflicts. It also throws 133020
/// if others change the rows again in each of ten rounds.
///
/// Safety: immutable.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// The kind of the policy, which decides how the `resolve` methods of this class resolve conflicts.
  ///
  /// A subclass may override it. Saves that meet conflicts ask it, and so do batch insertions, on the queue of the context.
  open var mergeType: NSMergePolicyType { givenType }

  private let givenType: NSMergePolicyType

  /// Creates a policy.
  ///
  /// - Parameter ty: The kind of the policy. For a subclass, it determines what the inherited
  ///   methods do.
  public init(merge ty: NSMergePolicyType) {
    givenType = ty
    super.init()
  }

  /// Resolves the conflicts of a save: first the merge conflicts, then the constraint conflicts.
  ///
  /// - Parameter list: The `NSMergeConflict`s and `NSConstraintConflict`s.
  /// - Throws: If the policy is of the kind `.errorMergePolicyType`: 133021 if there are only
  ///   constraint conflicts, otherwise 133020, with the list under
  ///   `NSPersistentStoreSaveConflictsErrorKey`.
  open func resolve(mergeConflicts list: [Any]) throws {
    let rows = list.compactMap { $0 as? NSMergeConflict }
    let values = list.compactMap { $0 as? NSConstraintConflict }
    do {
      if !rows.isEmpty { try resolve(optimisticLockingConflicts: rows) }
      if !values.isEmpty { try resolve(constraintConflicts: values) }
    } catch let error as NSError where error.isUnresolvedConflict && mergeType == .error {
      // One error names them all.
      throw ConflictFailure.unresolved(rows, values)
    }
  }

  /// Resolves merge conflicts, which occur if rows have been changed since they were read.
  ///
  /// Reads nothing from the store, except for relationships that must be adjusted.
  ///
  /// - Parameter list: The conflicts.
  /// - Throws: 133020, with the list, if the policy is of the kind `.errorMergePolicyType`.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .error { throw ConflictFailure.unresolved(list, []) }
    for conflict in list { try RowResolution(conflict, mergeType)?.perform() }
  }

  /// Resolves constraint conflicts, which occur if values that must be unique are not.
  ///
  /// - Parameter list: The conflicts.
  /// - Throws: 133021, with the list, if the policy is of the kind `.errorMergePolicyType`.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .error { throw ConflictFailure.unresolved([], list) }
    for conflict in list { try DuplicateResolution(conflict, mergeType).perform() }
  }
}

/// The kinds of merge policies, with the raw values of Apple's framework.
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails if there are conflicts.
  case errorMergePolicyType = 0
  /// Changes are merged property by property; the store's change wins.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Changes are merged property by property; the context's change wins.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The object replaces the row completely.
  case overwriteMergePolicyType = 3
  /// The object's unsaved changes are discarded.
  case rollbackMergePolicyType = 4

  static var error: NSMergePolicyType { .errorMergePolicyType }
  static var storeTrump: NSMergePolicyType { .mergeByPropertyStoreTrumpMergePolicyType }
  static var objectTrump: NSMergePolicyType { .mergeByPropertyObjectTrumpMergePolicyType }
  static var overwrite: NSMergePolicyType { .overwriteMergePolicyType }
  static var rollback: NSMergePolicyType { .rollbackMergePolicyType }
}

// MARK: - The five policies

extension NSMergePolicy {
  private static let sharedError = NSMergePolicy(merge: .error)
  private static let sharedStoreTrump = NSMergePolicy(merge: .storeTrump)
  private static let sharedObjectTrump = NSMergePolicy(merge: .objectTrump)
  private static let sharedOverwrite = NSMergePolicy(merge: .overwrite)
  private static let sharedRollback = NSMergePolicy(merge: .rollback)

  /// The policy that makes the save fail with a list of the conflicts.
  ///
  /// It is the default.
  public class var error: NSMergePolicy { sharedError }

  /// The policy that merges changes property by property; the store's change wins.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { sharedStoreTrump }

  /// The policy that merges changes property by property; the context's change wins.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { sharedObjectTrump }

  /// The policy that replaces the row completely with the object.
  public class var overwrite: NSMergePolicy { sharedOverwrite }

  /// The policy that discards the object's unsaved changes.
  public class var rollback: NSMergePolicy { sharedRollback }
}

/// The policy ``NSMergePolicy/error``, under its Objective-C name.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// The policy ``NSMergePolicy/mergeByPropertyStoreTrump``, under its Objective-C name.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject {
  NSMergePolicy.mergeByPropertyStoreTrump
}

/// The policy ``NSMergePolicy/mergeByPropertyObjectTrump``, under its Objective-C name.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject {
  NSMergePolicy.mergeByPropertyObjectTrump
}

/// The policy ``NSMergePolicy/overwrite``, under its Objective-C name.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// The policy ``NSMergePolicy/rollback``, under its Objective-C name.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
