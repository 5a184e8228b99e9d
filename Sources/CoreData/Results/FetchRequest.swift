public import Foundation

/// A property wrapper that fetches objects and keeps the results up to date, like SwiftUI's without
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
/// Since no environment supplies the context, pass it with `in:` or call ``attach(to:)`` before you first read the
/// property. The first read fetches the objects; from then on the results follow the changes of the context. Read the
/// property on the context's queue. ``snapshots`` can be read anywhere.
@propertyWrapper public struct FetchRequest<Result> {
  let query: LiveQuery<Result>

  /// Creates a property that fetches the results of a request.
  ///
  /// - Parameters:
  ///   - fetchRequest: The request. It must have sort descriptors.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  public init(fetchRequest: NSFetchRequest<Result>, in context: NSManagedObjectContext? = nil) {
    query = LiveQuery(fetchRequest, .none, in: context)
  }

  /// Creates a property that fetches objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - sortDescriptors: The order of the results.
  ///   - predicate: The condition that the objects must meet, or `nil` for all objects.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
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

  /// Creates a property that fetches objects of the class `Result`.
  ///
  /// - Parameters:
  ///   - sortDescriptors: The order of the results.
  ///   - predicate: The condition that the objects must meet, or `nil` for all objects.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  public init(
    sortDescriptors: [NSSortDescriptor],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) where Result: NSManagedObject {
    self.init(fetchRequest: .matching(predicate, sortDescriptors), in: context)
  }

  /// Creates a property that fetches objects of the class `Result`, with Swift's sort descriptors.
  ///
  /// - Parameters:
  ///   - sortDescriptors: The order of the results.
  ///   - predicate: The condition that the objects must meet, or `nil` for all objects.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  @_disfavoredOverload
  public init(
    sortDescriptors: [SortDescriptor<Result>],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) where Result: NSManagedObject {
    self.init(sortDescriptors: sortDescriptors.map { .init($0) }, predicate: predicate, in: context)
    query.swiftOrder = sortDescriptors
  }

  /// The current results.
  ///
  /// The first read runs one SQL statement, later reads none. The program stops if no context was
  /// set.
  public var wrappedValue: FetchedResults<Result> {
    FetchedResults(query: query, objects: query.objects)
  }

  /// The property wrapper itself, for calls such as `$notes.attach(to: context)` and
  /// `$notes.snapshots`.
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
  /// Sets the context in which objects are fetched.
  ///
  /// If the property had another context, its objects are fetched again in the new one when it is next read,
  /// and iterators over its ``snapshots`` end.
  ///
  /// - Parameter context: The context. It replaces an earlier one.
  public func attach(to context: NSManagedObjectContext) {
    query.attach(to: context)
  }

  /// The context in which objects are fetched, or `nil` if none was set.
  public var managedObjectContext: NSManagedObjectContext? { query.context }

  /// The error of the last fetch, or `nil`.
  ///
  /// After an error the results are unchanged.
  public var error: (any Error)? { query.error }

  /// The asynchronous sequence of the results, which begins with the current ones and can be read
  /// on any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}
