import CoreData
import CoreDataModel
import CoreDataStoreCare
import CoreDataWebServer
import Foundation

/// The changes of one object, or of the whole store, as its history has them: the newest first.
struct ObjectHistory {
  let store: OpenStore

  static let most = 50

  /// The changes that are wanted.
  struct Filter {
    /// The number of the change before which they were made.
    var before: Int?
    var author: String?
    var entity: String?
    var since: Date?
    var until: Date?
  }

  /// The last changes in the store that a filter lets through.
  func changes(_ filter: Filter) throws -> JSONValue {
    var terms: [NSPredicate] = []
    if let before = filter.before {
      terms.append(NSPredicate(format: "changeID < %@", NSNumber(value: before)))
    }
    if let author = filter.author {
      terms.append(NSPredicate(format: "transaction.author == %@", author))
    }
    if let since = filter.since {
      terms.append(NSPredicate(format: "transaction.timestamp >= %@", since as NSDate))
    }
    if let until = filter.until {
      terms.append(NSPredicate(format: "transaction.timestamp < %@", until as NSDate))
    }
    if let name = filter.entity {
      let all = try store.coordinator.managedObjectModel.entities
      let root = try store.layout(name)
      let wanted = all.filter { store.schema.isEntity($0.name ?? "", kindOf: root.name) }
      terms.append(NSPredicate(format: "changedEntity IN %@", wanted))
    }
    let request = NSPersistentHistoryChange.fetchRequest
    request?.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: terms)
    request?.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
    return try changes(request)
  }

  /// The last changes of an object.
  func changes(of key: StoredKey) throws -> JSONValue {
    let request = NSPersistentHistoryChange.fetchRequest
    let identity = try store.identity(key)
    request?.predicate = NSPredicate(format: "changedObjectID == %@", identity)
    request?.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
    return try changes(request)
  }

  /// The changes of an object from one of them on, the newest first.
  ///
  /// - Throws: A `Problem` with status 413 if there are more than `limit`.
  func all(
    of key: StoredKey,
    from number: Int,
    atMost limit: Int
  ) throws -> [NSPersistentHistoryChange] {
    let request = NSPersistentHistoryChange.fetchRequest
    request?.predicate = NSPredicate(
      format: "changedObjectID == %@ AND changeID >= %@",
      try store.identity(key),
      NSNumber(value: number)
    )
    request?.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
    let changes = try fetched(request, limit + 1) ?? []
    if changes.count > limit {
      throw Problem(413, "The object has changed more than \(limit) times since then.")
    }
    return changes
  }

  private func changes(
    _ fetchRequest: NSFetchRequest<any NSFetchRequestResult>?
  ) throws -> JSONValue {
    guard let changes = try fetched(fetchRequest, Self.most + 1) else {
      return ["isKept": false, "changes": []]
    }
    return [
      "isKept": true, "hasMore": .boolean(changes.count > Self.most),
      "changes": .array(changes.prefix(Self.most).map(Self.json)),
    ]
  }

  /// The changes that a request finds, the newest first; `nil` if the store keeps no history.
  private func fetched(
    _ fetchRequest: NSFetchRequest<any NSFetchRequestResult>?,
    _ limit: Int
  ) throws -> [NSPersistentHistoryChange]? {
    let coordinator = try store.coordinator
    guard try store.facts(counting: .zero)?.history != nil else { return nil }
    fetchRequest?.fetchLimit = limit
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
    request.fetchRequest = fetchRequest
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let result = try context.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      return transactions.flatMap { $0.changes ?? [] }.sorted { $0.changeID > $1.changeID }
    }
  }

  static func json(_ change: NSPersistentHistoryChange) -> JSONValue {
    let transaction = change.transaction
    let kind: JSONValue =
      switch change.changeType {
      case .insert: "inserted"
      case .update: "updated"
      case .delete: "deleted"
      }
    let properties = (change.updatedProperties ?? []).map(\.name).sorted()
    return [
      "kind": kind,
      "number": .integer(Int(change.changeID)),
      "transaction": transaction.map { .integer(Int($0.transactionNumber)) } ?? .null,
      "id": .text(StoredKey(change.changedObjectID).text),
      "date": transaction.map { .text($0.timestamp.iso8601) } ?? .null,
      "author": transaction?.author.map { .text($0) } ?? .null,
      "context": transaction?.contextName.map { .text($0) } ?? .null,
      "process": transaction.map { .text($0.processID) } ?? .null,
      "program": transaction.map { .text($0.bundleID) } ?? .null,
      "properties": .array(properties.map { .text($0) }),
    ]
  }
}

extension StoredKey {
  /// The entity and the number of an identity.
  init(_ identity: NSManagedObjectID) {
    let number = identity.uriRepresentation().lastPathComponent.dropFirst()
    self.init(entity: identity.entity.name ?? "", primaryKey: Int64(number) ?? 0)
  }

  /// Reads `Note/p3`; `nil` for other texts.
  init?(entity: String, number: String) {
    guard number.first == "p", let key = Int64(number.dropFirst()), key > 0 else { return nil }
    self.init(entity: entity, primaryKey: key)
  }
}
