public import Foundation

/// The type-independent part of a fetched results controller: its delegate and its identity.
///
/// The methods of a delegate receive an `NSFetchedResultsController<any NSFetchRequestResult>`.
/// Without Objective-C a controller of notes is not of that type, so the delegate receives another
/// instance that represents the same controller. Instances that represent the same controller are
/// equal, also with `===`. Programs do not need this class by name.
nonisolated open class AnyFetchedResultsController: NSObject {
  let desk: ControllerDesk

  init(_ desk: ControllerDesk) {
    self.desk = desk
    super.init()
  }

  /// The object that is notified of changes of the results, on the context's queue.
  ///
  /// It is not retained. While it is `nil`, or does not have any of the methods for changes, the results do not
  /// follow the context.
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

/// Returns whether two instances represent the same controller.
///
/// - Parameters:
///   - one: A controller.
///   - other: Another controller.
/// - Returns: `true` if both represent the same controller or both are `nil`.
public func === (one: AnyFetchedResultsController?, other: AnyFetchedResultsController?) -> Bool {
  one?.desk === other?.desk
}

/// Returns whether two instances represent different controllers.
///
/// - Parameters:
///   - one: A controller.
///   - other: Another controller.
/// - Returns: `true` if they represent different controllers.
public func !== (one: AnyFetchedResultsController?, other: AnyFetchedResultsController?) -> Bool {
  one?.desk !== other?.desk
}
