public import Foundation

/// What happened to an object or a section; raw values are Apple's.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  case insert = 1
  case delete = 2
  case move = 3
  case update = 4
}

/// Somebody who is told how the results of a controller change.
///
/// Every method may be left out, as on Apple's systems:
///
/// ```
/// didChangeContentWith snapshot   implemented: nothing else is called
/// didChangeContentWith diff       implemented, and no sections: nothing else is called
/// controllerWillChangeContent     ┐
/// didChange sectionInfo           │ in this order; sections before objects
/// didChange anObject              │
/// controllerDidChangeContent      ┘
/// ```
///
/// A delegate with none of them does not make its controller follow changes. The methods count that
/// stand in the class that adopts the protocol, in an extension of it or in a class above: without
/// Objective-C nobody finds what only a *subclass* of the adopting class adds.
///
/// All are called on the context's queue.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// The content changed, and is now as the snapshot says.
  ///
  /// Called right after `performFetch()` too. Objects that are not saved have temporary identities,
  /// which the save replaces. Objects that were updated in place stand in `reloadedItemIdentifiers`.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
  )

  /// The content changed by this difference; only for a controller without sections.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  )

  /// Changes will be told now.
  ///
  /// `fetchedObjects` has them already; index paths of before count from the content before.
  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  )

  /// A section came or went: a deleted one at its index of before, a new one at its index now.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo,
    atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  )

  /// An object came, went, moved or changed.
  ///
  /// `indexPath` is where it was before all changes of the event, nil for a new one; `newIndexPath` is
  /// where it is after them, nil for one that went. A move implies an update.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  )

  /// All changes of the event were told.
  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  )

  /// The entry in the section index for a section; does not make the controller follow changes.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

// MARK: - Methods left out

/// What runs where a delegate has no such method: it says so, and is not called again.
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
