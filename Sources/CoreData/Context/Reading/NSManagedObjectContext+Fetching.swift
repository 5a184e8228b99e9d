import CoreDataPredicates
import Foundation

// MARK: - Fetching

extension NSManagedObjectContext {
  /// Returns the objects, identities, dictionaries or count that match a fetch request.
  ///
  /// The result includes the unsaved changes of this context: inserted objects that match are in
  /// the result, deleted objects are not, and changed objects are matched by their current values.
  /// Dictionaries are the exception; they contain what is stored. Objects that already have values
  /// keep them unless the request says otherwise.
  ///
  /// Runs one statement for each store that contains the entity, and one for each relationship to
  /// prefetch.
  ///
  /// ```swift
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.predicate = NSPredicate(format: "stars >= 4")
  /// let notes = try context.fetch(request)
  /// ```
  ///
  /// The program stops if the model does not have the entity, or a property that the request fetches,
  /// groups by or prefetches, or if parts of the request exclude each other.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter request: The criteria of the fetch and the type of its results.
  /// - Returns: The results, in the order of the request's sort descriptors.
  /// - Throws: 134091 if the predicate or the order has a key that the model does not have, if a store
  ///   cannot express the predicate, the order or an expression, or if dictionaries of several stores would
  ///   have to be sorted, limited, grouped, computed or made distinct; 134060 if the results are not of the
  ///   type `Result`; otherwise the error of a store that cannot be read.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    checkQueue()
    let (prepared, overlay) = try preparedWithChanges(for: request)
    let found = try prepared.perform()
    // The code of a custom store may have used the context during the fetch.
    let changes = prepared.needsContextQueue ? self.overlay(for: request, prepared.plan) : overlay
    return try results(of: request, found, changes, as: prepared)
  }

  /// Returns the number of results that a fetch request would return, taking its offset and limit
  /// into account.
  ///
  /// Runs one `SELECT count(*)` for each store. If the context has unsaved changes of the entity,
  /// identities are read and counted in memory. For a request with the result type
  /// `.dictionaryResultType` the dictionaries themselves are read.
  ///
  /// Call this method on the context's queue.
  ///
  /// - Parameter request: The criteria of the fetch.
  /// - Returns: The number of results.
  /// - Throws: The same errors as ``fetch(_:)``.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    checkQueue()
    let kind = request.resultType
    if kind.contains(.dictionaryResultType), !kind.contains(.countResultType) {
      return try count(ofRecordsFor: request)
    }
    endEventBeforeReading()
    let plan = try plan(for: request)
    if let overlay = overlay(for: request, plan) { return try count(for: request, plan, overlay) }
    let prepared = PreparedFetch(
      plan: plan,
      sources: sources(for: request, of: plan.layout),
      form: .count,
      context: self
    )
    guard case .count(let count) = try prepared.perform() else { return 0 }
    return count
  }

  private func count<Result>(ofRecordsFor request: NSFetchRequest<Result>) throws -> Int {
    let prepared = try prepared(for: request)
    guard case .records(let found) = try prepared.perform() else { return 0 }
    return found.reduce(0) { $0 + $1.records.count }
  }

  /// Counts identities; the objects are left as they are, and in no order.
  private func count<Result>(
    for request: NSFetchRequest<Result>,
    _ plan: FetchPlan,
    _ overlay: PendingChangesOverlay
  ) throws -> Int {
    var (plan, overlay) = (plan, overlay)
    plan.includesValues = false
    plan.sort = []
    overlay.sortDescriptors = []
    let sources = sources(for: request, of: plan.layout, isWidened: true)
    let prepared = PreparedFetch(
      plan: overlay.widened(plan, isRanged: !sources.areSeveral),
      sources: sources,
      form: .rows,
      context: self
    )
    guard case .rows(let found) = try prepared.perform() else { return 0 }
    return overlay.applied(to: found.flatMap { objects(for: $0) }, isInOrder: false)
      .inRange(of: request).count
  }

  /// Announces the pending changes, and gives objects the names that relatives have found for them.
  private func endEventBeforeReading() {
    processPendingChanges()
    followRenamings()
  }
}

// MARK: - Before the stores are asked

extension NSManagedObjectContext {
  /// Returns the questions for the stores that a request needs; ends the current event.
  func prepared<Result>(
    for request: NSFetchRequest<Result>,
    control: FetchControl? = nil
  ) throws -> PreparedFetch {
    try preparedWithChanges(for: request, control: control).fetch
  }

