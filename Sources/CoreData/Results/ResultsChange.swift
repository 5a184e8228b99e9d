import Foundation

/// The effect of one event on fetched results.
///
/// ```
/// old places: before anything of the event     new places: after all of it
/// ```
///
/// To get the new arrangement, remove deleted and moved objects from their old places, then insert inserted and moved
/// objects at the new ones, in ascending order.
struct ResultsChange {
  var removedSections: [SectionChange] = []
  var insertedSections: [SectionChange] = []
  var objects: [ObjectChange] = []
  /// Objects whose identity another one has replaced, with the identity that was known.
  var renamed: [(id: NSManagedObjectID, object: ObjectChange)] = []
  /// The temporary identities that were reported for objects before.
  var known: [ObjectIdentifier: NSManagedObjectID] = [:]
  /// How many objects stood before each section, before and after.
  var startsBefore: [Int]
  var startsAfter: [Int]

  struct SectionChange {
    let section: Arrangement.Section
    let index: Int
  }

  struct ObjectChange {
    let object: NSManagedObject
    let type: NSFetchedResultsChangeType
    let old: Place?
    let new: Place?
  }

  var isEmpty: Bool {
    objects.isEmpty && renamed.isEmpty && removedSections.isEmpty && insertedSections.isEmpty
  }
}

// MARK: - As a difference of identities

extension ResultsChange {
  /// The change of all identities, without sections and updates.
  ///
  /// An object that has got another identity is removed under the old one and inserted under the new.
  var difference: CollectionDifference<NSManagedObjectID> {
    typealias Change = CollectionDifference<NSManagedObjectID>.Change
    var changes: [Change] = []
    for change in objects + renamed.map(\.object) where change.type != .update {
      let (old, new) = (change.old.map(offsetBefore), change.new.map(offsetAfter))
      let before = known[ObjectIdentifier(change.object)] ?? change.object.objectID
      // Only the same identity can be said to have moved.
      let isSame = before == change.object.objectID
      if let old {
        changes.append(.remove(offset: old, element: before, associatedWith: isSame ? new : nil))
      }
      if let new {
        changes.append(
          .insert(
            offset: new,
            element: change.object.objectID,
            associatedWith: isSame ? old : nil
          )
        )
      }
    }
    guard let difference = CollectionDifference(changes) else {
      stop("the changes of fetched results contradict each other: \(changes)")
    }
    return difference
  }

  private func offsetBefore(_ place: Place) -> Int { startsBefore[place.section] + place.row }

  private func offsetAfter(_ place: Place) -> Int { startsAfter[place.section] + place.row }
}
