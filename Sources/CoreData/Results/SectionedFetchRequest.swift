public import Foundation

/// A property with the objects that a request finds, in sections.
///
/// ```swift
/// @SectionedFetchRequest(
///   sectionIdentifier: \Note.stars,
///   sortDescriptors: [SortDescriptor(\Note.stars), SortDescriptor(\Note.title)])
/// var notes: SectionedFetchResults<Int16, Note>
/// ```
///
/// The order has to be by section first. Context and use are those of ``FetchRequest``.
@propertyWrapper public struct SectionedFetchRequest<SectionIdentifier: Hashable, Result> {
  let query: LiveQuery<Result>
  let section: SectionPath<SectionIdentifier, Result>

  public init(
    fetchRequest: NSFetchRequest<Result>,
    sectionIdentifier: KeyPath<Result, SectionIdentifier>,
    in context: NSManagedObjectContext? = nil
  ) {
    section = SectionPath(sectionIdentifier)
    query = LiveQuery(fetchRequest, section.sectioning, in: context)
  }

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

  /// The results now; see ``FetchRequest/wrappedValue``.
  public var wrappedValue: SectionedFetchResults<SectionIdentifier, Result> {
    SectionedFetchResults(query: query, section: section)
  }

  /// The request itself: `$notes.attach(to: context)`, `$notes.snapshots`.
  public var projectedValue: SectionedFetchRequest<SectionIdentifier, Result> { self }
}

// MARK: - The context, and changes

extension SectionedFetchRequest {
  /// Says in which context to fetch; a context of before is left.
  public func attach(to context: NSManagedObjectContext) {
    query.attach(to: context)
  }

  public var managedObjectContext: NSManagedObjectContext? { query.context }

  /// The failure of the last fetch, after which the results stayed as they were; 134060 when the order
  /// is not by section.
  public var error: (any Error)? { query.error }

  /// The states of the results, beginning with the one now, for any thread.
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
