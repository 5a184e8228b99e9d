import CoreData
import TestSupport
import Testing

/// Asking a store what has happened.
@Suite struct HistoryRequestTests {
  private let stack: HistoryStack
  private let note: NSManagedObjectID
  private let folder: NSManagedObjectID

  /// The app makes a folder with a note, an import another note; the app renames the first, and
  /// somebody removes the second.
  init() throws {
    let stack = try HistoryStack()
    (note, folder) = try stack.save(author: "app") { context in
      let note = context.note("One", in: context.folder("F"))
      try context.obtainPermanentIDs(for: [note] + [note.folder].compactMap { $0 })
      return (note.objectID, try #require(note.folder).objectID)
    }
    try stack.save(author: "import") { context in
      try context.obtainPermanentIDs(for: [context.note("Two")])
    }
    let note = note
    try stack.save(author: "app") { $0.find(note, as: Note.self).title = "Eins" }
    try stack.save { context in
      let request = Note.fetchRequest()
      request.predicate = NSPredicate(format: "title == 'Two'")
      for found in try context.fetch(request) { context.delete(found) }
    }
    self.stack = stack
  }

  private var all: NSPersistentHistoryChangeRequest {
    .fetchHistory(after: nil as NSPersistentHistoryToken?)
  }

  @Test func `transactions say who, when and what (97)`() throws {
    let context = stack.context("editor", author: "me")
    let before = Date()
    try context.performAndWait {
      context.note("Three")
      try context.save()
    }
    let transaction = try #require(try stack.transactions().last)
    #expect(transaction.author == "me")
    #expect(transaction.contextName == "editor")
    #expect(transaction.processID == ProcessInfo.processInfo.processName)
    #expect(!transaction.bundleID.isEmpty)
    #expect(transaction.storeID == stack.coordinator.persistentStores.first?.identifier)
    #expect(transaction.transactionNumber == 5)
    #expect((before...Date()).contains(transaction.timestamp))
    let change = try #require(transaction.changes?.first)
    #expect(transaction.changes?.count == 1)
    #expect(change.changeType == .insert)
    #expect(change.changedObjectID.entity.name == "Note")
    #expect(change.updatedProperties == nil)
    #expect(change.tombstone == nil)
    #expect(change.transaction == transaction)
    #expect(change.changeID == 6)
  }

  @Test func `updates name their properties as the model describes them (97)`() throws {
    let change = try #require(try stack.transactions().dropFirst(2).first?.changes?.first)
    let title = try #require(note.entity.propertiesByName["title"])
    #expect(change.changeType == .update)
    #expect(change.updatedProperties == [title])
    #expect(change.changedObjectID == note)
  }

  @Test func `an update named properties that were set to equal values`() throws {
    try stack.save { context in
      let note = context.find(note, as: Note.self)
      let folder = note.folder
      note.title = "Eins"
      note.folder = nil
      note.folder = folder
      note.stars = 3
    }
    let pictures = try #require(try stack.transactions().last).picture
    #expect(pictures.filter { $0.contains("Note") } == ["5 update Note/1 stars"])
  }

  @Test func `every kind of result`() throws {
    #expect(
      try stack.transactions(all).flatMap(\.picture).map { String($0) }.sorted() == [
        "1 insert Folder/1", "1 insert Note/1", "2 insert Note/2", "3 update Note/1 title",
        "4 delete Note/2",
      ]
    )
    let transactions = try #require(
      try stack.result(.transactionsOnly, all) as? [NSPersistentHistoryTransaction]
    )
    #expect(transactions.map(\.transactionNumber) == [1, 2, 3, 4])
    #expect(transactions.allSatisfy { $0.changes == nil })
    let changes = try #require(try stack.result(.changesOnly, all) as? [NSPersistentHistoryChange])
    #expect(changes.map(\.changeID) == [1, 2, 3, 4, 5])
    #expect(changes.map { $0.transaction?.transactionNumber } == [1, 1, 2, 3, 4])
    #expect(try stack.result(.count, all) as? Int == 5)
    #expect(try stack.result(.statusOnly, all) as? Bool == true)
    let ids = try #require(try stack.result(.objectIDs, all) as? [NSManagedObjectID])
    #expect(ids.count == 3 && Set(ids).isSuperset(of: [note, folder]))
  }

  @Test func `a token, a date or a transaction is where it begins (98)`() throws {
    let transactions = try stack.transactions()
    let second = transactions[1]
    let later = { (request: NSPersistentHistoryChangeRequest) in
      try stack.transactions(request).map(\.transactionNumber)
    }
    #expect(try later(.fetchHistory(after: second.token)) == [3, 4])
    #expect(try later(.fetchHistory(after: second)) == [3, 4])
    #expect(try later(.fetchHistory(after: second.timestamp)) == [3, 4])
    #expect(try later(.fetchHistory(after: Date.distantPast)) == [1, 2, 3, 4])
    #expect(try later(.fetchHistory(after: stack.token)) == [])
    #expect(try later(.fetchHistory(after: nil as NSPersistentHistoryTransaction?)).count == 4)
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: second.token)
    #expect(request.token == second.token)
    request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    request.fetchRequest?.predicate = NSPredicate(format: "author == 'app'")
    #expect(try later(request) == [3])
    for (type, count) in [(NSPersistentHistoryResultType.count, 1), (.objectIDs, 1)] {
      let answer = try stack.result(type, request)
      #expect(answer as? Int ?? (answer as? [NSManagedObjectID])?.count == count)
    }
    let dated = NSPersistentHistoryChangeRequest.fetchHistory(after: second.timestamp)
    #expect(try stack.result(.count, dated) as? Int == 2)
  }
}

