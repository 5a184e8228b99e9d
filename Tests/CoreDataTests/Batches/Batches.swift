import Foundation
import TestSupport

@testable import CoreData

/// The stores that know batch requests; PostgreSQL among them in long runs.
let storesWithBatches: [StoreKind] =
  [.sqlite, .sqliteInMemory] + StoreKind.allCases.filter { $0 == .postgreSQL }

extension NSManagedObjectContext {
  @discardableResult
  func insert(
    _ entity: String,
    _ rows: [[String: Any]]
  ) throws -> [NSManagedObjectID] {
    let request = NSBatchInsertRequest(entityName: entity, objects: rows)
    request.resultType = .objectIDs
    return try identities(execute(request) as? NSBatchInsertResult)
  }

  func identities(_ result: NSBatchInsertResult?) -> [NSManagedObjectID] {
    result?.result as? [NSManagedObjectID] ?? []
  }

  /// How many rows were changed.
  @discardableResult
  func update(
    _ entity: String,
    _ values: [AnyHashable: Any],
    where predicate: NSPredicate? = nil
  ) throws -> Int {
    let request = NSBatchUpdateRequest(entityName: entity)
    request.propertiesToUpdate = values
    request.predicate = predicate
    request.resultType = .updatedObjectsCountResultType
    return (try execute(request) as? NSBatchUpdateResult)?.result as? Int ?? -1
  }

  /// The rows that were deleted.
  @discardableResult
  func delete(
    _ entity: String,
    where predicate: NSPredicate? = nil
  ) throws -> [NSManagedObjectID] {
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = predicate
    return try delete(NSBatchDeleteRequest(fetchRequest: fetch))
  }

  @discardableResult
  func delete(_ request: NSBatchDeleteRequest) throws -> [NSManagedObjectID] {
    request.resultType = .resultTypeObjectIDs
    let result = try execute(request) as? NSBatchDeleteResult
    return result?.result as? [NSManagedObjectID] ?? []
  }

  func note(titled title: String) throws -> Note? {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title == %@", title)
    return try fetch(request).first
  }
}

/// The sentence of an error.
func words(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return (error as NSError).localizedFailureReason ?? "\(error)"
  }
}

extension NSManagedObject {
  /// How often the object's row had been written when it was read.
  var storedVersion: Int64 {
    _ = try? fulfilFault()
    return record.pointee.snapshot?.version ?? 0
  }
}

extension NotesStack {
  /// The names of the files beside the store.
  var externalFiles: [String] {
    guard let file else { return [] }
    let folder = ExternalFiles.folder(besides: file).path
    // Without a folder there are no files.
    return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
