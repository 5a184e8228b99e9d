import CoreData
import TestSupport
import Testing

/// Notes in a store that keeps a history.
struct HistoryStack {
  let file: URL
  let notes: NotesStack

  static var options: [String: Any] { [NSPersistentHistoryTrackingKey: NSNumber(value: true)] }

  init(
    file: URL = TestSupport.TemporaryFolder.file("Notes.sqlite"),
    _ more: [String: Any] = [:]
  ) throws {
    self.file = file
    notes = try NotesStack(file: file, options: Self.options.merging(more) { _, more in more })
  }

  /// The same in a store of another kind.
  init(
    kind: StoreKind,
    at file: URL = TestSupport.TemporaryFolder.file("Notes.sqlite"),
    _ more: [String: Any] = [:]
  ) throws {
    self.file = file
    let options = Self.options.merging(more) { _, more in more }
    notes = try NotesStack(type: kind.type, at: file, options: options)
  }

  var coordinator: NSPersistentStoreCoordinator { notes.coordinator }

  var token: NSPersistentHistoryToken? {
    coordinator.currentPersistentHistoryToken(fromStores: nil)
  }

  /// A new context, with names for the history.
  func context(
    _ name: String? = nil,
    author: String? = nil
  ) -> NSManagedObjectContext {
    let context = notes.context()
    context.name = name
    context.transactionAuthor = author
    return context
  }

  /// Works in a new context, and saves.
  @discardableResult
  func save<Result>(
    author: String? = nil,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = context(author: author)
    return try context.performAndWait {
      let result = try body(context)
      try context.save()
      return result
    }
  }
}

// MARK: - Asking

extension HistoryStack {
  /// The answer to a request.
  func result(
    _ type: NSPersistentHistoryResultType? = nil,
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> Any? {
    if let type { request.resultType = type }
    let context = context()
    return try context.performAndWait {
      let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
      return result.result
    }
  }

  func transactions(
    _ request: NSPersistentHistoryChangeRequest
  ) throws -> [NSPersistentHistoryTransaction] {
    try #require(try result(nil, request) as? [NSPersistentHistoryTransaction])
  }

  func transactions(
    after token: NSPersistentHistoryToken? = nil
  ) throws -> [NSPersistentHistoryTransaction] {
    try transactions(.fetchHistory(after: token))
  }

  /// All changes, as lines such as `2 update Note/1 title`.
  func picture(after token: NSPersistentHistoryToken? = nil) throws -> [String] {
    try transactions(after: token).flatMap(\.picture)
  }

  /// The numbers of the transactions that a predicate finds.
  func numbers(where format: String, _ arguments: Any...) throws -> [Int64] {
    let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return try transactions(.fetchHistory(withFetch: request)).map(\.transactionNumber)
  }

  /// The lines of the changes that a predicate finds.
  func changes(where format: String, _ arguments: Any...) throws -> [String] {
    let request = try #require(NSPersistentHistoryChange.fetchRequest)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    let found = try result(.changesOnly, .fetchHistory(withFetch: request))
    return try #require(found as? [NSPersistentHistoryChange]).map(\.picture)
  }
}

// MARK: - Pictures

extension NSPersistentHistoryTransaction {
  var picture: [String] { (changes ?? []).map { "\(transactionNumber) \($0.picture)" } }
}

extension NSPersistentHistoryChange {
  var picture: String {
    let kind =
      switch changeType {
      case .insert: "insert"
      case .update: "update"
      case .delete: "delete"
      }
    let place = changedObjectID.uriRepresentation().lastPathComponent.dropFirst()
    let names = (updatedProperties ?? []).map(\.name).sorted()
    let kept = (tombstone ?? [:]).map { "\($0.key)=\($0.value)" }.sorted()
    let object = "\(kind) \(changedObjectID.entity.name ?? "?")/\(place)"
    return ([object] + names + kept).joined(separator: " ")
  }
}
