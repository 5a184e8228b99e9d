import CoreDataPredicates
import Foundation

/// A request that changes rows without objects.
protocol BatchRequest: ContextExecutable, NSPersistentStoreRequest {
  func batch(in context: NSManagedObjectContext) throws -> Batch?
  func result(of receipts: [BatchReceipt]) -> NSPersistentStoreResult
}

extension BatchRequest {
  /// Carries the request out in the stores; the context and its objects stay as they are.
  func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    try execute(in: context, by: context.requiredCoordinator)
  }

  func execute(
    in context: NSManagedObjectContext,
    by coordinator: NSPersistentStoreCoordinator
  ) throws -> NSPersistentStoreResult {
    guard var batch = try batch(in: context) else { return result(of: []) }
    batch.origin = HistoryOrigin(of: context)
    return result(of: try coordinator.perform(batch, in: affectedStores))
  }
}

// MARK: - The three requests

extension NSBatchInsertRequest: BatchRequest {
  func batch(in context: NSManagedObjectContext) throws -> Batch? {
    let layout = source.layout(in: context)
    if layout.isAbstract { throw BatchFailure.abstract(entity: layout.name).error }
    let policy = (context.mergePolicy as? NSMergePolicy)?.mergeType ?? .error
    return Batch(
      layout: layout,
      work: .insert(rows(in: context), policy),
      namesRows: resultType == .objectIDs
    )
  }

  private func rows(in context: NSManagedObjectContext) -> BatchRows {
    if let filler { return .filler(filler) }
    if let values { return .values(values(), BatchTargets(context)) }
    if let dictionaryHandler { return .dictionaryHandler(dictionaryHandler) }
    if let managedObjectHandler { return .objectHandler(managedObjectHandler) }
    return .dictionaries(objectsToInsert ?? [])
  }

  func result(of receipts: [BatchReceipt]) -> NSPersistentStoreResult {
    NSBatchInsertResult(receipts, as: resultType)
  }
}

extension NSBatchUpdateRequest: BatchRequest {
  func batch(in context: NSManagedObjectContext) throws -> Batch? {
    let layout = source.layout(in: context)
    var rows = FetchPlan(layout)
    rows.predicate = (predicate?.tree).map(ConstantAffinity(layout).fitting)
    rows.includesSubentities = includesSubentities
    return Batch(
      layout: layout,
      work: .update(BatchUpdate(rows: rows, values: try values(of: layout))),
      namesRows: resultType == .updatedObjectIDsResultType
    )
  }

  private func values(of layout: EntityLayout) throws -> [(slot: Int, value: Any?)] {
    let given = propertiesToUpdate ?? [:]
    if given.isEmpty { throw BatchFailure.nothingToUpdate(entity: layout.name).error }
    let values = try given.map { key, value in
      let name = (key.base as? NSPropertyDescription)?.name ?? "\(key.base)"
      return (slot: try layout.slotForBatch(name, place: Self.place), value: value as Any?)
    }
    return values.sorted { $0.slot < $1.slot }
  }

  static let place = "propertiesToUpdate"

  func result(of receipts: [BatchReceipt]) -> NSPersistentStoreResult {
    NSBatchUpdateResult(receipts, as: resultType)
  }
}

extension NSBatchDeleteRequest: BatchRequest {
  func batch(in context: NSManagedObjectContext) throws -> Batch? {
    if let objectIDs {
      let names = Set(objectIDs.map(\.layout.name))
      if names.count > 1 { throw BatchFailure.severalEntities(names.sorted()).error }
      if names.isEmpty { return nil }
    }
    guard let name = request.entityName else { throw BatchFailure.noEntity.error }
    let layout = BatchEntity(name: name).layout(in: context)
    var rows = FetchPlan(layout)
    rows.predicate = (request.predicate?.tree).map(ConstantAffinity(layout).fitting)
    rows.includesSubentities = request.includesSubentities
    rows.sort = (request.sortDescriptors ?? []).map(\.term)
    rows.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    rows.offset = request.fetchOffset
    if rows.limit != nil || rows.offset > 0 { try choose(&rows, in: context) }
    return Batch(
      layout: layout,
      work: .delete(rows),
      namesRows: resultType == .resultTypeObjectIDs
    )
  }

  /// Names the rows of a range of several stores, each of which would take the range for its own.
  private func choose(_ rows: inout FetchPlan, in context: NSManagedObjectContext) throws {
    let (numbers, model) = (rows.entityNumbers, rows.layout.model)
    let stores = affectedStores ?? context.requiredCoordinator.persistentStores
    guard stores.count(where: { $0.holdsSome(of: numbers, in: model) }) > 1 else { return }
    let fetch = request.retyped(NSManagedObjectID.self)
    fetch.resultType = .managedObjectIDResultType
    fetch.includesPendingChanges = false
    fetch.affectedStores = affectedStores
    let found = try context.fetch(fetch)
    rows.predicate = NSPredicate(format: "SELF IN %@", found).tree
    (rows.sort, rows.limit, rows.offset) = ([], nil, 0)
  }

  func result(of receipts: [BatchReceipt]) -> NSPersistentStoreResult {
    NSBatchDeleteResult(receipts, as: resultType)
  }
}
