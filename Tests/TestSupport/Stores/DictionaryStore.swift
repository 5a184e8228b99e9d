import CoreData
import Foundation
import Synchronization

/// A store that a user might write: rows in a dictionary, somewhere else than in this store.
final class DictionaryStore: NSIncrementalStore, @unchecked Sendable {
  static let storeType = NSPersistentStore.StoreType(rawValue: "Dictionary")
  /// Thrown by the next saves, as long as it is set.
  var refusal: (any Error)?
  /// Whether nodes include to-one relationships, or are asked for them.
  var tellsTargets = true
  private(set) var log: [String] = []
  /// The context that has asked for values last.
  private(set) weak var asker: NSManagedObjectContext?
  /// How many contexts hold each object.
  let held = Mutex<[NSManagedObjectID: Int]>([:])

  struct Record {
    var entity: String
    var values: [String: Any]
    var links: [String: [Name]]
    var version: UInt64
  }

  struct Name: Hashable {
    let entity: String
    let id: String
  }

  /// The data that all stores of a URL share.
  final class Table: @unchecked Sendable {
    var records: [String: Record] = [:]
    var metadata: [String: Any] = [:]
    var lastID = 0
  }

  private static let tables = Mutex<[String: Table]>([:])

  private(set) lazy var table: Table = {
    let path = url?.path ?? ""
    return Self.tables.withLock { tables in
      let table = tables[path] ?? Table()
      tables[path] = table
      return table
    }
  }()

  override var type: String { Self.storeType.rawValue }

  override func loadMetadata() throws {
    if table.metadata.isEmpty {
      table.metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: UUID().uuidString]
    }
    metadata = table.metadata
  }

  func forgetLog() {
    log = []
  }

  // MARK: Requests

  override func execute(
    _ request: NSPersistentStoreRequest,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    switch request {
    case let fetch as NSFetchRequest<any NSFetchRequestResult>:
      let found = try find(fetch)
      log.append("fetch \(fetch.entity?.name ?? "")")
      if fetch.resultType == .countResultType { return [NSNumber(value: found.count)] }
      if fetch.resultType == .managedObjectIDResultType { return found }
      return found.compactMap { context?.object(with: $0) }
    case let save as NSSaveChangesRequest:
      try write(save)
      return []
    case is CountEverything:
      return table.records.count
    case let other:
      throw CocoaError(
        .persistentStoreUnsupportedRequestType,
        userInfo: ["request": "\(other)"]
      )
    }
  }

  private func find(
    _ request: NSFetchRequest<any NSFetchRequestResult>
  ) throws -> [NSManagedObjectID] {
    guard let wanted = request.entity, let model = persistentStoreCoordinator?.managedObjectModel
    else { return [] }
    let rows = table.records.compactMap { id, record -> (NSManagedObjectID, [String: Any])? in
      guard let entity = model.entitiesByName[record.entity],
        request.includesSubentities ? entity.isKindOf(entity: wanted) : entity == wanted
      else { return nil }
      let values = self.values(record, depth: 1)
      guard request.predicate?.evaluate(with: values) ?? true else { return nil }
      return (newObjectID(for: entity, referenceObject: id), values)
    }
    let sorted = rows.sorted { one, other in
      for descriptor in request.sortDescriptors ?? [] {
        switch descriptor.compare(one.1, to: other.1) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return one.0.uriRepresentation().path < other.0.uriRepresentation().path
    }
    let rest = sorted.dropFirst(request.fetchOffset)
    return (request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest).map(\.0)
  }

  private func values(_ record: Record, depth: Int) -> [String: Any] {
    var values = record.values
    guard depth > 0 else { return values }
    for (key, names) in record.links {
      let members = names.compactMap { table.records[$0.id] }.map {
        self.values($0, depth: depth - 1)
      }
      values[key] = names.count == 1 && key == "folder" ? members.first as Any : members
    }
    return values
  }

  private func write(_ request: NSSaveChangesRequest) throws {
    let parts = [
      ("insert", request.insertedObjects), ("update", request.updatedObjects),
      ("delete", request.deletedObjects), ("lock", request.lockedObjects),
    ]
    log.append(
      "save "
        + parts.compactMap { word, set in set.map { "\(word) \($0.count)" } }.joined(
          separator: ", "
        )
    )
    if let refusal { throw refusal }
    for object in request.deletedObjects ?? [] { table.records[name(of: object).id] = nil }
    for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
      let name = name(of: object)
      var record = Record(entity: name.entity, values: [:], links: [:], version: 1)
      record.version = (table.records[name.id]?.version ?? 0) + 7
      for (key, attribute) in object.entity.attributesByName where !attribute.isTransient {
        record.values[key] = object.value(forKey: key)
      }
      for (key, relationship) in object.entity.relationshipsByName {
        record.links[key] = members(of: object, relationship).map(self.name)
      }
      table.records[name.id] = record
    }
    table.metadata = metadata
  }

  private func members(
    of object: NSManagedObject,
    _ relationship: NSRelationshipDescription
  ) -> [NSManagedObject] {
    switch object.value(forKey: relationship.name) {
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let target as NSManagedObject: [target]
    case _: []
    }
  }

  private func name(of object: NSManagedObject) -> Name {
    Name(
      entity: object.entity.name ?? "",
      id: referenceObject(for: object.objectID) as? String ?? ""
    )
  }

  // MARK: Objects

  override func newValuesForObject(
    with objectID: NSManagedObjectID,
    with context: NSManagedObjectContext
  ) throws -> NSIncrementalStoreNode {
    log.append("values of \(objectID.entity.name ?? "")")
    asker = context
    guard let id = referenceObject(for: objectID) as? String, let record = table.records[id] else {
      throw CocoaError(.managedObjectReferentialIntegrity)
    }
    var values = record.values
    for (key, relationship) in objectID.entity.relationshipsByName
    where !relationship.isToMany && tellsTargets {
      values[key] = identities(record.links[key] ?? []).first ?? NSNull()
    }
    return NSIncrementalStoreNode(
      objectID: objectID,
      withValues: values,
      version: record.version
    )
  }

  override func newValue(
    forRelationship relationship: NSRelationshipDescription,
    forObjectWith objectID: NSManagedObjectID,
    with context: NSManagedObjectContext?
  ) throws -> Any {
    log.append("\(relationship.name) of \(objectID.entity.name ?? "")")
    guard let id = referenceObject(for: objectID) as? String, let record = table.records[id] else {
      throw CocoaError(.managedObjectReferentialIntegrity)
    }
    let found = identities(record.links[relationship.name] ?? [])
    return relationship.isToMany ? found as Any : found.first ?? NSNull()
  }

  private func identities(_ names: [Name]) -> [NSManagedObjectID] {
    names.compactMap { name in
      guard table.records[name.id] != nil,
        let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name.entity]
      else { return nil }
      return newObjectID(for: entity, referenceObject: name.id)
    }
  }

  override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
    array.map { object in
      table.lastID += 1
      return newObjectID(for: object.entity, referenceObject: "row \(table.lastID)")
    }
  }

  override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
    held.withLock { held in for id in objectIDs { held[id, default: 0] += 1 } }
  }

  override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
    held.withLock { held in
      for id in objectIDs {
        held[id, default: 0] -= 1
        if held[id] == 0 { held[id] = nil }
      }
    }
  }
}

/// A request that only this kind of store knows.
final class CountEverything: NSPersistentStoreRequest {
  override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
}
