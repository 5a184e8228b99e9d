public import Foundation

/// The sections of a ``SectionedFetchRequest`` as they were when the property was read, and the
/// request, which may be changed.
///
/// ```swift
/// for section in notes {
///   print(section.id, section.count)
/// }
/// ```
public struct SectionedFetchResults<SectionIdentifier: Hashable, Result>: RandomAccessCollection {
  let query: LiveQuery<Result>
  let section: SectionPath<SectionIdentifier, Result>
  private let sections: [Section]

  init(query: LiveQuery<Result>, section: SectionPath<SectionIdentifier, Result>) {
    self.query = query
    self.section = section
    var objects = query.objects[...]
    sections = (query.live.arrangement?.sections ?? []).compactMap { section in
      let members = objects.prefix(section.objects.count)
      objects = objects.dropFirst(section.objects.count)
      return (section.title.key.base as? SectionIdentifier).map { Section(id: $0, members) }
    }
  }

  public var startIndex: Int { sections.startIndex }

  public var endIndex: Int { sections.endIndex }

  public subscript(position: Int) -> Section { sections[position] }

  /// The objects with one value of the section identifier.
  public struct Section: Identifiable, RandomAccessCollection {
    public let id: SectionIdentifier
    private let objects: ArraySlice<Result>

    init(id: SectionIdentifier, _ objects: ArraySlice<Result>) {
      self.id = id
      self.objects = objects
    }

    public var startIndex: Int { 0 }

    public var endIndex: Int { objects.count }

    public subscript(position: Int) -> Result { objects[objects.startIndex + position] }
  }
}

extension SectionedFetchResults {
  public var nsPredicate: NSPredicate? {
    get { query.predicate }
    nonmutating set { query.predicate = newValue }
  }

  public var nsSortDescriptors: [NSSortDescriptor] {
    get { query.sortDescriptors }
    nonmutating set { query.sortDescriptors = newValue }
  }

  /// The order in Swift's own descriptors; empty where it was given in others.
  public var sortDescriptors: [SortDescriptor<Result>] {
    get { query.swiftSortDescriptors }
    nonmutating set { query.swiftSortDescriptors = newValue }
  }

  /// What an object's section is; set it together with an order that begins with it.
  ///
  /// Setting it fetches anew only with the next predicate or order, because the one of now may not
  /// be by the new sections.
  public var sectionIdentifier: KeyPath<Result, SectionIdentifier> {
    get { section.keyPath }
    nonmutating set {
      section.keyPath = newValue
      query.sectioning = section.sectioning
    }
  }

  /// The states of the results, beginning with the one now, for any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}
