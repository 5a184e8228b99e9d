import CoreDataPredicates
import Foundation

/// The effect of a context's unsaved changes on the result of a fetch.
///
/// ```
/// stored rows   − deleted, − changed so that they match no more
///               + inserted, + changed so that they match now
/// ```
///
/// Changed objects are judged by their values in memory; so order and range are made here. If the objects are ordered
/// by attributes of their own, and not by a language's order of texts, the store's order is kept for unchanged
/// objects, and a request with a range asks for as many rows more as changes may take away. If the entity does not
/// have changes, nothing of this happens.
struct PendingChangesOverlay {
  /// Updated objects and new ones, in the order in which that began; of new ones those that may be meant.
  private let changed: [NSManagedObject]
  /// How many rows that the store finds may be found no more, or elsewhere.
  private let unsureCount: Int
  private let predicate: NSPredicate?
  private let look: FirstLook
  var sortDescriptors: [NSSortDescriptor]
  private let isBatched: Bool
  private let ordersByOwnAttributes: Bool

  /// Nil when no change concerns the request.
  init?<Result>(_ request: NSFetchRequest<Result>, plan: FetchPlan, tracker: inout ChangeTracker) {
    guard request.includesPendingChanges, tracker.hasChanges else { return nil }
    let stores = request.affectedStores.map { Set($0.map(\.number)) }
    // Asked of each of many objects, so that no reference is counted.
    let (numbers, model) = (plan.entityNumbers, plan.layout.model)
    let isOfEntity = { (object: NSManagedObject) in
      numbers.contains(object.layout.number) && object.layout.belongs(to: model)
    }
    let concerned = { (object: NSManagedObject) in
      isOfEntity(object) && object.belongs(to: stores)
    }
    let look = FirstLook(plan)
    let updated = tracker.updatedObjects(mayMeet: look.demand, where: concerned)
    // One that may have a row may be found by the store, although it is not to be.
    let inserted = tracker.insertedObjects(mayMeet: look.demand) { object in
      isOfEntity(object) && (!object.key.isTemporary || look.mayFind(object))
        && object.belongs(to: stores)
    }
    unsureCount = updated.count + tracker.deleted.filter(concerned).count
    if unsureCount == 0, inserted.isEmpty { return nil }
    self.look = look
    changed = updated.objects + inserted
    predicate = plan.predicate.map(NSPredicate.of)
    sortDescriptors = request.sortDescriptors ?? []
    isBatched = request.fetchBatchSize > 0
    ordersByOwnAttributes =
      sortDescriptors.allSatisfy(\.comparesByTerm) && plan.sort.allSatisfy(plan.layout.hasAttribute)
  }

  /// The plan for the store: all matches there, or a range that is wide enough.
  ///
  /// A range is possible only if one store is asked, and nothing changes during the fetch.
  func widened(_ plan: FetchPlan, isRanged: Bool) -> FetchPlan {
    var plan = plan
    plan.limit = isRanged && ordersByOwnAttributes ? limit(of: plan) : nil
    plan.offset = 0
    // Objects that are sorted here need their values; of batches only a few are looked at.
    if !sortDescriptors.isEmpty, !isBatched {
      plan.includesValues = true
      plan.slots = nil
    }
    return plan
  }

  /// Of that many rows, so many are left in any case that the range is among them and what is new.
  private func limit(of plan: FetchPlan) -> Int? {
    guard let limit = plan.limit else { return nil }
    let (end, isEndless) = plan.offset.addingReportingOverflow(limit)
    let (wide, isTooWide) = end.addingReportingOverflow(unsureCount)
    return isEndless || isTooWide ? nil : wide
  }

  /// Returns the found objects, with the changes; they may be in order, as the rows of one store are.
  ///
  /// An updated object stays where the store has it, also among its equals. One that cannot stay there comes after
  /// its equals, and new ones after that.
  func applied(to stored: [NSManagedObject], isInOrder: Bool) -> [NSManagedObject] {
    let matching = changed.filter { look.mayFind($0) && predicate?.evaluate(with: $0) ?? true }
    if isInOrder, !sortDescriptors.isEmpty, isBatched || ordersByOwnAttributes {
      return merged(matching, into: stored)
    }
    if stored.isEmpty { return matching.sorted(by: sortDescriptors) }
    let found = Set(matching)
    let known = stored.filter { $0.isJudgedInMemory ? found.contains($0) : $0.life != .deleted }
    let placed = Set(stored.filter(found.contains))
    return (known + matching.filter { !placed.contains($0) }).sorted(by: sortDescriptors)
  }
}

/// Rules out changed objects with which a predicate cannot be true: a program that looks for an object before it
/// makes one looks among all that it has made.
private struct FirstLook {
  let demand: KeptDemand?

  init(_ plan: FetchPlan) {
    // Properties that a predicate reads count as read.
    guard let predicate = plan.predicate, !TrackingProbe.isTracking else {
      demand = nil
      return
    }
    demand = KeptDemand(in: predicate, of: plan.layout)
  }

  func mayFind(_ object: NSManagedObject) -> Bool {
    guard let demand else { return true }
    return demand.mayBeMet(by: object) || MethodOverride.ofReadingByKey.isIn(type(of: object))
  }
}

extension NSManagedObject {
  /// Whether the values in memory say whether the object is found, rather than its row.
  fileprivate var isJudgedInMemory: Bool { life == .updated || life == .inserted }
}

extension EntityLayout {
  /// Whether a term orders objects by an attribute of their own, as any store does: a server may interpret the order
  /// of a language in its own way.
  fileprivate func hasAttribute(of term: SortTerm) -> Bool {
    guard term.order == .standard, term.keyPath.count == 1, let slot = slot(named: term.keyPath[0])
    else { return false }
    return !slots[slot].kind.isRelationship
  }
}

// MARK: - Into what is in order

extension PendingChangesOverlay {
  /// Puts changes into what is in order; few values are read: those of the neighbours of updated objects, and for the
  /// places of others.
  private func merged(
    _ matching: [NSManagedObject],
    into stored: [NSManagedObject]
  ) -> [NSManagedObject] {
    let found = Set(matching)
    let followers = unchangedFollowers(in: stored)
    var result: [NSManagedObject] = []
    var staying: Set<NSManagedObject> = []
    for object in stored where object.life != .deleted {
      if object.isJudgedInMemory {
        let follower = followers[ObjectIdentifier(object)]
        guard found.contains(object), stays(object, between: result.last, follower) else {
          continue
        }
        staying.insert(object)
      }
      result.append(object)
    }
    result.insert(sorted: matching.filter { !staying.contains($0) }.sorted(by: sortDescriptors)) {
      $0.precedes($1, by: sortDescriptors)
    }
    return result
  }

  /// For each changed object the first unchanged one behind it.
  private func unchangedFollowers(
    in stored: [NSManagedObject]
  ) -> [ObjectIdentifier: NSManagedObject] {
    var followers: [ObjectIdentifier: NSManagedObject] = [:]
    var follower: NSManagedObject?
    for object in stored.reversed() where object.life != .deleted {
      if object.isJudgedInMemory {
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
  /// The elements of a request's range; a limit of 0 means all.
  func inRange<Result>(of request: NSFetchRequest<Result>) -> ArraySlice<Element> {
    let rest = dropFirst(Swift.max(0, request.fetchOffset))
    return request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest
  }
}
