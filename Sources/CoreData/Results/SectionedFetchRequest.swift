public import Foundation

/// A property wrapper that fetches objects, groups them in sections and keeps the results up to
/// date.
///
/// ```swift
/// @SectionedFetchRequest(
///   sectionIdentifier: \Note.stars,
///   sortDescriptors: [SortDescriptor(\Note.stars), SortDescriptor(\Note.title)])
/// var notes: SectionedFetchResults<Int16, Note>
/// ```
///
/// The first sort descriptor must order by section. For the context and the use of the results, see
/// ``FetchRequest``.
@propertyWrapper public struct SectionedFetchRequest<SectionIdentifier: Hashable, Result> {
  let query: LiveQuery<Result>
  let section: SectionPath<SectionIdentifier, Result>

  /// Creates a property that fetches the results of a request in sections.
  ///
  /// - Parameters:
  ///   - fetchRequest: The request, whose first sort descriptor must order by section.
  ///   - sectionIdentifier: The property by which objects are grouped.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  public init(
    fetchRequest: NSFetchRequest<Result>,
    sectionIdentifier: KeyPath<Result, SectionIdentifier>,
    in context: NSManagedObjectContext? = nil
  ) {
    section = SectionPath(sectionIdentifier)
    query = LiveQuery(fetchRequest, section.sectioning, in: context)
  }

  /// Creates a property that fetches objects of an entity in sections.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - sectionIdentifier: The property by which objects are grouped.
  ///   - sortDescriptors: The order of the results, first by section.
  ///   - predicate: The condition that the objects must meet, or `nil` for all objects.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  public init(
    entity: NSEntityDescription,
    sectionIdentifier: KeyPath<Result, SectionIdentifier>,
    sortDescriptors: [NSSortDescriptor],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) {
    let request = NSFetchRequest<Result>.matching(predicate, sortDescriptors)
    request.entity = entity
    self.init(fetchRequest: request, sectionIdentifier: sectionIdentifier, in: context)
  }

  /// Creates a property that fetches objects of the class `Result` in sections.
  ///
  /// - Parameters:
  ///   - sectionIdentifier: The property by which objects are grouped.
  ///   - sortDescriptors: The order of the results, first by section.
  ///   - predicate: The condition that the objects must meet, or `nil` for all objects.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  public init(
    sectionIdentifier: KeyPath<Result, SectionIdentifier>,
    sortDescriptors: [NSSortDescriptor],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) where Result: NSManagedObject {
    self.init(
      fetchRequest: .matching(predicate, sortDescriptors),
      sectionIdentifier: sectionIdentifier,
      in: context
    )
  }

  /// Creates a property that fetches objects of the class `Result` in sections, with Swift's sort
  /// descriptors.
  ///
  /// - Parameters:
  ///   - sectionIdentifier: The property by which objects are grouped.
  ///   - sortDescriptors: The order of the results, first by section.
  ///   - predicate: The condition that the objects must meet, or `nil` for all objects.
  ///   - context: The context in which to fetch, or `nil` to set it later with ``attach(to:)``.
  @_disfavoredOverload
  public init(
    sectionIdentifier: KeyPath<Result, SectionIdentifier>,
    sortDescriptors: [SortDescriptor<Result>],
    predicate: NSPredicate? = nil,
    in context: NSManagedObjectContext? = nil
  ) where Result: NSManagedObject {
    self.init(
      sectionIdentifier: sectionIdentifier,
      sortDescriptors: sortDescriptors.map { NSSortDescriptor($0) },
      predicate: predicate,
      in: context
    )
    query.swiftOrder = sortDescriptors
  }

  /// The current results.
  ///
  /// The first read runs one SQL statement, later reads none. The program stops if no context was
  /// set.
  public var wrappedValue: SectionedFetchResults<SectionIdentifier, Result> {
    SectionedFetchResults(query: query, section: section)
  }

  /// The property wrapper itself, for calls such as `$notes.attach(to: context)` and
  /// `$notes.snapshots`.
  public var projectedValue: SectionedFetchRequest<SectionIdentifier, Result> { self }
}

// MARK: - The context, and changes

extension SectionedFetchRequest {
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
  ///
  /// The code is 134060 if the order does not keep the objects of each section together.
  public var error: (any Error)? { query.error }

  /// The asynchronous sequence of the results, which begins with the current ones and can be read
  /// on any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}

/// The key path that gives an object's section, which may be changed.
final class SectionPath<SectionIdentifier: Hashable, Result> {
  var keyPath: KeyPath<Result, SectionIdentifier>

  init(_ keyPath: KeyPath<Result, SectionIdentifier>) {
    self.keyPath = keyPath
  }

  var sectioning: ResultsRule.Sectioning {
    let keyPath = keyPath
    return .value { object in
      (object as? Result).map { AnyHashable($0[keyPath: keyPath]) } ?? AnyHashable(0)
    }
  }
}
