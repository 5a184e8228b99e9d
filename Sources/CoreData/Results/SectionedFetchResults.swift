public import Foundation

/// The sections of a ``SectionedFetchRequest`` at the time the property was read.
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

  /// The objects that have the same section identifier.
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
  /// The condition that the objects must meet, or `nil` for all objects.
  ///
  /// Setting it fetches the objects again.
  public var nsPredicate: NSPredicate? {
    get { query.predicate }
    nonmutating set { query.predicate = newValue }
  }

  /// The order of the results, first by section.
  ///
  /// Setting it fetches the objects again.
  public var nsSortDescriptors: [NSSortDescriptor] {
    get { query.sortDescriptors }
    nonmutating set { query.sortDescriptors = newValue }
  }

  /// The order of the results as Swift's sort descriptors, first by section.
  ///
  /// Setting it fetches the objects again.
  ///
  /// The array is empty if the order was set as `NSSortDescriptor`s.
  public var sortDescriptors: [SortDescriptor<Result>] {
    get { query.swiftSortDescriptors }
    nonmutating set { query.swiftSortDescriptors = newValue }
  }

  /// The property by which objects are grouped.
  ///
  /// Set it together with an order that begins with the same property. Setting it alone does not
  /// fetch the objects again, because the current order may not match the new sections.
  public var sectionIdentifier: KeyPath<Result, SectionIdentifier> {
    get { section.keyPath }
    nonmutating set {
      section.keyPath = newValue
      query.sectioning = section.sectioning
    }
  }

  /// The asynchronous sequence of the results, which begins with the current ones and can be read
  /// on any thread.
  public var snapshots: FetchedResultsSnapshots { FetchedResultsSnapshots(live: query.live) }
}