// MARK: - Predicates

extension HistoryRequestTests {
  @Test func `predicates on transactions (98)`() throws {
    let transactions = try stack.transactions()
    let token = transactions[1].token
    let store = try #require(stack.coordinator.persistentStores.first?.identifier)
    #expect(try stack.numbers(where: "author == %@", "app") == [1, 3])
    // Nobody is not the app.
    #expect(try stack.numbers(where: "author != %@", "app") == [2, 4])
    #expect(try stack.numbers(where: "author == nil") == [4])
    #expect(try stack.numbers(where: "author IN %@", ["app", "import"]) == [1, 2, 3])
    #expect(try stack.numbers(where: "author LIKE[c] 'IMP*' OR author == nil") == [2, 4])
    #expect(try stack.numbers(where: "token > %@", token) == [3, 4])
    #expect(try stack.numbers(where: "%@ < token", token) == [3, 4])
    #expect(try stack.numbers(where: "token == %@", token) == [2])
    #expect(try stack.numbers(where: "transactionNumber BETWEEN {2, 3}") == [2, 3])
    #expect(try stack.numbers(where: "timestamp >= %@", transactions[2].timestamp) == [3, 4])
    #expect(try stack.numbers(where: "storeID == %@ AND author == 'import'", store) == [2])
    #expect(try stack.numbers(where: "storeID == %@", "another") == [])
    #expect(try stack.numbers(where: "processID == %@", "another") == [])
    #expect(
      try stack.numbers(where: "processID == %@", ProcessInfo.processInfo.processName).count == 4
    )
    #expect(try stack.numbers(where: "contextName == nil AND bundleID != nil").count == 4)
    #expect(try stack.numbers(where: "ANY changes.changeType == 2") == [4])
    #expect(try stack.numbers(where: "changes.@count == 2") == [1])
  }

  @Test func `predicates on changes (98)`() throws {
    let transactions = try stack.transactions()
    #expect(try stack.changes(where: "changeType == %d", 2) == ["delete Note/2"])
    #expect(
      try stack.changes(where: "changedObjectID == %@", note)
        == ["insert Note/1", "update Note/1 title"]
    )
    #expect(
      try stack.changes(where: "changedObjectID IN %@", [note, folder]).sorted()
        == ["insert Folder/1", "insert Note/1", "update Note/1 title"]
    )
    #expect(
      try stack.changes(where: "NOT changedObjectID IN %@ AND changeType == 0", [note])
        .sorted() == ["insert Folder/1", "insert Note/2"]
    )
    #expect(try stack.changes(where: "changedObjectID != %@ AND changeID > 3", note).count == 1)
    #expect(try stack.changes(where: "changedEntity == %@", folder.entity) == ["insert Folder/1"])
    #expect(try stack.changes(where: "changedEntity IN %@", [folder.entity]).count == 1)
    #expect(try stack.changes(where: "transaction.author == 'import'") == ["insert Note/2"])
    // A change answers for its transaction.
    #expect(try stack.changes(where: "author == 'import'") == ["insert Note/2"])
    #expect(try stack.changes(where: "token > %@", transactions[2].token) == ["delete Note/2"])
    #expect(try stack.changes(where: "timestamp < %@", transactions[1].timestamp).count == 2)
  }

  @Test func `transactions have the changes alone that were asked for`() throws {
    let request = try #require(NSPersistentHistoryChange.fetchRequest)
    request.predicate = NSPredicate(format: "changedObjectID == %@", note)
    let found = try stack.transactions(.fetchHistory(withFetch: request))
    #expect(found.flatMap(\.picture) == ["1 insert Note/1", "3 update Note/1 title"])
    #expect(found.map(\.author) == ["app", "app"])
  }

  @Test func `an object of another coordinator is the one of the same store`() throws {
    let other = try HistoryStack(file: stack.file)
    #expect(try other.changes(where: "changedObjectID == %@", note).count == 2)
    let elsewhere = try HistoryStack()
    #expect(try elsewhere.changes(where: "changedObjectID == %@", note) == [])
  }

  @Test func `orders, limits and offsets are part of the statement`() throws {
    let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
    request.sortDescriptors = [NSSortDescriptor(key: "timestamp", ascending: false)]
    request.fetchLimit = 2
    let newest = try stack.transactions(.fetchHistory(withFetch: request))
    #expect(newest.flatMap(\.picture) == ["4 delete Note/2", "3 update Note/1 title"])
    request.fetchOffset = 3
    #expect(try stack.transactions(.fetchHistory(withFetch: request)).map(\.author) == ["app"])
    request.fetchOffset = 0
    request.sortDescriptors = [
      NSSortDescriptor(key: "author", ascending: true),
      NSSortDescriptor(key: "token", ascending: false),
    ]
    request.fetchLimit = 0
    #expect(
      try stack.transactions(.fetchHistory(withFetch: request)).map(\.transactionNumber)
        == [4, 3, 1, 2]
    )
    let changes = try #require(NSPersistentHistoryChange.fetchRequest)
    changes.sortDescriptors = [NSSortDescriptor(key: "changeID", ascending: false)]
    changes.fetchLimit = 3
    let found = try stack.result(.changesOnly, .fetchHistory(withFetch: changes))
    #expect((found as? [NSPersistentHistoryChange])?.map(\.changeID) == [5, 4, 3])
    let grouped = try stack.transactions(.fetchHistory(withFetch: changes))
    #expect(grouped.map(\.transactionNumber) == [2, 3, 4])
    #expect(grouped.map { $0.changes?.count } == [1, 1, 1])
    #expect(try stack.result(.count, .fetchHistory(withFetch: changes)) as? Int == 3)
    let ids = try stack.result(.objectIDs, .fetchHistory(withFetch: changes))
    #expect((ids as? [NSManagedObjectID])?.count == 2)
  }

  @Test func `transactions lost changes where an order of changes mixes them`() throws {
    let request = try #require(NSPersistentHistoryChange.fetchRequest)
    request.sortDescriptors = [
      NSSortDescriptor(key: "changedEntity", ascending: false),
      NSSortDescriptor(key: "changeID", ascending: true),
    ]
    let found = try stack.transactions(.fetchHistory(withFetch: request))
    #expect(found.map { $0.changes?.count } == [2, 1, 1, 1])
    #expect(found.first?.picture == ["1 insert Note/1", "1 insert Folder/1"])
    let changes = try stack.result(.changesOnly, .fetchHistory(withFetch: request))
    #expect(
      (changes as? [NSPersistentHistoryChange])?.map(\.picture) == [
        "insert Note/1", "insert Note/2", "update Note/1 title", "delete Note/2", "insert Folder/1",
      ]
    )
    let objects = try stack.result(.objectIDs, .fetchHistory(withFetch: request))
    #expect((objects as? [NSManagedObjectID])?.last == folder)
    #expect((objects as? [NSManagedObjectID])?.count == 3)
  }

  @Test(arguments: [
    "updatedProperties CONTAINS 'title'", "tombstone != nil", "changedObjectID > 3",
    "changedObjectID.entity.name == 'Note'", "colour == 'red'",
  ])
  func `what the tables do not say is refused with a sentence`(format: String) throws {
    let error = #expect(throws: CocoaError.self) { try stack.changes(where: format) }
    #expect(error?.code == .persistentStoreUnsupportedRequestType)
    let text = try #require((error as NSError?)?.localizedFailureReason)
    #expect(text.hasSuffix("."))
  }

  @Test func `a request inside that names its entity was refused`() throws {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Transaction")
    request.predicate = NSPredicate(format: "author == %@", "app")
    let found = try stack.transactions(.fetchHistory(withFetch: request))
    #expect(found.map(\.transactionNumber) == [1, 3])
    let changes = NSFetchRequest<any NSFetchRequestResult>(entityName: "Change")
    #expect(try stack.result(.count, .fetchHistory(withFetch: changes)) as? Int == 5)
  }

  @Test func `a purge took transactions that its request does not select`() throws {
    let purge = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    purge.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    purge.fetchRequest?.predicate = NSPredicate(format: "author == %@", "app")
    #expect(try stack.result(.count, purge) as? Int == 2)
    // The third is the app's, too, and would leave a gap.
    #expect(try stack.transactions().map(\.transactionNumber) == [2, 3, 4])
    purge.fetchRequest?.predicate = NSPredicate(format: "author != nil")
    #expect(try stack.result(.count, purge) as? Int == 2)
    #expect(try stack.transactions().map(\.transactionNumber) == [4])
    let early = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantPast)
    early.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
    early.fetchRequest?.predicate = NSPredicate(format: "author == nil")
    #expect(try stack.result(.count, early) as? Int == 0)
    #expect(try stack.transactions().map(\.transactionNumber) == [4])
  }

  @Test func `a purge took transactions where its request selects changes`() throws {
    let purge = NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture)
    purge.fetchRequest = NSPersistentHistoryChange.fetchRequest
    purge.fetchRequest?.predicate = NSPredicate(format: "changeType == %d", 2)
    let error = #expect(throws: CocoaError.self) { try stack.result(nil, purge) }
    #expect(error?.code == .persistentStoreUnsupportedRequestType)
    #expect(try stack.transactions().count == 4)
  }

  @Test func `a request inside that is about something else is refused`() throws {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    let error = #expect(throws: CocoaError.self) {
      try stack.transactions(.fetchHistory(withFetch: request))
    }
    #expect(error?.code == .persistentStoreUnsupportedRequestType)
  }

  @Test(arguments: StoreKind.allCases)
  func `a store without a history says so`(kind: StoreKind) throws {
    let plain = try NotesStack(kind)
    #expect(plain.coordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
    try plain.work { context in
      let error = #expect(throws: CocoaError.self) { try context.execute(all) }
      #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }
  }

  @Test func `coordinators and children answer, too`() throws {
    let context = stack.context()
    try context.performAndWait {
      let answer = try stack.coordinator.execute(all, with: context)
      #expect((answer as? NSPersistentHistoryResult)?.resultType == .transactionsAndChanges)
      let child = NSManagedObjectContext(.privateQueue)
      child.parent = context
      let result = try child.performAndWait { try child.execute(all) as? NSPersistentHistoryResult }
      #expect((result?.result as? [NSPersistentHistoryTransaction])?.count == 4)
    }
  }

  @Test func `entities describe what can be asked`() throws {
    let context = stack.context()
    let change = try #require(NSPersistentHistoryChange.entityDescription(with: context))
    #expect(change.attributesByName["changedEntity"]?.name == "changedEntity")
    #expect(change.attributesByName["changeType"] != nil)
    #expect(change.attributesByName["changedObjectID"] != nil)
    let transaction = try #require(NSPersistentHistoryTransaction.entityDescription)
    for name in ["author", "bundleID", "contextName", "processID", "timestamp", "token"] {
      #expect(transaction.attributesByName[name] != nil)
    }
    #expect(NSPersistentHistoryTransaction.fetchRequest?.entity === transaction)
  }

  @Test func `a history in memory works as one in a file`() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesStack.model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: URL(fileURLWithPath: "/dev/null"),
      options: HistoryStack.options
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      context.note("One")
      try context.save()
      let result = try context.execute(all) as? NSPersistentHistoryResult
      let found = result?.result as? [NSPersistentHistoryTransaction]
      #expect(found?.flatMap(\.picture) == ["1 insert Note/1"])
    }
  }
}
