public import Foundation

/// A property with the objects that a request finds, always as they are now: SwiftUI's wrapper without
/// SwiftUI.
///
/// ```swift
/// final class Shelf {
///   @FetchRequest(sortDescriptors: [SortDescriptor(\Note.title)])
///   var notes: FetchedResults<Note>
///
///   init(_ context: NSManagedObjectContext) { $notes.attach(to: context) }
/// }
/// ```
///
/// There is no environment to take the context from: give it with `in:`, or by ``attach(to:)`` before
/// the first use, which fetches. From then on the results follow the context. The property is read on
/// the context's queue; ``snapshots`` may be read anywhere.
@propertyWrapper public struct FetchRequest<Result> {
  let query: LiveQuery<Result>

  public init(fetchRequest: NSFetchRequest<Result>, in context: NSManagedObjectContext? = nil) {
    query = LiveQuery(fetchRequest, .none, in: context)
  }

  public init(
    entity: NSEntityDescription,
    sortDescriptors: [NSSortDescriptor],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) {
    let request = NSFetchRequest<Result>.matching(predicate, sortDescriptors)
    request.entity = entity
    self.init(fetchRequest: request, in: context)
  }

  public init(
    sortDescriptors: [NSSortDescriptor],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) where Result: NSManagedObject {
    self.init(fetchRequest: .matching(predicate, sortDescriptors), in: context)
  }

  @_disfavoredOverload
  public init(
    sortDescriptors: [SortDescriptor<Result>],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) where Result: NSManagedObject {
    self.init(sortDescriptors: sortDescriptors.map { .init($0) }, predicate: predicate, in: context)
    query.swiftOrder = sortDescriptors
  }

  /// The results now.
  ///
  /// The first use is one statement, later ones none. Stops the program when there is no context.
  public var wrappedValue: FetchedResults<Result> {
    FetchedResults(query: query, objects: query.objects)
  }

  /// The request itself: `$notes.attach(to: context)`, `$notes.snapshots`.
  public var projectedValue: FetchRequest<Result> { self }
}

extension NSFetchRequest {
  static func matching(_ predicate: NSPredicate?, _ order: [NSSortDescriptor]) -> NSFetchRequest {
    let request = NSFetchRequest()
    request.predicate = predicate
    request.sortDescriptors = order
    return request
  }
}

// MARK: - The context, and changes

extension FetchRequest {
  /// Says in which context to fetch; a context of before is left.
  public func attach(to context: NSManagedObjectContext) {
    query.attach(to: context)
  }

  public var managedObjectContext: NSManagedObjectContext? { query.context }

  /// The failure of the last fetch, after which the results stayed as they were.
  public var error: (any Error)? { query.error }

  /// The states of the results, beginning with the one now, for any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}
