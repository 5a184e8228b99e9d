import CoreData

/// Reads a store's history, and tells it in identifiers of notes, folders and keywords.
struct HistoryReader {
  private let context: NSManagedObjectContext

  /// More changes than this in one transaction are not worth telling one by one.
  private static let tellable = 2000
  private static let entities = [
    "Note", "Folder", "Keyword", "SavedSearch", "OtherWording", "Property",
  ]

  init(_ context: NSManagedObjectContext) {
    self.context = context
  }

  /// The transactions after one, in order.
  func transactions(after number: Int64) throws -> [NSPersistentHistoryTransaction] {
    try transactions(NSPredicate(format: "transactionNumber > %lld", number))
  }

  /// The notes whose text or title other programs have changed within a span, without counting a revision.
  ///
  /// The slip box's own changes are not read.
  func uncountedEdits(after first: Int64, through last: Int64) throws -> ForeignEdits {
    let within = NSPredicate(
      format: "transactionNumber > %lld AND transactionNumber <= %lld",
      first,
      last
    )
    let foreign = try transactions(within, type: .transactionsOnly)
      .filter { !PersistenceController.isOfSlipbox($0.contextName) }.map(\.transactionNumber)
    var edited = ForeignEdits([])
    for number in foreign {
      let transaction = NSPredicate(format: "transactionNumber == %lld", number)
      edited.formUnion(ForeignEdits(try transactions(transaction)))
    }
    return edited
  }

  /// The number of the last transaction; 0 if there was none.
  func lastNumber() throws -> Int64 {
    try number(ascending: false) ?? 0
  }

  /// Whether everything after a transaction is still there.
  func reaches(back number: Int64, _ last: Int64) throws -> Bool {
    if number == last { return true }
    guard let first = try self.number(ascending: true) else { return false }
    return first - 1 <= number
  }

  private func number(ascending: Bool) throws -> Int64? {
    try transactions(.all, type: .transactionsOnly, limit: 1, ascending: ascending)
      .first?.transactionNumber
  }

  private func transactions(
    _ predicate: NSPredicate,
    type: NSPersistentHistoryResultType = .transactionsAndChanges,
    limit: Int = 0,
    ascending: Bool = true
  ) throws -> [NSPersistentHistoryTransaction] {
    guard let fetch = NSPersistentHistoryTransaction.fetchRequest else { return [] }
    fetch.predicate = predicate
    fetch.sortDescriptors = [NSSortDescriptor(key: "transactionNumber", ascending: ascending)]
    fetch.fetchLimit = limit
    let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
    request.resultType = type
    let result = try context.execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }
}

// MARK: - In identifiers

extension HistoryReader {
  /// An event for each transaction that is about notes, folders or keywords.
  func events(
    of transactions: [NSPersistentHistoryTransaction],
    store: String
  ) throws -> [ChangeEvent] {
    let names = try names(in: transactions)
    return transactions.compactMap { transaction in
      let changes = transaction.changes ?? []
      let token = HistoryPlace(store: store, number: transaction.transactionNumber).text
      guard changes.count <= Self.tellable else { return .reload(token: token) }
      var told: [String: Set<String>] = [:]
      for change in changes {
        let entity = change.changedObjectID.entity.name ?? ""
        if let name = names[change.changedObjectID] ?? Self.tombstone(of: change) {
          // A note shows its other wordings and its properties.
          told[Self.isOfNote(entity) ? "Note" : entity, default: []].insert(name)
        }
      }
      if told.isEmpty { return nil }
      return .changed(
        .init(
          notes: told["Note", default: []].sorted(),
          folders: told["Folder", default: []].sorted(),
          keywords: told["Keyword", default: []].sorted(),
          searches: told["SavedSearch", default: []].sorted(),
          by: transaction.author,
          token: token
        )
      )
    }
  }

  private static func tombstone(of change: NSPersistentHistoryChange) -> String? {
    let name = identifier(of: change.changedObjectID.entity.name ?? "")
    return (change.tombstone?[name] as? UUID)?.text
  }

  /// Whether the objects of an entity are parts of notes, which change with them.
  private static func isOfNote(_ entity: String) -> Bool {
    entity == "OtherWording" || entity == "Property"
  }

  /// The attribute with the identifier of the object, or of its note.
  private static func identifier(of entity: String) -> String {
    isOfNote(entity) ? "noteID_" : NoteProperties.uuid
  }

  /// The identifiers of the changed objects that are still there; a statement for each entity.
  private func names(
    in transactions: [NSPersistentHistoryTransaction]
  ) throws -> [NSManagedObjectID: String] {
    var wanted: [String: Set<NSManagedObjectID>] = [:]
    for transaction in transactions where transaction.changes?.count ?? 0 <= Self.tellable {
      for change in transaction.changes ?? [] where change.changeType != .delete {
        let id = change.changedObjectID
        if let entity = id.entity.name, Self.entities.contains(entity) {
          wanted[entity, default: []].insert(id)
        }
      }
    }
    return try wanted.reduce(into: [:]) { names, entry in
      for (id, uuid) in try identifiers(of: entry.value, entity: entry.key) { names[id] = uuid }
    }
  }

  private func identifiers(
    of ids: Set<NSManagedObjectID>,
    entity: String
  ) throws -> [(NSManagedObjectID, String)] {
    let itself = NSExpressionDescription()
    itself.name = "id"
    itself.expression = .expressionForEvaluatedObject()
    itself.expressionResultType = .objectIDAttributeType
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.resultType = .dictionaryResultType
    let name = Self.identifier(of: entity)
    request.propertiesToFetch = [itself, name]
    request.predicate = NSPredicate(format: "SELF IN %@", Array(ids))
    return try context.fetch(request).compactMap { record in
      guard let id = record["id"] as? NSManagedObjectID,
        let uuid = record[name] as? UUID
      else { return nil }
      return (id, uuid.text)
    }
  }
}
