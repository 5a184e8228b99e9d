import CoreDataPredicates
import Foundation

/// What a context's unsaved changes do to the result of a fetch.
///
/// ```
/// stored rows   − deleted, − changed so that they match no more
///               + inserted, + changed so that they match now
/// ```
///
/// Changed objects are judged by their values in memory; so the store is asked without a range, and
/// order and range are made here. Without changes of the entity nothing of this happens.
struct PendingChangesOverlay {
  private let changed: [NSManagedObject]
  private let deleted: Set<NSManagedObject>
  private let predicate: NSPredicate?
  var sortDescriptors: [NSSortDescriptor]
  private let isBatched: Bool

  /// Nil when no change concerns the request.
  init?<Result>(_ request: NSFetchRequest<Result>, plan: FetchPlan, tracker: ChangeTracker) {
    guard request.includesPendingChanges, tracker.hasChanges else { return nil }
    let stores = request.affectedStores.map { Set($0.map(\.number)) }
    let concerned = { (object: NSManagedObject) in
      plan.entityNumbers.contains(object.layout.number)
        && object.layout.model === plan.layout.model && object.belongs(to: stores)
    }
    changed = (tracker.inserted.objects + tracker.updated.objects).filter(concerned)
    deleted = Set(tracker.deleted.objects.filter(concerned))
    if changed.isEmpty, deleted.isEmpty { return nil }
    predicate = plan.predicate.map(NSPredicate.of)
    sortDescriptors = request.sortDescriptors ?? []
    isBatched = request.fetchBatchSize > 0
  }

  /// The plan for the store: everything that matches there, in no range.
  func widened(_ plan: FetchPlan) -> FetchPlan {
    var plan = plan
    plan.limit = nil
    plan.offset = 0
    // What is put in order here needs its values; in batches only a few are looked at.
    if !sortDescriptors.isEmpty, !isBatched {
      plan.includesValues = true
      plan.slots = nil
    }
    return plan
  }

  func applied(to stored: [NSManagedObject]) -> [NSManagedObject] {
    let judged = Set(changed)
    let matching = changed.filter { predicate?.evaluate(with: $0) ?? true }
    if isBatched, !sortDescriptors.isEmpty { return merged(matching, intoBatches: stored) }
    // An updated object stays where the store has it, also among its equals; new ones follow.
    let found = Set(matching)
    let known = stored.filter { judged.contains($0) ? found.contains($0) : !deleted.contains($0) }
    let placed = Set(stored.filter(found.contains))
    return (known + matching.filter { !placed.contains($0) }).sorted(by: sortDescriptors)
  }
}

// MARK: - In batches

extension PendingChangesOverlay {
  /// The same where few values are read: those of the neighbours of updated objects, and for the places of others.
  private func merged(
    _ matching: [NSManagedObject],
    intoBatches stored: [NSManagedObject]
  ) -> [NSManagedObject] {
    let (judged, found) = (Set(changed), Set(matching))
    let followers = unchangedFollowers(in: stored, judged)
    var result: [NSManagedObject] = []
    var placed: Set<NSManagedObject> = []
    for object in stored where !deleted.contains(object) {
      if judged.contains(object) {
        let follower = followers[ObjectIdentifier(object)]
        guard found.contains(object), stays(object, between: result.last, follower) else {
          continue
        }
        placed.insert(object)
      }
      result.append(object)
    }
    for object in matching where !placed.contains(object) {
      result.insert(object, inOrderOf: sortDescriptors)
    }
    return result
  }

  /// For each changed object the first unchanged one behind it.
  private func unchangedFollowers(
    in stored: [NSManagedObject],
    _ judged: Set<NSManagedObject>
  ) -> [ObjectIdentifier: NSManagedObject] {
    var followers: [ObjectIdentifier: NSManagedObject] = [:]
    var follower: NSManagedObject?
    for object in stored.reversed() where !deleted.contains(object) {
      if judged.contains(object) {
        followers[ObjectIdentifier(object)] = follower
      } else {
        follower = object
      }
    }
    return followers
  }

  /// Whether an updated object is in order where the store has it.
  private func stays(
    _ object: NSManagedObject,
    between one: NSManagedObject?,
    _ other: NSManagedObject?
  ) -> Bool {
    if let one, object.precedes(one, by: sortDescriptors) { return false }
    if let other, other.precedes(object, by: sortDescriptors) { return false }
    return true
  }
}

extension Array {
  /// The elements of a request's range; a limit of 0 is no limit.
  func inRange<Result>(of request: NSFetchRequest<Result>) -> ArraySlice<Element> {
    let rest = dropFirst(Swift.max(0, request.fetchOffset))
    return request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
  }
}
