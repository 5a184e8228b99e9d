public import Foundation

/// A fetched results controller, whatever it fetches: who it is, and whom it tells.
///
/// A delegate's methods are given an `NSFetchedResultsController<any NSFetchRequestResult>`; without
/// Objective-C a controller of notes is none, so they see another face of it. Faces of the same
/// controller are equal, and the same to `===`. Programs have no use for this class by name.
open class AnyFetchedResultsController: NSObject {
  let desk: ControllerDesk

  init(_ desk: ControllerDesk) {
    self.desk = desk
    super.init()
  }

  /// Who is told of changes; not kept alive.
  public var delegate: (any NSFetchedResultsControllerDelegate)? {
    get { desk.delegate }
    set { desk.delegate = newValue }
  }

  public final override func isEqual(_ object: Any?) -> Bool {
    (object as? AnyFetchedResultsController)?.desk === desk
  }

  public final override var hash: Int { ObjectIdentifier(desk).hashValue }
}

// An operator without generic parameters, because the compiler prefers one to any that has some.

/// Whether two controllers are the same, or faces of the same.
public func === (one: AnyFetchedResultsController?, other: AnyFetchedResultsController?) -> Bool {
  one?.desk === other?.desk
}

/// Whether two controllers are neither the same nor faces of the same.
public func !== (one: AnyFetchedResultsController?, other: AnyFetchedResultsController?) -> Bool {
  one?.desk !== other?.desk
}
