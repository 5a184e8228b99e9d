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
  private let sortDescriptors: [NSSortDescriptor]
  private let isBatched: Bool

  /// Nil when no change concerns the request.
  init?<Result>(_ request: NSFetchRequest<Result>, plan: FetchPlan, tracker: ChangeTracker) {
    guard request.includesPendingChanges, tracker.hasChanges else { return nil }
    let stores = request.affectedStores?.map(\.number)
    let concerned = { (object: NSManagedObject) in
      let store = object.key.store
      guard store == .none || stores?.contains(store) ?? true else { return false }
      return plan.entityNumbers.contains(object.layout.number)
        && object.layout.model === plan.layout.model
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
    if !sortDescriptors.isEmpty, !isBatched { plan.includesValues = true }
    return plan
  }

  func applied(to stored: [NSManagedObject]) -> [NSManagedObject] {
    let judged = Set(changed)
    var result = stored.filter { !judged.contains($0) && !deleted.contains($0) }
    let places = Dictionary(uniqueKeysWithValues: stored.enumerated().map { ($1, $0) })
    let matching = changed.filter { predicate?.evaluate(with: $0) ?? true }
    if sortDescriptors.isEmpty {
      // An updated object stays where the store has it; new ones follow.
      result += matching
      return result.enumerated()
        .sorted {
          (places[$0.element] ?? .max, $0.offset) < (places[$1.element] ?? .max, $1.offset)
        }
        .map(\.element)
    }
    if isBatched {
      for object in matching { result.insert(object, inOrderOf: sortDescriptors) }
      return result
    }
    return (result + matching).sorted(by: sortDescriptors)
  }
}

extension Array {
  /// The elements of a request's range; a limit of 0 is no limit.
  func inRange<Result>(of request: NSFetchRequest<Result>) -> ArraySlice<Element> {
    let rest = dropFirst(request.fetchOffset)
    return request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
  }
}
