public import Foundation

/// The kinds of changes to an object or section of fetched results, with the raw values of Apple's
/// framework.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// An object or section was inserted.
  case insert = 1
  /// An object or section was deleted.
  case delete = 2
  /// An object was moved.
  ///
  /// Its contents have changed, too.
  case move = 3
  /// The contents of an object have changed.
  case update = 4
}

/// The methods with which a fetched results controller notifies its delegate of changes.
///
/// All methods are optional, as on Apple's systems. They are called on the context's queue:
///
/// ```
/// didChangeContentWith snapshot   if implemented, no other method is called
/// didChangeContentWith diff       if implemented, for results without sections, no other method is called
/// controllerWillChangeContent     ┐
/// didChange sectionInfo           │ in this order: inserted sections,
/// didChange anObject              │ objects,
/// didChange sectionInfo           │ deleted sections
/// controllerDidChangeContent      ┘
/// ```
///
/// A controller whose delegate implements none of these methods does not follow changes. A method
/// is found if it is implemented in the class that adopts the protocol, in an extension of it or in
/// a superclass. Without Objective-C, a method that only a subclass of the adopting class
/// implements is not found.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// Called after the results have changed, with a snapshot of the new results.
  ///
  /// This method is also called after ``NSFetchedResultsController/performFetch()``. Unsaved
  /// objects have temporary identities, which the save replaces. The identities of updated objects
  /// are in the snapshot's `reloadedItemIdentifiers`.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - snapshot: The sections and the identities of the objects.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  )

  /// Called after the results have changed, with the difference from the previous results.
  ///
  /// This method is only called for controllers without sections.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - diff: The inserted, removed and moved identities.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  )

  /// Called before the changes of an event are reported.
  ///
  /// The controller's `fetchedObjects` already contain the changes.
  ///
  /// - Parameter controller: The controller.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  )

  /// Called when a section was inserted or deleted.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - sectionInfo: The section.
  ///   - sectionIndex: The index of the section: for a deleted section before, for an inserted
  ///     section after all changes of the event.
  ///   - type: `.insert` or `.delete`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  )

  /// Called when an object was inserted, deleted, moved or updated.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - anObject: The object.
  ///   - indexPath: The index path of the object before all changes of the event, or `nil` for an
  ///     inserted object.
  ///   - type: The kind of the change. A moved object was updated, too.
  ///   - newIndexPath: The index path of the object after all changes of the event, or `nil` for a
  ///     deleted object.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  )

  /// Called after all changes of an event have been reported.
  ///
  /// - Parameter controller: The controller.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  )

  /// Returns the section index entry for a section.
  ///
  /// Implementing this method alone does not make the controller follow changes.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - sectionName: The name of the section.
  /// - Returns: The entry, or `nil` for none.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

// MARK: - Methods left out

/// The default implementations, which run if a delegate does not have the method: they say so, and are not called
/// again.
extension NSFetchedResultsControllerDelegate {
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  ) {
    controller.desk.absent.insert(.snapshot)
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.desk.absent.insert(.difference)
  }

  public func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    controller.desk.absent.insert(.willChange)
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    controller.desk.absent.insert(.section)
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    controller.desk.absent.insert(.object)
  }

  public func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    controller.desk.absent.insert(.didChange)
  }

  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    controller.desk.absent.insert(.title)
    return nil
  }
}

/// The methods of a delegate.
struct DelegateMethods: OptionSet {
  let rawValue: UInt8

  static let snapshot = DelegateMethods(rawValue: 1)
  static let difference = DelegateMethods(rawValue: 2)
  static let willChange = DelegateMethods(rawValue: 4)
  static let section = DelegateMethods(rawValue: 8)
  static let object = DelegateMethods(rawValue: 16)
  static let didChange = DelegateMethods(rawValue: 32)
  static let title = DelegateMethods(rawValue: 64)
}
