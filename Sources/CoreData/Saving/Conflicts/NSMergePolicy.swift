// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// What a context does when a save meets rows that somebody else has changed, or values that must be
/// unique and are taken.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// try context.save()                       // last writer wins, property by property
/// ```
///
/// What each policy makes of one property of an object that was changed at both ends:
///
/// ```
///                  changed here   changed there   at both   row deleted     object deleted here
/// error            –              –               –         –               –      nothing is saved
/// store trump      mine           theirs          theirs    object dropped  deletion abandoned
/// object trump     mine           theirs          mine      row is back     deletion wins
/// overwrite        mine           my old value    mine      row is back     deletion wins
/// rollback         theirs         theirs          theirs    object dropped  deletion abandoned
/// ```
///
/// The two columns about deletion are unverified: Apple's documentation says nothing of them. To-many
/// relationships are merged member by member in all policies but rollback.
///
/// And of an object whose unique value another row has already, here or in the store:
///
/// ```
///                  a new object                               an object that was stored
/// store trump      becomes the row's, with the row's values   keeps its former unique value
/// object trump     its values go onto the row ("upsert")      the other row is deleted
/// overwrite        so do the values that it never set         the other row is deleted
/// rollback         dropped                                    loses its changes
/// ```
///
/// Where the context knows an object for the row already, that object stays and the new one leaves the
/// context with the row's identity; else the new object itself becomes the row's object. The
/// relationships of the one that leaves go over to the one that stays, except in a rollback. Several
/// objects of one save with the same value count as if they had been saved one after another. These
/// choices are unverified too.
///
/// A subclass overrides one of the `resolve` methods, changes objects or calls its superclass, and
/// throws to refuse the save, which then leaves the context as it was. It is called on the context's
/// queue, outside of any transaction; the save is then tried again.
///
/// Safety: immutable.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  public let mergeType: NSMergePolicyType

  /// A policy of a type; for subclasses, the one whose behaviour they begin with.
  public init(merge ty: NSMergePolicyType) {
    mergeType = ty
    super.init()
  }

  /// Makes the objects of all conflicts ready to be saved: versions first, then unique values.
  ///
  /// `list` has `NSMergeConflict`s and `NSConstraintConflict`s. Throws 133020, or 133021 when there
  /// are only unique values in it, with the list under `NSPersistentStoreSaveConflictsErrorKey` if the
  /// policy is that of errors.
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

  /// Makes objects ready to be saved whose rows have other versions than they were read with.
  ///
  /// Reads nothing but the ends of relationships that have to follow. Throws 133020 with the list if
  /// the policy is that of errors.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .error { throw ConflictFailure.unresolved(list, []) }
    for conflict in list { try RowResolution(conflict, mergeType)?.perform() }
  }

  /// Makes objects ready to be saved whose values must be unique and are not.
  ///
  /// Throws 133021 with the list if the policy is that of errors.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .error { throw ConflictFailure.unresolved([], list) }
    for conflict in list { try DuplicateResolution(conflict, mergeType).perform() }
  }
}

/// The kinds of merge policies; raw values are Apple's.
public enum NSMergePolicyType: UInt, Sendable {
  case errorMergePolicyType = 0
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  case overwriteMergePolicyType = 3
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

  /// The save fails, and the error lists the conflicts; the policy of new contexts.
  public class var error: NSMergePolicy { sharedError }

  /// Property by property; what was changed at both ends is as in the store.
  public class var mergeByPropertyStoreTrump: NSMergePolicy { sharedStoreTrump }

  /// Property by property; what was changed at both ends is as in memory.
  public class var mergeByPropertyObjectTrump: NSMergePolicy { sharedObjectTrump }

  /// The whole object as it is in memory replaces the row.
  public class var overwrite: NSMergePolicy { sharedOverwrite }

  /// The object's unsaved changes are discarded.
  public class var rollback: NSMergePolicy { sharedRollback }
}

/// ``NSMergePolicy/error``.
public var NSErrorMergePolicy: AnyObject { NSMergePolicy.error }

/// ``NSMergePolicy/mergeByPropertyStoreTrump``.
public var NSMergeByPropertyStoreTrumpMergePolicy: AnyObject {
  NSMergePolicy.mergeByPropertyStoreTrump
}

/// ``NSMergePolicy/mergeByPropertyObjectTrump``.
public var NSMergeByPropertyObjectTrumpMergePolicy: AnyObject {
  NSMergePolicy.mergeByPropertyObjectTrump
}

/// ``NSMergePolicy/overwrite``.
public var NSOverwriteMergePolicy: AnyObject { NSMergePolicy.overwrite }

/// ``NSMergePolicy/rollback``.
public var NSRollbackMergePolicy: AnyObject { NSMergePolicy.rollback }
