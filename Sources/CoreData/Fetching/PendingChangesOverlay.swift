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
    if isBatched, !sortDescriptors.isEmpty {
      var result = stored.filter { !judged.contains($0) && !deleted.contains($0) }
      for object in matching { result.insert(object, inOrderOf: sortDescriptors) }
      return result
    }
    // An updated object stays where the store has it, also among its equals; new ones follow.
    let found = Set(matching)
    let known = stored.filter { judged.contains($0) ? found.contains($0) : !deleted.contains($0) }
    let placed = Set(stored.filter(found.contains))
    return (known + matching.filter { !placed.contains($0) }).sorted(by: sortDescriptors)
  }
}

extension Array {
  /// The elements of a request's range; a limit of 0 is no limit.
  func inRange<Result>(of request: NSFetchRequest<Result>) -> ArraySlice<Element> {
    let rest = dropFirst(Swift.max(0, request.fetchOffset))
    return request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
  }
}
