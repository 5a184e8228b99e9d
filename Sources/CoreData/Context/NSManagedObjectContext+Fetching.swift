import CoreDataPredicates
import Foundation

// MARK: - Fetching

extension NSManagedObjectContext {
  /// The objects, identities or count that a request asks for.
  ///
  /// One statement for each store that has the entity. Unsaved changes of this context are seen:
  /// inserted objects that match are in the result, deleted ones are not, changed ones are judged by
  /// their values here. Objects that have values already keep them.
  ///
  /// Throws when a store cannot answer, and for a predicate or an order that the store's kind cannot
  /// express. Stops the program for an entity that the model does not have.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    checkQueue()
    if request.resultType.contains(.countResultType) {
      return try typed([NSNumber(value: count(for: request))])
    }
    let objects = try objects(for: request)
    if request.resultType.contains(.managedObjectIDResultType) {
      return try typed(objects.map(\.objectID))
    }
    if !request.returnsObjectsAsFaults {
      for object in objects where object.isFault { object.fireFault() }
    }
    return try typed(objects)
  }

  /// How many objects a request would find, its range considered.
  ///
  /// The store counts; only with unsaved changes of the entity are identities read.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    checkQueue()
    processPendingChanges()
    followRenamings()
    let plan = plan(for: request)
    if PendingChangesOverlay(request, plan: plan, tracker: tracker) != nil {
      return try objects(for: request).count
    }
    if let parent { return try passedCount(for: request, from: parent) }
    let stores = stores(for: request, of: plan.layout)
    if stores.count == 1 { return try stores[0].rows.count(for: plan, askedBy: self) }
    var unranged = plan
    unranged.limit = nil
    unranged.offset = 0
    let count =
      try stores.reduce(0) { try $0 + $1.rows.count(for: unranged, askedBy: self) } - plan.offset
    return max(0, min(count, plan.limit ?? count))
  }

  private func objects<Result>(for request: NSFetchRequest<Result>) throws -> [NSManagedObject] {
    processPendingChanges()
    followRenamings()
    let plan = plan(for: request)
    let overlay = PendingChangesOverlay(request, plan: plan, tracker: tracker)
    if let parent { return try passedObjects(for: request, overlay, from: parent) }
    let stores = stores(for: request, of: plan.layout)
    if overlay == nil, stores.count == 1 { return try objects(in: stores[0], for: plan) }
    var unranged = overlay?.widened(plan) ?? plan
    unranged.limit = nil
    unranged.offset = 0
    let found = try stores.flatMap { try objects(in: $0, for: unranged) }
    let merged =
      overlay.map { $0.applied(to: found) } ?? found.sorted(by: request.sortDescriptors ?? [])
    return Array(merged.inRange(of: request))
  }

  private func objects(in store: NSPersistentStore, for plan: FetchPlan) throws -> [NSManagedObject]
  {
    noteReadingOfRows()
    let rows = try store.rows.rows(for: plan, askedBy: self)
    if plan.includesValues { store.rowCache.set(rows, of: store.number) }
    return objects(for: rows, in: store)
  }
}

// MARK: - From a request to a plan

extension NSManagedObjectContext {
  private func plan<Result>(for request: NSFetchRequest<Result>) -> FetchPlan {
    guard let layout = layout(for: request) else {
      stop(unknownEntitySentence(request.entityName ?? "(no name)"))
    }
    var plan = FetchPlan(layout)
    plan.includesSubentities = request.includesSubentities
    plan.includesValues =
      request.includesPropertyValues && !request.resultType.contains(.managedObjectIDResultType)
    plan.predicate = request.predicate?.tree
    plan.sort = (request.sortDescriptors ?? []).map(\.term)
    plan.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    plan.offset = request.fetchOffset
    return plan
  }

  private func layout<Result>(for request: NSFetchRequest<Result>) -> EntityLayout? {
    if let entity = request.entity, entity.layout.model === model { return entity.layout }
    if let name = request.entityName { return model[name] }
    return (Result.self as? NSManagedObject.Type).map { entity(for: $0).layout }
  }

  private func stores<Result>(
    for request: NSFetchRequest<Result>,
    of layout: EntityLayout
  ) -> [NSPersistentStore] {
    let stores = request.affectedStores ?? requiredCoordinator.persistentStores
    return stores.filter { $0.holds(layout) }
  }

  private func typed<Result, Found>(_ results: [Found]) throws -> [Result] {
    // The whole array at once where the types are the same: a cast for each object is slow.
    if let typed = results as? [Result] { return typed }
    let odd = results.first { !($0 is Result) }.map { "\(type(of: $0))" } ?? "\(Found.self)"
    throw FetchFailure(found: odd, wanted: "\(Result.self)").error
  }
}
