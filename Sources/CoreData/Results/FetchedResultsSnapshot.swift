/// The identities of fetched results at one moment, as a value that can be sent to any thread.
///
/// ```swift
/// for try await snapshot in notes.snapshots {
///   print(snapshot.ids.count, "notes;", snapshot.difference.count, "changes")
/// }
/// ```
public struct FetchedResultsSnapshot: Sendable {
  /// A section of a snapshot.
  public struct Section: Sendable, Hashable {
    /// The name of the section, which is empty for results without sections.
    public let name: String
    /// The identities of the section's objects, in order.
    public let ids: [NSManagedObjectID]
  }

  /// The sections of the results, in order.
  public let sections: [Section]
  /// The difference from the snapshot that the same iterator returned before.
  ///
  /// In the first snapshot all objects are insertions.
  public internal(set) var difference: CollectionDifference<NSManagedObjectID>
  /// The identities of objects that were already in the previous snapshot and whose values have
  /// changed since.
  public internal(set) var updatedIDs: Set<NSManagedObjectID>
  /// Which state of the results this is; a state right behind another has its difference made.
  let revision: Int
  private let hasDifference: Bool

  /// The identities of all objects, in order.
  public var ids: [NSManagedObjectID] { sections.flatMap(\.ids) }

  init(_ arrangement: Arrangement, revision: Int, after change: ResultsChange?) {
    sections = arrangement.sections.map { section in
      Section(name: section.name, ids: section.objects.map(\.objectID))
    }
    self.revision = revision
    hasDifference = change != nil
    difference = change?.difference ?? [].difference(from: [])
    updatedIDs = []
    for change in change?.objects ?? [] where change.type == .update || change.type == .move {
      updatedIDs.insert(change.object.objectID)
    }
  }

  /// This snapshot as the next one of a reader that has got another before, or none.
  func following(_ last: FetchedResultsSnapshot?) -> FetchedResultsSnapshot {
    if let last, hasDifference, last.revision + 1 == revision { return self }
    var snapshot = self
    let before = last?.ids ?? []
    snapshot.difference = .between(before, ids)
    snapshot.updatedIDs = last == nil ? [] : updatedIDs.intersection(before)
    return snapshot
  }
}

extension CollectionDifference where ChangeElement: Hashable {
  /// The difference between two lists without duplicates: as few moves as possible, in n log n steps.
  static func between(_ old: [ChangeElement], _ new: [ChangeElement]) -> Self {
    var oldPlaces: [ChangeElement: Int] = [:]
    for (place, element) in old.enumerated() { oldPlaces[element] = place }
    let known = new.indices.compactMap { index in
      oldPlaces[new[index]].map { (new: index, old: $0) }
    }
    let steady = Set(known.longestRun { $0.old < $1.old }.map { known[$0].new })
    var changes: [Change] = []
    for (index, element) in new.enumerated() where !steady.contains(index) {
      let before = oldPlaces[element]
      changes.append(.insert(offset: index, element: element, associatedWith: before))
      if let before {
        changes.append(.remove(offset: before, element: element, associatedWith: index))
      }
    }
    let present = Set(new)
    for (index, element) in old.enumerated() where !present.contains(element) {
      changes.append(.remove(offset: index, element: element, associatedWith: nil))
    }
    guard let difference = CollectionDifference(changes) else {
      stop("a list of identities has one of them twice")
    }
    return difference
  }
}