  /// The same, and what unsaved changes will do to the result.
  private func preparedWithChanges<Result>(
    for request: NSFetchRequest<Result>,
    control: FetchControl? = nil
  ) throws -> (fetch: PreparedFetch, overlay: PendingChangesOverlay?) {
    endEventBeforeReading()
    if faultTally != nil { faultTally = nil }
    var plan = try plan(for: request)
    if let control {
      plan.control = control
      // Off the context's queue the context cannot be asked.
      plan.predicate = try plan.predicate?.replacingFetches()
    }
    let overlay = overlay(for: request, plan)
    if request.resultType.contains(.countResultType), overlay == nil {
      let sources = sources(for: request, of: plan.layout)
      return (PreparedFetch(plan: plan, sources: sources, form: .count, context: self), nil)
    }
    if request.resultType.contains(.dictionaryResultType) {
      let stores = stores(for: request, of: plan.layout)
      let records = try RecordPlan(request, rows: plan).spread(over: stores)
      let sources = PreparedFetch.Sources.stores(stores)
      let form = PreparedFetch.Form.records(records)
      return (PreparedFetch(plan: plan, sources: sources, form: form, context: self), nil)
    }
    noteReadingOfRows()
    let sources = sources(for: request, of: plan.layout, isWidened: overlay != nil)
    if let overlay {
      // Rows from other sources are read before the last changes are known.
      plan = overlay.widened(plan, isRanged: control == nil && !sources.areSeveral)
    } else if sources.areSeveral {
      plan.limit = nil
      plan.offset = 0
    }
    var prepared = PreparedFetch(plan: plan, sources: sources, form: .rows, context: self)
    if overlay != nil { prepared.changesMerged = tracker.timesEmptied }
    return (prepared, overlay)
  }

  private func overlay<Result>(
    for request: NSFetchRequest<Result>,
    _ plan: FetchPlan
  ) -> PendingChangesOverlay? {
    PendingChangesOverlay(request, plan: plan, tracker: &tracker)
  }

  private func plan<Result>(for request: NSFetchRequest<Result>) throws -> FetchPlan {
    let layout = layout(for: request)
    request.refuseIllegalParts()
    var plan = FetchPlan(layout)
    plan.control = reading
    plan.includesSubentities = request.includesSubentities
    plan.predicate = (request.predicate?.tree).map(ConstantAffinity(layout).fitting)
    plan.sort = (request.sortDescriptors ?? []).map(\.term)
    plan.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    plan.offset = max(0, request.fetchOffset)
    let needsValues = request.shouldRefreshRefetchedObjects || !request.returnsObjectsAsFaults
    plan.includesValues =
      !request.resultType.contains(.managedObjectIDResultType)
      && (needsValues || request.includesPropertyValues && request.fetchBatchSize == 0)
    let givesObjects = request.resultType.isDisjoint(with: [
      .dictionaryResultType, .countResultType,
    ])
    if plan.includesValues, givesObjects, !needsValues {
      plan.slots = request.slotsToFetch(of: layout)
    }
    return plan
  }

  /// The entity of this context's model that a request is for.
  ///
  /// An entity of another model counts by its name: a class that two models have makes requests for the newer one.
  /// Stops the program if the model does not contain an entity of that name.
  func layout<Result>(for request: NSFetchRequest<Result>) -> EntityLayout {
    if let entity = request.entity, entity.layout.model === model { return entity.layout }
    if let name = request.entityName {
      if let layout = model[name] { return layout }
    } else if let type = Result.self as? NSManagedObject.Type {
      return entity(for: type).layout
    }
    stop(unknownEntitySentence(request.entityName ?? "(no name)"))
  }

  private func stores<Result>(
    for request: NSFetchRequest<Result>,
    of layout: EntityLayout
  ) -> [NSPersistentStore] {
    let stores = request.affectedStores ?? requiredCoordinator.persistentStores
    let numbers = request.includesSubentities ? layout.numbers : layout.number...layout.number
    return stores.filter { $0.holdsSome(of: numbers, in: layout.model) }
  }
}

extension NSManagedObjectContext {
  /// Returns the sources that answer a request: the parent, or the stores that have the entity.
  private func sources<Result>(
    for request: NSFetchRequest<Result>,
    of layout: EntityLayout,
    isWidened: Bool = false
  ) -> PreparedFetch.Sources {
    guard let parent else { return .stores(stores(for: request, of: layout)) }
    return .parent(ParentQuestion(request.forParent(isWidened: isWidened), to: parent))
  }
}

// MARK: - After the stores have answered

extension NSManagedObjectContext {
  /// Makes the result of what the stores have, on the context's queue.
  func results<Result>(
    of request: NSFetchRequest<Result>,
    _ found: FoundRows,
    _ overlay: PendingChangesOverlay?,
    as prepared: PreparedFetch
  ) throws -> [Result] {
    switch found {
    case .count(let count):
      return try typed([NSNumber(value: count)])
    case .records(let found):
      guard case .records(let plan) = prepared.form else { return [] }
      let rows: ResultRows<NSManagedObject> = rows(found, of: plan)
      return try typed(rows.dictionaries)
    case .rows(let found):
      if overlay == nil, request.resultType.contains(.managedObjectIDResultType) {
        return try typed(identities(for: request, found, as: prepared))
      }
      let objects = objects(for: request, found, overlay, as: prepared)
      if request.resultType.contains(.countResultType) {
        return try typed([NSNumber(value: objects.count)])
      }
      if request.resultType.contains(.managedObjectIDResultType) {
        return try typed(objects.map(\.objectID))
      }
      noteResult(objects, of: found)
      try complete(objects, for: request, of: prepared.plan.layout)
      return try ObjectArray.cast(objects) ?? typed(objects)
    }
  }

  /// The same for rows that were read while the context may have changed.
  func results<Result>(
    of request: NSFetchRequest<Result>,
    _ found: FoundRows,
    readBefore prepared: PreparedFetch
  ) throws -> [Result] {
    endEventBeforeReading()
    if request.resultType.contains(.dictionaryResultType) {
      return try results(of: request, found, nil, as: prepared)
    }
    let overlay = overlay(for: request, prepared.plan)
    let hasChanges = overlay != nil
    if let changes = prepared.changesMerged {
      // The changes that needed all rows were saved or given up since: then the rows lack them, or their range.
      if !hasChanges || changes != tracker.timesEmptied { return try fetch(request) }
    } else if hasChanges {
      let hasRange = prepared.plan.limit != nil || prepared.plan.offset > 0
      if request.resultType.contains(.countResultType) || hasRange { return try fetch(request) }
    }
    return try results(of: request, found, overlay, as: prepared)
  }

  private func objects<Result>(
    for request: NSFetchRequest<Result>,
    _ found: [PassedRows],
    _ overlay: PendingChangesOverlay?,
    as prepared: PreparedFetch
  ) -> [NSManagedObject] {
    // Of several stores, a moment may have one alone.
    if overlay == nil, found.count == 1, !prepared.sources.areSeveral {
      return objects(found[0], request)
    }
    let stored = found.flatMap { objects($0, request) }
    let isInOrder = found.count == 1 && !prepared.sources.areSeveral
    let merged =
      overlay.map { $0.applied(to: stored, isInOrder: isInOrder) }
      ?? stored.sorted(by: request.sortDescriptors ?? [])
    return Array(merged.inRange(of: request))
  }

  private func objects<Result>(
    _ found: PassedRows,
    _ request: NSFetchRequest<Result>
  ) -> [NSManagedObject] {
    let objects = objects(for: found)
    if request.fetchBatchSize > 0, !objects.isEmpty {
      FetchBatch.divide(
        objects,
        size: request.fetchBatchSize,
        prefetching: PrefetchPaths(
          request.relationshipKeyPathsForPrefetching ?? [],
          of: layout(for: request)
        )
      )
    }
    if request.shouldRefreshRefetchedObjects, request.resultType == .managedObjectResultType {
      takeNewerValues(objects, from: found.rows)
    }
    return objects
  }

  /// Objects with other values than the store has take those, under their own changes.
  private func takeNewerValues(_ objects: [NSManagedObject], from rows: [Row]) {
    for (object, row) in zip(objects, rows) where !object.isFault && !object.willBeDeleted {
      // A parent's unsaved values have the version of those that they replace.
      if parent != nil || object.stored?.version != row.snapshot?.version {
        renew(object, mergeChanges: true)
      }
    }
  }

  /// Reads what a request wants besides the objects: related objects, and values.
  private func complete<Result>(
    _ objects: [NSManagedObject],
    for request: NSFetchRequest<Result>,
    of layout: EntityLayout
  ) throws {
    if request.fetchBatchSize == 0, let paths = request.relationshipKeyPathsForPrefetching {
      try prefetch(PrefetchPaths(paths, of: layout), of: objects)
    }
    if !request.returnsObjectsAsFaults {
      for object in objects where object.isFault { object.fireFault() }
    }
  }

  /// Without making the objects.
  private func identities<Result>(
    for request: NSFetchRequest<Result>,
    _ found: [PassedRows],
    as prepared: PreparedFetch
  ) -> [NSManagedObjectID] {
    if found.count > 1, !(request.sortDescriptors ?? []).isEmpty {
      return objects(for: request, found, nil, as: prepared).map(\.objectID)
    }
    let all = found.flatMap { found in
      zip(found.keys, found.rows).map { key, row in
        NSManagedObjectID(key: currentName(key), layout: row.layout)
      }
    }
    return prepared.sources.areSeveral ? Array(all.inRange(of: request)) : all
  }

  private func typed<Result, Found>(_ results: [Found]) throws -> [Result] {
    // As `Any` the array is compared as a whole where the types are the same: a cast for each object is slow.
    if let typed = (results as Any) as? [Result] { return typed }
    let odd = results.first { !($0 is Result) }.map { "\(type(of: $0))" } ?? "\(Found.self)"
    throw FetchFailure.otherType(found: odd, wanted: "\(Result.self)").error
  }
}
